"""The clocks of a battle: starting, holding, stopping and updating them, and counting the time that they measured.

The Deadline rows of a battle are its clocks. Each period in which some of them stop is a ClockStop row: a vacation,
bounced email, a pause, or the wait for the players of a live battle.
"""

import copy
import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User, Vacation
from duels.clock import NO_REST, NOTHING, Rest, count_between
from duels.errors import TooLate
from duels.models import Battle, ClockStop, Combatant, Deadline, MissedTurn, OrderSheet, Stage
from duels.models.battle import NO_WISH
from duels.paces import PRESENCE_TIME, Pace, get_pace, is_live
from duels.selectors.absences import ABSENCES, PAUSES, find_long_absence, find_undelivered_time_left, is_at_stake
from duels.selectors.live import is_battle_in_doubt
from duels.selectors.reliability import forget_reliability_on_commit
from duels.services.lock import lock_battle
from duels.services.notify import notify_of_resumption
from duels.terms import read_stakes
from duels.wakeups import wake_overdue_clocks, wake_watchers_on_commit
from ladder.stakes import STAKES
from notifications.selectors.notices import preferences_of
from operations.database.prepared_insert import PreparedInsert
from operations.models import Outage, PageGap
from operations.policy import Policy
from operations.selectors import find_silence, list_doubts, read_policy
from operations.wakeups import on_commit_once

PRESENCE = ClockStop.Reason.PRESENCE
Lost = Sequence[tuple[datetime.datetime, datetime.datetime]]
Row = dict[str, Any]
_insert_clocks = PreparedInsert(Deadline)


def pace_of(battle: Battle, policy: Policy | None = None) -> Pace:
    """Return the pace of the battle's terms, with the numbers of the site's policy.

    Clocks read single terms, never all: those may name rules that are missing, and time passes all the same.
    """
    return get_pace(battle.terms["pace"], policy or read_policy())


def write_moments(row: Deadline, pace: Pace) -> None:
    """Set the moments of the row from its clock, and `due_at` from its step. Does not save."""
    clock = row.clock
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
    return after if after < row.clock.alarm_after else None


