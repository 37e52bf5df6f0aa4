"""Checks this process's clock: no sweep may delete or judge by a clock that has jumped.

With PostgreSQL, all machines compare their clock with the database's. With SQLite there is one machine, and its clock
is compared with the time that has really passed since the process started.
"""

import threading
import time
from datetime import timedelta

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

# More than NTP ever leaves a clock off, and shorter than any deadline.
MOST_DIFFERENCE = timedelta(minutes=2)
# How long a result is valid; a sweep is shorter.
GOOD_FOR_SECONDS = 5.0
# This clock is never set. Unlike Linux's "monotonic", it keeps running while the machine sleeps.
STEADY_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

_lock = threading.Lock()
_first_look = (time.time(), time.clock_gettime(STEADY_CLOCK))
_verdict: tuple[float, timedelta] | None = None


def find_clock_fault() -> str | None:
    """Return what is wrong with this machine's clock, as a sentence, or None. The result may be a few seconds old.
    Raises the database's errors."""
    global _verdict
    with _lock:
        now = time.clock_gettime(STEADY_CLOCK)
        if _verdict is not None and 0 <= now - _verdict[0] < GOOD_FOR_SECONDS:
            return _write_fault(_verdict[1])
    difference = measure_difference()
    with _lock:
        _verdict = (now, difference)
    return _write_fault(difference)


def _write_fault(difference: timedelta) -> str | None:
    if abs(difference) <= MOST_DIFFERENCE:
        return None
    if connection.vendor == "postgresql":
        ahead = _("This machine's clock is %(length)s ahead of the database's.")
        behind = _("This machine's clock is %(length)s behind the database's.")
    else:
        ahead = _("This machine's clock is %(length)s ahead of the time that has passed.")
        behind = _("This machine's clock is %(length)s behind the time that has passed.")
    return (ahead if difference > timedelta(0) else behind) % {"length": abs(difference)}


def measure_difference() -> timedelta:
    """Return how far this machine's clock is ahead."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            ahead: timedelta = timezone.now() - cursor.fetchone()[0]
            return ahead
    wall, steady = _first_look
    gone_by = time.clock_gettime(STEADY_CLOCK) - steady
    return timedelta(seconds=timezone.now().timestamp() - wall - gone_by)
