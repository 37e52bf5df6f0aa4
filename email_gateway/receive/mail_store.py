"""Stores the emails that the listener's connections bring: one thread, and everything that waits in one transaction.

Otherwise many simultaneous senders would wait for each other's commits. Each is answered only after its email is
committed.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import structlog
from django.db import DatabaseError, close_old_connections, connections
from django.utils import timezone

from email_gateway.errors import MailTooLarge, UnknownMailbox
from email_gateway.receive.intake import Parcel, store_parcels, wrap_parcels
from email_gateway.wakeups import wake_processing

log = structlog.get_logger(__name__)
MOST_AT_ONCE = 100
MOST_BYTES_AT_ONCE = 8_000_000
WAKE_PAUSE_SECONDS = 0.5
GATHER_SECONDS, MOST_GATHERINGS = 0.0007, 10
TRY_AGAIN = "451 4.3.0 Cannot store the mail now, try again"


@dataclass(frozen=True)
class Arrival:
    """An email of a connection, and the future for its reply."""

    raw: bytes
    mail_from: str
    rcpt_tos: tuple[str, ...]
    answer: "asyncio.Future[str]"


class MailStore:
    """Stores emails for any number of connections of one event loop."""

    def __init__(self) -> None:
        self.waiting: list[Arrival] = []
        # The connections that are open.
        self.lines: set[Any] = set()
        # Wake-ups for the worker: the number of a row, or None for "several".
        self.unannounced: set[int | None] = set()
        self.storing: asyncio.Task[None] | None = None
        self.waking: asyncio.Task[None] | None = None
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="mail store")
        self.waker = ThreadPoolExecutor(1, thread_name_prefix="waker")

    async def store(self, raw: bytes, mail_from: str, rcpt_tos: Sequence[str]) -> str:
        """Store an email and return the reply to its sender: 250 once it is committed."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.waiting.append(Arrival(raw, mail_from, tuple(rcpt_tos), answer))
        if self.storing is None or self.storing.done():
            self.storing = asyncio.create_task(self.store_what_waits())
        return await answer

    async def store_what_waits(self) -> None:
        loop = asyncio.get_running_loop()
        batch: list[Arrival] = []
        while self.waiting:
            if len(batch) > 1:
                await self.gather()
            batch = self.take_batch()
            answers, stored = await loop.run_in_executor(self.thread, store_batch_safely, batch)
            for arrival, answer in zip(batch, answers, strict=True):
                if not arrival.answer.done():  # the connection may be gone
                    arrival.answer.set_result(answer)
            self.unannounced |= stored
            if self.unannounced and (self.waking is None or self.waking.done()):
                self.waking = asyncio.create_task(self.wake())

    async def gather(self) -> None:
        """Wait briefly while more emails come in: they often arrive together, and a commit for all of them costs
        little more than for one."""
        for _ in range(MOST_GATHERINGS):
            before = len(self.waiting)
            await asyncio.sleep(GATHER_SECONDS)
            if len(self.waiting) == before:
                return

    def take_batch(self) -> list[Arrival]:
        batch, size = [self.waiting.pop(0)], 0
        size = len(batch[0].raw)
        while self.waiting and len(batch) < MOST_AT_ONCE and size < MOST_BYTES_AT_ONCE:
            batch.append(self.waiting.pop(0))
            size += len(batch[-1].raw)
        return batch

    async def wake(self) -> None:
        """Wake the worker in a separate thread, so that a slow broker keeps no sender waiting."""
        while self.unannounced:
            mail = self.unannounced.pop() if len(self.unannounced) == 1 else None
            self.unannounced.clear()
            await asyncio.get_running_loop().run_in_executor(self.waker, wake_processing, mail)
            # Emails that arrive before the worker wakes share this task.
            await asyncio.sleep(WAKE_PAUSE_SECONDS)

    async def finish(self) -> None:
        """Return once every email is stored, and close the database connection."""
        for task in (self.storing, self.waking):
            if task is not None:
                await task
        await asyncio.get_running_loop().run_in_executor(self.thread, connections.close_all)
        self.thread.shutdown()
        self.waker.shutdown()


def store_batch_safely(batch: Sequence[Arrival]) -> tuple[list[str], set[int | None]]:
    """Like `store_batch`, but never raises: a connection without a reply would hold its email for minutes."""
    try:
        return store_batch(batch)
    except Exception as error:
        log.error("mail not stored", error=type(error).__name__, mails=len(batch))
        return [TRY_AGAIN] * len(batch), set()


def store_batch(batch: Sequence[Arrival]) -> tuple[list[str], set[int | None]]:
    """Store all in one transaction; return the reply to each sender and the worker's wake-ups."""
    close_old_connections()
    now = timezone.now()
    answers: list[str] = []
    parcels: list[Parcel] = []
    places: list[tuple[int, int]] = []
    for place, arrival in enumerate(batch):
        answer, wrapped = wrap(arrival)
        answers.append(answer)
        places += [(place, len(parcels))] if wrapped else []
        parcels += wrapped
    try:
        stored = store_parcels(parcels=parcels, now=now) if parcels else []
    except DatabaseError as error:  # down or full: the senders keep the emails
        log.error("mail not stored", error=type(error).__name__, mails=len(parcels))
        return [answer or TRY_AGAIN for answer in answers], set()
    finally:
        close_old_connections()
    for place, first in places:
        answers[place] = f"250 2.0.0 Stored as {stored[first]}" if stored else "250 2.0.0 Stored"
    return answers, set(stored) if stored else {None} if parcels else set()


def wrap(arrival: Arrival) -> tuple[str, list[Parcel]]:
    """Check and seal one email; return the refusal (or "") and the sealed parcels."""
    try:
        wrapped = wrap_parcels(
            raw=arrival.raw, mail_from=arrival.mail_from, rcpt_tos=arrival.rcpt_tos, now=timezone.now()
        )
    except MailTooLarge:
        return "552 5.3.4 The mail is too large", []
    except UnknownMailbox:
        return "550 5.1.1 No such mailbox here", []
    except Exception as error:
        log.error("mail not sealed", error=type(error).__name__)
        return TRY_AGAIN, []
    return "", wrapped
