"""The lessons: every task has a solution, its mistake fails, and it works without an account or a script."""

import pytest
from django.test import Client

from accounts.models import User
from duels.models import Battle
from studies.lesson_tasks import BY_SLUG, LESSONS
from studies.lessons import PUPIL, play_task
from studies.progress import COOKIE, name_task
from studies.shelf import list_taught, read_shelf
from tests.html import flat
from tests.scenes import log_in
from tests.studies.fights import fight_to_the_end

TASKS = [pytest.param(task, id=f"{lesson.slug}-{n}") for lesson in LESSONS for n, task in enumerate(lesson.tasks, 1)]


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_a_solution_and_a_mistake_that_is_none(task):
    after, solved = play_task(task, task.solution)
    assert solved, after.events[-1]
    after, solved = play_task(task, task.mistake)
    assert not solved, after.events[-1]


def fields(task, orders):
    left, right = orders.split("\n")[0].split("/")
    return {"stage": "1.0.0", "mage": PUPIL, "LH": left, "RH": right, "order": orders.split("\n")[1:], "act": "ready"}


@pytest.mark.django_db
def test_a_task_says_what_went_wrong_and_links_to_the_next_once_it_is_solved():
    client = Client()
    first = BY_SLUG["shield"].tasks[0]
    page = client.get("/learn/shield/1/").content.decode()
    assert str(first.words)[:40] in page and 'id="pad-LH"' in page and not client.cookies
    wrong = client.post("/learn/shield/1/", fields(first, first.mistake)).content.decode()
    assert "Not yet." in wrong and "stabs you" in wrong and 'id="pad-LH"' in wrong
    assert "Continue" not in wrong and not client.cookies
    solved = client.post("/learn/shield/1/", fields(first, first.solution)).content.decode()
    assert ">Solved</h1>" in solved and 'href="/learn/shield/2/"' in solved and 'id="pad-LH"' not in solved
    assert client.cookies[COOKIE].value == "shield-1"
    assert "✓" in client.get("/learn/shield/2/").content.decode()
    # The place is kept in this browser, and nowhere else.
    assert client.get("/learn/next/")["Location"] == "/learn/hands/1/"
    assert not Battle.objects.exists() and not User.objects.exists()


@pytest.mark.django_db
def test_all_tasks_are_solved_on_their_pages_and_the_last_leads_to_a_duel():
    client = Client()
    assert "Start lesson 1" in client.get("/learn/").content.decode()
    page = ""
    for lesson in LESSONS:
        for step, task in enumerate(lesson.tasks, 1):
            sent = fields(task, task.solution) | {"confirmed": "yes"}
            page = client.post(f"/learn/{lesson.slug}/{step}/?fragment=board", sent).content.decode()
            assert ">Solved</h1>" in page and "<html" not in page, (lesson.slug, step)
    assert 'href="/learn/surrender/done/"' in page
    assert 'href="/play/"' in client.get("/learn/surrender/done/").content.decode()
    assert "You have solved them all." in client.get("/learn/").content.decode()
    assert client.get("/learn/next/")["Location"] == "/learn/"


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", [{"LH": ""}, {"LH": "X"}, {"line": "é"}, {"order": "TARGET LH Nobody1"}])
def test_a_line_that_is_not_an_order_is_rejected(wrong):
    task = BY_SLUG["hands"].tasks[0]
    response = Client().post("/learn/hands/1/", {**fields(task, task.solution), **wrong})
    assert response.status_code == 422 and "Solved" not in response.content.decode()


@pytest.mark.django_db
def test_a_surrender_is_asked_about_and_a_preview_plays_nothing():
    task = BY_SLUG["surrender"].tasks[0]
    page = Client().post("/learn/surrender/1/", fields(task, task.solution)).content.decode()
    assert 'name="confirmed" value="yes"' in page and "Solved" not in page
    page = Client().post("/learn/hands/1/", fields(task, "P/S") | {"act": "preview"}).content.decode()
    assert "You cast Shield on yourself." in page and "Solved" not in page


@pytest.mark.django_db
def test_other_addresses_and_cookies_of_nonsense_do_no_harm():
    for path in ("/learn/nothing/1/", "/learn/hands/9/", "/learn/hands/0/"):
        assert Client().get(path).status_code == 404
    broken = Client()
    broken.cookies[COOKIE] = "hands-1.<script>.." + "x" * 5000
    page = broken.get("/learn/").content.decode()
    assert "<script>.." not in page


