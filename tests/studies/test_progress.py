"""Progress in lessons and puzzles: in the browser of strangers and guests, in the account of users, and moved there."""

from datetime import UTC, date, datetime
from importlib import import_module

import pytest
from django.apps import apps
from django.db import OperationalError
from django.test import Client

from accounts.models import User
from accounts.services.leave import close_user
from fm_site.pages.export import export_user
from moderation.services.merge_users import merge_users, undo_merge
from studies.lesson_tasks import BY_SLUG, LESSONS
from studies.models import DailyTry, LearnedStep, Puzzle, PuzzleTry, SolvedPuzzle
from studies.progress import COOKIE, LONGEST_COOKIE, Progress, name_task, write_cookie
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.progress import merge_progress, record_puzzle_try, record_steps
from studies.services.puzzles import add_committed_puzzles
from tests.html import flat
from tests.scenes import DAY, NOW, log_in, make_user
from tests.studies.test_lessons import fields as lesson_fields
from tests.studies.test_puzzles import solve, written_of

pytestmark = pytest.mark.django_db
PASSWORD = "nine-blue-doors-27"


def steps_of(user: User) -> set[str]:
    return set(LearnedStep.objects.filter(user=user).values_list("name", flat=True))


def solve_first_task(client: Client, slug: str) -> None:
    task = BY_SLUG[slug].tasks[0]
    sent = lesson_fields(task, task.solution) | {"confirmed": "yes"}
    assert ">Solved</h1>" in client.post(f"/learn/{slug}/1/", sent).text


@pytest.fixture
def puzzle() -> Puzzle:
    add_committed_puzzles()
    Puzzle.objects.update(added_on=date(2031, 1, 1))
    return Puzzle.objects.get(key=written_of("win")["key"])


def test_what_a_user_solves_is_in_the_account_and_on_every_browser_of_theirs(puzzle: Puzzle):
    anna = make_user("Anna")
    first, second = log_in(anna), log_in(anna)
    solve_first_task(first, "shield")
    solve(first, puzzle, written_of("win"))
    assert COOKIE not in first.cookies and "shield-1" in steps_of(anna)
    assert "You know 1 of " not in second.get("/learn/").text  # the puzzle made them cast something, too
    assert f'puzzles/{puzzle.pk}/" class="solved"' in second.get("/puzzles/").text
    assert "You know 0 of " in Client().get("/learn/").text


def test_a_browser_gives_its_progress_to_who_logs_in_and_forgets_it(puzzle: Puzzle):
    anna = make_user("Anna")
    anna.set_password(PASSWORD)
    anna.save()
    record_steps(user=anna, steps=["shield-1"], now=NOW)
    for slugs in (("shield", "hands"), ("creatures",)):
        browser = Client()
        for slug in slugs:
            solve_first_task(browser, slug)
        solve(browser, puzzle, written_of("win"))
        assert f"p{puzzle.pk}" in browser.cookies[COOKIE].value
        assert f'puzzles/{puzzle.pk}/" class="solved"' in browser.get("/puzzles/").text
        browser.post("/accounts/login/", {"login": "Anna", "password": PASSWORD})
        browser.get("/")
        assert browser.cookies[COOKIE].value == "" and browser.cookies[COOKIE]["max-age"] == 0
    assert {"shield-1", "hands-1", "creatures-1"} <= steps_of(anna)
    assert not LearnedStep.objects.get(user=anna, name="shield-1").is_merged, "what was there keeps its time"
    assert SolvedPuzzle.objects.get(user=anna).is_merged
    assert not DailyTry.objects.exists() and not PuzzleTry.objects.exists()


def test_the_cookie_may_come_twice_or_be_made_up(puzzle: Puzzle):
    anna = make_user("Anna")
    client = log_in(anna)
    for _time in range(2):
        client.cookies[COOKIE] = f"hands-1.nothing-7.cast-fear.p{puzzle.pk}.p999999.pp.p-1.p³.<b>" + ".x" * 3000
        assert "You know " in client.get("/learn/").text
    assert steps_of(anna) == {"hands-1", "cast-fear"}
    assert list(SolvedPuzzle.objects.values_list("puzzle", "is_merged")) == [(puzzle.pk, True)]


def test_a_guest_keeps_progress_in_the_browser_until_they_have_an_account(puzzle: Puzzle):
    guest = make_user("Quillon")
    User.objects.filter(pk=guest.pk).update(is_guest=True)
    browser = log_in(guest)
    solve_first_task(browser, "hands")
    solve(browser, puzzle, written_of("win"))
    assert not steps_of(guest) and browser.cookies[COOKIE].value
    assert browser.get("/learn/solved/")["Location"] == "/keep/"
    User.objects.filter(pk=guest.pk).update(is_guest=False)
    browser.get("/learn/")
    assert "hands-1" in steps_of(guest) and SolvedPuzzle.objects.filter(user=guest).exists()


def test_a_database_that_takes_no_changes_leaves_progress_in_the_browser(monkeypatch: pytest.MonkeyPatch):
    client = log_in(make_user("Anna"))
    client.cookies[COOKIE] = "hands-1"

    def refuse(**_more: object) -> None:
        raise OperationalError("disk full")

    monkeypatch.setattr("studies.progress_middleware.merge_progress", refuse)
    assert client.get("/learn/hands/1/").status_code == 200 and client.cookies[COOKIE].value == "hands-1"
    monkeypatch.undo()
    client.get("/learn/")
    assert client.cookies[COOKIE].value == "" and LearnedStep.objects.exists()


