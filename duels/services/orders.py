"""Submitting orders from every entry point, and saving drafts of them."""

import datetime
from dataclasses import replace as change_fields
from typing import Any, Literal, NoReturn

from django.db import transaction
from django.db.models import Q

from accounts.services.mages import note_orders
from duels.errors import NothingToOrder, OrdersFinal, StaleOrders, TimeIsOver, Unconfirmed
from duels.keys import StageKey
from duels.models import Battle, Combatant, OrderSheet, Stage
from duels.real_deaths import explain_unreal_death_in
from duels.selectors.battle_rows import OpenStage, read_battle_state, read_open_stage, remember_combatants
from duels.selectors.stage_keys import describe_current_stage, key_of, label_of, names_waited_for
from duels.services.clocks.battle_clocks import (
    end_clock,
    end_stand_in,
    refuse_if_too_late,
    return_clock,
    waking_the_sweep_if_late,
)
from duels.services.lock import lock_battle
from duels.services.notify import notify_of_last_missing
from duels.services.open_hooks import tell_hooks_of_last_missing
from duels.services.receipts import Receipt, ReceiptKind
from duels.services.resolve import resolve_if_complete
from duels.sheet_change import (
    SheetChange,
    compute_sheet_change,
    refuse_if_not_understood,
    refuse_speech_of_guest,
    seal_change,
)
from duels.terms import Terms
from duels.wakeups import count_orders_on_commit, wake_watchers_on_commit
from operations.text.invisible_characters import mark_speech
from rules_engine import Read, Sheet, State, find_warnings, read_orders

LONGEST_DRAFT = 4000
Via = Literal["web", "mail", "api", "janitor", "bot"]


def submit_orders(
    *,
    combatant: Combatant,
    text: str,
    via: Via,
    now: datetime.datetime,
    stage: StageKey | None = None,
    ready: bool | None = None,
    replace: bool = False,
    confirmed: bool = True,
    ask_if_odd: bool = False,
    arrived_at: datetime.datetime | None = None,
) -> Receipt:
    """Submit orders in the grammar of docs/orders.md for one mage: all of them or none.

    Each line replaces its slot on the mage's sheet; CLEAR (or `replace`: the text is the whole sheet) empties the sheet
    first. END or `ready` True makes the sheet ready; `ready` False withdraws readiness. A sheet that lacks an answer
    other than a gesture is saved but not ready, and the receipt lists what is missing. Orders can be replaced until the
    turn resolves (unless the terms make them final). When every sheet is ready, the stage resolves at once. If the
    rules fail, the orders are kept and the turn is stuck (see mark_stuck).

    Unless they are `confirmed`, orders with a severe warning (a surrender, SUICIDE) raise Unconfirmed. With
    `ask_if_odd` an odd warning (a shield for an enemy, two stabs) does so too.

    `stage` is the stage the orders were written for; without it they count for the open stage. Text that orders nothing
    (or END alone before the sheet is complete) asks for the status and changes nothing (FM-ORDMOVE-5).

    Orders for a stage that is over raise StaleOrders, unless they are the text that was played in it: then nothing
    changes, and the receipt is `repeated`.

    Orders count by when they reached the site, `arrived_at` (`now` if not given), however long they waited. Those that
    arrived after the mage's forfeit moment, by more than the site's tolerance, raise TooLate, and the sweep over clocks
    is woken. Janitors and bots are never too late.

    Raises StaleOrders, NothingToOrder, OrdersFinal, TimeIsOver, TooLate, Unconfirmed, and rules_engine's InvalidOrders
    (not understood) and IllegalOrders (not allowed), both with every problem; nothing changes then.
    `get_combatant_for_user` checks that the mage belongs to the sender.
    """
    text = mark_speech(text.replace("\0", ""))  # PostgreSQL cannot store NUL
    arrived = now if arrived_at is None else min(arrived_at, now)
    with waking_the_sweep_if_late(), transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        if battle.is_over or (stage is not None and stage != key_of(battle)):
            return _answer_late(battle, combatant, stage, text)
        state = read_battle_state(battle)
        read = read_orders(state, combatant.mage.name, text)
        opened = read_open_stage(battle, now)
        sheet = opened.sheet_of(combatant) if opened else None
        if opened is None or sheet is None:
            return _answer_without_sheet(battle, combatant, read)
        written = Sheet.from_lines(sheet.lines)
        if written.is_by_clock:
            _refuse_after_leaving(written, battle, combatant.mage.name)
        terms = Terms.from_json(battle.terms)
        change = compute_sheet_change(
            state,
            combatant.mage.name,
            written,
            read,
            was_ready=sheet.ready,
            ready=ready,
            replace=replace,
            terms=terms,
        )
        if combatant.mage.user.is_guest and battle.company == Battle.Company.PEOPLE:
            refuse_speech_of_guest(change.after)
        receipt = _write_receipt(battle, combatant, state, change, was_ready=sheet.ready)
        if change.asks_only:
            return receipt
        if via not in ("janitor", "bot"):
            refuse_if_too_late(
                battle=battle, combatant_id=combatant.pk, rows=opened.clocks, arrived_at=arrived, now=now
            )
        was_ready = sheet.ready
        if terms.orders_final and was_ready and not (change.is_nothing and change.becomes_ready):
            raise OrdersFinal("final", mage=combatant.mage.name, turn=battle.label)
        if not confirmed and any(each.severe or (ask_if_odd and each.odd) for each in receipt.warnings):
            raise Unconfirmed("unconfirmed", mage=combatant.mage.name, turn=battle.label)
        _apply_change(battle, opened, sheet, change, text=text, via=via, now=now, arrived_at=arrived)
        receipt = change_fields(receipt, commitment=_find_commitment(sheet))
        if receipt.outcome == "ready" and opened.is_complete:
            if opened.has_all_mages(state):
                remember_combatants(battle, opened.combatants)
            receipt = receipt.after(resolve_if_complete(battle, now=now, opened=opened))
        # Last, because mages are locked after battles, and at the end of a battle in the order of their ids.
        if via not in ("janitor", "bot"):  # these are not activity of the player
            stays_ready = was_ready and change.becomes_ready
            receipt = change_fields(
                receipt, ends_vacation=_note_activity(opened, sheet, stays_ready=stays_ready, now=now)
            )
        return receipt