@pytest.mark.parametrize("task", TASKS)
def test_no_task_shows_more_than_one_dagger_and_what_it_says_of_stabs_is_on_the_board(task):
    stabs = [theirs.count(">") for _mine, theirs in task.moves]
    assert task.teacher.count(">") <= 1 and all(count <= 1 for count in stabs)
    if "will stab again" in str(task.words):
        assert stabs[-1] == 1 and task.teacher.count(">") == 1


def test_sending_the_goblin_takes_an_order():
    task = BY_SLUG["creatures"].tasks[1]
    assert play_task(task, task.solution)[1]
    assert not play_task(task, task.solution.partition("\n")[0])[1]


def test_there_are_lessons_on_plans_and_on_reading_an_opponent():
    slugs = [lesson.slug for lesson in LESSONS]
    assert slugs[-5:] == ["two-plans", "answer", "hold", "opponent", "surrender"]


def test_the_next_lesson_is_on_home_and_after_battles_until_all_are_done(db):
    fight = fight_to_the_end()
    reader = log_in(fight.user("Bung"))
    addresses = ("/", f"/battles/{fight.number}/")
    for address in addresses:
        page = reader.get(address).content.decode()
        assert 'href="/learn/hands/">Next lesson, 1: Two hands</a>' in page, address
    reader.cookies[COOKIE] = ".".join(f"{each.slug}-{n}" for each in LESSONS for n in range(1, len(each.tasks) + 1))
    assert all("Next lesson" not in reader.get(address).content.decode() for address in addresses)


def test_a_spell_stands_on_the_shelf_once_a_lesson_made_you_cast_it(db):
    client = Client()
    empty = client.get("/learn/").content.decode()
    assert "You know 0 of " in empty and "Cause Light Wounds" not in empty.partition('id="shelf"')[2]
    task = BY_SLUG["shield"].tasks[0]
    orders = {"LH": "P", "RH": "W", "act": "ready", "stage": "2.0.0", "mage": PUPIL}
    solved = client.post("/learn/shield/1/", orders)
    assert "What you now know:" in solved.content.decode() and list_taught(task) == ("Shield",)
    shelf = client.get("/learn/").content.decode().partition('id="shelf"')[2]
    assert "You know 1 of " in shelf and "<b>Shield</b>" in shelf
    assert "What you now know:" not in client.post("/learn/shield/1/", orders).content.decode()


def test_the_shelf_draws_up_to_nine_spells_by_hand_and_then_shows_all(db):
    client = Client()
    names = [name_task(each, step) for each in LESSONS[:3] for step in range(1, len(each.tasks) + 1)]
    client.cookies["learned"] = ".".join(names)
    few = flat(client.get(f"/learn/{LESSONS[2].slug}/done/").content.decode())
    assert few.count('href="#h-') == 6 and "Disease" not in few
    assert 'aria-label="3 of 15 lessons done"' in few and few.count("✓") == 3
    assert few.index("What you now know") < few.index('class="dock end"') < few.index("Practise again")
    spells = ("disease", "fear", "amnesia", "haste", "poison", "blindness", "invisibility")
    client.cookies["learned"] = ".".join([*names, *(f"cast-{each}" for each in spells)])
    many = flat(client.get(f"/learn/{LESSONS[2].slug}/done/").content.decode())
    assert "You know <b>10 of 40</b> spells." in many and "Both hands play a boxed letter." in many
    assert 'href="#h-' not in many and 'class="way"' not in many
    assert '>8</span><b>Finger Of Death</b><span class="vh">8 gestures</span>' in many


def test_all_lessons_together_fill_part_of_the_shelf():
    names = {f"{each.slug}-{n}" for each in LESSONS for n in range(1, len(each.tasks) + 1)}
    shelf = read_shelf(names)
    assert 9 <= shelf.known < len(shelf.spells)
    assert {"Paralysis", "Counter Spell", "Magic Mirror"} <= {each.name for each in shelf.spells if each.is_known}


def test_a_done_lesson_says_what_the_reader_knows_now_and_leads_to_the_next(db):
    client = Client()
    assert client.get("/learn/shield/done/")["Location"] == "/learn/shield/"
    for step, task in enumerate(BY_SLUG["shield"].tasks, 1):
        solved = client.post(f"/learn/shield/{step}/", fields(task, task.solution) | {"confirmed": "yes"})
    assert 'href="/learn/shield/done/"' in solved.content.decode()
    page = flat(client.get("/learn/shield/done/").content.decode())
    number = LESSONS.index(BY_SLUG["shield"]) + 1
    for words in (f"Lesson {number} is done", "What you now know", "You know ", "Your shelf", "Practise again"):
        assert words in page, words
    assert "Start lesson 1: Two hands" in page or f"Start lesson {number + 1}: {LESSONS[number].title}" in page
    assert "<b>Shield <small>new</small></b>" in page
