"""When cups begin: a knock-out once a month, a live evening every fourth week, and a round robin of bots each week."""

from datetime import UTC, datetime, timedelta

# A new cup is made so long before it begins that people can sign up.
TIME_TO_SIGN_UP = timedelta(days=7)
# Programs sign up quickly, and the next round robin is a week after the last one.
TIME_TO_ENTER_BOTS = timedelta(days=3)
# Without enough entrants so long before it begins, a cup is cancelled.
DECIDED_BEFORE = timedelta(days=1)
# A live cup that begins later than this has lost its players.
MOST_LATE = timedelta(minutes=30)
LEAST_ENTRANTS = 6
LEAST_BOTS = 4
# Knock-outs begin at this hour.
KNOCKOUT_HOUR = 12
# Evenings are counted in fours of weeks from this Monday.
FIRST_WEEK = datetime(2026, 1, 5, tzinfo=UTC)
WEEK, FOUR_WEEKS = timedelta(weeks=1), timedelta(weeks=4)


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
    return _find_next(now + TIME_TO_SIGN_UP, weekday, hour, FOUR_WEEKS)


def find_next_round_robin(now: datetime, *, weekday: int, hour: int) -> datetime:
    """Return when the first round robin begins that bots can still enter: on that weekday, at that hour in UTC."""
    return _find_next(now + TIME_TO_ENTER_BOTS, weekday, hour, WEEK)


def _find_next(since: datetime, weekday: int, hour: int, every: timedelta) -> datetime:
    """Return the first moment from `since` on that is on that weekday and hour, counted from FIRST_WEEK."""
    first = FIRST_WEEK + timedelta(days=weekday - 1, hours=hour)
    return first - (-(since - first) // every) * every
