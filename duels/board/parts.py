"""The base class of all parts of the battle page: a frozen value with a version."""

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
        """A short hash of the part's content."""
        return short_hash(self)


def short_hash(value: object) -> str:
    """Hash a value by its `repr` and the active language, in which its texts are."""
    return hashlib.sha256(f"{get_language()} {value!r}".encode()).hexdigest()[:12]
