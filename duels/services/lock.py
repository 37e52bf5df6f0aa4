"""The lock on a battle: the first step of every change."""

from duels.models import Battle


def lock_battle(pk: int) -> Battle:
    """Return the current battle, with its row locked until the end of the transaction.

    SQLite ignores row locks, but there a writing transaction is alone from its start. On both databases, conditional
    updates decide what happens only once; this lock ensures that two concurrent last orders notice each other.
    """
    return Battle.objects.select_for_update().get(pk=pk)
