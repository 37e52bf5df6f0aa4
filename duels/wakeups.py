"""Telling open pages that something has changed, and nothing more: they come and read what they may see."""

import asyncio
import logging
import os
from functools import cache
from threading import Thread

from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

from accounts.circuit_breaker import CircuitBreaker

log = logging.getLogger(__name__)
# No page waits longer than this to have others woken.
SECONDS = 2
breaker = CircuitBreaker()


def group_of(number: int) -> str:
    """The name of the group of sockets that watch battle `number`."""
    return f"battle.{number}"


def wake_watchers_on_commit(number: int) -> None:
    """Wake the watchers of battle `number` once the present transaction is committed; never if it is not."""
    transaction.on_commit(lambda: wake_watchers(number), robust=True)


def wake_watchers(number: int) -> None:
    """Wake the watchers of battle `number` now."""
    wake_group(group_of(number), "battle.changed")


def wake_group(group: str, kind: str) -> None:
    """Wake all sockets of a group now. A wake-up is a hint: one that cannot be sent is only logged."""
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
    """The loop of this process that sends wake-ups. With a loop for each of them the layer would open a connection to
    Redis each time, which costs as much as three queries."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="wake-ups", daemon=True).start()
    return loop


# A thread does not survive in the child.
os.register_at_fork(after_in_child=_start_loop.cache_clear)
