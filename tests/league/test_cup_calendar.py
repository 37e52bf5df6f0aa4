"""When knock-outs and evenings begin."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from league.rules.cup_calendar import (
    FOUR_WEEKS,
    TIME_TO_ENTER_BOTS,
    TIME_TO_SIGN_UP,
    WEEK,
    find_next_evening,
    find_next_knockout,
    find_next_round_robin,
)

MINUTES = st.integers(0, 14 * 365 * 24 * 60)


def test_a_knock_out_begins_once_a_month_with_a_week_to_sign_up():
    assert find_next_knockout(datetime(2026, 11, 28, tzinfo=UTC), day=10) == datetime(2026, 12, 10, 12, tzinfo=UTC)
    assert find_next_knockout(datetime(2026, 12, 4, tzinfo=UTC), day=10) == datetime(2027, 1, 10, 12, tzinfo=UTC)


def test_an_evening_is_every_fourth_week_on_its_day_and_hour():
    first = find_next_evening(datetime(2026, 11, 28, tzinfo=UTC), weekday=7, hour=19)
    assert first == datetime(2026, 12, 13, 19, tzinfo=UTC)
    assert find_next_evening(first, weekday=7, hour=19) == first + FOUR_WEEKS


@given(minutes=MINUTES, weekday=st.integers(1, 7), hour=st.integers(0, 23), day=st.integers(1, 28))
def test_there_is_time_to_sign_up_and_the_next_one_is_never_skipped(minutes, weekday, hour, day):
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    evening = find_next_evening(now, weekday=weekday, hour=hour)
    assert TIME_TO_SIGN_UP <= evening - now < TIME_TO_SIGN_UP + FOUR_WEEKS
    assert (evening.isoweekday(), evening.hour) == (weekday, hour)
    robin = find_next_round_robin(now, weekday=weekday, hour=hour)
    assert TIME_TO_ENTER_BOTS <= robin - now < TIME_TO_ENTER_BOTS + WEEK
    assert find_next_round_robin(robin, weekday=weekday, hour=hour) == robin + WEEK
    knockout = find_next_knockout(now, day=day)
    assert TIME_TO_SIGN_UP <= knockout - now <= TIME_TO_SIGN_UP + timedelta(days=32)
    assert knockout.day == day