def test_a_browser_forgets_the_oldest_puzzles_before_its_cookie_is_too_long():
    tasks = frozenset(name_task(each, step) for each in LESSONS for step in range(1, len(each.tasks) + 1))
    text = write_cookie(Progress(tasks, puzzles=tuple(range(1, 2000))))
    assert len(text) <= LONGEST_COOKIE and text.endswith(".p1998.p1999") and ".p1." not in text
    assert all(task in text.split(".") for task in tasks)


def test_solved_puzzles_and_lessons_are_listed_by_date_for_their_user_alone(
    puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
):
    anna = make_user("Anna")
    monkeypatch.setattr("studies.services.progress.find_daily_puzzle", lambda *, today: puzzle)
    record_steps(user=anna, steps=["hands-1", "cast-fear"], now=NOW)
    record_puzzle_try(user=anna, puzzle=puzzle, solved=True, now=NOW + DAY)
    other = Puzzle.objects.exclude(pk=puzzle.pk).earliest("pk")
    merge_progress(user=anna, steps=["shield-1"], puzzles=[other.pk], now=NOW + 3 * DAY)
    record_puzzle_try(user=anna, puzzle=puzzle, solved=True, now=datetime(2031, 5, 6, 23, 59, tzinfo=UTC))
    page = flat(log_in(anna).get("/learn/solved/").text)
    found = [
        "7 May 2031",
        "from a browser",
        "6 May 2031",
        f"Puzzle {puzzle.pk}: Win this turn",
        "5 May 2031",
        "puzzle of the day",
    ]
    found += ["4 May 2031", "Lesson 1: Two hands, position 1"]
    places = [page.index(each) for each in found[:4]]
    assert places == sorted(places) and page.count(f"Puzzle {puzzle.pk}:") == 2 and "fear" not in page
    assert all(each in page for each in found)
    assert "Nothing yet." in log_in(make_user("Hilda")).get("/learn/solved/").text


def test_the_user_exports_it_and_it_goes_with_the_account(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch):
    anna = make_user("Anna")
    monkeypatch.setattr("studies.services.progress.find_daily_puzzle", lambda *, today: puzzle)
    record_puzzle_try(user=anna, puzzle=puzzle, solved=True, steps=["cast-fear"], now=NOW)
    exported = export_user(anna, now=NOW)
    assert exported["puzzles_of_the_day"] == [
        {"day": NOW.date(), "puzzle_id": puzzle.pk, "solved": True, "tried_at": NOW}
    ]
    assert exported["solved_puzzles"][0]["puzzle_id"] == exported["first_puzzle_tries"][0]["puzzle_id"] == puzzle.pk
    assert exported["learned_steps"] == [{"name": "cast-fear", "learned_at": NOW, "is_merged": False}]
    close_user(user=anna, now=NOW)
    assert not any(model.objects.exists() for model in (DailyTry, SolvedPuzzle, LearnedStep))
    assert PuzzleTry.objects.exists(), "it has changed the rating of the puzzle"


def test_progress_follows_when_accounts_are_merged_and_returns_when_they_part(puzzle: Puzzle):
    anna, second, jane = make_user("Anna"), make_user("Second"), make_user("Jane")
    User.objects.filter(pk=jane.pk).update(is_staff=True)
    for user, step in ((anna, "hands-1"), (second, "shield-1")):
        record_steps(user=user, steps=[step, "hands-2"], now=NOW)
        DailyTry.objects.create(user=user, day=NOW.date(), puzzle=puzzle, solved=user == anna, tried_at=NOW)
    DailyTry.objects.create(user=second, day=(NOW + DAY).date(), puzzle=puzzle, solved=True, tried_at=NOW + DAY)
    merge = merge_users(kept=anna, merged=second, by=User.objects.get(pk=jane.pk), reason="one person", now=NOW)
    assert steps_of(anna) == {"hands-1", "hands-2", "shield-1"} and steps_of(second) == {"hands-2"}
    days = DailyTry.objects.filter(user=anna).order_by("day").values_list("day", "solved")
    assert list(days) == [(NOW.date(), True), ((NOW + DAY).date(), True)]
    undo_merge(merge=merge, by=User.objects.get(pk=jane.pk), reason="two people", now=NOW)
    assert steps_of(anna) == {"hands-1", "hands-2"} and steps_of(second) == {"hands-2", "shield-1"}


def test_tries_of_before_fill_the_days_and_the_list(puzzle: Puzzle):
    """What the migration stores, once: the first try at a day's own puzzle is that day's, and only solved ones fill the
    list."""
    anna = make_user("Anna")
    for days, solved in ((0, True), (1, False), (2, True)):
        at = NOW + days * DAY
        # The last one is not the puzzle of its day.
        own = find_daily_puzzle(today=(at + (DAY if days == 2 else 0 * DAY)).date())
        assert own is not None
        values = {"rating_before": 1500, "rating_after": 1510, "tried_at": at, "solved": solved}
        PuzzleTry.objects.create(user=anna, puzzle=own, **values)
    migration = import_module("studies.migrations.0009_progress_of_before")
    for _time in range(2):
        migration.store_progress(apps, None)
    days_of = DailyTry.objects.order_by("day").values_list("day", "solved")
    assert list(days_of) == [(NOW.date(), True), ((NOW + DAY).date(), False)]
    assert list(SolvedPuzzle.objects.order_by("solved_at").values_list("solved_at", flat=True)) == [NOW, NOW + 2 * DAY]
