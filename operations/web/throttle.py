"""Limits on attempts, calls and messages: the one count of how often somebody did something lately. It is in the cache
that all processes share."""

import hashlib
from dataclasses import dataclass

from django.core.cache import cache

from operations.errors import TooManyAttempts


@dataclass(frozen=True)
class Throttle:
    """At most `limit` failures or attempts per subject in a window of `seconds` that starts with the first one."""

    name: str
    limit: int
    seconds: int

    def check(self, *subjects: str) -> None:
        """Raise TooManyAttempts if any subject has reached its limit. Empty subjects are ignored."""
        if any((cache.get(self._key(subject)) or 0) >= self.limit for subject in subjects if subject):
            raise TooManyAttempts(self.seconds)

    def count_of(self, subject: str) -> int:
        """Return the number of failures in the subject's current window."""
        return int(cache.get(self._key(subject)) or 0) if subject else 0

    def count(self, *subjects: str) -> int:
        """Record one attempt or failure of each subject. Return the highest number in a current window, 0 for none."""
        keys = [self._key(subject) for subject in subjects if subject]
        return max((cache.count(key, self.seconds) for key in keys), default=0)  # type: ignore[attr-defined]  # ours

    def check_and_count(self, subject: str) -> None:
        """Count an attempt of the subject, whatever comes of it. Raises TooManyAttempts if none was left."""
        if self.count(subject) > self.limit:
            raise TooManyAttempts(self.seconds)

    def forget(self, *subjects: str) -> None:
        cache.delete_many([self._key(subject) for subject in filter(None, subjects)])

    def _key(self, subject: str) -> str:
        # Hashed, because a subject may be any text of any length from a stranger.
        return f"throttle:{self.name}:{hashlib.sha256(subject.encode('utf-8', 'replace')).hexdigest()[:32]}"
