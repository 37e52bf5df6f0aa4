"""Draws by agreement: an offer for the open turn, and its answer.

The battle's lock puts the players' acts and the end of the turn in an order, and each is checked against what is then
true. So a draw is agreed once, or the turn resolves and the offer is gone.
"""

import datetime
from collections.abc import Mapping
from typing import Literal

from django.db import transaction

from duels.errors import DuelRefused, StaleOrders
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.selectors.battle_rows import read_combatants
from duels.selectors.draws import (
    FIRST_TURN,
    allows_draws,
    find_next_turn,
    has_open_offer,
    mark_declined,
    mark_turn,
    read_turn_number,
)
from duels.selectors.stage_keys import describe_current_stage, key_of, label_of
from duels.services.clocks.call_off import end_without_result
from duels.services.lock import lock_battle
from duels.services.notify import notify_users
from duels.wakeups import wake_players_on_commit, wake_watchers_on_commit
from rules_engine import AGREED

Offered = Literal["offered", "agreed"]
Refused = Literal["declined", "withdrawn"]
Whose = Literal["theirs", "own", ""]


def offer_draw(*, combatant: Combatant, now: datetime.datetime, stage: StageKey | None = None) -> Offered:
    """Offer the other player a draw in the open turn, or agree to the one that they offer: the battle is then over.

    `stage` is one of the turn that the player had in mind. Offering again in the same turn changes nothing. Raises
    StaleOrders if that turn is over, and DuelRefused.
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        if _is_agreed(battle):
            return "agreed"
        mine, other = _find_pair(battle, combatant, stage)
        if has_open_offer(battle, other):
            _agree(battle, by=other, now=now)
            return "agreed"
        if has_open_offer(battle, mine):
            return "offered"
        from_turn = find_next_turn(battle, mine)
        number = read_turn_number(battle.label)
        if number < from_turn:
            raise DuelRefused("draw_too_early" if number < FIRST_TURN else "draw_too_often", turn=from_turn)
        _set_offer(mine, mark_turn(battle), draw_turn=number)
        _tell(battle, "draw_offered", to=other, by=mine, now=now)
        return "offered"


def accept_draw(*, combatant: Combatant, now: datetime.datetime, stage: StageKey | None = None) -> None:
    """Accept the other player's offer: the battle is over. Nothing changes if it has ended so already.

    Raises StaleOrders if the turn of `stage` is over, and DuelRefused if there is no offer (any more).
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        if _is_agreed(battle):
            return
        _mine, other = _find_pair(battle, combatant, stage)
        if not has_open_offer(battle, other):
            raise DuelRefused("no_draw_offered", mage=other.mage.name, now=describe_current_stage(battle))
        _agree(battle, by=other, now=now)


def refuse_draw(
    *, combatant: Combatant, now: datetime.datetime, stage: StageKey | None = None, whose: Whose = ""
) -> Refused:
    """Decline the other player's offer and notify them or, if there is none, withdraw the player's own; return which.

    `whose` is the offer that the player means, where they can choose. One that is withdrawn still counts: the next one
    can follow only some turns later. Raises StaleOrders if the turn of `stage` is over, and DuelRefused if there is no
    such offer (any more).
    """
    with transaction.atomic():
        battle = lock_battle(combatant.battle_id)
        mine, other = _find_pair(battle, combatant, stage)
        if whose != "own" and has_open_offer(battle, other):
            _set_offer(other, mark_declined(battle))
            _tell(battle, "draw_declined", to=other, by=mine, now=now)
            return "declined"
        if whose != "theirs" and has_open_offer(battle, mine):
            _set_offer(mine, "")
            wake_players_on_commit(battle.number, [mine.mage.user_id, other.mage.user_id])
            return "withdrawn"
        name = (mine if whose == "own" else other).mage.name
        raise DuelRefused("no_draw_offered", mage=name, now=describe_current_stage(battle))


def forget_undone_offers(battle: Battle, *, label: str) -> dict[str, int | None]:
    """Forget the offers made in the turn with this label and later ones, which a janitor undoes; return in which turn
    each player last offered a draw until then, by the combatant's id, for restore_offers."""
    before = {str(pk): turn for pk, turn in battle.combatants.values_list("pk", "draw_turn")}
    battle.combatants.filter(draw_turn__gte=read_turn_number(label)).update(draw_turn=None)
    return before


def restore_offers(battle: Battle, turns: Mapping[str, int | None]) -> None:
    """Undo forget_undone_offers; offers made since are undone."""
    for pk, turn in turns.items():
        battle.combatants.filter(pk=pk).update(draw_turn=turn)


def _is_agreed(battle: Battle) -> bool:
    return battle.status == Battle.Status.FINISHED and (battle.result or {}).get("reason") == AGREED


def _find_pair(battle: Battle, combatant: Combatant, stage: StageKey | None) -> tuple[Combatant, Combatant]:
    """Return the player's mage and the other one, as they are now. Raises StaleOrders and DuelRefused."""
    current = describe_current_stage(battle)
    if battle.is_over:
        raise DuelRefused("no_draw_now", now=current)
    pair = read_combatants(battle)
    if not allows_draws(battle, pair):
        raise DuelRefused("no_draws_here")
    if battle.status == Battle.Status.STUCK:
        raise DuelRefused("no_draw_now", now=current)
    if stage is not None and stage[:2] != key_of(battle)[:2]:
        raise StaleOrders(label_of(battle, stage), current)
    mine = next(each for each in pair if each.pk == combatant.pk)
    return mine, next(each for each in pair if each.pk != combatant.pk)


def _agree(battle: Battle, *, by: Combatant, now: datetime.datetime) -> None:
    end_without_result(battle, now, AGREED, by=by.mage.name)
    wake_watchers_on_commit(battle.number)


def _set_offer(combatant: Combatant, turn: str, **more: int) -> None:
    Combatant.objects.filter(pk=combatant.pk).update(draw_offered_in=turn, **more)


def _tell(battle: Battle, kind: str, *, to: Combatant, by: Combatant, now: datetime.datetime) -> None:
    """Notify one player, and bring the pages of both up to date; nobody else's page may show a sign of it."""
    notify_users([to.mage.user], kind, battle, key_of(battle), battle.label, now=now, who=by.mage.name)
    wake_players_on_commit(battle.number, [to.mage.user_id, by.mage.user_id])
