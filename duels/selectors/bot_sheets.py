"""The orders that computer opponents owe."""

import datetime
import hashlib

from django.db.models import QuerySet

from duels.keys import StageKey
from duels.models import Battle, OrderSheet
from duels.terms import Terms
from rules_engine.bots import LESSON, Strength

AT_ONCE = 20


def list_sheets_due_from_bots(
    *, now: datetime.datetime, limit: int = AT_ONCE, battle: Battle | None = None
) -> list[OrderSheet]:
    """Return the sheets that bots owe and no worker has taken, the longest due first: those of `battle`, or all."""
    due = due_sheets(now).filter(stage__closed_at=None, stage__battle__status=Battle.Status.RUNNING)
    due = due if battle is None else due.filter(stage__battle=battle)
    # Battles with people first: nobody waits in a battle among bots.
    ordered = due.order_by("-stage__battle__company", "bot_due_at", "pk")
    return list(ordered.select_related("combatant__mage__user", "stage")[:limit])


def due_sheets(now: datetime.datetime) -> "QuerySet[OrderSheet]":
    """Return the sheets of bots that a worker may take, also those of stages that are over."""
    return OrderSheet.objects.filter(bot_due_at__lte=now, ready=False)


def name_strength(terms: Terms, strength: str) -> str | Strength:
    """Return how a bot of this strength plays a battle on these terms: in a first duel the Apprentice teaches."""
    return LESSON if terms.lesson and strength == LESSON.name else strength


def seed_of(battle: Battle, mage: str, key: StageKey) -> str:
    """Return the seed of a bot's choices. It cannot be guessed during the battle, and differs for a replayed turn."""
    return hashlib.sha256(f"bot {battle.seed} {mage} {key.attempt}".encode()).hexdigest()
