"""Puzzles on their pages: judged by the engine, rated at the first try only, the same one for all on a day."""

import datetime
from contextlib import suppress
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from duels.models import Battle
from ladder.stakes import VERY_FRIENDLY
from rules_engine import write_state
from studies.models import Puzzle, PuzzleSkill, PuzzleTry, SearchedBattle
from studies.progress import COOKIE
from studies.selectors.puzzles import (
    find_daily_puzzle,
    find_next_puzzle,
    judge_turn,
    list_battles_to_search,
    list_committed_puzzles,
    read_position,
    set_up_puzzle,
)
from studies.services import puzzles as puzzles_service
from studies.services.puzzles import add_committed_puzzles, count_try, guess_rating, search_battles
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage, make_user
from tests.services.plugin import LONG

NOW = timezone.now()
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def puzzles():
    add_committed_puzzles()
    return {puzzle.key: puzzle for puzzle in Puzzle.objects.all()}


def written_of(kind):
    return next(each for each in list_committed_puzzles() if each["kind"] == kind)


def fields(puzzle, lines):
    """The form of these order lines."""
    hands = dict(line.split(" ", 1) for line in lines if line[:2] in ("LH", "RH"))
    others = [line for line in lines if line[:2] not in ("LH", "RH")]
    return {"stage": "1.0.0", "mage": puzzle.mage, **hands, "order": others, "act": "ready", "confirmed": "yes"}


def solve(client, puzzle, written, **headers):
    lines = written["solutions"][0].splitlines()
    return client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, lines), headers=headers)


IDLE = ["LH -", "RH -"]


def test_committed_puzzles_are_added_once_and_read_back_as_they_were(puzzles):
    assert len(puzzles) == len(list_committed_puzzles()) >= 40
    assert add_committed_puzzles() == 0 and Puzzle.objects.count() == len(puzzles)
    for written in list_committed_puzzles()[:5]:
        position = set_up_puzzle(written)
        stored = read_position(puzzles[written["key"]])
        assert write_state(stored.state) == write_state(position.state)
        assert stored.events[-1] == position.events[-1]


def test_every_committed_puzzle_is_judged_right_by_its_page(puzzles):
    """One in four at the short count."""
    for written in list_committed_puzzles()[:: 1 if LONG else 4]:
        puzzle = puzzles[written["key"]]
        position = read_position(puzzle)
        assert judge_turn(puzzle, position, written["solutions"][0]).is_right, puzzle.key
        assert not judge_turn(puzzle, position, "LH -\nRH -").is_right, puzzle.key


@pytest.mark.parametrize("kind", ["win", "survive"])
def test_strangers_solve_without_a_rating_and_learn_what_defeats_a_wrong_turn(puzzles, kind):
    written = written_of(kind)
    puzzle, client = puzzles[written["key"]], Client()
    page = client.get(f"/puzzles/{puzzle.pk}/").content.decode()
    assert 'id="pad-LH"' in page and puzzle.mage in page
    wrong = client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, IDLE)).content.decode()
    assert not client.cookies
    assert "This answer defeats it:" in wrong and 'id="pad-LH"' in wrong
    answer = solve(client, puzzle, written)
    solved = answer.content.decode()
    assert answer.status_code == 200 and ">Solved</h1>" in solved and "Solve another" in solved
    assert "data-share" in solved and "Notify me daily" not in solved
    assert 'id="pad-LH"' not in solved
    assert (
        set(client.cookies) <= {COOKIE}
        and not PuzzleTry.objects.exists()
        and not User.objects.filter(is_guest=True).exists()
    )
    puzzle.refresh_from_db()
    assert puzzle.tries == 0


def test_only_the_first_try_counts_even_if_it_is_sent_twice(puzzles):
    written = written_of("win")
    puzzle, user = puzzles[written["key"]], make_user("Newby")
    client = log_in(user)
    first = solve(client, puzzle, written).content.decode()
    skill = PuzzleSkill.objects.get(user=user)
    assert skill.rating > 1500 and skill.deviation < 350 and skill.tries == 1
    assert f"1500 → <b>{skill.rating:.0f}</b>" in first
    again = solve(client, puzzle, written).content.decode()
    assert "it no longer counts" in again
    client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, IDLE))
    after = PuzzleSkill.objects.get(user=user)
    assert (after.rating, after.tries) == (skill.rating, 1)
    rated = Puzzle.objects.get(pk=puzzle.pk)
    assert rated.rating < puzzle.rating and (rated.tries, rated.solved) == (1, 1)
    assert PuzzleTry.objects.get(user=user).solved


