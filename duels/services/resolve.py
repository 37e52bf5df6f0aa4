"""Resolving a stage once all its orders are ready."""

import datetime
import secrets

import structlog
from django.db import OperationalError, transaction
from django.utils.crypto import salted_hmac

from duels.keys import StageKey
from duels.models import Battle, OrderSheet, Stage, Turn
from duels.models.battle import STUCK_FIELDS
from duels.selectors.battle_rows import OpenStage, read_battle_state, read_combatants
from duels.selectors.stage_keys import key_of
from duels.services.finish import finish_battle
from duels.services.lock import lock_battle
from duels.services.notify import followers_of, notify_of_turn, notify_users, players_of, users_of_mages
from duels.services.open_hooks import tell_hooks_of_turn
from duels.services.receipts import StageResult
from duels.services.stuck_turns import mark_stuck
from duels.services.turns import open_stage, open_turn, record_events, record_penalties, store_remaining_mages
from duels.wakeups import count_turn_on_commit, wake_watchers_on_commit
from rules_engine import Asks, Done, KeyedDice, Sheet, advance, write_state

log = structlog.get_logger(__name__)

# A limit for turns in a row in which no mage has anything to order.
MOST_STAGES_AT_ONCE = 25
# The reasons for closing a turn: orders from all, or a mage who ran out of time.
BY_ORDERS, BY_CLOCK = "orders", "clock"


def resolve_turn(*, battle: Battle, now: datetime.datetime) -> StageResult:
    """Resolve `battle` as far as its orders go, if all orders for the open stage are ready; else change nothing.

    Can be called at any time and any number of times: a conditional update closes the stage, and only the call that
    closed it resolves it. If the rules raise an error, the stage is rolled back and the turn is stuck: see mark_stuck.
    """
    with transaction.atomic():
        return resolve_if_complete(lock_battle(battle.pk), now=now)


def resolve_if_complete(battle: Battle, *, now: datetime.datetime, opened: OpenStage | None = None) -> StageResult:
    """Do the same in a transaction that holds the battle's lock. The transaction stays usable if this fails.

    `opened` is the open stage, if the caller has read it since.
    """
    if battle.is_over or not (opened.is_complete if opened else is_complete(battle)):
        return StageResult("waiting")
    try:
        with transaction.atomic():
            _play(battle, opened, now=now)
    except OperationalError:
        # A database error is not the rules' fault: the stage stays complete, and the sweep resolves it.
        log.exception("turn not resolved yet", battle=battle.number)
        battle.refresh_from_db()
        return StageResult("waiting")
    except Exception:
        battle.refresh_from_db()
        return mark_stuck(battle, now=now)
    count_turn_on_commit()
    wake_watchers_on_commit(battle.number)
    return StageResult("resolved", asks=not battle.is_over and battle.stage > 0)


def is_complete(battle: Battle) -> bool:
    return not OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True, ready=False).exists()


def _play(battle: Battle, opened: OpenStage | None, *, now: datetime.datetime) -> None:
    was_stuck = battle.status == Battle.Status.STUCK
    if was_stuck:
        battle.status = Battle.Status.RUNNING
        battle.forget_stuck_turn()
        battle.save(update_fields=["status", *STUCK_FIELDS])
    for _ in range(MOST_STAGES_AT_ONCE):
        if not _play_stage(battle, opened, now=now, was_stuck=was_stuck):
            return
        opened = None
    raise RuntimeError(f"{battle} asks no mage for orders and does not end.")


def _play_stage(battle: Battle, opened: OpenStage | None, *, now: datetime.datetime, was_stuck: bool) -> bool:
    """Close the open stage and resolve it, unless that is done already. Return whether the next one can be
    resolved too, because it asks nobody for orders.

    A turn that was stuck may have been played before, by a janitor who undid it: then only another result is told."""
    if opened:
        stage = opened.stage
    else:
        stage = Stage.objects.select_related("turn").get(battle=battle, closed_at__isnull=True)
    if not Stage.objects.filter(pk=stage.pk, closed_at__isnull=True).update(closed_at=now):
        return False
    turn = stage.turn
    dice = KeyedDice(battle.seed, turn.seq, turn.attempt)
    sheets = _sheets_of(battle, stage, opened)
    if any(sheet.is_by_clock for sheet in sheets.values()):
        turn.closed_by = BY_CLOCK
    step = advance(read_battle_state(battle), sheets, dice)
    record_events(battle, turn, stage.number, step.events)
    # A turn that stops for a question has no penalties yet, and these mages have left already.
    record_penalties(battle, (name for name, sheet in sheets.items() if sheet.is_claimed), now=now)
    turn.throws = [*turn.throws, *dice.rolls]
    once = _name_result(step) if was_stuck else ""
    if isinstance(step, Asks):
        turn.save(update_fields=["throws", "closed_by"])
        open_stage(battle, turn, step.state, now=now, last=opened)
        asked = users_of_mages(battle, step.state.owing)
        notify_users(asked, "stage_asked", battle, key_of(battle), battle.label, now=now, once=once)
    else:
        turn.closed_by, turn.resolved_at = turn.closed_by or BY_ORDERS, now
        turn.mark = secrets.token_urlsafe(12)
        turn.save(update_fields=["throws", "closed_by", "resolved_at", "mark"])
        _end_turn(battle, turn, step, opened, now=now, once=once)
    return not (battle.is_over or step.state.owing)


def _sheets_of(battle: Battle, stage: Stage, opened: OpenStage | None) -> dict[str, Sheet]:
    if opened:
        return {sheet.combatant.mage.name: Sheet.from_lines(sheet.lines) for sheet in opened.sheets}
    names = {combatant.pk: combatant.mage.name for combatant in read_combatants(battle)}
    sheets = OrderSheet.objects.filter(stage=stage).values_list("combatant_id", "lines")
    return {names[combatant]: Sheet.from_lines(lines) for combatant, lines in sheets}


def _name_result(step: Asks | Done) -> str:
    """Return a short name of what has come out; it tells nothing about it."""
    result = repr((write_state(step.state), [(event.kind, dict(event.facts), event.audience) for event in step.events]))
    return salted_hmac("duels.services.resolve", result).hexdigest()[:16]


def _end_turn(
    battle: Battle, turn: Turn, step: Done, opened: OpenStage | None, *, now: datetime.datetime, once: str
) -> None:
    key = StageKey(turn.seq, turn.attempt, battle.stage)
    store_remaining_mages(battle, step.state)
    record_penalties(battle, step.penalties, now=now)
    if step.outcome is not None:
        battle.state = write_state(step.state)
        finish_battle(battle, step.outcome, key, turn.label, now=now, once=once)
        return
    open_turn(battle, step.state, now=now, last=opened)
    followers = followers_of(battle) if opened is None or opened.has_followers else []
    notify_of_turn([*players_of(battle), *followers], battle, key, turn.label, now=now, once=once)
    tell_hooks_of_turn(battle, key, turn.label, now=now)
