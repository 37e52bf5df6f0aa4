"""The streak of the puzzle of the day: days of UTC on which the first try solved it, with one rest day a month."""

import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from notifications.services.preferences import set_preference
from studies.models import DailyTry, Puzzle, PuzzleTry, SolvedPuzzle
from studies.selectors.learning import read_learning
from studies.selectors.puzzle_streak import find_ending_streaks, find_longest_streak, show_streak
from studies.selectors.puzzles import find_daily_puzzle, judge_turn
from studies.services.progress import merge_progress, record_puzzle_try
from studies.services.puzzles import add_committed_puzzles
from studies.streaks import DAY, count_streak, ends_today
from tests.duels.fights import start_fight
from tests.html import flat
from tests.races import at_once
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.studies.test_puzzles import fields, solve, written_of

MONDAY = date(2031, 5, 5)


def days(text: str, first: date = MONDAY) -> tuple[dict[date, bool], date]:
    """The first tries of these days, one letter each, up to today: s solved, x failed, . none."""
    tries = {first + n * DAY: letter == "s" for n, letter in enumerate(text) if letter != "."}
    return tries, first + (len(text) - 1) * DAY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".", (0, 0, True)),
        ("x", (0, 0, True)),  # nothing is there to be kept
        ("sss", (3, 3, True)),
        ("sss.", (3, 3, True)),  # today is not missed yet
        ("sssx", (3, 3, False)),  # a first try that failed is missed at once: a rest day
        ("ss.ss", (4, 4, False)),  # the rest day neither counts nor breaks
        ("ssxss", (4, 4, False)),
        ("ss.s.", (3, 3, False)),
        ("ss.s.s", (1, 3, False)),  # the second one in a month breaks
        ("ss..", (2, 2, False)),
        ("ss...", (0, 2, False)),
        ("..s", (1, 1, True)),  # none is spent before the first day
        ("ss..ss.s", (1, 2, False)),  # nor is there a second one after a streak has ended
    ],
)
def test_the_first_day_without_a_solution_in_a_month_is_a_rest_day(text: str, expected: tuple[int, int, bool]):
    tries, today = days(text)
    count = count_streak(tries, today=today)
    assert (count.days, count.longest, count.has_rest) == expected


def test_each_month_has_a_rest_day_of_its_own():
    last = date(2031, 5, 30)
    tries, today = days("s..s", last)  # 31 May and 1 June
    count = count_streak(tries, today=today)
    assert (count.days, count.has_rest) == (2, False) and count.rests == {date(2031, 5, 31), date(2031, 6, 1)}
    tries, today = days("s...s", last)
    assert count_streak(tries, today=today).days == 1
    assert count_streak({date(2031, 12, 31): True, date(2032, 1, 2): True}, today=date(2032, 1, 2)).days == 2


def count_slowly(tries: dict[date, bool], today: date) -> tuple[int, int]:
    """The same rule, read another way: cut the days into rows at each miss that finds the month's rest day spent."""
    spent, row, longest = set(), 0, 0
    day = date(2031, 1, 1)
    while day <= today:
        solved, open_yet = tries.get(day) is True, day == today and day not in tries
        if solved:
            row += 1
        elif not open_yet and row and day.strftime("%Y-%m") not in spent:
            spent.add(day.strftime("%Y-%m"))
        elif not open_yet:
            row = 0
        longest, day = max(longest, row), day + timedelta(1)
    return row, longest


def test_what_holds_for_every_streak():
    """For days at random: the count is that of a second reading; one more solved day lengthens nothing but the present
    streak, by one; a failed day is a day without a try once it is over; the longest one never shrinks."""
    rng = random.Random(40)
    for _case in range(400):
        length, share = rng.randrange(1, 120), rng.choice((0.5, 0.8, 0.95))
        first = date(2031, 1, 1) + rng.randrange(60) * DAY
        text = "".join("s" if rng.random() < share else rng.choice("x.") for _day in range(length))
        tries, today = days(text, first)
        count = count_streak(tries, today=today)
        assert (count.days, count.longest) == count_slowly(tries, today), text
        assert 0 <= count.days <= count.longest <= sum(tries.values())
        months = [(day.year, day.month) for day in count.rests]
        assert len(months) == len(set(months)) and not any(tries.get(day) for day in count.rests)
        tomorrow = today + DAY
        solved = count_streak(tries | {tomorrow: True}, today=tomorrow)
        left = count_streak(tries, today=tomorrow)
        assert solved.days == left.days + 1 and solved.longest == max(count.longest, solved.days)
        later = count_streak(tries, today=tomorrow + DAY)
        failed = count_streak(tries | {tomorrow: False}, today=tomorrow + DAY)
        assert (later.days, later.longest, later.rests) == (failed.days, failed.longest, failed.rests)
        assert ends_today(left, tries, today=tomorrow) == (left.days > 0 and later.days == 0), text
        assert count_streak(tries | {today + 40 * DAY: True}, today=today) == count, "the future is no part of it"


