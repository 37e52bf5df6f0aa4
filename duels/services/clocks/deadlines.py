"""Processing deadlines: reminders, the alarm, the final notice (FM-SLOW-1..4), and forfeits (FM-SLOW-5, FM-SLOW-6)."""

import datetime
from collections.abc import Mapping, Sequence

from django.db import transaction

from duels.models import Battle, ClockStop, Deadline, MissedTurn, OrderSheet
from duels.paces import OWN, Pace, is_live
from duels.selectors.absences import ABSENCES, find_most_absence, measure_absences
from duels.selectors.first_moves import has_moved, is_spared
from duels.selectors.live import is_battle_in_doubt
from duels.selectors.reliability import forget_reliability_on_commit
from duels.selectors.stage_keys import key_of
from duels.services.clocks.battle_clocks import (
    choose_step,
    count_times_used,
    drop_clocks,
    pace_of,
    read_tolerance,
    update_clocks,
    write_moments,
    write_reading,
)
from duels.services.clocks.call_off import call_off_if_absent
from duels.services.lock import lock_battle
from duels.services.notify import notify_users, others_still_in, players_of
from duels.services.resolve import resolve_if_complete
from duels.wakeups import wake_watchers_on_commit
from operations.metrics import MISSED_TURNS, count_on_commit
from operations.registry import OLDEST_UNREAD_MAIL, find_function
from operations.selectors import read_page_stamp
from rules_engine import Sheet

Step = Deadline.Step
NOTICES = {Step.REMIND: "deadline_reminder", Step.ALARM: "deadline_alarm", Step.FINAL: "deadline_final"}
# The other players get no notice of an alarm, because it closely follows a reminder.
STEPS_FOR_OTHERS = (Step.REMIND, Step.FINAL)
# The longest a page or an API call can wait for a page thread and the battle's lock; later it is answered with 503.
LONGEST_UNDER_WAY = datetime.timedelta(seconds=20)


def find_last_forfeit(*, now: datetime.datetime) -> datetime.datetime:
    """Return the latest forfeit moment for which every order that reached the site in time has been processed by
    `now`, except those by email."""
    return now - read_tolerance() - LONGEST_UNDER_WAY


def process_deadlines(
    *, battle_id: int, now: datetime.datetime, forfeit_until: datetime.datetime | None = None
) -> list[str]:
    """Take the steps due in one battle at `now` and return them. Repeated or concurrent calls take each step once.

    First, clocks are updated for absences and outages. If several steps came due since the last call, only the last one
    is taken; but no mage dies without the final notice and the whole grace period after it.

    Only mages whose forfeit moment is not after `forfeit_until` (`now` if not given) forfeit: a sweep leaves time for
    orders that arrived before theirs and are still on their way (find_last_forfeit). In a live battle, the stamps of
    the web processes say that instead: nobody forfeits before a page was served after their forfeit moment, and while
    none has been served for too long nothing happens at all. Nobody misses a deadline or forfeits while an email waits
    that arrived in time.
    """
    with transaction.atomic():
        battle = lock_battle(battle_id)
        if battle.is_over:
            drop_clocks(battle=battle, now=now)
            return []
        if is_battle_in_doubt(battle, now):
            return []
        rows = update_clocks(battle=battle, now=now)
        if call_off_if_absent(battle=battle, now=now):
            return ["called_off"]
        _notify_of_long_absences(battle=battle, now=now)
        before = {row.pk: (row.step, row.due_at) for row in rows}
        pace = pace_of(battle)
        due = _list_due(rows, now=now, forfeit_until=_find_last_forfeit(battle, forfeit_until or now))
        late = [row for row in due if row.step == Step.FORFEIT]
        done = [_take_step(battle, row, pace, now) for row in due if row not in late]
        mine = [row for row in rows if row not in late and _save(row, before[row.pk])]
        if len(mine) + len(late) < len(rows):
            raise RuntimeError(f"{battle} is locked, yet something else moved its clocks")
        if Step.FINAL in done:
            count_times_used(battle)
            wake_watchers_on_commit(battle.number)
        if late:
            done += forfeit_late_mages(battle=battle, rows=late, now=now)
        return done


