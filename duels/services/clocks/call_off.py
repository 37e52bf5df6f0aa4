"""Calling off a battle that waits too long for a player, by consent of the others (FM-SLOW-7), and every other end in
the middle of a turn."""

import datetime

from django.db import transaction

from accounts.models import Mage
from duels.errors import DuelRefused
from duels.models import Battle, ClockStop, Combatant, OrderSheet, Stage, Turn, TurnEvent
from duels.paces import span
from duels.selectors.absences import Consent, find_first_wait, is_in_first_turn, read_call_off
from duels.selectors.stage_keys import key_of
from duels.services.clocks.absence_choices import record_choice
from duels.services.clocks.battle_clocks import drop_clocks
from duels.services.finish import finish_battle
from duels.services.lock import lock_battle
from duels.services.notify import notify_of_request
from duels.services.turns import record_events
from duels.terms import read_stakes
from duels.wakeups import wake_watchers_on_commit
from ladder.stakes import STAKES
from operations.selectors import read_policy
from rules_engine import CALLED_OFF, Event, Outcome

# Two bots can block each other forever.
MOST_TURNS_OF_BOTS = 150


def call_off_battle(*, combatant: Combatant, now: datetime.datetime, agrees: bool = True) -> Consent:
    """Agree to call off a battle, or withdraw that, because another player has been absent for as long as the site's
    policy allows, or because its first turn waits for them (see read_call_off). Calling off changes no score and kills
    no mage.

    The battle ends once all users agree who have a mage in it and are present; in a duel, at once. Returns who
    had agreed and who is missing. Raises DuelRefused.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        before = record_choice(
            battle=battle, combatant=combatant, wish="calls_off_at", read=read_call_off, agrees=agrees, now=now
        )
        if before is None and STAKES[read_stakes(battle.terms)].is_event:
            raise DuelRefused("event_call_off")
        if before is None:
            if is_in_first_turn(battle) and not battle.is_over:
                raise DuelRefused("first_turn_waits", length=span(find_first_wait(battle)))
            raise DuelRefused("not_late_enough", days=read_policy().absence_most_days)
        if agrees and not before.missing:
            end_without_result(battle, now, by=combatant.mage.name if before.is_at_start else "")
        elif agrees and not before.has_agreed:
            notify_of_request(battle, combatant, "call_off_wanted", now=now, absent=", ".join(before.absent))
        wake_watchers_on_commit(battle.number)
        return before


def call_off_endless_battle(*, battle: Battle, now: datetime.datetime) -> bool:
    """Call off a battle among bots that has lasted too long; return whether this call did. It counts nowhere."""
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        if battle.is_over or not is_endless(battle):
            return False
        end_without_result(battle, now)
        wake_watchers_on_commit(battle.number)
        return True


def call_off_practice_of_guest(*, mage: Mage, now: datetime.datetime) -> bool:
    """End the battle of a guest's mage against the site's bots, at no cost, so that the mage is free; return whether
    this call did. A battle with a person goes on."""
    mine = Combatant.objects.filter(mage=mage, mage__user__is_guest=True, battle__finished_at=None).first()
    if mine is None:
        return False
    with transaction.atomic():
        battle = lock_battle(mine.battle_id)
        others = battle.combatants.exclude(mage=mage)
        if battle.is_over or others.filter(mage__user__bot_strength="").exists():
            return False
        end_without_result(battle, now)
        wake_watchers_on_commit(battle.number)
        return True


def is_endless(battle: Battle) -> bool:
    """Return whether a battle among bots has more turns than any that ends by itself."""
    return battle.company == Battle.Company.BOTS and battle.seq > MOST_TURNS_OF_BOTS


def call_off_if_absent(*, battle: Battle, now: datetime.datetime) -> bool:
    """End a live battle whose players did not all come in time, at no cost; return whether it ended. The caller has
    locked it."""
    late = ClockStop.objects.filter(battle=battle, reason=ClockStop.Reason.PRESENCE, ended_at=None, until__lte=now)
    if not late.update(ended_at=now):
        return False
    end_without_result(battle, now)
    wake_watchers_on_commit(battle.number)
    return True


def end_without_result(battle: Battle, now: datetime.datetime, reason: str = CALLED_OFF, *, by: str = "") -> None:
    """End a battle, locked by the caller, in the middle of a turn: nobody wins and nobody dies. `reason` is the rules'
    word, and `by` the mage whose player ended it, if one did.

    The turn was never played, so nobody may ever learn its orders: they are erased.
    """
    key, label = key_of(battle), battle.label
    drop_clocks(battle=battle, now=now)
    turn = battle.turns.get(resolved_at=None, taken_back_by=None)
    _forget_orders(battle, turn)
    facts = {"reason": reason, "winners": "", **({"who": by} if by else {})}
    record_events(battle, turn, battle.stage, [Event("battle_ends", facts, None, "FM-SLOW-7")])
    Stage.objects.filter(battle=battle, closed_at=None).update(closed_at=now)
    outcome = Outcome(battle.kind, (), reason, (), (), by=by, turn=label if by else "")
    finish_battle(battle, outcome, key, label, now=now)


def _forget_orders(battle: Battle, turn: Turn) -> None:
    """Erase the orders of the open turn, the salts that would betray them, and what it had come to before a question.
    The battle is as it was before that turn."""
    battle.state = turn.before
    TurnEvent.objects.filter(turn=turn).delete()
    Turn.objects.filter(pk=turn.pk).update(throws=[])
    OrderSheet.objects.filter(stage__turn=turn).update(lines=[], text="", draft="", ready=False, commitments=None)
