"""Tell open pages that a challenge has changed."""

from fm_site.operations.push import wake_on_commit


def channel_of(number: int) -> str:
    """Return the name of the channel of those who watch challenge `number`."""
    return f"challenge.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of challenge `number` when the current transaction commits; never if it rolls back."""
    wake_on_commit(channel_of(number))
