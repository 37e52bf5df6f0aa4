"""A cache that works without its server.

While Valkey is down or hangs, each process uses its own memory instead: limits still work, per process, and no page
waits for a server that does not answer.
"""

from collections.abc import Callable
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from fm_site.operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
AWAY = (RedisError, OSError)
SHARED = ("add", "get", "set", "touch", "delete", "get_many", "has_key", "incr", "set_many", "delete_many", "clear")


class ResilientCache(RedisCache):
    """Django's Redis or Valkey cache, with the process's memory as a fallback."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.memory = LocMemCache("fm-steady", params)

    def ping(self) -> bool:
        """Ping the server. Raises RedisError or OSError if it does not answer."""
        return bool(self._cache.get_client().ping())


# One for the process, not for each cache: Django creates a cache for each thread.
breaker = CircuitBreaker()
was_there = True


def _with_fallback(name: str) -> Callable[..., Any]:
    def steady(self: ResilientCache, *args: Any, **kwargs: Any) -> Any:
        global was_there
        if not breaker.is_open:
            try:
                answer = getattr(RedisCache, name)(self, *args, **kwargs)
            except AWAY as error:
                breaker.trip()
                if was_there:
                    self.memory.clear()  # leftovers from the last outage are out of date
                was_there = False
                log.warning("cache server away", error=type(error).__name__)
            else:
                was_there = True
                return answer
        return getattr(self.memory, name)(*args, **kwargs)

    steady.__name__ = name
    return steady


for _name in SHARED:
    setattr(ResilientCache, _name, _with_fallback(_name))
