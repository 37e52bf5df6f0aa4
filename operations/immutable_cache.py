"""A cache of values that never change for their key, such as the story of a resolved turn for one kind of viewer.

Each process keeps the latest ones in memory, and Valkey shares them between processes. Don't change a value that you
recall.
"""

import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable, Mapping
from typing import Generic, TypeVar

from django.core.cache import cache

KEPT_SECONDS = 7 * 24 * 3600
MOST_KEPT = 1000

T = TypeVar("T")


class LruCache(Generic[T]):
    """Up to `most` values in the memory of this process; drops the least recently used first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: Hashable, value: T) -> None:
        with self._lock:
            self._kept[key] = value
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


class ImmutableCache(Generic[T]):
    """Values of one kind, by key. The key contains everything that decides the value."""

    def __init__(self) -> None:
        self.memory: LruCache[T] = LruCache(MOST_KEPT)

    def recall(self, keys: Collection[str]) -> dict[str, T]:
        """Return the cached values of these keys. Without a cache server, only this process's memory is searched."""
        found = {key: value for key in keys if (value := self.memory.get(key)) is not None}
        missing = [key for key in keys if key not in found]
        if missing:
            shared: dict[str, T] = cache.get_many(missing)
            self._remember(shared)
            found |= shared
        return found

    def store(self, values: Mapping[str, T]) -> None:
        self._remember(values)
        if values:
            cache.set_many(dict(values), KEPT_SECONDS)

    def _remember(self, values: Mapping[str, T]) -> None:
        for key, value in values.items():
            self.memory.put(key, value)
