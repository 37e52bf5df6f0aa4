"""Which pages are open: hints in Valkey. If it does not answer, no page is open.

Pages of a place are counted under random names, so that nobody learns whose they are. Apart from that, it is noted
which users have a page open, whatever page it is. Who is shown to whom is decided where it is read
(challenges.selectors.lobby, and challenges.selectors.bots_here for programs).

A page counts for SEEN_SECONDS after it was last seen.
"""

import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import redis
import structlog
from django.conf import settings
from redis.exceptions import RedisError

from operations.circuit_breaker import CircuitBreaker

log = structlog.get_logger(__name__)
PREFIX = "fm.pages."
SEEN_SECONDS = 60
# The place of the programs of bots that have the stream of events open, under the ids of their users.
PROGRAMS = "programs"
PEOPLE, PEOPLE_OF_HOUR = "fm.people", "fm.people.hour."
HOUR, DAY = 3600, 86400
# The channel on which the lobby's pages hear that something there has changed.
LOBBY = "lobby"
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


def see_program(user: int) -> None:
    """Note that the program of this bot has the stream of events open now."""
    see_pages({PROGRAMS: [str(user)]})


def list_programs() -> frozenset[int]:
    """Return the bots (ids of users) whose programs have the stream of events open."""
    with _pipeline() as pipe:
        pipe.zrangebyscore(PREFIX + PROGRAMS, time.time() - SEEN_SECONDS, "+inf")
        found: Any = (_send(pipe) or [()])[0]
    return frozenset(map(int, found))


def see_people(users: Iterable[int]) -> bool:
    """Note that these users have a page open now: one message, however many they are. Return whether one of them had
    none until now."""
    now = time.time()
    if not (seen := {str(user): now for user in users}):
        return False
    hour = f"{PEOPLE_OF_HOUR}{int(now // HOUR)}"
    with _pipeline() as pipe:
        pipe.zmscore(PEOPLE, list(seen))
        pipe.zadd(PEOPLE, seen)
        pipe.zremrangebyscore(PEOPLE, "-inf", now - HOUR)
        pipe.sadd(hour, *seen)
        pipe.expire(hour, DAY + HOUR)
        known: Any = (_send(pipe) or [[now]])[0]
    return any(score is None or score < now - SEEN_SECONDS for score in known)


def list_people() -> dict[int, bool]:
    """Return the users who had a page open within the last hour, each with whether it is open now."""
    now = time.time()
    with _pipeline() as pipe:
        pipe.zrangebyscore(PEOPLE, now - HOUR, "+inf", withscores=True)
        found: Any = (_send(pipe) or [[]])[0]
    return {int(user): score >= now - SEEN_SECONDS for user, score in found}


def list_people_by_hour(since: float) -> dict[int, set[int]]:
    """Return who had a page open in each hour (numbered since the epoch) from `since` on, at most a day back."""
    now = time.time()
    hours = range(int(max(since, now - DAY) // HOUR), int(now // HOUR) + 1)
    with _pipeline() as pipe:
        for hour in hours:
            pipe.smembers(f"{PEOPLE_OF_HOUR}{hour}")
        found: Any = _send(pipe) or [()] * len(hours)
    return {hour: set(map(int, users)) for hour, users in zip(hours, found, strict=True)}


def _send(pipe: "redis.client.Pipeline") -> list[Any]:
    if breaker.is_open:
        return []
    try:
        return list(pipe.execute())
    except (OSError, RedisError) as error:
        breaker.trip()
        log.warning("open pages not counted", error=str(error) or type(error).__name__)
        return []


def _pipeline() -> "redis.client.Pipeline":
    return _connect(settings.REDIS_URL).pipeline(transaction=False)


@cache
def _connect(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=1)
