"""Turns that the rules cannot resolve: who learns of them and when, and whose orders raised the error."""

import datetime
import secrets
from collections.abc import Mapping
from datetime import timedelta

import structlog
from django.db import transaction

from accounts.selectors.users import list_janitors
from duels.models import Battle
from duels.models.battle import STUCK_FIELDS
from duels.paces import get_pace
from duels.rules_release import current_rules_release
from duels.selectors.battle_rows import read_battle_state, read_combatants, read_open_sheets
from duels.selectors.due import list_stuck_battles_to_remind_of
from duels.selectors.stage_keys import key_of
from duels.services.lock import lock_battle
from duels.services.notify import followers_of, notify_users, players_of
from duels.services.receipts import StageResult
from duels.wakeups import wake_watchers_on_commit
from operations.registry import STUCK_TURN_NOTED, find_function
from operations.selectors import read_policy
from rules_engine import HANDS, KeyedDice, Sheet, advance
from rules_engine.gestures import NOTHING, SECOND

log = structlog.get_logger(__name__)


def mark_stuck(battle: Battle, *, now: datetime.datetime) -> StageResult:
    """Mark the battle, locked by the caller, as stuck at its open stage, with a reference to the error in the log.

    Must run while the error is handled, and after its changes were rolled back. The first time, janitors and everyone
    in the battle are notified, and the journal notes whose orders raised the error.
    """
    is_new = battle.status != Battle.Status.STUCK
    reference = battle.stuck_reference or secrets.token_hex(4)
    log.exception("battle is stuck", battle=battle.number, turn=str(key_of(battle)), reference=reference)
    battle.status, battle.stuck_reference = Battle.Status.STUCK, reference
    battle.stuck_release = current_rules_release()
    if is_new:
        battle.stuck_at, battle.stuck_remind_at = now, now + _find_first_reminder(battle)
    battle.save(update_fields=["status", *STUCK_FIELDS])
    _notify_janitors(battle, now=now)
    if is_new:
        # Only then: a later entry would show that someone has replaced their orders meanwhile.
        find_function(STUCK_TURN_NOTED)(battle=battle, mages=find_mages_who_raise(battle), now=now)
        readers = [*players_of(battle), *followers_of(battle)]
        notify_users(readers, "turn_stuck", battle, key_of(battle), battle.label, now=now)
    wake_watchers_on_commit(battle.number)
    return StageResult("stuck", reference)


def _find_first_reminder(battle: Battle) -> timedelta:
    policy = read_policy()
    # Not by all its terms: they may name rules that are missing, which also makes a turn stuck.
    if get_pace(battle.terms["pace"], policy).is_live:
        return timedelta(minutes=policy.stuck_remind_live_minutes)
    return timedelta(hours=policy.stuck_remind_hours)


def _notify_janitors(battle: Battle, *, now: datetime.datetime, again: str = "") -> None:
    """Notify the janitors once; `again` distinguishes the reminders that follow."""
    facts = {"reference": battle.stuck_reference, "row": str(battle.pk), "again": again}
    notify_users(list_janitors(), "battle_stuck", battle, key_of(battle), battle.label, now=now, once=again, **facts)


def remind_of_stuck_battles(*, now: datetime.datetime) -> int:
    """Remind the janitors of every battle whose turn is still stuck when its reminder is due; return of how many.

    Further reminders follow until the turn is resolved or the battle ends. Can run twice or late: each reminder is sent
    once.
    """
    return sum(_remind(pk, now) for pk in list_stuck_battles_to_remind_of(now=now))


def _remind(pk: int, now: datetime.datetime) -> bool:
    with transaction.atomic():
        battle = lock_battle(pk)
        due = battle.stuck_remind_at
        following = now + timedelta(hours=read_policy().stuck_remind_hours)
        is_due = battle.status == Battle.Status.STUCK and (due is None or due <= now)
        unreminded = Battle.objects.filter(pk=pk, status=Battle.Status.STUCK, stuck_remind_at=due)
        if not is_due or not unreminded.update(stuck_remind_at=following):
            return False
        _notify_janitors(battle, now=now, again=(due or now).isoformat())
        wake_watchers_on_commit(battle.number)
    return True


def find_mages_who_raise(battle: Battle) -> list[str]:
    """Return the mages without whose orders the rules could continue the open stage, in the order of the battle.

    Empty if it fails whatever any one of them orders, or if the rules can continue it and something else failed.
    """
    names = {combatant.pk: combatant.mage.name for combatant in read_combatants(battle)}
    open_sheets = read_open_sheets(battles=[battle.pk])
    sheets = {names[sheet.combatant_id]: Sheet.from_lines(sheet.lines) for sheet in open_sheets}
    if not _fails(battle, sheets):
        return []
    return [
        mage
        for mage in names.values()
        if mage in sheets and not _fails(battle, {**sheets, mage: _make_idle(sheets[mage])})
    ]


def _fails(battle: Battle, sheets: Mapping[str, Sheet]) -> bool:
    """Return whether the rules raise an error, whatever it is, with these sheets."""
    try:
        advance(read_battle_state(battle), sheets, KeyedDice(battle.seed, battle.seq, battle.attempt))
    except Exception:
        return True
    return False


def _make_idle(sheet: Sheet) -> Sheet:
    """Return a sheet by which the same hands do nothing."""
    return Sheet({slot: NOTHING for slot in sheet.slots if slot in (*HANDS, *map(SECOND.get, HANDS))})
