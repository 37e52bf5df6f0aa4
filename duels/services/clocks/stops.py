"""Stopping clocks for vacations, bounced email and pauses. Each such period is a ClockStop row."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import DateTimeField, F, Q, Value
from django.db.models.functions import Greatest

from accounts.models import User, Vacation
from duels.models import Battle, ClockStop, Combatant, Deadline
from duels.selectors.absences import ABSENCES, find_long_absence, find_most_absence, measure_absences
from duels.selectors.stage_keys import key_of
from duels.services.clocks.deadline_rows import (
    Lost,
    give_back,
    halt_clock,
    pace_of,
    read_lost_time,
    resume_clock,
    write_moments,
)
from duels.services.notify import notify_users, others_than
from duels.wakeups import wake_watchers_on_commit


@dataclass(frozen=True)
class StoppedClocks:
    """Whose clocks are stopped: everyone's, or those of some mages."""

    everyone: bool
    combatants: frozenset[int]

    @classmethod
    def of(cls, stops: Iterable[ClockStop]) -> "StoppedClocks":
        whose = {stop.combatant_id for stop in stops}
        return cls(None in whose, frozenset(pk for pk in whose if pk is not None))

    def includes(self, combatant_id: int) -> bool:
        return self.everyone or combatant_id in self.combatants


def find_stopped_clocks(battle: Battle) -> StoppedClocks:
    """Return whose clocks are stopped in a battle."""
    return StoppedClocks.of(list_open_stops(battle))


def list_open_stops(battle: Battle) -> list[ClockStop]:
    """Return the open stops of a battle, oldest first."""
    stops = list(ClockStop.objects.filter(battle=battle, ended_at=None))
    for stop in stops:
        stop.battle = battle
    return stops


def open_stop(
    *,
    battle: Battle,
    combatant: Combatant | None,
    reason: str,
    rows: Iterable[Deadline],
    since: datetime.datetime,
    until: datetime.datetime | None = None,
    lost: Lost = (),
) -> bool:
    """Stop clocks as of `since`; False if they are stopped for that reason already. Rows are not saved."""
    try:
        with transaction.atomic():
            long_at = None if combatant is None else find_long_absence(battle, combatant, since)
            ClockStop.objects.create(
                battle=battle, combatant=combatant, reason=reason, since=since, until=until, long_at=long_at
            )
    except IntegrityError:
        return False
    for row in rows:
        if combatant is None or row.combatant_id == combatant.pk:
            halt_clock(row, since, lost)
    return True


def close_stop(stop: ClockStop, rows: Iterable[Deadline], at: datetime.datetime) -> bool:
    """End a stop as of `at`. Clocks that no other open stop holds restart then, or at the end of a closed stop that
    lasted longer. Rows are not saved."""
    at = max(at, stop.since)
    if not ClockStop.objects.filter(pk=stop.pk, ended_at=None).update(ended_at=at):
        return False
    stopped = find_stopped_clocks(stop.battle)
    longer = ClockStop.objects.filter(battle=stop.battle, ended_at__gt=at)
    for row in rows:
        if stop.concerns(row.combatant_id) and not stopped.includes(row.combatant_id):
            ends = (other.ended_at for other in longer if other.concerns(row.combatant_id))
            resume_clock(row, max([at, *(end for end in ends if end is not None)]))
    return True


def end_pauses(*, battle: Battle, rows: Iterable[Deadline], now: datetime.datetime) -> list[ClockStop]:
    """End pauses whose time is over, as of their planned end; return the stops still open. Rows are not saved."""
    stops = list_open_stops(battle)
    pauses = (stop for stop in stops if stop.combatant_id is None and stop.reason != ClockStop.Reason.PRESENCE)
    over = [stop for stop in pauses if stop.until is not None and stop.until <= now]
    for pause in over:
        assert pause.until is not None
        close_stop(pause, rows, pause.until)
    if over:
        Combatant.objects.filter(battle=battle).update(pause_minutes=None)
        wake_watchers_on_commit(battle.number)
    return [stop for stop in stops if stop not in over]


def update_clocks(*, battle: Battle, now: datetime.datetime) -> list[Deadline]:
    """Update the clocks of a battle, save them and return them. Call this before relying on them.

    It ends pauses that are over, stops or restarts clocks for absences, and gives back the time of outages.
    """
    rows = list(Deadline.objects.filter(battle=battle).select_related("combatant__mage__user").order_by("pk"))
    before = [_read_run(row) for row in rows]
    lost = read_lost_time(rows, now)
    stops = end_pauses(battle=battle, rows=rows, now=now)
    sync_absences(battle=battle, rows=rows, stops=stops, now=now, lost=lost)
    owing = {row.combatant_id for row in rows}
    if any(stop.reason in ABSENCES and stop.combatant_id not in owing for stop in stops):
        end_absences_of_others(battle=battle, owing=rows, now=now)
    for row in rows:
        give_back(row, lost, now)
    _save_moved([row for row, was in zip(rows, before, strict=True) if was != _read_run(row)], battle)
    return rows


def _read_run(row: Deadline) -> tuple[datetime.timedelta, datetime.datetime | None, datetime.datetime]:
    return row.used, row.running_since, row.settled_at


def _save_moved(rows: Sequence[Deadline], battle: Battle) -> None:
    pace = pace_of(battle) if rows else None
    for row in rows:
        assert pace is not None
        write_moments(row, pace)
        row.save()


