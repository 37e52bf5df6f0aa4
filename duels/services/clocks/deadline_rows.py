"""Deadline rows and their clocks: calculating one from the other."""

import datetime
from collections.abc import Iterable, Sequence

from django.db.models import Q

from duels.clock import NO_REST, NOTHING, Clock, Rest, count_between
from duels.models import Battle, Deadline
from duels.paces import Pace, get_pace
from duels.terms import Terms
from operations.models import Outage
from operations.selectors import find_silence, read_policy

Lost = Sequence[tuple[datetime.datetime, datetime.datetime]]


def pace_of(battle: Battle) -> Pace:
    """Return the pace of the battle's terms, with the numbers of the site's policy."""
    return get_pace(Terms.from_json(battle.terms).pace, read_policy())


def read_clock(row: Deadline) -> Clock:
    rest = Rest.from_json(row.rest) if row.rest else NO_REST
    return Clock(row.allowed, row.grace, row.used, row.running_since, rest)


def write_moments(row: Deadline, pace: Pace) -> None:
    """Set the moments of the row from its clock, and `due_at` from its step. Does not save."""
    clock = read_clock(row)
    after = _next_reminder(row, pace)
    row.remind_at = None if after is None else clock.moment_of(after)
    row.alarm_at = clock.moment_of(clock.alarm_after)
    row.ends_at = clock.moment_of(row.allowed)
    row.forfeit_at = clock.moment_of(row.allowed + row.grace)
    row.due_at = {
        Deadline.Step.REMIND: row.remind_at,
        Deadline.Step.ALARM: row.alarm_at,
        Deadline.Step.FINAL: row.ends_at,
        Deadline.Step.FORFEIT: row.forfeit_at,
    }[Deadline.Step(row.step)]


def _next_reminder(row: Deadline, pace: Pace) -> datetime.timedelta | None:
    """Return after how much time the next reminder is due; None at or after the alarm."""
    if pace.remind_after is None or pace.remind_every is None:
        return None
    after = pace.remind_after + row.reminders * pace.remind_every
    return after if after < read_clock(row).alarm_after else None


def choose_step(row: Deadline, pace: Pace, used: datetime.timedelta) -> None:
    """Set the next step when `used` is used up, skipping reminders that are past. Does not save."""
    if pace.remind_after is not None and pace.remind_every is not None and used >= pace.remind_after:
        row.reminders = max(row.reminders, (used - pace.remind_after) // pace.remind_every + 1)
    if used < read_clock(row).alarm_after:
        row.step = Deadline.Step.ALARM if _next_reminder(row, pace) is None else Deadline.Step.REMIND
    else:
        row.step = Deadline.Step.FINAL


def read_lost_time(rows: Iterable[Deadline], now: datetime.datetime) -> Lost:
    """Return the outages that can concern the clocks of `rows`, including a current silence not yet recorded as one."""
    since = min((row.settled_at for row in rows), default=now)
    found = Outage.objects.filter(Q(ended_at=None) | Q(ended_at__gt=since), started_at__lt=now).order_by("started_at")
    spans = [(start, min(end or now, now)) for start, end in found.values_list("started_at", "ended_at")]
    silence = find_silence(now)
    if silence is not None:
        begun = max([silence[0], *(end for _, end in spans)])
        spans.append((begun, max(begun, now)))
    return spans


def give_back(row: Deadline, lost: Lost, now: datetime.datetime) -> bool:
    """Give the clock back the time it lost to outages; return whether there was any. Does not save.

    `settled_at` records up to when this is done, so that no time is given back twice. It is never later than the known
    outages, because an outage can be recorded as late as its end.
    """
    if row.running_since is None:
        return False
    clock = read_clock(row)
    begin = max(row.running_since, row.settled_at)
    known = [(max(start, begin), min(end, now)) for start, end in lost if begin < end and start < now]
    if not known:
        return False
    back = sum((count_between(start, end, clock.rest) for start, end in known), NOTHING)
    at = max(end for _, end in known)
    row.used, row.running_since = clock.used_at(at) - back, max(at, row.running_since)
    row.settled_at = max(at, row.settled_at)
    return bool(back)


def halt_clock(row: Deadline, at: datetime.datetime, lost: Lost = ()) -> None:
    """Stop the clock as of `at`, which can be in the past, and give back time `lost` to outages. Does not save."""
    if row.running_since is not None:
        give_back(row, lost, at)
        row.used, row.running_since = read_clock(row).used_at(at), None


def resume_clock(row: Deadline, at: datetime.datetime) -> None:
    """Restart the clock as of `at`. Does not save."""
    if row.running_since is None:
        row.running_since = at
        row.settled_at = max(row.settled_at, at)
