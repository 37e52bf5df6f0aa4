"""A cache that goes on without its server.

While Valkey is down, or hangs, each process keeps what it would have kept there in its own memory: limits still count,
for each process by itself, and no page waits for a server that does not answer.
"""

from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from accounts.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
AWAY = (RedisError, OSError)
SHARED = ("add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many", "delete_many", "clear")


class SteadyCache(RedisCache):
    """Django's cache in Redis or Valkey, with the memory of the process behind it."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.memory = LocMemCache("fm-steady", params)

    def ping(self) -> bool:
        """Ask the server whether it is there. Raises RedisError or OSError where it is not."""
        return bool(self._cache.get_client().ping())


# Of the process, not of one cache: Django makes a cache for each thread.
breaker = CircuitBreaker()
was_there = True


def _make_steady(name: str) -> Callable[..., Any]:
    def steady(self: SteadyCache, *args: Any, **kwargs: Any) -> Any:
        global was_there
        if not breaker.is_open:
            try:
                answer = getattr(RedisCache, name)(self, *args, **kwargs)
            except AWAY as error:
                breaker.trip()
                if was_there:
                    self.memory.clear()  # what is left of the last time is out of date
                was_there = False
                log.warning("cache server away", error=type(error).__name__)
            else:
                was_there = True
                return answer
        return getattr(self.memory, name)(*args, **kwargs)

    steady.__name__ = name
    return steady


for _name in SHARED:
    setattr(SteadyCache, _name, _make_steady(_name))
