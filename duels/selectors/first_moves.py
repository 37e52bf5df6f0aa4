"""Mages who never moved: whether orders were ever accepted for them in a battle, and whether the clock spares them."""

import datetime
from typing import Literal

from duels.models import Battle, Combatant, MissedTurn, OrderSheet
from duels.selectors.battle_view import BattleView

# Within this time, the clock spares a user only once.
YEAR = datetime.timedelta(days=365)

# What happens to a mage who runs out of time; unknown where the reader must not learn whether there are any orders.
Fate = Literal["dies", "lives", "unknown"]


def has_moved(combatant: Combatant) -> bool:
    """Return whether any orders for the mage were ever accepted in this battle, ready or not, from anyone."""
    written = OrderSheet.objects.filter(combatant=combatant).exclude(via__in=("", OrderSheet.Via.CLOCK))
    return written.exists()


def is_spared(combatant: Combatant, *, opened_at: datetime.datetime) -> bool:
    """Return whether the mage, who never moved, leaves alive when their time in the stage opened then is over.

    Their user is spared once in a year. Practice and battles with bots don't count, because nobody waits there, nor
    does a missed turn that a janitor excused.
    """
    spared = MissedTurn.objects.filter(
        user=combatant.mage.user_id,
        never_moved=True,
        excused_at=None,
        missed_at__gt=opened_at - YEAR,
        stage__battle__practice=False,
        stage__battle__company=Battle.Company.PEOPLE,
    )
    return not spared.exclude(stage__battle=combatant.battle_id).exists()


def find_fate(view: BattleView, mage: str) -> Fate:
    """Return what happens to a mage who runs out of time now, as the viewer may know it."""
    if (view.stage_key.seq, view.stage_key.stage) != (1, 0) or view.opened_at is None:
        return "dies"
    own = next((each for each in view.mine if each.mage.name == mage), None)
    if own is None:
        return "unknown"
    return "lives" if not has_moved(own) and is_spared(own, opened_at=view.opened_at) else "dies"
