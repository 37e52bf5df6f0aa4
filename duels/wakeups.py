"""Wake-ups tell open pages that something has changed, and nothing more: the pages then fetch what they may see."""

import asyncio
import logging
import os
from dataclasses import dataclass
from functools import cache
from threading import Thread

from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from fm_site.operations.circuit_breaker import CircuitBreaker

log = logging.getLogger(__name__)
# The longest a request waits for a wake-up to be sent.
SECONDS = 2
breaker = CircuitBreaker()


def group_of(number: int) -> str:
    """Return the name of the group of sockets that watch battle `number`."""
    return f"battle.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of battle `number` when the current transaction commits."""
    wake = _Wake(number)
    hooks = transaction.get_connection().run_on_commit
    if not any(hook[1] == wake and hook[0] <= set(transaction.get_connection().savepoint_ids) for hook in hooks):
        transaction.on_commit(wake, robust=True)


@dataclass(frozen=True)
class _Wake:
    """Wakes a battle's watchers. Two are equal if they wake the same, so that a transaction keeps only one."""

    number: int

    def __call__(self) -> None:
        wake_watchers(self.number)


def wake_watchers(number: int) -> None:
    """Wake the watchers of battle `number` now."""
    wake_group(group_of(number), "battle.changed")


def wake_group(group: str, kind: str) -> None:
    """Wake all sockets of a group now. A wake-up is only a hint, so a failure is logged and not raised."""
    layer = get_channel_layer()
    if layer is None or breaker.is_open:
        return
    loop = _start_loop()
    sending = asyncio.run_coroutine_threadsafe(layer.group_send(group, {"type": kind}), loop)
    try:
        sending.result(SECONDS)
    except (OSError, RuntimeError, RedisError) as error:  # TimeoutError is an OSError
        sending.cancel()
        breaker.trip()
        log.warning("%s: watchers not woken: %s", group, error or type(error).__name__)


@cache
def _start_loop() -> asyncio.AbstractEventLoop:
    """Return this process's event loop for wake-ups.

    A new loop for each wake-up would open a new connection to Valkey, which costs as much as three queries.
    """
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="wake-ups", daemon=True).start()
    return loop


# A thread does not survive a fork.
os.register_at_fork(after_in_child=_start_loop.cache_clear)
