"""Ending a duel for the league or cup that it belongs to."""

import datetime

from django.db import transaction

from duels.models import Battle
from duels.models.battle import STUCK_FIELDS
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.clocks.call_off import end_without_result
from duels.services.lock import lock_battle
from duels.services.resolve import resolve_if_complete
from duels.terms import read_stakes
from duels.wakeups import wake_watchers_on_commit
from ladder.stakes import LEAGUE, STAKES
from rules_engine import ENDED_BY_CUP, ENDED_BY_LEAGUE


def end_for_event(*, battle_number: int, now: datetime.datetime) -> bool:
    """End a running duel of a league or cup without a winner, unrated, because its time is up there; return whether
    this call did. Its table decides what follows.

    A turn whose orders are all ready is resolved first, and may end the duel by itself. Safe to call twice. Raises
    ValueError for a battle that belongs to no league or cup.
    """
    with transaction.atomic():
        battle = lock_battle(Battle.objects.values_list("pk", flat=True).get(number=battle_number))
        stakes = read_stakes(battle.terms)
        if not STAKES[stakes].is_event:
            raise ValueError(f"{battle} belongs to no league or cup.")
        resolve_if_complete(battle, now=now)
        if battle.is_over:
            return False
        if battle.status == Battle.Status.STUCK:
            battle.status = Battle.Status.RUNNING
            battle.forget_stuck_turn()
            battle.save(update_fields=["status", *STUCK_FIELDS])
        update_clocks(battle=battle, now=now)
        end_without_result(battle, now, ENDED_BY_LEAGUE if stakes == LEAGUE else ENDED_BY_CUP)
        wake_watchers_on_commit(battle.number)
        return True
