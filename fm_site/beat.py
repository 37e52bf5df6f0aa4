"""Celery beat, in any number of processes: one holds a lease in the database and wakes the workers, the others wait.

The lease is a row, not a lock of a connection, so it works behind a pooler too. A beat that dies is replaced within
LEASE; one that is stopped properly, at once. If two both think they hold it, that does no harm: every task is a sweep.
"""

import os
import secrets
import socket
from datetime import timedelta
from time import monotonic
from typing import Any

import structlog
from celery.beat import PersistentScheduler
from django.db import Error as RowsError
from django.db import close_old_connections

log = structlog.get_logger(__name__)
POST = "beat"
LEASE = timedelta(seconds=60)
# How often the lease is renewed, and how often a waiting beat asks for it.
RENEW_SECONDS, IDLE_SECONDS = 20.0, 10.0


class LeasedScheduler(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler, which only wakes workers while it holds the lease."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.holder = f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(4)}"
        self.held_at: float | None = None
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send due tasks and return the seconds until the next tick."""
        if not self.has_lease():
            return IDLE_SECONDS
        pause: float = super().tick(*args, **kwargs)
        return min(pause, RENEW_SECONDS)

    def has_lease(self) -> bool:
        """Return whether this beat has the lease, renewing it if necessary."""
        from operations.services.leases import take_lease

        if self.held_at is not None and monotonic() - self.held_at < RENEW_SECONDS:
            return True
        asked = monotonic()
        try:
            close_old_connections()
            held = take_lease(name=POST, holder=self.holder, length=LEASE)
        except RowsError as error:
            # Without the database, no task could do anything.
            log.warning("beat waits for the database", error=type(error).__name__)
            held = False
        if held != (self.held_at is not None):
            log.info("beat works" if held else "beat waits: another one works", holder=self.holder)
        self.held_at = asked if held else None
        return held

    def close(self) -> None:
        """Let another beat take over at once."""
        super().close()
        self.release()

    def release(self) -> None:
        """Give up the lease, if this beat has it."""
        from operations.services.leases import give_up_lease

        if self.held_at is not None:
            self.held_at = None
            try:
                give_up_lease(name=POST, holder=self.holder)
            except RowsError as error:
                log.warning("beat could not give up its lease", error=type(error).__name__)
