"""Telling open pages that a challenge has changed."""

from django.db import transaction

from duels.wakeups import wake_group


def group_of(number: int) -> str:
    """The name of the group of sockets that watch challenge `number`."""
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` once the present transaction is committed; never if it is not."""
    # Not a partial: when one raises, Django fails over its missing name.
    transaction.on_commit(lambda: wake_group(group_of(number), "challenge.changed"), robust=True)
