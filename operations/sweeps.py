"""Processing due rows in batches, for a limited time."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic

from django.utils import timezone

SECONDS = 30
AT_ONCE = 200


def sweep_in_batches(sweep: Callable[..., int]) -> int:
    """Call `sweep(now=, limit=)` until a batch is not full or the time is up; return the number of rows. The rest waits
    for the next run."""
    end, done = monotonic() + SECONDS, 0
    while True:
        now: datetime = timezone.now()
        batch = sweep(now=now, limit=AT_ONCE)
        done += batch
        if batch < AT_ONCE or monotonic() > end:
            return done
