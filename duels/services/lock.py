"""What makes a change happen only once: the lock on a battle, its first step."""

import structlog

from duels.models import Battle, Combatant


def lock_battle(pk: int) -> Battle:
    """Return the current battle, with its row locked until the end of the transaction.

    SQLite ignores row locks, but there a writing transaction is alone from its start. On both databases, conditional
    updates decide what happens only once; this lock ensures that two concurrent last orders notice each other.

    Log lines of this request or task name the battle and its turn from here on.
    """
    battle = Battle.objects.select_for_update().get(pk=pk)
    structlog.contextvars.bind_contextvars(battle=battle.number, turn=battle.label)
    return battle


def is_still_in(combatant: Combatant) -> bool:
    """Return whether a mage is still in the battle, which the caller has locked: they may have left it since the row
    was read."""
    return Combatant.objects.filter(pk=combatant.pk, standing="in").exists()
