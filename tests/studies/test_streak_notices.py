"""The notice that a streak ends today: true, once, at a good hour of the user's, and gone when it no longer matters."""

import random
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from accounts.selectors.news import list_news
from accounts.services.users import create_user
from notifications.models import Delivery, Notice
from notifications.preferences import ZONES
from notifications.push_texts import make_push
from notifications.services.preferences import set_preference
from notifications.settled_notices import is_settled
from studies.models import DailyTry, Puzzle
from studies.selectors.puzzles import find_daily_puzzle
from studies.services.progress import record_puzzle_try
from studies.services.puzzles import add_committed_puzzles
from studies.services.streak_notices import find_moment_to_tell, is_time_to_tell, notify_of_ending_streaks
from studies.streaks import DAY
from tests.scenes import HOUR, NOW, log_in, make_user

QUIET = {"quiet_hours": "no", "quiet_from": "22:00", "quiet_until": "08:00"}
# 4 May 2031, when the last good hour begins in UTC.
EVENING = NOW.replace(hour=21)


def try_day(user: User, day: date, *, solved: bool = True) -> None:
    DailyTry.objects.create(user=user, day=day, solved=solved, tried_at=datetime.combine(day, time(9), UTC))


@pytest.fixture
def reader(db: None) -> User:
    """Two days in a row, after this month's rest day."""
    add_committed_puzzles()
    Puzzle.objects.update(added_on=(NOW - 9 * DAY).date())
    user = create_user(name="Newby", email="newby@example.org", now=NOW, email_verified=True)
    today = NOW.date()
    for ago, solved in ((3, True), (2, False), (1, True)):
        try_day(user, today - ago * DAY, solved=solved)
    return user


def sweep(*moments: datetime) -> list[int]:
    return [notify_of_ending_streaks(now=moment) for moment in moments]


def test_it_is_told_once_and_in_time_and_its_line_goes_with_the_day(reader: User):
    User.objects.filter(pk=reader.pk).update(has_push=True)
    assert sweep(EVENING - HOUR, EVENING, EVENING, EVENING + HOUR / 2) == [0, 1, 0, 0]
    notice = Notice.objects.get()
    push = make_push(notice)
    assert push is not None and push.text == "Solve it by midnight UTC to reach 3 days in a row."
    assert push.path == f"/puzzles/{notice.facts['puzzle']}/"
    assert [each.channel for each in Delivery.objects.all()] == [Delivery.Channel.PUSH]
    assert "Solve today&#x27;s puzzle by midnight UTC to reach 3 days in a row." in log_in(reader).get("/news/").text
    assert not is_settled(notice)
    sweep(EVENING + 4 * HOUR)
    assert not list_news(reader.pk).exists()


def test_who_has_tried_today_is_not_told_and_loses_the_line(reader: User):
    puzzle = find_daily_puzzle(today=NOW.date())
    assert puzzle is not None
    sweep(EVENING)
    record_puzzle_try(user=reader, puzzle=puzzle, solved=False, now=EVENING + HOUR)
    assert not list_news(reader.pk).exists() and is_settled(Notice.objects.get())
    Notice.objects.all().delete()
    assert sweep(EVENING + HOUR) == [0]


def test_a_streak_that_can_rest_and_a_short_one_are_not_spoken_of(reader: User):
    can_rest, short = make_user("Rested"), make_user("Short")
    today = NOW.date()
    for ago in (2, 1):
        try_day(can_rest, today - ago * DAY)
    for ago, solved in ((3, True), (2, False)):
        try_day(short, today - ago * DAY, solved=solved)
    assert sweep(EVENING) == [1] and Notice.objects.get().user == reader


def test_who_wants_it_nowhere_gets_nothing_and_who_wants_email_gets_it(reader: User):
    User.objects.filter(pk=reader.pk).update(has_push=True)
    reader = User.objects.get(pk=reader.pk)
    set_preference(user=reader, key="push_streaks", value="no")
    set_preference(user=reader, key="page_streaks", value="no")
    sweep(EVENING)
    assert not Delivery.objects.exists() and not list_news(reader.pk).exists()
    Notice.objects.all().delete()
    set_preference(user=reader, key="mail_streaks", value="yes")
    sweep(EVENING)
    assert Delivery.objects.get().channel == Delivery.Channel.MAIL


def test_the_queries_do_not_grow_with_the_users(reader: User, django_assert_max_num_queries: Any):
    for n in range(20):
        for ago, solved in ((3, True), (2, False), (1, True)):
            try_day(
                make_user(f"Other{n}") if ago == 3 else User.objects.get(username=f"Other{n}"),
                NOW.date() - ago * DAY,
                solved=solved,
            )
    with django_assert_max_num_queries(24):
        assert sweep(EVENING) == [21]


def test_the_hour_is_good_wherever_the_user_lives():
    """For every time zone, on days with and without changes of the clocks: by day there, outside quiet hours, in time
    before midnight UTC; a sweep that is late tells nobody at night."""
    rng = random.Random(4)
    for zone, _name in ZONES:
        day = date(2031, 1, 1) + rng.randrange(365) * DAY
        chosen = {"time_zone": zone, **QUIET}
        moment = find_moment_to_tell(chosen, day=day)
        assert moment is not None, zone
        local = moment.astimezone(ZoneInfo(zone))
        end = datetime.combine(day + DAY, time(), UTC)
        assert 9 <= local.hour <= 21 and timedelta(hours=3) <= end - moment <= DAY, (zone, day)
        for quarter in range(96):
            now = end - DAY + quarter * HOUR / 4
            if is_time_to_tell(chosen, now=now):
                assert now >= moment and 9 <= now.astimezone(ZoneInfo(zone)).hour <= 21, (zone, now)
    quiet = {"time_zone": "UTC", "quiet_hours": "yes", "quiet_from": "19:30", "quiet_until": "09:30"}
    assert find_moment_to_tell(quiet, day=NOW.date()) == NOW.replace(hour=19)
    assert not is_time_to_tell(quiet, now=EVENING)
    always = {"time_zone": "UTC", "quiet_hours": "yes", "quiet_from": "08:00", "quiet_until": "07:30"}
    assert find_moment_to_tell(always, day=NOW.date()) is None
