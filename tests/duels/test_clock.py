"""The arithmetic of clocks: time is an argument; includes nights, weekends and days of 23 or 25 hours."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duels.clock import NIGHT_HOURS, Clock, Rest, add_counting, count_between, list_rests

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FRIDAY = datetime(2031, 5, 9, 18, 0, tzinfo=UTC)

moments = st.datetimes(datetime(2029, 1, 1), datetime(2033, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001
lengths = st.timedeltas(timedelta(0), timedelta(days=40))
nights = st.none() | st.integers(0, 23)
rests = st.builds(Rest, st.sampled_from(ZONES), weekends=st.booleans(), night=nights)


def test_a_weekend_of_rest_does_not_count():
    weekends = Rest("UTC", weekends=True)
    assert count_between(FRIDAY, FRIDAY + 3 * DAY, weekends) == DAY
    assert add_counting(FRIDAY, 12 * HOUR, weekends) == datetime(2031, 5, 12, 6, 0, tzinfo=UTC)


def test_a_night_begins_and_ends_in_the_time_zone_of_its_user():
    berlin = Rest("Europe/Berlin", night=23)
    night = next(iter(list_rests(FRIDAY, FRIDAY + DAY, berlin)))
    assert [at.astimezone(ZoneInfo("Europe/Berlin")).hour for at in night] == [23, 7]


@pytest.mark.parametrize(("day", "hours"), [(datetime(2031, 3, 29), 7), (datetime(2031, 10, 25), 9)])  # noqa: DTZ001
def test_a_night_on_which_clocks_change_is_shorter_or_longer_by_the_hour(day, hours):
    zone = ZoneInfo("Europe/Berlin")
    noon = day.replace(hour=12, tzinfo=zone).astimezone(UTC)
    [(start, end)] = list_rests(noon, noon + DAY - 2 * HOUR, Rest("Europe/Berlin", night=23))
    assert end - start == hours * HOUR


@given(moments, lengths, rests)
def test_the_time_that_counts_up_to_a_moment_equals_the_time_added_to_find_it(since, length, rest):
    """So a deadline that was found and one that is counted down to agree, over every change of clocks."""
    assert count_between(since, add_counting(since, length, rest), rest) == length


@given(moments, lengths, lengths, rests)
def test_time_counts_the_same_in_one_piece_and_in_two(since, first, second, rest):
    middle = since + first
    end = middle + second
    whole = count_between(since, end, rest)
    assert count_between(since, middle, rest) + count_between(middle, end, rest) == whole
    assert timedelta(0) <= whole <= end - since


@given(moments, rests)
def test_no_week_is_all_rest(since, rest):
    assert count_between(since, since + 7 * DAY, rest) >= 5 * (24 - NIGHT_HOURS - 1) * HOUR


@given(moments, lengths, lengths, lengths, rests)
def test_a_stopped_clock_continues_with_the_time_left(since, ran, held, allowed, rest):
    clock = Clock(allowed, DAY, since=since, rest=rest)
    used = clock.used_at(since + ran)
    again = Clock(allowed, DAY, used=used, since=since + ran + held, rest=rest)
    ends = again.moment_of(allowed)
    assert ends >= since + ran + held
    assert again.used_at(ends) == max(used, allowed)


def test_a_clock_that_is_set_back_uses_up_nothing():
    assert Clock(DAY, DAY, since=FRIDAY).used_at(FRIDAY - DAY) == timedelta(0)
    assert Clock(DAY, DAY, used=HOUR).moment_of(DAY) is None