def choose_step(row: Deadline, pace: Pace, used: datetime.timedelta) -> None:
    """Set the next step when `used` is used up, skipping reminders that are past. Does not save."""
    if pace.remind_after is not None and pace.remind_every is not None and used >= pace.remind_after:
        row.reminders = max(row.reminders, (used - pace.remind_after) // pace.remind_every + 1)
    if used < row.clock.alarm_after:
        row.step = Deadline.Step.ALARM if _next_reminder(row, pace) is None else Deadline.Step.REMIND
    else:
        row.step = Deadline.Step.FINAL


def _list_clocks(battle: Battle) -> list[Deadline]:
    return list(Deadline.objects.filter(battle=battle).select_related("combatant__mage__user").order_by("pk"))


def save_clocks(battle: Battle, rows: Sequence[Deadline]) -> None:
    """Save these clocks of a battle, with the moments that follow from them."""
    pace = pace_of(battle) if rows else None
    for row in rows:
        assert pace is not None
        write_moments(row, pace)
        row.save()


def halt_clock(row: Deadline, at: datetime.datetime, lost: Lost = ()) -> None:
    """Stop the clock as of `at`, which can be in the past, and give back time `lost` to outages. Does not save."""
    if row.running_since is not None:
        give_back(row, lost, at)
        row.used, row.running_since = row.clock.used_at(at), None
        row.settled_at = max(row.settled_at, at)


def resume_clock(row: Deadline, at: datetime.datetime) -> None:
    """Restart the clock as of `at`, but not as of a moment until which its time is settled already. Does not save."""
    if row.running_since is None:
        row.running_since = row.settled_at = max(row.settled_at, at)


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
    clock = row.clock
    begin = max(row.running_since, row.settled_at)
    known = [(max(start, begin), min(end, now)) for start, end in lost if begin < end and start < now]
    if not known:
        return False
    back = sum((count_between(start, end, clock.rest) for start, end in known), NOTHING)
    at = max(end for _, end in known)
    row.used, row.running_since = clock.used_at(at) - back, max(at, row.running_since)
    row.settled_at = max(at, row.settled_at)
    return bool(back)


def update_clocks(*, battle: Battle, now: datetime.datetime) -> list[Deadline]:
    """Update the clocks of a battle, save them and return them. Call this before relying on them.

    It ends pauses that are over, stops or restarts clocks for absences, gives back the time of outages, and starts the
    clocks of live battles again after a gap in which no page was served. Then exactly those clocks run that no open
    stop holds, even if rows were restored.
    """
    rows = _list_clocks(battle)
    before = [_read_run(row) for row in rows]
    lost = read_lost_time(rows, now)
    stops = end_pauses(battle=battle, rows=rows, now=now)
    if sync_absences(battle=battle, rows=rows, stops=stops, now=now, lost=lost):
        stops = list_open_stops(battle)
    _match_stops(rows, stops, now, lost)
    for row in rows:
        give_back(row, lost, now)
    restart_after_gaps(battle=battle, rows=rows)
    save_clocks(battle, [row for row, was in zip(rows, before, strict=True) if was != _read_run(row)])
    return rows


def _match_stops(rows: Iterable[Deadline], stops: Iterable[ClockStop], now: datetime.datetime, lost: Lost) -> None:
    """Stop clocks that run although one of these open stops holds them, such as one that began while its player was
    away, and restart those that none holds. Rows are not saved."""
    stopped = StoppedClocks.of(stops)
    for row in rows:
        if stopped.includes(row.combatant_id):
            halt_clock(row, now, lost)
        else:
            resume_clock(row, now)


def _read_run(row: Deadline) -> tuple[datetime.timedelta, datetime.datetime | None, datetime.datetime]:
    return row.used, row.running_since, row.settled_at


def start_clocks(
    *,
    battle: Battle,
    stage: Stage,
    asked: Sequence[Combatant],
    now: datetime.datetime,
    calm_under: Policy | None = None,
) -> None:
    """Start a clock for every mage `asked` for orders in a new stage, and delete those of the previous stage.

    `calm_under` is the site's policy if the caller has read it, and knows that the previous stage has no clocks left
    and that nothing stops a clock.
    """
    stops: Sequence[ClockStop] = ()
    if calm_under is None:
        drop_clocks(battle=battle, now=now)
        stops = end_pauses(battle=battle, rows=(), now=now)
    pace = pace_of(battle, calm_under)
    if pace.bank and stage.number == 0:
        for combatant in asked:
            combatant.bank = pace.bank.start if combatant.bank is None else pace.bank.fill(combatant.bank)
        Combatant.objects.bulk_update(asked, ["bank"])
    rows = [_make_row(battle, stage, combatant, pace, now) for combatant in asked]
    if calm_under is None and sync_absences(battle=battle, rows=rows, stops=stops, now=now):
        stops = list_open_stops(battle)
    stopped = StoppedClocks.of(stops)
    for row in rows:
        row.running_since = None if stopped.includes(row.combatant_id) else now
        write_moments(row, pace)
    _insert_clocks(rows)
    count_times_used(battle)


def _make_row(battle: Battle, stage: Stage, combatant: Combatant, pace: Pace, now: datetime.datetime) -> Deadline:
    rest = NO_REST
    # The first terms of all had neither.
    weekends, nights = (bool(battle.terms.get(name)) for name in ("weekends", "nights"))
    if pace.rests and (weekends or nights):
        wants = preferences_of(combatant.mage.user)
        rest = Rest(wants["time_zone"], weekends=weekends, night=int(wants["night"]) if nights else None)
    row = Deadline(
        combatant=combatant,
        battle=battle,
        stage=stage,
        allowed=pace.time if combatant.bank is None else combatant.bank,
        grace=pace.grace,
        used=NOTHING,
        rest=rest.to_json(),
        settled_at=now,
    )
    choose_step(row, pace, NOTHING)
    return row


def drop_clocks(*, battle: Battle, now: datetime.datetime) -> None:
    """Delete all clocks of a battle: it no longer waits for anyone. Where time is counted, the sheets keep the
    readings."""
    if counts_time(battle):
        rows = _list_clocks(battle)
        lost = read_lost_time(rows, now)
        for row in rows:
            halt_clock(row, now, lost)
            sheet = OrderSheet.objects.filter(stage=row.stage_id, combatant=row.combatant_id)
            sheet.update(clock=write_reading(row, row.used))
    Deadline.objects.filter(battle=battle).delete()


def stop_clocks(*, battle: Battle, now: datetime.datetime) -> None:
    """Delete all clocks of a battle that is over, and end everything that stopped them."""
    drop_clocks(battle=battle, now=now)
    count_times_used(battle)
    ClockStop.objects.filter(battle=battle, ended_at=None, since__lte=now).update(ended_at=now)


def end_clock(
    *,
    battle: Battle,
    sheet: OrderSheet,
    now: datetime.datetime,
    arrived_at: datetime.datetime | None = None,
    rows: Sequence[Deadline] | None = None,
) -> Row:
    """Delete the clock of a mage whose orders are ready. It stopped when they arrived, `arrived_at`, if not now.

    `rows` are the clocks of the battle if the caller knows that they are up to date.

    Returns the fields in which the caller stores the clock's reading on the sheet, in case readiness is withdrawn; none
    if there was no clock.
    """
    if rows is None and battle.seq == 1:
        record_presence(combatant=sheet.combatant, now=now)  # a player who sends orders is present
    if rows is None:
        rows = update_clocks(battle=battle, now=now)
    row = next((row for row in rows if (row.combatant_id, row.stage_id) == (sheet.combatant_id, sheet.stage_id)), None)
    if row is None:
        return {}
    used = row.clock.used_at(now if arrived_at is None else arrived_at)
    if row.combatant.bank is not None:
        row.combatant.bank = max(row.allowed - used, NOTHING)
        Combatant.objects.filter(pk=row.combatant_id).update(bank=row.combatant.bank)
    Deadline.objects.filter(pk=row.pk).delete()
    if row.is_stopped:
        update_clocks(battle=battle, now=now)  # if this player was away, the others' clocks run again
    return {"clock": write_reading(row, used)}


def return_clock(*, battle: Battle, sheet: OrderSheet, now: datetime.datetime) -> None:
    """Start the clock of a mage whose readiness was withdrawn, with the time they had left and no more."""
    # First, so that a pause that is over does not end later with effect from before this clock existed.
    update_clocks(battle=battle, now=now)
    kept = OrderSheet.objects.filter(pk=sheet.pk).values_list("clock", flat=True).first()
    pace = pace_of(battle)
    if kept is None:
        row = _make_row(battle, sheet.stage, sheet.combatant, pace, now)
    else:
        row = Deadline(
            combatant=sheet.combatant,
            battle=battle,
            stage=sheet.stage,
            settled_at=now,
            **kept | {part: datetime.timedelta(seconds=kept[part]) for part in ("allowed", "grace", "used")},
        )
        if pace.bank and sheet.combatant.bank is not None:
            # As when the stage began: what was given since is on top of it.
            sheet.combatant.bank = min(row.allowed, pace.bank.most)
            Combatant.objects.filter(pk=row.combatant_id).update(bank=sheet.combatant.bank)
    row.running_since = None if find_stopped_clocks(battle).includes(row.combatant_id) else now
    write_moments(row, pace)
    row.save()
    update_clocks(battle=battle, now=now)  # if this player is away, all clocks stop
    OrderSheet.objects.filter(pk=sheet.pk).update(clock=None)


def align_clocks(*, battle: Battle, now: datetime.datetime) -> None:
    """Make the clocks match sheets and stops after rows of the battle were restored: each mage who needs to send orders
    has a clock that continues from its reading, and no other mage has one; and those run that nothing stops."""
    if battle.status != Battle.Status.RUNNING:
        drop_clocks(battle=battle, now=now)
        count_times_used(battle)
        return
    Deadline.objects.filter(battle=battle, stage__closed_at__isnull=False).delete()
    asked = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None)
    for sheet in asked.select_related("stage", "combatant__mage__user").order_by("pk"):
        has_clock = Deadline.objects.filter(combatant=sheet.combatant_id).exists()
        if sheet.ready and has_clock:
            OrderSheet.objects.filter(pk=sheet.pk).update(**end_clock(battle=battle, sheet=sheet, now=now))
        elif not sheet.ready and not has_clock:
            return_clock(battle=battle, sheet=sheet, now=now)
    update_clocks(battle=battle, now=now)
    count_times_used(battle)