def _answer_without_sheet(battle: Battle, combatant: Combatant, read: Read) -> Receipt:
    """Return the status for a mage who has nothing to order in the open stage. Raises NothingToOrder for any orders."""
    refuse_if_not_understood(read.problems)
    mage = combatant.mage.name
    if read.sheet or read.emptied:
        unreal = explain_unreal_death_in(battle, mage) if combatant.standing == "dead" else ""
        where, waited_for = describe_current_stage(battle), names_waited_for(battle)
        raise NothingToOrder(mage, where, combatant.standing, waited_for, unreal)
    return Receipt(battle.number, mage, key_of(battle), battle.label, outcome="status")


def _refuse_after_leaving(written: Sheet, battle: Battle, mage: str) -> NoReturn:
    """Say why the mage, whose sheet no player wrote, can order nothing any more."""
    code = "claimed" if written.is_claimed else "never_moved" if written.is_absent else "out_of_time"
    unreal = explain_unreal_death_in(battle, mage) if code == "out_of_time" else ""
    raise TimeIsOver(code, mage=mage, turn=battle.label, unreal=unreal)


def _answer_late(battle: Battle, combatant: Combatant, stage: StageKey | None, text: str) -> Receipt:
    """Return the receipt of orders that were played exactly like this: a click, call or email may arrive again after
    its turn. Raises StaleOrders for any others."""
    if stage is None:
        raise StaleOrders(None, describe_current_stage(battle))
    of_stage = Q(stage__turn__seq=stage.seq, stage__turn__attempt=stage.attempt, stage__number=stage.stage)
    counts = Q(stage__closed_at__isnull=False, stage__turn__taken_back_by=None, ready=True)
    own = OrderSheet.objects.filter(of_stage, counts, combatant=combatant).exclude(via=OrderSheet.Via.CLOCK)
    sheet = own.select_related("stage__turn").first()
    if sheet is None or sheet.text != text:
        raise StaleOrders(label_of(battle, stage), describe_current_stage(battle))
    return Receipt(
        battle=battle.number,
        mage=combatant.mage.name,
        key=stage,
        label=sheet.stage.turn.label,
        outcome="resolved",
        lines=tuple(sheet.lines),
        repeated=True,
        commitment=_find_commitment(sheet),
        asks=not battle.is_over and (stage.seq, stage.attempt) == (battle.seq, battle.attempt),
    )


