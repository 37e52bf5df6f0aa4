"""The streak of the puzzle of the day: local days, tried or not, with one missed day a week forgiven."""

from datetime import UTC, date, datetime, timedelta

import pytest

from notifications.services.preferences import set_preference
from studies.models import Puzzle, PuzzleTry
from studies.selectors.puzzle_streak import count_streak, read_streak
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.puzzles import add_committed_puzzles
from tests.scenes import log_in, make_user
from tests.studies.test_puzzles import fields, written_of

MONDAY = date(2031, 5, 5)


def days(*numbers: int) -> set[date]:
    return {MONDAY + timedelta(days=n) for n in numbers}


@pytest.mark.parametrize(
    ("done", "today", "expected"),
    [
        ((), 0, (0, 0)),
        ((0, 1, 2), 2, (3, 3)),
        ((0, 1, 2), 3, (3, 3)),  # today is not missed yet
        ((0, 1, 3, 4), 4, (4, 4)),  # one missed day is forgiven
        ((0, 1, 4, 5), 5, (2, 2)),  # a second one in the same week is not
        ((0, 1, 2, 3, 4, 5, 8, 9), 9, (8, 8)),  # one in each of two weeks
        ((0, 1, 2, 6), 30, (0, 3)),
    ],
)
def test_a_streak_forgives_one_missed_day_a_week(done: tuple[int, ...], today: int, expected: tuple[int, int]):
    assert count_streak(days(*done), today=MONDAY + timedelta(days=today)) == expected


@pytest.mark.django_db
def test_only_the_puzzle_of_the_day_counts_for_the_day_where_the_user_lives():
    add_committed_puzzles()
    Puzzle.objects.update(added_on=date(2031, 1, 1))
    user = make_user("Newby")
    set_preference(user=user, key="time_zone", value="Pacific/Auckland")
    late = datetime(2031, 5, 6, 20, 0, tzinfo=UTC)  # Wednesday morning in Auckland
    daily = find_daily_puzzle(today=late.date())
    assert daily is not None
    other = Puzzle.objects.exclude(pk=daily.pk).order_by("pk").first()
    for puzzle, at in ((daily, late), (other, late - timedelta(days=1))):
        PuzzleTry.objects.create(
            user=user, puzzle=puzzle, solved=False, tried_at=at, rating_before=1500, rating_after=1490
        )
    streak = read_streak(user, now=late)
    assert (streak.days, streak.longest) == (1, 1)
    assert [day.state for day in streak.week] == ["missed", "missed", "done", "", "", "", ""]


@pytest.mark.django_db
def test_a_try_at_the_puzzle_of_the_day_shows_the_streak(monkeypatch: pytest.MonkeyPatch):
    add_committed_puzzles()
    puzzle = Puzzle.objects.get(key=written_of("win")["key"])
    monkeypatch.setattr("studies.views.puzzles.find_daily_puzzle", lambda *, today: puzzle)
    monkeypatch.setattr("studies.selectors.puzzle_streak.choose_daily", lambda puzzles, *, today: puzzle.pk)
    client = log_in(make_user("Newby"))
    assert "in a row" not in client.get(f"/puzzles/{puzzle.pk}/").text
    failed = client.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, ["LH -", "RH -"])).text
    assert "1 day in a row" in failed and "Your longest is 1." in failed
    assert "Tomorrow’s puzzle is the next bead." in failed