def end_stand_in(*, combatant: Combatant) -> None:
    """Give the mage back to their player, who has just ordered. Must run under the battle's lock."""
    Combatant.objects.filter(pk=combatant.pk).update(stand_in="")
    OrderSheet.objects.filter(combatant=combatant, stage__closed_at=None).update(bot_due_at=None)


def read_tolerance() -> datetime.timedelta:
    """Return by how much orders may miss the forfeit moment and still count."""
    return datetime.timedelta(seconds=read_policy().late_orders_seconds)


@contextmanager
def waking_the_sweep_if_late() -> Iterator[None]:
    """Wake the sweep over clocks if orders in this context come too late. Use it outside the transaction that refuses
    them: nothing is sent on the commit of one that is rolled back."""
    try:
        yield
    except TooLate:
        on_commit_once(wake_overdue_clocks)
        raise


def refuse_if_too_late(
    *,
    battle: Battle,
    combatant_id: int,
    rows: Iterable[Deadline],
    arrived_at: datetime.datetime,
    now: datetime.datetime,
) -> None:
    """Raise TooLate if something for this mage arrived after the forfeit moment by more than the tolerance.

    There is a forfeit moment only after the final notice. `rows` are clocks of the battle, which may be out of date:
    outages and absences move the moment, so they are brought up to date before anything is refused. While the site is
    in doubt (of its clock, its email or, in a live battle, its pages), nothing is too late. The caller has locked the
    battle.
    """
    if _find_forfeited(rows, combatant_id, until=arrived_at) is None:
        return
    current = update_clocks(battle=battle, now=now)
    late = _find_forfeited(current, combatant_id, until=arrived_at - read_tolerance())
    if late is not None and not list_doubts(now) and not is_battle_in_doubt(battle, now):
        raise TooLate("too_late", mage=late.combatant.mage.name, turn=battle.label)