@pytest.fixture
def reader(db: None) -> User:
    add_committed_puzzles()
    Puzzle.objects.update(added_on=date(2031, 1, 1))
    return make_user("Newby")


def daily_of(moment: datetime) -> Puzzle:
    puzzle = find_daily_puzzle(today=moment.date())
    assert puzzle is not None
    return puzzle


def try_daily(user: User, at: datetime, *, solved: bool = True) -> None:
    record_puzzle_try(user=user, puzzle=daily_of(at), solved=solved, now=at)


def streak_of(user: User, now: datetime) -> int:
    return show_streak(read_learning(user).first_tries, now=now).days


def test_only_the_first_try_of_the_day_counts(reader: User):
    """A try that fails and then solves it does not count; solving it and then failing does."""
    try_daily(reader, NOW, solved=False)
    try_daily(reader, NOW)
    assert streak_of(reader, NOW) == 0 and SolvedPuzzle.objects.filter(user=reader).count() == 1
    try_daily(reader, NOW + DAY)
    try_daily(reader, NOW + DAY, solved=False)
    assert streak_of(reader, NOW + DAY) == 1


def test_a_puzzle_that_was_tried_before_still_counts_on_its_day(reader: User):
    puzzle = daily_of(NOW)
    yesterday = NOW - DAY
    assert record_puzzle_try(user=reader, puzzle=puzzle, solved=False, now=yesterday) is not None
    assert streak_of(reader, NOW) == 0
    assert record_puzzle_try(user=reader, puzzle=puzzle, solved=True, now=NOW) is None, "no rating a second time"
    assert streak_of(reader, NOW) == 1 and PuzzleTry.objects.get().solved is False


def test_a_try_belongs_to_the_day_on_which_the_server_gets_it(reader: User):
    """Wherever the user lives: the puzzle of the day is that of UTC, and a page left open past midnight is too late."""
    set_preference(user=reader, key="time_zone", value="Pacific/Auckland")
    midnight = datetime(2031, 5, 7, tzinfo=UTC)
    before, after = midnight - timedelta(milliseconds=1), midnight
    assert daily_of(before) != daily_of(after)
    record_puzzle_try(user=reader, puzzle=daily_of(before), solved=True, now=after)
    assert not DailyTry.objects.exists()
    try_daily(reader, before)
    try_daily(reader, after)
    assert list(DailyTry.objects.order_by("day").values_list("day", flat=True)) == [date(2031, 5, 6), date(2031, 5, 7)]
    assert [day.state for day in show_streak(read_learning(reader).first_tries, now=after).week] == [
        *("missed", "done", "done", "", "", "", "")
    ]


def test_a_try_that_arrives_before_midnight_may_be_judged_after_it(reader: User, monkeypatch: pytest.MonkeyPatch):
    written = written_of("win")
    puzzle = Puzzle.objects.get(key=written["key"])
    arrives = datetime(2031, 5, 8, 23, 59, 59, tzinfo=UTC)
    clock = [arrives]

    def judge_slowly(*args: Any, **more: Any) -> Any:
        clock[0] += timedelta(seconds=2)
        return judge_turn(*args, **more)

    monkeypatch.setattr("django.utils.timezone.now", lambda: clock[0])
    monkeypatch.setattr("studies.views.puzzles.judge_turn", judge_slowly)
    for place in ("views.puzzles", "services.progress"):
        monkeypatch.setattr(
            f"studies.{place}.find_daily_puzzle", lambda *, today: puzzle if today == arrives.date() else None
        )
    page = solve(log_in(reader), puzzle, written).text
    assert clock[0].date() > arrives.date() and DailyTry.objects.get().day == arrives.date()
    assert "8 May: solved at the first try" in page