def test_a_failed_first_try_counts_as_one_and_solving_it_afterwards_does_not(puzzles):
    written = written_of("survive")
    puzzle, user = puzzles[written["key"]], make_user("Newby")
    client = log_in(user)
    client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, IDLE))
    low = PuzzleSkill.objects.get(user=user).rating
    assert low < 1500 and Puzzle.objects.get(pk=puzzle.pk).rating > puzzle.rating
    assert 'class="tried"' in client.get("/puzzles/").content.decode()
    solve(client, puzzle, written)
    assert PuzzleSkill.objects.get(user=user).rating == low
    listed = client.get("/puzzles/").content.decode()
    assert 'class="solved"' in listed and 'class="tried"' not in listed


def test_guests_and_forms_of_other_sites_change_no_rating(puzzles):
    written = written_of("win")
    puzzle, user = puzzles[written["key"]], make_user("Newby")
    guest = make_user("Quillon")
    guest.is_guest = True
    assert count_try(user=guest, puzzle=puzzle, solved=True, now=NOW) is None
    refused = solve(log_in(user), puzzle, written, origin="https://elsewhere.example")
    assert refused.status_code == 403
    assert not PuzzleTry.objects.exists() and not PuzzleSkill.objects.exists()


def test_a_preview_and_incomplete_orders_do_not_count_as_a_try(puzzles):
    puzzle, user = puzzles[written_of("win")["key"]], make_user("Newby")
    client = log_in(user)
    sent = fields(puzzle, IDLE)
    assert client.post(f"/puzzles/{puzzle.pk}/", sent | {"act": "preview"}).status_code == 200
    del sent["RH"]
    assert client.post(f"/puzzles/{puzzle.pk}/", sent).status_code == 422
    assert not PuzzleTry.objects.exists()


def test_the_puzzle_of_the_day_is_the_same_for_all_whatever_is_added_and_another_the_next_day(puzzles):
    today = datetime.date(2030, 1, 1)
    daily = find_daily_puzzle(today=today)
    Puzzle.objects.create(key="late", kind="win", mage="X", state={}, added_on=today)
    assert find_daily_puzzle(today=today) == daily
    week = {find_daily_puzzle(today=today + datetime.timedelta(days=n)).pk for n in range(2, 9)}
    assert len(week) == 7
    Puzzle.objects.filter(key="late").delete()
    now = find_daily_puzzle(today=timezone.now().date())
    for client in (Client(), log_in(make_user("Newby"))):
        assert client.get("/puzzles/daily/")["Location"] == f"/puzzles/{now.pk}/"


def test_pages_without_puzzles_say_so():
    Puzzle.objects.all().delete()
    client = Client()
    assert "There are no puzzles" in client.get("/puzzles/").content.decode()
    assert client.get("/puzzles/daily/")["Location"] == "/puzzles/"
    assert client.get("/puzzles/1/").status_code == 404


def test_a_second_turn_follows_only_after_the_right_first_one(puzzles):
    puzzle = puzzles[written_of("win")["key"]]
    for first in ("LH -\nRH -", "nonsense", "x" * 5000):
        assert Client().get(f"/puzzles/{puzzle.pk}/?{urlencode({'first': first})}").status_code == 404


def test_no_page_reveals_the_solution_or_the_answer_before_a_turn_is_played(puzzles):
    """Two puzzles that differ in nothing but what solves and defeats them look the same, to the byte."""
    puzzle = puzzles[written_of("win")["key"]]
    page = Client().get(f"/puzzles/{puzzle.pk}/").content
    Puzzle.objects.filter(pk=puzzle.pk).update(solutions=["LH W\nRH W"], answers=["LH D\nRH D"], reply="LH S\nRH S")
    assert Client().get(f"/puzzles/{puzzle.pk}/").content == page


def test_puzzles_with_more_solutions_start_with_a_lower_rating():
    assert guess_rating("win", columns=1) > guess_rating("survive", columns=8) > guess_rating("survive", columns=16)
    assert guess_rating("two", columns=1) > guess_rating("win", columns=1)