def _find_forfeited(rows: Iterable[Deadline], combatant_id: int, *, until: datetime.datetime) -> Deadline | None:
    """Return the mage's clock if its forfeit moment was before `until`."""
    own = (row for row in rows if row.combatant_id == combatant_id and row.step == Deadline.Step.FORFEIT)
    return next((row for row in own if row.forfeit_at is not None and row.forfeit_at < until), None)


def await_players(*, battle: Battle, now: datetime.datetime) -> None:
    """Stop the clocks of a new live battle until all its players are here. A battle of one person starts at once,
    unless it belongs to a live evening: that person may not have come yet."""
    people = {each.mage.user_id for each in _list_people(battle)}
    least = 1 if counts_time(battle) else 2
    if not pace_of(battle).is_live or len(people) < least:
        return
    rows = _list_clocks(battle)
    open_stop(battle=battle, combatant=None, reason=PRESENCE, rows=rows, since=now, until=now + PRESENCE_TIME)
    save_clocks(battle, rows)


def renew_wait_for_players(battle: Battle, at: datetime.datetime) -> None:
    """If a new live battle still waits for its players, give them the whole time to come from `at` on, or from the end
    of the longest pause."""
    ends = (stop.until for stop in list_open_stops(battle) if stop.reason in PAUSES)
    last = max([at, *(end for end in ends if end is not None)])
    waiting = ClockStop.objects.filter(battle=battle, reason=PRESENCE, ended_at=None)
    waiting.update(until=last + PRESENCE_TIME)


