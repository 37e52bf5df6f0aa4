"""The base class of all parts of the battle page: a frozen value with a version."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, TypeVar

from django.utils.translation import get_language

MOST_MADE = 2000

Made = TypeVar("Made")


def once_per_language(make: Callable[..., Made]) -> Callable[..., Made]:
    """Keep the last MOST_MADE results of a function, by its arguments and the active language.

    It must depend on nothing else, and its arguments and results must be constant.
    """

    @lru_cache(MOST_MADE)
    @wraps(make)
    def recall(language: str | None, *given: Any) -> Made:
        return make(*given)

    @wraps(recall)
    def made(*given: Any) -> Made:
        return recall(get_language(), *given)

    return made


@dataclass(frozen=True)
class Part:
    """One part of the battle page, with only what this viewer may see.

    Fields that change while only time passes are kept out of `repr`, and so out of the version.
    """

    @property
    def version(self) -> str:
        """A short hash of the part's content."""
        return short_hash(self)


def short_hash(value: object) -> str:
    """Hash a value by its `repr` and the active language, in which its texts are."""
    return hashlib.sha256(f"{get_language()} {value!r}".encode()).hexdigest()[:12]
