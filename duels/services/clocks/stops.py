"""Stopping clocks for vacations, bounced email and pauses. Each such period is a ClockStop row."""

import copy
import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User, Vacation
from duels.models import Battle, ClockStop, Combatant, Deadline
from duels.selectors.absences import (
    ABSENCES,
    find_long_absence,
    find_most_absence,
    find_undelivered_time_left,
    is_at_stake,
    measure_absences,
)
from duels.selectors.stage_keys import key_of
from duels.services.clocks.deadline_rows import (
    Lost,
    give_back,
    halt_clock,
    pace_of,
    read_clock,
    read_lost_time,
    resume_clock,
    write_moments,
)
from duels.services.clocks.page_gaps import restart_after_gaps
from duels.services.notify import notify_users, others_than
from duels.wakeups import wake_watchers_on_commit


@dataclass(frozen=True)
class StoppedClocks:
    """Whose clocks are stopped: everyone's, or those of some mages."""

    everyone: bool
    combatants: frozenset[int]

    @classmethod
    def of(cls, stops: Iterable[ClockStop]) -> "StoppedClocks":
        found = list(stops)
        single = {stop.combatant_id for stop in found if not stop.is_for_all}
        return cls(any(stop.is_for_all for stop in found), frozenset(pk for pk in single if pk is not None))

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
            stop = ClockStop.objects.create(
                battle=battle, combatant=combatant, reason=reason, since=since, until=until, long_at=long_at
            )
    except IntegrityError:
        return False
    for row in rows:
        if stop.concerns(row.combatant_id):
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

    It ends pauses that are over, stops or restarts clocks for absences, gives back the time of outages, and starts the
    clocks of live battles again after a gap in which no page was served.
    """
    rows = list(Deadline.objects.filter(battle=battle).select_related("combatant__mage__user").order_by("pk"))
    before = [_read_run(row) for row in rows]
    lost = read_lost_time(rows, now)
    stops = end_pauses(battle=battle, rows=rows, now=now)
    sync_absences(battle=battle, rows=rows, stops=stops, now=now, lost=lost)
    for row in rows:
        give_back(row, lost, now)
    restart_after_gaps(battle=battle, rows=rows)
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


def sync_absences(
    *,
    battle: Battle,
    rows: Sequence[Deadline],
    stops: Iterable[ClockStop],
    now: datetime.datetime,
    lost: Lost = (),
) -> bool:
    """Make the open `stops` of a battle match who is away and whose email bounces; return whether anything changed.
    `rows` are all its clocks.

    An absence stops clocks only while its mage owes orders, and never in a live battle. Uses the exact moment at which
    a user left or returned, however late this is called. Rows are not saved.
    """
    absences = {(stop.combatant_id, stop.reason): stop for stop in stops if stop.reason in ABSENCES}
    resting = [] if pace_of(battle).is_live else [row for row in rows if not row.combatant.stand_in]
    owing = {row.combatant_id for row in resting}
    changed = False
    for (combatant_id, _reason), stop in absences.items():
        if combatant_id not in owing:
            changed |= close_stop(stop, rows, now)
    changed |= _sync_vacations(battle, resting, rows, absences, now, lost)
    for row in resting:
        bounce = absences.get((row.combatant_id, ClockStop.Reason.BOUNCE))
        changed |= _sync_lost_mail(battle, row, rows, bounce, now, lost)
    if absences:
        # A clock that began to run although someone is away.
        stopped = find_stopped_clocks(battle)
        for row in rows:
            if stopped.includes(row.combatant_id):
                halt_clock(row, now, lost)
    if changed:
        wake_watchers_on_commit(battle.number)
    return changed


def _sync_vacations(
    battle: Battle,
    resting: Sequence[Deadline],
    rows: Sequence[Deadline],
    absences: Mapping[tuple[int | None, str], ClockStop],
    now: datetime.datetime,
    lost: Lost,
) -> bool:
    """Start, end and give back vacations of the mages with these `resting` clocks, in the order in which they began."""
    vacations = _list_vacations(resting, now)
    away = {vacation.user_id for vacation in vacations if vacation.lasts_at(now)}
    stopped = {row.combatant_id: absences.get((row.combatant_id, ClockStop.Reason.VACATION)) for row in resting}
    changed = False
    for vacation in vacations:
        for row in resting:
            if (
                row.combatant.mage.user_id != vacation.user_id
                or stopped[row.combatant_id]
                or not _is_in_time(battle, row, vacation, lost)
            ):
                continue
            if vacation.lasts_at(now):
                since = _find_start(row, vacation.starts_at, now)
                changed |= open_stop(
                    battle=battle,
                    combatant=row.combatant,
                    reason=ClockStop.Reason.VACATION,
                    rows=rows,
                    since=since,
                    lost=lost,
                )
            else:
                changed |= _give_back_past_vacation(battle, row, rows, vacation, lost)
    for row in resting:
        stop = stopped[row.combatant_id]
        if stop is not None and row.combatant.mage.user_id not in away:
            changed |= close_stop(stop, rows, _find_last_end(row.combatant.mage.user, now))
    return changed


def _list_vacations(rows: Sequence[Deadline], now: datetime.datetime) -> list[Vacation]:
    """Return the vacations that can concern these clocks, in order: current ones, and past ones that a clock may have
    run through because they were not processed in time."""
    if not rows:
        return []
    running = min((row.running_since for row in rows if row.running_since), default=now)
    theirs = Vacation.objects.filter(user__in={row.combatant.mage.user_id for row in rows}, starts_at__lte=now)
    return list(theirs.filter(Q(ended_at=None) | Q(ended_at__gt=running)).order_by("starts_at", "pk"))


def _is_in_time(battle: Battle, row: Deadline, vacation: Vacation, lost: Lost) -> bool:
    """Return whether a vacation stops clocks in this stage. In a battle that counts, it must have begun before the
    alarm of its mage, unless a janitor entered it: nobody escapes a forfeit by leaving at the last moment."""
    if vacation.by_janitor or not is_at_stake(battle):
        return True
    before = copy.copy(row)
    halt_clock(before, vacation.starts_at, lost)
    return before.used < read_clock(row).alarm_after


def _give_back_past_vacation(
    battle: Battle, row: Deadline, rows: Sequence[Deadline], vacation: Vacation, lost: Lost
) -> bool:
    """Give all clocks back a vacation that began and ended unprocessed while that of its mage ran; return whether it
    did.

    They restart from its end, so that it is not given back twice.
    """
    ended = vacation.ended_at or vacation.until
    if row.running_since is None or ended <= max(vacation.starts_at, row.running_since):
        return False
    stop = ClockStop.objects.create(
        battle=battle,
        combatant=row.combatant,
        reason=ClockStop.Reason.VACATION,
        since=max(vacation.starts_at, row.running_since),
        ended_at=ended,
    )
    for each in rows:
        if each.running_since is not None and each.running_since < ended:
            halt_clock(each, stop.since, lost)
            resume_clock(each, ended)
    return True


def _sync_lost_mail(
    battle: Battle,
    row: Deadline,
    rows: Sequence[Deadline],
    stop: ClockStop | None,
    now: datetime.datetime,
    lost: Lost,
) -> bool:
    """Stop or restart the clock of a mage for undelivered email, as long as it may stop for that in this battle."""
    user = row.combatant.mage.user
    if stop is not None:
        if is_out_of_reach(user) and (stop.until is None or now < stop.until):
            return False
        # The user returned. If instead email works again, the best known moment for that is now.
        back = now if user.mail_fails_since is None or is_out_of_reach(user) else min(user.last_active_at, now)
        return close_stop(stop, rows, min(back, stop.until or back))
    if user.mail_fails_since is None or not is_out_of_reach(user):
        return False
    left = find_undelivered_time_left(battle, row.combatant)
    if not left:
        return False
    since = _find_start(row, user.mail_fails_since, now)
    return open_stop(
        battle=battle,
        combatant=row.combatant,
        reason=ClockStop.Reason.BOUNCE,
        rows=rows,
        since=since,
        until=since + left,
        lost=lost,
    )


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


def _find_start(row: Deadline, began: datetime.datetime, now: datetime.datetime) -> datetime.datetime:
    """Return from when an absence that `began` then stops clocks: not before that of its mage began to run."""
    return now if row.running_since is None else min(max(began, row.running_since), now)


def _find_last_end(user: User, now: datetime.datetime) -> datetime.datetime:
    """Return when the latest vacation of `user` ended."""
    last = Vacation.objects.filter(user=user, starts_at__lte=now).order_by("-starts_at", "-pk").first()
    return min((last.ended_at or last.until) if last else now, now)
