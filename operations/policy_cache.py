"""The site's numbers in the cache, so that a page needs no query for them.

They are cached with a version. Each new row of SitePolicy makes a new version when it is committed, so numbers read
before the commit are never used after it, even if they are cached later.
"""

import secrets

from django.core.cache import cache
from django.db import transaction

from operations.policy import Policy

NUMBERS, VERSION = "policy", "policy_version"
KEPT_SECONDS = 60


def recall_numbers() -> tuple[Policy | None, str]:
    """Return the cached numbers (None if there are none), and the version under which to cache a fresh copy."""
    kept = cache.get_many([NUMBERS, VERSION])
    version = kept.get(VERSION, "")
    numbers, kept_under = kept.get(NUMBERS, (None, None))
    return (numbers if kept_under == version else None), version


def cache_numbers(numbers: Policy, version: str) -> None:
    """Cache numbers that were read after `version` was."""
    cache.set(NUMBERS, (numbers, version), KEPT_SECONDS)


def forget_numbers() -> None:
    """Make everyone read the numbers again: now, for this transaction, and once it commits."""
    _renew()
    transaction.on_commit(_renew, robust=True)


def _renew() -> None:
    cache.set(VERSION, secrets.token_hex(8), None)
