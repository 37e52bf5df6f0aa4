"""Metrics of this machine's processes, for Prometheus (`/metrics`).

With FM_METRICS_TOKEN or FM_METRICS_NETWORKS, the counts of all processes are in small files in FM_METRICS_DIR;
otherwise each process counts only for itself, which costs nothing. Labels never name a user, a mage or a battle.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from django.db import connection, transaction
from prometheus_client import Counter, Histogram

from operations.metrics_files import use_solid_files

use_solid_files()


class Later:
    """A metric without labels, created when it is first used. The client library opens its file only then, because
    `./run` closes the files that are open in the process it forks."""

    def __init__(self, kind: type[Counter] | type[Histogram], name: str, about: str, **more: Any) -> None:
        self._make = partial(kind, name, about, **more)
        self._lock = threading.Lock()
        self._made: Any = None

    def _find(self) -> Any:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def inc(self, amount: float = 1) -> None:
        self._find().inc(amount)

    def observe(self, amount: float) -> None:
        self._find().observe(amount)


ORDERS = Counter("fm_orders", "Sheets of orders that were accepted.", ["via"])
TURNS_RESOLVED = Later(Counter, "fm_turns_resolved", "Stages that the engine carried out.")
MISSED_TURNS = Later(Counter, "fm_missed_turns", "Turns that a mage missed.")
MAIL_IN = Later(Counter, "fm_mail_received", "Emails that came in and were stored.")
MAIL_OUT = Counter("fm_mail_sent", "Emails that went out.", ["outcome"])
PUSH_DELAY = Later(
    Histogram,
    "fm_push_delay_seconds",
    "From the commit of a change until the sockets of a process were told.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
REQUEST_SECONDS = Histogram(
    "fm_request_seconds",
    "Pages and calls of the API.",
    ["kind", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
DATABASE_SECONDS = Histogram(
    "fm_request_database_seconds",
    "The part of a request that was spent in the database.",
    ["kind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


def count_on_commit(counter: Counter | Later, amount: float = 1, **labels: str) -> None:
    """Count something when the current transaction commits; never if it rolls back."""
    transaction.on_commit(
        _Count(counter.labels(**labels) if isinstance(counter, Counter) else counter, amount), robust=True
    )


@dataclass(frozen=True)
class _Count:
    """Counts. Two are equal if they count the same."""

    counter: Counter | Later
    amount: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "__qualname__", "count")  # Django names a failing hook by this

    def __call__(self) -> None:
        self.counter.inc(self.amount)


@contextmanager
def measure_database() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the seconds this thread has spent in the database since the context began."""
    spent = 0.0

    def measure(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        nonlocal spent
        begin = monotonic()
        try:
            return execute(sql, params, many, context)
        finally:
            spent += monotonic() - begin

    with connection.execute_wrapper(measure):
        yield lambda: spent