def test_a_finished_battle_is_searched_once_and_its_puzzle_leads_back_to_it():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), hit_points=(15, 1), stakes=VERY_FRIENDLY)
    fight.turns((("W/F", "S/D"), ("F/D", "S/D")))
    assert search_battles(now=NOW, limit=5, seconds=60) == 0 and not SearchedBattle.objects.exists()
    fight.turn("P/D\nCHOOSE LH Cause Light Wounds", "S/S")
    assert Battle.objects.get(pk=fight.battle.pk).status == Battle.Status.FINISHED
    assert list_battles_to_search(limit=5) == [fight.battle]
    assert search_battles(now=NOW, limit=5, seconds=60) >= 1
    found = Puzzle.objects.get(key=f"win-battle-{fight.number}")
    assert (found.mage, found.battle, found.added_on) == ("Froodal", fight.battle, NOW.date())
    assert search_battles(now=NOW, limit=5, seconds=60) == 0
    # Its first day as a puzzle of the day is the next one at the earliest.
    assert find_daily_puzzle(today=NOW.date()) != found
    client = Client()
    assert f"/battles/{fight.number}/" in client.get(f"/puzzles/{found.pk}/").content.decode()
    sent = fields(found, ["LH P", "RH D", "CHOOSE LH Cause Light Wounds"])
    assert ">Solved</h1>" in client.post(f"/puzzles/{found.pk}/", sent).content.decode()


def test_a_puzzle_of_a_battle_that_is_reopened_is_withheld_until_it_ends_again():
    fight, today = start_fight(make_mage("Froodal"), make_mage("Bung")), NOW.date()
    daily = find_daily_puzzle(today=today)
    page, card = f"/puzzles/{daily.pk}/", reverse("studies:puzzle_card", args=[daily.pk])
    Puzzle.objects.filter(pk=daily.pk).update(battle=fight.battle)

    def find():
        shown = [Client().get(each).status_code for each in (page, card)]
        listed = [page in Client().get(each).text for each in ("/puzzles/", "/sitemap.xml")]
        chosen = find_daily_puzzle(today=today)
        assert chosen is not None
        return [*shown, *listed, chosen == daily, find_next_puzzle(None, after=daily.pk - 1) == daily.pk]

    assert find() == [404, 404, False, False, False, False]
    fight.turn("-/-", "P/P")
    assert find() == [200, 200, True, True, True, True]


class Killed(BaseException):
    """The worker ends in the middle."""


@pytest.mark.parametrize(("error", "found"), [(Killed, 1), (ZeroDivisionError, 0)])
def test_a_battle_whose_search_ends_early_is_searched_again_but_one_that_fails_is_not(monkeypatch, error, found):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), hit_points=(15, 1), stakes=VERY_FRIENDLY)
    fight.turns((("W/F", "S/D"), ("F/D", "S/D"), ("P/D\nCHOOSE LH Cause Light Wounds", "S/S")))

    def fail(*_args):
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(puzzles_service, "prove", fail)
        with suppress(Killed):
            assert search_battles(now=NOW, limit=5, seconds=60) == 0
    search_battles(now=NOW, limit=5, seconds=60)
    assert Puzzle.objects.filter(key=f"win-battle-{fight.number}").count() == found
    assert list_battles_to_search(limit=5) == []


def test_spells_cast_in_a_solved_puzzle_stand_on_the_shelf_once(puzzles):
    written = written_of("win")
    puzzle, client = puzzles[written["key"]], Client()
    client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, IDLE))
    assert "You know 0 of" in client.get("/learn/").content.decode()
    solved = solve(client, puzzle, written).content.decode()
    assert "What you now know:" in solved
    shelf = client.get("/learn/").content.decode().partition('id="shelf"')[2]
    assert "You know 0 of" not in shelf and 'class="sign' in shelf
    again = solve(client, puzzle, written).content.decode()
    assert ">Solved</h1>" in again and "What you now know:" not in again
    # A lesson solved later keeps them.
    client.post("/learn/shield/1/", {"LH": "P", "RH": "W", "act": "ready", "stage": "2.0.0", "mage": "You"})
    assert ".cast-" in f".{client.cookies[COOKIE].value}"