def test_merged_progress_is_no_streak(reader: User):
    merge_progress(user=reader, steps=[], puzzles=[daily_of(NOW).pk], now=NOW)
    assert streak_of(reader, NOW) == 0 and SolvedPuzzle.objects.get().is_merged
    try_daily(reader, NOW)
    assert streak_of(reader, NOW) == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_first_tries_at_once_one_counts():
    add_committed_puzzles()
    Puzzle.objects.update(added_on=date(2031, 1, 1))
    user = make_user("Newby")
    for n, pair in enumerate(((True, True), (True, False))):
        at = NOW + n * DAY
        at_once(*(lambda solved=solved, at=at: try_daily(user, at, solved=solved) for solved in pair))
        (row,) = DailyTry.objects.filter(day=at.date())
        assert PuzzleTry.objects.get(puzzle=row.puzzle).solved == row.solved, "the same try counts for the rating"


def test_a_streak_ends_today_only_without_a_rest_day(reader: User):
    try_daily(reader, NOW - DAY)
    assert find_ending_streaks([reader.pk], now=NOW) == {}
    try_daily(reader, NOW)
    assert find_ending_streaks([reader.pk], now=NOW + 2 * DAY) == {reader.pk: 2}
    try_daily(reader, NOW + 2 * DAY, solved=False)
    assert find_ending_streaks([reader.pk], now=NOW + 2 * DAY) == {}
    assert find_longest_streak(reader, now=NOW + 9 * DAY) == 2


def test_the_page_of_the_puzzle_shows_the_streak_and_a_line_to_share(reader: User, monkeypatch: pytest.MonkeyPatch):
    written = written_of("win")
    puzzle = Puzzle.objects.get(key=written["key"])
    for place in ("views.puzzles", "services.progress"):
        monkeypatch.setattr(f"studies.{place}.find_daily_puzzle", lambda *, today: puzzle)
    monkeypatch.setattr("studies.views.puzzles.timezone.now", lambda: NOW + DAY)
    record_puzzle_try(user=reader, puzzle=puzzle, solved=True, now=NOW)
    client = log_in(reader)
    opened = client.get(f"/puzzles/{puzzle.pk}/").text
    assert "in a row" not in opened and "Your first try today counts for your streak." in opened
    solved = solve(client, puzzle, written).text
    line = "Firetop Mountain puzzle, 5 May: solved at the first try, 2 days in a row"
    assert f'data-text="{line}"' in solved and f'<p class="share-line">{line}</p>' in solved
    assert "2 days in a row</h2>" in solved and "Your longest streak is 2 days." in solved
    assert not any(order in line for order in written["solutions"][0].splitlines())
    # A stranger's first try is not known; who failed first shares no first try.
    assert 'data-text="Firetop Mountain puzzle, 5 May: solved"' in solve(Client(), puzzle, written).text
    other = log_in(make_user("Hilda"))
    failed = other.post(f"/puzzles/{puzzle.pk}/", fields(puzzle, ["LH -", "RH -"])).text
    assert "share-line" not in failed and "in a row" not in failed
    assert "5 May: solved<" in solve(other, puzzle, written).text


def test_the_longest_streak_stands_on_the_profile_for_everyone(reader: User, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fm_site.pages.profiles.timezone.now", lambda: NOW + DAY)
    try_daily(reader, NOW)
    assert "in a row" not in Client().get("/users/Newby/").text, "one day is no row"
    try_daily(reader, NOW + DAY)
    assert "2 puzzles in a row" in Client().get("/users/Newby/").text


def test_home_shows_the_days_of_this_week(reader: User, monkeypatch: pytest.MonkeyPatch):
    """4 May 2031 is a Sunday: Friday was the rest day, Saturday counts, today is open."""
    start_fight(make_mage("Emberlin", reader), make_mage("Ottokar")).turn("P/P", "-/-")
    for ago, solved in ((3, True), (2, False), (1, True)):
        try_daily(reader, NOW - ago * DAY, solved=solved)
    monkeypatch.setattr("fm_site.pages.home.timezone.now", lambda: NOW)
    client = log_in(reader)
    page = flat(client.get("/").text)
    shown = [day.state for day in client.get("/").context["streak"].week]
    assert shown == ["missed", "missed", "missed", "done", "rest", "done", "today"]
    assert "2 days in a row" in page and "Your longest streak is 2 days." in page and "rest day left" not in page
    try_daily(reader, NOW)
    assert "Today’s puzzle</a> is solved." in client.get("/").text
    assert "side-streak" not in log_in(make_user("Hilda")).get("/").text, "a newcomer learns first"
