"""Limits on attempts, counted in the cache that all processes share."""

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

    def count(self, *subjects: str) -> None:
        """Record one failure of each subject."""
        for subject in filter(None, subjects):
            cache.add(self._key(subject), 0, self.seconds)
            try:
                cache.incr(self._key(subject))
            except ValueError:  # the window closed between the two calls
                cache.add(self._key(subject), 1, self.seconds)

    def check_and_count(self, subject: str) -> None:
        """Count an attempt of the subject, whatever comes of it. Raises TooManyAttempts if none is left."""
        self.check(subject)
        self.count(subject)

    def forget(self, *subjects: str) -> None:
        cache.delete_many([self._key(subject) for subject in filter(None, subjects)])

    def _key(self, subject: str) -> str:
        # Hashed, because a subject may be any text of any length from a stranger.
        return f"throttle:{self.name}:{hashlib.sha256(subject.encode('utf-8', 'replace')).hexdigest()[:32]}"
