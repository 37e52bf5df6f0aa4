"""Starting and stopping the clocks of a stage, and holding them while orders are ready."""

import datetime
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from duels.clock import NOTHING, Rest
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet, Stage
from duels.paces import Pace, get_pace
from duels.services.clocks.deadline_rows import choose_step, pace_of, read_clock, write_moments
from duels.services.clocks.presence import record_presence
from duels.services.clocks.stops import (
    StoppedClocks,
    end_pauses,
    find_stopped_clocks,
    list_open_stops,
    sync_absences,
    update_clocks,
)
from duels.terms import Terms
from notifications.selectors.notices import preferences_of
from operations.database.prepared_writes import PreparedDelete, PreparedInsert
from operations.policy import Policy
from operations.selectors import read_policy

Row = dict[str, Any]
_insert_clocks = PreparedInsert(Deadline)


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
        drop_clocks(battle=battle)
        stops = end_pauses(battle=battle, rows=(), now=now)
    terms = Terms.from_json(battle.terms)
    pace = get_pace(terms.pace, calm_under or read_policy())
    if pace.bank and stage.number == 0:
        _fill_banks(asked, pace)
    rows = [_make_row(battle, stage, combatant, pace, terms, now) for combatant in asked]
    if calm_under is not None:
        for row in rows:
            row.running_since = now
            write_moments(row, pace)
    else:
        _start_rows(battle, rows, pace, stops, now)
    _insert_clocks(rows)


def _start_rows(
    battle: Battle, rows: Sequence[Deadline], pace: Pace, stops: Sequence[ClockStop], now: datetime.datetime
) -> None:
    """Start these new clocks, unless an absence or one of the battle's `stops` stops them. Does not save."""
    if sync_absences(rows=rows, stops=stops, battle=battle, now=now):
        stops = list_open_stops(battle)
    stopped = StoppedClocks.of(stops)
    for row in rows:
        row.running_since = None if stopped.includes(row.combatant_id) else now
        write_moments(row, pace)


def _make_row(
    battle: Battle, stage: Stage, combatant: Combatant, pace: Pace, terms: Terms, now: datetime.datetime
) -> Deadline:
    allowed = pace.time if combatant.bank is None else combatant.bank
    row = Deadline(
        combatant=combatant,
        battle=battle,
        stage=stage,
        allowed=allowed,
        grace=pace.grace,
        used=NOTHING,
        rest=_make_rest(combatant, pace, terms),
        settled_at=now,
    )
    choose_step(row, pace, NOTHING)
    return row


def _make_rest(combatant: Combatant, pace: Pace, terms: Terms) -> Row:
    if not pace.rests or not (terms.weekends or terms.nights):
        return {}
    wants = preferences_of(combatant.mage.user)
    return Rest(
        wants["time_zone"], weekends=terms.weekends, night=int(wants["night"]) if terms.nights else None
    ).to_json()


def _fill_banks(asked: Sequence[Combatant], pace: Pace) -> None:
    bank = pace.bank
    if bank is None:
        return
    for combatant in asked:
        combatant.bank = bank.start if combatant.bank is None else bank.fill(combatant.bank)
    Combatant.objects.bulk_update(asked, ["bank"])


def drop_clocks(*, battle: Battle) -> None:
    """Delete all clocks of a battle: it no longer waits for anyone."""
    Deadline.objects.filter(battle=battle).delete()


def stop_clocks(*, battle: Battle, now: datetime.datetime) -> None:
    """Delete all clocks of a battle that is over, and end everything that stopped them."""
    drop_clocks(battle=battle)
    ClockStop.objects.filter(battle=battle, ended_at=None, since__lte=now).update(ended_at=now)


def hold_clock(
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
    used = read_clock(row).used_at(now if arrived_at is None else arrived_at)
    if row.combatant.bank is not None:
        row.combatant.bank = max(row.allowed - used, NOTHING)
        Combatant.objects.filter(pk=row.combatant_id).update(bank=row.combatant.bank)
    _delete_clock(pk=row.pk)
    if row.is_stopped:
        update_clocks(battle=battle, now=now)  # if this player was away, the others' clocks run again
    return {"clock": _to_json(row, used)}


@PreparedDelete
def _delete_clock(pk: int) -> QuerySet[Deadline]:
    return Deadline.objects.filter(pk=pk)


def _to_json(row: Deadline, used: datetime.timedelta) -> Row:
    return {
        "allowed": row.allowed.total_seconds(),
        "grace": row.grace.total_seconds(),
        "used": used.total_seconds(),
        "rest": row.rest,
        "step": row.step,
        "reminders": row.reminders,
        "extensions": row.extensions,
    }


def return_clock(*, battle: Battle, sheet: OrderSheet, now: datetime.datetime) -> None:
    """Start the clock of a mage whose readiness was withdrawn, with the time they had left and no more."""
    # First, so that a pause that is over does not end later with effect from before this clock existed.
    update_clocks(battle=battle, now=now)
    kept = OrderSheet.objects.filter(pk=sheet.pk).values_list("clock", flat=True).first()
    pace = pace_of(battle)
    if kept is None:
        row = _make_row(battle, sheet.stage, sheet.combatant, pace, Terms.from_json(battle.terms), now)
    else:
        row = Deadline(
            combatant=sheet.combatant,
            battle=battle,
            stage=sheet.stage,
            settled_at=now,
            **kept | {part: datetime.timedelta(seconds=kept[part]) for part in ("allowed", "grace", "used")},
        )
    row.running_since = None if find_stopped_clocks(battle).includes(row.combatant_id) else now
    write_moments(row, pace)
    row.save()
    update_clocks(battle=battle, now=now)  # if this player is away, all clocks stop
    OrderSheet.objects.filter(pk=sheet.pk).update(clock=None)


def align_clocks(*, battle: Battle, now: datetime.datetime) -> None:
    """Make the clocks match the sheets after rows of the battle were restored: each mage who needs to send orders has a
    clock that continues from its reading, and no other mage has one."""
    if battle.status != Battle.Status.RUNNING:
        drop_clocks(battle=battle)
        return
    Deadline.objects.filter(battle=battle, stage__closed_at__isnull=False).delete()
    asked = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None)
    for sheet in asked.select_related("stage", "combatant__mage__user").order_by("pk"):
        has_clock = Deadline.objects.filter(combatant=sheet.combatant_id).exists()
        if sheet.ready and has_clock:
            OrderSheet.objects.filter(pk=sheet.pk).update(**hold_clock(battle=battle, sheet=sheet, now=now))
        elif not sheet.ready and not has_clock:
            return_clock(battle=battle, sheet=sheet, now=now)


def end_stand_in(*, combatant: Combatant) -> None:
    """Give the mage back to their player, who has just ordered. Must run under the battle's lock."""
    Combatant.objects.filter(pk=combatant.pk).update(stand_in="")
    OrderSheet.objects.filter(combatant=combatant, stage__closed_at=None).update(bot_due_at=None)
