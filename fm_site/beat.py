"""Celery beat, in any number of processes: one holds a lease in the database and wakes the workers, the others wait.

The lease is a row, not a lock of a connection, so it works behind a pooler too. A beat that dies is replaced within
LEASE; one that is stopped properly, at once. If two both think they hold it, that does no harm: every task is a sweep.

Nothing is kept in files: they would be of one machine, and code of another release could not read them. The lease says
until when a beat worked, and the next one runs, once, each task that has been due since then.
"""

import os
import secrets
import socket
from datetime import datetime
from time import monotonic
from typing import Any

import structlog
from celery.beat import Scheduler
from django.db import Error as RowsError
from django.db import close_old_connections

from fm_site.schedule import LEASE, POST

log = structlog.get_logger(__name__)
# How often the lease is renewed, and how often a waiting beat asks for it.
RENEW_SECONDS, IDLE_SECONDS = 20.0, 10.0


class LeasedScheduler(Scheduler):  # type: ignore[misc]
    """Celery's scheduler, which only wakes workers while it holds the lease."""

    # Whether it waits while another one holds the lease.
    waits = True

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
        from operations.selectors import read_lease
        from operations.services.leases import take_lease

        if self.held_at is not None and monotonic() - self.held_at < RENEW_SECONDS:
            return True
        asked = monotonic()
        try:
            close_old_connections()
            before = read_lease(POST)
            held = take_lease(name=POST, holder=self.holder, length=LEASE, waits=self.waits)
        except RowsError as error:
            # Without the database, no task could do anything.
            log.warning("beat waits for the database", error=type(error).__name__)
            before, held = None, False
        if before and held and before.holder != self.holder:
            self.go_on_from(before.until)
        if held != (self.held_at is not None):
            log.info("beat works" if held else "beat waits: another one works", holder=self.holder)
        self.held_at = asked if held else None
        return held

    def go_on_from(self, until: datetime) -> None:
        """Go on where the beat stopped whose lease lasted until `until`.

        It renewed the lease at `until` - LEASE, or gave it up at `until`. The second LEASE is for a task that was due
        and not sent: a task that is sent again does no harm.
        """
        for entry in self.schedule.values():
            entry.last_run_at = until - 2 * LEASE
        self._heap = None

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


class OnlyScheduler(LeasedScheduler):
    """The scheduler of a site with one beat, in the worker of `./run`: it takes the lease of one that died at once."""

    waits = False

    def release(self) -> None:
        """Do nothing: nobody waits for the lease, and the process is about to end."""
