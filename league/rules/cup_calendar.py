"""When cups begin: a knock-out once a month, and a live evening every fourth week."""

from datetime import UTC, datetime, timedelta

# A new cup is made so long before it begins that people can sign up.
TIME_TO_SIGN_UP = timedelta(days=7)
# Without enough entrants so long before it begins, a cup is cancelled.
DECIDED_BEFORE = timedelta(days=1)
LEAST_ENTRANTS = 6
# Knock-outs begin at this hour.
KNOCKOUT_HOUR = 12
# Evenings are counted in fours of weeks from this Monday.
FIRST_WEEK = datetime(2026, 1, 5, tzinfo=UTC)
FOUR_WEEKS = timedelta(weeks=4)


def find_next_knockout(now: datetime, *, day: int) -> datetime:
    """Return when the first knock-out begins that people can still sign up for: on that day of a month (1 to 28)."""
    first = now + TIME_TO_SIGN_UP
    begins_at = datetime(first.year, first.month, day, KNOCKOUT_HOUR, tzinfo=UTC)
    if begins_at >= first:
        return begins_at
    year, month = divmod(first.year * 12 + first.month, 12)
    return datetime(year, month + 1, day, KNOCKOUT_HOUR, tzinfo=UTC)


def find_next_evening(now: datetime, *, weekday: int, hour: int) -> datetime:
    """Return when the first evening begins that people can still sign up for: on that weekday (Monday is 1) of every
    fourth week, at that hour in UTC."""
    offset = timedelta(days=weekday - 1, hours=hour)
    passed = now + TIME_TO_SIGN_UP - FIRST_WEEK - offset
    return FIRST_WEEK + offset - (-passed // FOUR_WEEKS) * FOUR_WEEKS