def end_absences_of_others(*, battle: Battle, owing: Iterable[Deadline], now: datetime.datetime) -> None:
    """End absences of mages who do not need to send orders: they have no clock to stop."""
    absent = ClockStop.objects.filter(battle=battle, ended_at=None, reason__in=ABSENCES)
    others = absent.exclude(combatant__in=[row.combatant_id for row in owing])
    others.update(ended_at=Greatest(F("since"), Value(now, DateTimeField())))


def sync_absences(
    *,
    battle: Battle,
    rows: Sequence[Deadline],
    stops: Iterable[ClockStop],
    now: datetime.datetime,
    lost: Lost = (),
) -> bool:
    """Make the open `stops` of these clocks match who is away and whose email bounces; return whether anything changed.

    Uses the exact moment at which a user left or returned, however late this is called. Rows are not saved.
    """
    open_stops = {(stop.combatant_id, stop.reason): stop for stop in stops if stop.reason in ABSENCES}
    users = {row.combatant.mage.user_id: row.combatant.mage.user for row in rows}
    vacations = _list_vacations(rows, now)
    current = {vacation.user_id: vacation for vacation in vacations if vacation.ended_at is None}
    changed = False
    for row in rows:
        combatant = row.combatant
        if (combatant.pk, ClockStop.Reason.VACATION) not in open_stops:
            changed |= _give_back_past_vacations(battle, row, vacations, now, lost)
        vacation = current.get(combatant.mage.user_id)
        on_vacation = vacation is not None and vacation.lasts_at(now)
        out_of_reach = is_out_of_reach(users[combatant.mage.user_id])
        for reason, holds in ((ClockStop.Reason.VACATION, on_vacation), (ClockStop.Reason.BOUNCE, out_of_reach)):
            stop = open_stops.get((combatant.pk, reason))
            if holds and stop is None:
                changed |= open_stop(
                    battle=battle,
                    combatant=combatant,
                    reason=reason,
                    rows=rows,
                    since=_find_start(combatant, rows, vacation if reason == ClockStop.Reason.VACATION else None, now),
                    lost=lost,
                )
            elif stop is not None and not holds:
                changed |= close_stop(stop, rows, _find_end(combatant.mage.user, stop, now))
    if changed:
        wake_watchers_on_commit(battle.number)
    return changed


def _list_vacations(rows: Sequence[Deadline], now: datetime.datetime) -> list[Vacation]:
    """Return the vacations that can concern these clocks, in order: current ones, and past ones that a clock may have
    run through because they were not processed in time."""
    if not rows:
        return []
    running = min((row.running_since for row in rows if row.running_since), default=now)
    theirs = Vacation.objects.filter(user__in={row.combatant.mage.user_id for row in rows}, starts_at__lte=now)
    return list(theirs.filter(Q(ended_at=None) | Q(ended_at__gt=running)).order_by("starts_at", "pk"))


def _give_back_past_vacations(
    battle: Battle, row: Deadline, vacations: Iterable[Vacation], now: datetime.datetime, lost: Lost
) -> bool:
    """Give a clock back the vacations that began and ended unprocessed while it ran; return whether there were any.

    The clock restarts from the end of the last one, so that none is given back twice.
    """
    given_back = False
    for vacation in vacations:
        if row.running_since is None or vacation.user_id != row.combatant.mage.user_id or vacation.lasts_at(now):
            continue
        since, ended = max(vacation.starts_at, row.running_since), vacation.ended_at or vacation.until
        if ended <= since:
            continue
        ClockStop.objects.create(
            battle=battle, combatant=row.combatant, reason=ClockStop.Reason.VACATION, since=since, ended_at=ended
        )
        halt_clock(row, since, lost)
        resume_clock(row, ended)
        given_back = True
    return given_back


def notify_of_long_absences(*, battle: Battle, now: datetime.datetime) -> None:
    """Notify the waiting players, once for each absence, that they can call the battle off (FM-SLOW-7)."""
    absences = measure_absences(battle, now)
    if not absences:
        return
    most = find_most_absence()
    long = {pk for pk, length in absences.items() if length >= most}
    due = ClockStop.objects.filter(battle=battle, ended_at=None, long_at__lte=now)
    for pk, length in absences.items():
        due.filter(combatant=pk).update(long_at=None if pk in long else now + most - length)
    for combatant in battle.combatants.filter(pk__in=long).select_related("mage"):
        others = others_than(combatant, battle)
        notify_users(
            others,
            "absence_long",
            battle,
            key_of(battle),
            battle.label,
            now=now,
            once=str(combatant.pk),
            who=combatant.mage.name,
        )


def is_out_of_reach(user: User) -> bool:
    """Return whether email to this user bounces and they have not visited since, so that they cannot know."""
    return user.mail_fails_since is not None and user.last_active_at <= user.mail_fails_since


def _find_start(
    combatant: Combatant, rows: Sequence[Deadline], vacation: Vacation | None, now: datetime.datetime
) -> datetime.datetime:
    """Return from when the clock is stopped: not before it began to run."""
    began = vacation.starts_at if vacation else combatant.mage.user.mail_fails_since or now
    running = (row.running_since for row in rows if row.combatant_id == combatant.pk and row.running_since)
    return min(max(began, next(running, now)), now)


def _find_end(user: User, stop: ClockStop, now: datetime.datetime) -> datetime.datetime:
    if stop.reason == ClockStop.Reason.BOUNCE:
        # The user returned. If instead email works again, the best known moment for that is now.
        return now if user.mail_fails_since is None else min(user.last_active_at, now)
    last = Vacation.objects.filter(user=user, starts_at__lte=now).order_by("-starts_at", "-pk").first()
    return min((last.ended_at or last.until) if last else now, now)