def _notify_of_long_absences(*, battle: Battle, now: datetime.datetime) -> None:
    """Notify the waiting players, once for each absence, that they can call the battle off (FM-SLOW-7)."""
    absences = measure_absences(battle, now)
    if not absences:
        return
    most = find_most_absence()
    open_stops = ClockStop.objects.filter(battle=battle, ended_at=None, long_at__isnull=False)
    long = {}
    for pk, length in absences.items():
        due = open_stops.filter(combatant=pk)
        if length < most:
            due.filter(long_at__lte=now).update(long_at=now + most - length)
        elif due.update(long_at=None):
            stops = ClockStop.objects.filter(combatant=pk, reason__in=ABSENCES, ended_at=None)
            long[pk] = stops.values_list("pk", flat=True)[0]
    for combatant in battle.combatants.filter(pk__in=long).select_related("mage"):
        others = others_still_in(combatant, battle)
        notify_users(
            others,
            "absence_long",
            battle,
            key_of(battle),
            battle.label,
            now=now,
            once=f"{combatant.pk}/{long[combatant.pk]}",
            who=combatant.mage.name,
        )


def _find_last_forfeit(battle: Battle, otherwise: datetime.datetime) -> datetime.datetime:
    """Return the latest forfeit moment up to which this battle's players could play: a stamp is the moment at which a
    web process asked itself for a page, which it then served, so it has served whatever had arrived there before."""
    stamp = read_page_stamp() if is_live(battle.terms.get("pace")) else None
    return otherwise if stamp is None else stamp - read_tolerance()


def _list_due(rows: Sequence[Deadline], *, now: datetime.datetime, forfeit_until: datetime.datetime) -> list[Deadline]:
    """Return the clocks with a step due that need not wait for orders that are still on their way."""
    due = [row for row in rows if row.due_at is not None and row.due_at <= now]
    ends = {row.pk: end for row in due if (end := _find_end_of_time(row, now)) is not None}
    # An email that is still to be processed may contain orders for this battle.
    unread: datetime.datetime | None = None
    if ends:
        unread = find_function(OLDEST_UNREAD_MAIL)(user_ids={row.combatant.mage.user_id for row in rows})
    return [
        row
        for row in due
        if not (row.step == Step.FORFEIT and row.forfeit_at and row.forfeit_at > forfeit_until)
        and not (row.pk in ends and unread is not None and unread <= ends[row.pk])
    ]


def _find_end_of_time(row: Deadline, now: datetime.datetime) -> datetime.datetime | None:
    """Return until when orders can arrive in time for the row's next step; None if that is a reminder or the alarm."""
    if row.step == Step.FORFEIT:
        return row.forfeit_at + read_tolerance() if row.forfeit_at else None
    return row.ends_at if row.clock.used_at(now) >= row.allowed else None


def _take_step(battle: Battle, row: Deadline, pace: Pace, now: datetime.datetime) -> str:
    """Take the step for the time now used, which can be later than the step that came due first."""
    clock = row.clock
    used = clock.used_at(now)
    if used >= row.allowed or row.step == Step.FINAL:
        step = Step.FINAL
    elif used >= clock.alarm_after or row.step == Step.ALARM:
        step = Step.ALARM
    else:
        step = Step.REMIND
    if step == Step.FINAL:
        # The whole grace period follows the final notice, even if the notice is late.
        row.grace = max(row.grace, used - row.allowed + pace.grace)
        row.step = Step.FORFEIT
    elif step == Step.ALARM:
        row.step = Step.FINAL
    else:
        row.reminders += 1
        choose_step(row, pace, used)
    write_moments(row, pace)
    if step == Step.FINAL:
        record_missed_turn(row, now)
    _notify_of_step(battle, row, step, now)
    return step.value


def record_missed_turn(row: Deadline, now: datetime.datetime) -> None:
    """Count a missed deadline against the user of a mage, once for the stage. Bots of the site miss none."""
    if row.combatant.mage.user.bot_strength:
        return
    _, is_new = MissedTurn.objects.get_or_create(
        combatant=row.combatant,
        stage_id=row.stage_id,
        defaults={"user_id": row.combatant.mage.user_id, "missed_at": now},
    )
    if is_new:
        count_on_commit(MISSED_TURNS)
        forget_reliability_on_commit(row.combatant.mage.user_id)


def _save(row: Deadline, before: tuple[str, datetime.datetime | None]) -> bool:
    """Save the row, unless the same step was taken elsewhere; return whether it was saved."""
    step, due_at = before
    unmoved = Deadline.objects.filter(pk=row.pk, step=step, due_at=due_at)
    names = ("grace", "used", "running_since", "step", "reminders", "due_at", "settled_at")
    moments = ("remind_at", "alarm_at", "ends_at", "forfeit_at")
    return unmoved.update(**{name: getattr(row, name) for name in (*names, *moments)}) == 1


