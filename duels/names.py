"""Names in sentences: of battles, and lists of names."""

from collections.abc import Sequence
from typing import Literal

from django.utils.translation import gettext as _


def name_battle(kind: str, number: int) -> str:
    """Return a battle's name: "Duel 7", "Melee 8"."""
    name = _("Melee %(number)s") if kind == "melee" else _("Duel %(number)s")
    return name % {"number": number}


def name_sides(names: Sequence[str]) -> str:
    """Return who fights: ``A against B``, and in a melee ``A, B and C``."""
    if len(names) == 2:
        return _("%(one)s against %(other)s") % {"one": names[0], "other": names[1]}
    return listed(names)


def listed(names: Sequence[str], joint: Literal["and", "or"] = "and") -> str:
    """Return ``A``, ``A and B``, ``A, B and C``; with "or" in place of "and" on demand."""
    if len(names) < 2:
        return "".join(names)
    words = _("%(names)s and %(last)s") if joint == "and" else _("%(names)s or %(last)s")
    return words % {"names": ", ".join(names[:-1]), "last": names[-1]}