def record_presence(*, combatant: Combatant, now: datetime.datetime) -> tuple[str, ...]:
    """Record that the player of `combatant` is here; return the mages whose players are still missing.

    The clocks start when the last player is here, or when a pause ends later. A repeated or late call changes nothing.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        if battle.is_over or not is_live(battle.terms["pace"]):
            return ()
        battle.combatants.filter(mage__user=combatant.mage.user_id).update(is_here=True)
        stop = ClockStop.objects.filter(battle=battle, reason=PRESENCE, ended_at=None).first()
        if stop is None:
            return ()
        missing = tuple(each.mage.name for each in _list_people(battle) if not each.is_here)
        if not missing:
            stop.battle = battle
            rows = _list_clocks(battle)
            close_stop(stop, rows, now)
            save_clocks(battle, rows)
        wake_watchers_on_commit(battle.number)
        return missing


def _list_people(battle: Battle) -> list[Combatant]:
    people = Combatant.objects.filter(battle=battle, mage__user__is_bot=False).select_related("mage")
    return list(people.order_by("position"))


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
    if reason in PAUSES:
        renew_wait_for_players(battle, since)
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
    if stop.reason in PAUSES and (stop.until is None or at < stop.until):
        renew_wait_for_players(stop.battle, at)
    return True


def end_pauses(*, battle: Battle, rows: Iterable[Deadline], now: datetime.datetime) -> list[ClockStop]:
    """End pauses whose time is over, as of their planned end, and notify the players; return the stops still open. Rows
    are not saved."""
    stops = list_open_stops(battle)
    over = [stop for stop in stops if stop.reason in PAUSES and stop.until is not None and stop.until <= now]
    for pause in over:
        assert pause.until is not None
        close_stop(pause, rows, pause.until)
    if over:
        notify_of_resumption(battle, over[-1], now=now)
        Combatant.objects.filter(battle=battle).update(**NO_WISH)
        wake_watchers_on_commit(battle.number)
    return [stop for stop in stops if stop not in over]


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
    resting = [] if is_live(battle.terms["pace"]) else [row for row in rows if not row.combatant.stand_in]
    owing = {row.combatant_id for row in resting}
    changed = False
    for (combatant_id, _reason), stop in absences.items():
        if combatant_id not in owing:
            changed |= close_stop(stop, rows, now)
    changed |= _sync_vacations(battle, resting, rows, absences, now, lost)
    for row in resting:
        bounce = absences.get((row.combatant_id, ClockStop.Reason.BOUNCE))
        changed |= _sync_lost_mail(battle, row, rows, bounce, now, lost)
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
            ended = Vacation.objects.filter(user=row.combatant.mage.user, starts_at__lte=now)
            last = ended.order_by("-starts_at", "-pk").first()
            changed |= close_stop(stop, rows, min((last.ended_at or last.until) if last else now, now))
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
    return before.used < row.clock.alarm_after


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
        if _is_out_of_reach(user) and (stop.until is None or now < stop.until):
            return False
        # The user returned. If instead email works again, the best known moment for that is now.
        back = now if user.mail_fails_since is None or _is_out_of_reach(user) else min(user.last_active_at, now)
        return close_stop(stop, rows, min(back, stop.until or back))
    if user.mail_fails_since is None or not _is_out_of_reach(user):
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


def _is_out_of_reach(user: User) -> bool:
    """Return whether email to this user bounces and they have not visited since, so that they cannot know."""
    return user.mail_fails_since is not None and user.last_active_at <= user.mail_fails_since


def _find_start(row: Deadline, began: datetime.datetime, now: datetime.datetime) -> datetime.datetime:
    """Return from when an absence that `began` then stops clocks: not before that of its mage began to run."""
    return now if row.running_since is None else min(max(began, row.running_since), now)


def restart_after_gaps(*, battle: Battle, rows: Iterable[Deadline]) -> None:
    """Start the clocks `rows` of a live battle again after each gap during its open stage, once for each gap. The rows
    are not saved.

    Minutes count in a live battle, so giving back the lost time would not be enough: a player who looks again after
    some minutes would have seconds left.
    """
    if not is_live(battle.terms["pace"]):
        return
    gaps = list(PageGap.objects.filter(ended_at__gt=battle.started_at).order_by("started_at", "pk"))
    stage = Stage.objects.filter(battle=battle, closed_at=None).first() if gaps else None
    for gap in gaps:
        if stage is not None and gap.ended_at > stage.opened_at:
            _restart_stage(battle, stage, gap, rows)


def _restart_stage(battle: Battle, stage: Stage, gap: PageGap, rows: Iterable[Deadline]) -> None:
    """Start the clocks of a stage again, unless that is done: the gap is then among the stops of the battle."""
    since = max(gap.started_at, stage.opened_at)
    stops = ClockStop.objects.filter(battle=battle, combatant=None)
    if stops.filter(reason=ClockStop.Reason.OUTAGE, since=since, ended_at=gap.ended_at).exists():
        return
    ClockStop.objects.create(battle=battle, reason=ClockStop.Reason.OUTAGE, since=since, ended_at=gap.ended_at)
    pace = pace_of(battle)
    for row in rows:
        _restart_clock(row, pace, gap.ended_at)
    # Mages who are ready and change their mind have their full time too.
    OrderSheet.objects.filter(stage=stage, ready=True, clock__isnull=False).update(clock=None)
    renew_wait_for_players(battle, gap.ended_at)
    # Nor does a deadline count that was missed before anyone knew that the site was down.
    missed = MissedTurn.objects.filter(stage=stage, missed_at__gte=since)
    for user in list(missed.values_list("user", flat=True)):
        forget_reliability_on_commit(user)
    missed.delete()
    count_times_used(battle)
    wake_watchers_on_commit(battle.number)


def _restart_clock(row: Deadline, pace: Pace, at: datetime.datetime) -> None:
    """Start a clock from the beginning, or leave it stopped there. Its notices are due again: it counts as extended."""
    row.used, row.grace, row.reminders = NOTHING, pace.grace, 0
    row.extensions += 1
    choose_step(row, pace, NOTHING)
    # An outage may have been given back until a later moment.
    row.settled_at = max(row.settled_at, at)
    if row.running_since is not None:
        row.running_since = row.settled_at


def counts_time(battle: Battle) -> bool:
    """Return whether the players' time is counted: in duels of leagues and cups."""
    return STAKES[read_stakes(battle.terms)].is_event


