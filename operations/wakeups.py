"""Short messages to all processes of the site, through Valkey. A message is a hint: one that is lost costs time, never
anything else."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import redis
import structlog
from django.conf import settings
from django.db import transaction
from redis.exceptions import RedisError

from operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
PREFIX = "fm.push."
# This channel names users whose rights have changed; their sockets check again.
RIGHTS = "rights"
# The longest a request waits for a message to be sent.
SECONDS = 2
breaker = CircuitBreaker()


def publish(channel: str, message: dict[str, Any]) -> None:
    """Send a message to every process that listens to `channel`, now. A failure is logged and not raised."""
    if breaker.is_open:
        return
    try:
        _connect(settings.REDIS_URL).publish(f"{PREFIX}{channel}", json.dumps(message))
    except (OSError, RedisError) as error:
        breaker.trip()
        log.warning("message not sent", channel=channel, error=str(error) or type(error).__name__)


def wake_on_commit(channel: str) -> None:
    """Send a message that contains only the time, once the current transaction commits; never if it rolls back."""
    on_commit_once(wake, channel)


def wake(channel: str) -> None:
    """Send a message that contains only the time, now."""
    publish(channel, {"at": time.time()})


def publish_on_commit(channel: str, message: dict[str, Any]) -> None:
    """Send a message on a channel when the current transaction commits; never if it rolls back."""
    transaction.on_commit(partial(publish, channel, message), robust=True)


def on_commit_once(act: Callable[..., None], *arguments: Any) -> None:
    """Call `act` when the current transaction commits: once, however often this is called; never if it rolls back."""
    call = _Call(act, arguments)
    connection = transaction.get_connection()
    savepoints = set(connection.savepoint_ids)
    if not any(hook[1] == call and hook[0] <= savepoints for hook in connection.run_on_commit):
        transaction.on_commit(call, robust=True)


@dataclass(frozen=True)
class _Call:
    """A call after the commit. Two are equal if they do the same, so a transaction runs only one."""

    act: Callable[..., None]
    arguments: tuple[Any, ...]

    def __post_init__(self) -> None:
        # If the hook fails, Django logs it under this name.
        object.__setattr__(self, "__qualname__", " ".join(map(str, (self.act.__qualname__, *self.arguments))))

    def __call__(self) -> None:
        self.act(*self.arguments)


def mark_session(key: str) -> str:
    """Return a hash of the key of a session's row, to name it in messages."""
    return hashlib.sha256(f"session:{key}".encode()).hexdigest()[:24]


@cache
def _connect(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=1)