def _notify_of_step(battle: Battle, row: Deadline, step: Deadline.Step, now: datetime.datetime) -> None:
    """Notify the late player and those who are waiting, each once for this deadline; nobody where there is no clock."""
    if battle.terms.get("pace") == OWN:
        return
    late = row.combatant.mage
    facts = {
        "who": late.name,
        "ends_at": row.ends_at.isoformat() if row.ends_at else "",
        "forfeit_at": row.forfeit_at.isoformat() if row.forfeit_at else "",
    }
    key, once = key_of(battle), f"{late.pk}/{row.extensions}"
    once_each = f"{once}/{row.reminders}" if step == Step.REMIND else once
    notify_users([late.user], NOTICES[step], battle, key, battle.label, now=now, once=once_each, **facts)
    if step in STEPS_FOR_OTHERS:
        others = others_still_in(row.combatant, battle)
        once_for_others = f"{once_each}/{step.value}"
        notify_users(others, "opponent_late", battle, key, battle.label, now=now, once=once_for_others, **facts)


def forfeit_late_mages(*, battle: Battle, rows: Sequence[Deadline], now: datetime.datetime) -> list[str]:
    """Mark these mages' sheets as forfeited, and resolve the stage if it is complete.

    A mage who never moved leaves alive, if the clock spares them: that calls a duel off. The stage is complete once all
    others are ready, or once fewer than two mages are left: then no orders are needed. Must run in a transaction that
    holds the battle's lock.
    """
    sheets = {row: choose_sheet(row, otherwise=Sheet.of_forfeit()) for row in rows}
    return [Deadline.Step.FORFEIT.value for _ in drop_mages(battle=battle, sheets=sheets, now=now)]


def drop_mages(*, battle: Battle, sheets: Mapping[Deadline, Sheet], now: datetime.datetime) -> list[Deadline]:
    """Give each mage with one of these clocks the sheet with which they leave, resolve the stage if it is complete,
    and notify the players; return the clocks of those who had not made orders ready.

    Must run in a transaction that holds the battle's lock.
    """
    fallen = [row for row, sheet in sheets.items() if _write_sheet_of_clock(row, sheet, now)]
    key, label = key_of(battle), battle.label
    sheets_open = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None)
    out_of_time = sheets_open.filter(via=OrderSheet.Via.CLOCK).values("combatant")
    if fallen and battle.combatants.filter(standing="in").exclude(pk__in=out_of_time).count() < 2:
        drop_clocks(battle=battle, now=now)
        sheets_open.filter(ready=False).update(ready=True, submitted_at=now)
    resolve_if_complete(battle, now=now)
    if not battle.is_over:
        update_clocks(battle=battle, now=now)  # nobody waits for those who left any more
    # Only now: an email says whether the battle continues, and which clocks are stopped, as it is when it is written.
    for row in fallen:
        late, sheet = row.combatant.mage, sheets[row]
        recipients = [] if battle.terms.get("pace") == OWN else players_of(battle)
        kind = "mage_claimed" if sheet.is_claimed else "mage_forfeited"
        facts = {"who": late.name, "lives": "yes" if sheet.is_absent else ""}
        notify_users(recipients, kind, battle, key, label, now=now, once=str(late.pk), **facts)
    wake_watchers_on_commit(battle.number)
    return fallen


def choose_sheet(row: Deadline, *, otherwise: Sheet) -> Sheet:
    """Return the sheet for a mage who leaves without orders: one who never moved and whom the clock spares leaves
    alive. Notes that they never moved."""
    if has_moved(row.combatant):
        return otherwise
    spared = is_spared(row.combatant, opened_at=row.stage.opened_at)
    MissedTurn.objects.filter(combatant=row.combatant_id, stage=row.stage_id).update(never_moved=True)
    return Sheet.of_absence() if spared else otherwise


def _write_sheet_of_clock(row: Deadline, sheet: Sheet, now: datetime.datetime) -> bool:
    Deadline.objects.filter(pk=row.pk).delete()
    open_sheet = OrderSheet.objects.filter(
        combatant=row.combatant_id, stage=row.stage_id, stage__closed_at=None, ready=False
    )
    reading = write_reading(row, min(row.clock.used_at(now), row.allowed + row.grace))
    written = open_sheet.update(
        lines=sheet.lines(), ready=True, via=OrderSheet.Via.CLOCK, submitted_at=now, clock=reading
    )
    return written == 1


def excuse_missed_turn(*, missed: MissedTurn, reason: str, now: datetime.datetime) -> bool:
    """Excuse a missed turn, for a reason, so that it does not count against its user; False if it is excused already.

    Raises ValueError without a reason.
    """
    if not reason.strip():
        raise ValueError("An excuse needs a reason.")
    forget_reliability_on_commit(missed.user_id)
    counted = MissedTurn.objects.filter(pk=missed.pk, excused_at=None)
    with transaction.atomic():
        battle = lock_battle(missed.combatant.battle_id)
        is_new = counted.update(excused_at=now, excuse=reason.strip()[:300]) == 1
        if is_new:
            count_times_used(battle)
        return is_new