def count_times_used(battle: Battle) -> None:
    """Store for each mage of a duel of a league or cup how much time they have used and how many of their turns were
    late. Must run under the battle's lock, and can run any number of times.

    Both follow from what is stored: the clocks' readings of all stages that are over, and the missed turns. Turns taken
    back and missed turns that are excused don't count.
    """
    if not counts_time(battle):
        return
    used: dict[int, datetime.timedelta] = defaultdict(datetime.timedelta)
    counting = OrderSheet.objects.filter(stage__battle=battle, stage__turn__taken_back_by=None)
    closed = counting.filter(stage__closed_at__isnull=False, clock__isnull=False)
    for sheet in closed.only("combatant", "clock"):
        used[sheet.combatant_id] += datetime.timedelta(seconds=sheet.clock["used"] if sheet.clock else 0)
    late: dict[int, set[int]] = defaultdict(set)
    missed = MissedTurn.objects.filter(combatant__battle=battle, stage__turn__taken_back_by=None, excused_at=None)
    for combatant, seq in missed.values_list("combatant", "stage__turn__seq"):
        late[combatant].add(seq)
    for each in Combatant.objects.filter(battle=battle):
        count = used[each.pk], len(late[each.pk])
        if count != (each.time_used, each.late_turns):
            Combatant.objects.filter(pk=each.pk).update(time_used=count[0], late_turns=count[1])


def write_reading(row: Deadline, used: datetime.timedelta) -> Row:
    """Return the reading of a clock as a sheet stores it, when `used` is used up."""
    return {
        "allowed": row.allowed.total_seconds(),
        "grace": row.grace.total_seconds(),
        "used": used.total_seconds(),
        "rest": row.rest,
        "step": row.step,
        "reminders": row.reminders,
        "extensions": row.extensions,
    }
