"""What every part of the battle page is: a frozen value with a version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.utils.translation import get_language


@dataclass(frozen=True)
class Part:
    """One part of the battle page for one viewer, and nothing that this viewer may not see.

    Fields that change while only time passes are kept out of `repr`, and so out of the version.
    """

    @property
    def version(self) -> str:
        """A short hash of what the part shows: the same as long as that stays the same."""
        return short_hash(self)


def short_hash(value: object) -> str:
    """Hash a value by its `repr`, and the language: in another one it would show other words."""
    return hashlib.sha256(f"{get_language()} {value!r}".encode()).hexdigest()[:12]
