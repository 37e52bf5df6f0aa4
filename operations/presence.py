"""How many pages of a place are open: a hint in Valkey, under random names, so that nobody learns whose they are.

A page counts for SEEN_SECONDS after it was last seen. If Valkey does not answer, no page is open.
"""

import logging
import time
from collections.abc import Iterable, Mapping
from functools import cache

import redis
from django.conf import settings
from redis.exceptions import RedisError

from operations.circuit_breaker import CircuitBreaker

log = logging.getLogger(__name__)
PREFIX = "fm.pages."
SEEN_SECONDS = 60
# The longest a request waits for a count.
SECONDS = 2
breaker = CircuitBreaker()


def see_pages(pages: Mapping[str, Iterable[str]]) -> None:
    """Note that these pages (names by place) are open now: one message, however many they are."""
    now = time.time()
    with _pipeline() as pipe:
        for place, names in pages.items():
            if seen := dict.fromkeys(names, now):
                pipe.zadd(PREFIX + place, seen)
                pipe.zremrangebyscore(PREFIX + place, "-inf", now - SEEN_SECONDS)
                pipe.expire(PREFIX + place, SEEN_SECONDS)
        _send(pipe)


def lose_page(place: str, name: str) -> None:
    """Note that a page has been closed."""
    with _pipeline() as pipe:
        pipe.zrem(PREFIX + place, name)
        _send(pipe)


def count_pages(places: Iterable[str]) -> dict[str, int]:
    """Return how many pages of each of these places are open: one message, however many they are."""
    asked = list(dict.fromkeys(places))
    if not asked:
        return {}
    since = time.time() - SEEN_SECONDS
    with _pipeline() as pipe:
        for place in asked:
            pipe.zcount(PREFIX + place, since, "+inf")
        return dict(zip(asked, _send(pipe) or [0] * len(asked), strict=True))


def _send(pipe: "redis.client.Pipeline") -> list[int]:
    if breaker.is_open:
        return []
    try:
        return list(pipe.execute())
    except (OSError, RedisError) as error:
        breaker.trip()
        log.warning("open pages not counted: %s", error or type(error).__name__)
        return []


def _pipeline() -> "redis.client.Pipeline":
    return _connect(settings.REDIS_URL).pipeline(transaction=False)


@cache
def _connect(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=1)
