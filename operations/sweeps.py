"""Processing due rows: in batches, for a limited time, and so that none holds up the others."""

from collections.abc import Callable, Iterable
from datetime import datetime
from time import monotonic
from typing import TypeVar

import structlog
from django.utils import timezone

log = structlog.get_logger(__name__)
Row = TypeVar("Row")

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


def act_on_each(rows: Iterable[Row], act: Callable[[Row], int | None]) -> int:
    """Call `act` with each row and return the sum of what it returns. An error with one row holds up no other: it is
    logged, and the next run tries again."""
    done = 0
    for row in rows:
        try:
            done += act(row) or 0
        except Exception:
            log.exception("row not processed", act=act.__qualname__, row=str(row))
    return done
