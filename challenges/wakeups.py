"""Tell open pages that a challenge has changed."""

from django.db import transaction

from duels.wakeups import wake_group


def group_of(number: int) -> str:
    """Return the name of the group of sockets that watch challenge `number`."""
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` when the current transaction commits; never if it rolls back."""
    # Not a partial: if one raises, Django fails because it has no name.
    transaction.on_commit(lambda: wake_group(group_of(number), "challenge.changed"), robust=True)
