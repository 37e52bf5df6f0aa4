"""Processing due rows in batches, for a limited time."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic

from django.utils import timezone

SECONDS = 30
AT_ONCE = 200


def sweep_in_batches(sweep: Callable[..., int], *, seconds: float = SECONDS, limit: int = AT_ONCE) -> int:
    """Call `sweep(now=, limit=)` until a batch is not full or the time is up; return the number of rows. The rest waits
    for the next run."""
    end, done = monotonic() + seconds, 0
    while True:
        now: datetime = timezone.now()
        batch = sweep(now=now, limit=limit)
        done += batch
        if batch < limit or monotonic() > end:
            return done
