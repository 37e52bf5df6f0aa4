"""Heartbeats of the listener while it runs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.db import DatabaseError, connection
from django.utils import timezone

from operations.clock_check import find_clock_fault
from operations.services.outages import forget_heartbeat, record_heartbeat

log = structlog.get_logger(__name__)
EVERY_SECONDS = 30


@contextmanager
def sending_heartbeats(part: str) -> Iterator[None]:
    """Send a heartbeat for `part` every half minute. After a normal end it is not missed; after a kill it is."""
    over = threading.Event()
    thread = threading.Thread(target=_send_heartbeats, args=(part, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=EVERY_SECONDS)


def _send_heartbeats(part: str, over: threading.Event) -> None:
    try:
        _note(part)
        while not over.wait(EVERY_SECONDS):
            _note(part)
        _forget(part)
    finally:
        connection.close()


def _note(part: str) -> None:
    try:
        fault = find_clock_fault()
        if fault:  # a heartbeat in the future would hide every gap until that time
            log.error("sign of life not noted", part=part, reason=fault)
            return
        record_heartbeat(part=part, now=timezone.now())
    except DatabaseError as error:  # the database is down, and emails are rejected for the same reason
        log.warning("sign of life not noted", part=part, error=type(error).__name__)
        connection.close()


def _forget(part: str) -> None:
    try:
        forget_heartbeat(part=part)
    except DatabaseError as error:
        log.warning("sign of life not ended", part=part, error=type(error).__name__)
