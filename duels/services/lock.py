"""The first step of whatever changes a battle."""

from duels.models import Battle


def lock_battle(pk: int) -> Battle:
    """Return the battle as it is now, its row locked to the end of the transaction.

    SQLite ignores row locks; there a transaction that writes is alone from its start. On either, what may happen once
    is decided by a conditional update, not by this lock, which keeps two last orders from overlooking each other.
    """
    return Battle.objects.select_for_update().get(pk=pk)