def _apply_change(
    battle: Battle,
    opened: OpenStage,
    sheet: OrderSheet,
    change: SheetChange,
    *,
    text: str,
    via: Via,
    now: datetime.datetime,
    arrived_at: datetime.datetime,
) -> None:
    """Write the sheet, and stop or restart its clock if its readiness changes."""
    changes_readiness = sheet.ready != change.becomes_ready
    extra: dict[str, Any] = {}
    if changes_readiness and change.becomes_ready:
        rows = opened.clocks if opened.is_calm else None
        extra = end_clock(battle=battle, sheet=sheet, now=now, arrived_at=arrived_at, rows=rows)
    if sheet.commitments is not None:
        key, place = key_of(battle), sheet.combatant.position
        extra["commitments"] = seal_change(change, sheet.commitments, battle.number, key, place, was_ready=sheet.ready)
    fields = {"lines": change.after.lines(), "text": text, "draft": "", "ready": change.becomes_ready, "via": via}
    # The stage is still open: it was read under the battle's lock, and stages are closed only under it.
    OrderSheet.objects.filter(pk=sheet.pk).update(**fields, submitted_at=now, **extra)
    sheet.lines, sheet.ready = change.after.lines(), change.becomes_ready
    sheet.commitments = extra.get("commitments", sheet.commitments)
    count_orders_on_commit(via)
    if changes_readiness:
        if change.becomes_ready:
            notify_of_last_missing(battle, opened, now=now)
            tell_hooks_of_last_missing(battle, opened, now=now)
        else:
            return_clock(battle=battle, sheet=sheet, now=now)
        # Other pages show only readiness. Any other wake-up would reveal that a player is at work.
        wake_watchers_on_commit(battle.number)


def _find_commitment(sheet: OrderSheet) -> str:
    """Return the latest sealed commitment to the sheet; "" in a battle without them."""
    return sheet.commitments["sets"][-1] if sheet.commitments else ""


def _write_receipt(
    battle: Battle, combatant: Combatant, state: State, change: SheetChange, *, was_ready: bool
) -> Receipt:
    outcome: ReceiptKind = "ready" if change.becomes_ready else "kept"
    return Receipt(
        battle=battle.number,
        mage=combatant.mage.name,
        key=key_of(battle),
        label=battle.label,
        outcome="status" if change.asks_only else outcome,
        lines=tuple(change.after.lines()),
        warnings=tuple(
            change_fields(each, follows=explain_unreal_death_in(battle, combatant.mage.name))
            if each.code == "suicide"
            else each
            for each in find_warnings(state, combatant.mage.name, change.after)
        ),
        missing=change.missing,
        repeated=change.is_nothing and was_ready == change.becomes_ready and not change.asks_only,
    )


def _note_activity(opened: OpenStage, sheet: OrderSheet, *, stays_ready: bool, now: datetime.datetime) -> bool:
    """Note that the player acts: they take over from a bot that stood in. Return whether that ends their vacation.

    Nothing is noted when they replace their own orders that are ready: others can see when a player was last active
    and that a vacation ends, and nobody else may notice the replacement.
    """
    own = sheet.combatant  # read under the lock, as the caller's combatant was not
    if own.stand_in:
        end_stand_in(combatant=own)
    elif stays_ready:
        return False
    return note_orders(mage=own.mage, is_away=own.mage.user_id in opened.away, now=now)


def save_draft(*, combatant: Combatant, text: str, stage: StageKey) -> None:
    """Save `text` (any text, cut at 4,000 characters) as the draft of this mage for that stage.

    A draft never counts and does not affect orders that are ready. Raises StaleOrders if the stage is over or the mage
    has no orders to give in it.
    """
    open_stages = Stage.objects.filter(
        Q(battle=combatant.battle_id, closed_at__isnull=True, number=stage.stage),
        Q(turn__seq=stage.seq, turn__attempt=stage.attempt),
    )
    updated = OrderSheet.objects.filter(combatant=combatant, stage__in=open_stages).update(
        draft=mark_speech(text.replace("\0", ""))[:LONGEST_DRAFT]
    )
    if not updated:
        raise StaleOrders(label_of(combatant.battle, stage), describe_current_stage(combatant.battle))
