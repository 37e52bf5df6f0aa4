"""A cache that works without its server.

While Valkey is down or hangs, each process uses its own memory instead: limits still work, per process, and no page
waits for a server that does not answer. So code that uses the cache need not expect its errors.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

from operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
AWAY = (RedisError, OSError)
SHARED = (
    *("add", "get", "set", "touch", "delete", "has_key", "incr", "count", "clear"),
    *("get_many", "set_many", "delete_many"),
)


class KeptClients(RedisCacheClient):
    """Django's client, which makes a new client object for every call, although one can be used any number of times."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return the client for reading or writing; our cache has one server."""
        kept = self.__dict__.setdefault("_kept", {})
        if write not in kept:
            kept[write] = super().get_client(key, write=write)
        return kept[write]


class Memory(LocMemCache):
    """The process's memory as a cache that counts."""

    def count(self, key: str, seconds: int) -> int:
        """Add one to a number, which begins at 0 and is forgotten after so many seconds; return it."""
        self.add(key, 0, seconds)
        try:
            return int(self.incr(key))
        except ValueError:  # the time ended between the two
            self.set(key, 1, seconds)
            return 1


clients: dict[str, KeptClients] = {}


class CountingCache(RedisCache):
    """Django's Redis or Valkey cache, with numbers that need one round trip."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.place = [server, params.get("OPTIONS", {})]

    @cached_property
    def _cache(self) -> KeptClients:
        """The client of this process for the server. Django makes a cache for each request, and with a client of its
        own each request would connect again."""
        server, options = self.place
        return clients.setdefault(repr(self.place), KeptClients([server], **options))

    def count(self, key: str, seconds: int) -> int:
        """Add one to a number, which begins at 0 and is forgotten after so many seconds; return it."""
        made = self.make_and_validate_key(key)
        # In one transaction, so that no process can die between the two and leave a number that is never forgotten.
        with self._cache.get_client(made, write=True).pipeline() as together:
            together.set(made, 0, ex=seconds, nx=True).incr(made)
            return int(together.execute()[-1])


class ResilientCache(CountingCache):
    """The cache of the site, with the process's memory as a fallback."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.memory = Memory("fm-memory", params)

    def ping(self) -> bool:
        """Ping the server. Raises RedisError or OSError if it does not answer."""
        return bool(self._cache.get_client().ping())


# One for the process, not for each cache: Django creates a cache for each thread.
breaker = CircuitBreaker()
was_there = True


def _with_fallback(name: str) -> Callable[..., Any]:
    def resilient(self: ResilientCache, *args: Any, **kwargs: Any) -> Any:
        global was_there
        if not breaker.is_open:
            try:
                answer = getattr(CountingCache, name)(self, *args, **kwargs)
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

    resilient.__name__ = name
    return resilient


for _name in SHARED:
    setattr(ResilientCache, _name, _with_fallback(_name))
