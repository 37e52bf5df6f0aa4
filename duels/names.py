"""Names in sentences: of battles, of the mages in a result, and lists of names."""

from collections.abc import Mapping, Sequence
from typing import Literal

from django.utils.translation import gettext as _

from rules_engine import AGREED, name_spell


def name_battle(kind: str, number: int) -> str:
    """Return a battle's name: "Duel 7", "Melee 8"."""
    name = _("Melee %(number)s") if kind == "melee" else _("Duel %(number)s")
    return name % {"number": number}


def name_sides(names: Sequence[str]) -> str:
    """Return who fights: ``A against B``, and in a melee ``A, B and C``."""
    if len(names) == 2:
        return _("%(one)s against %(other)s") % {"one": names[0], "other": names[1]}
    return listed(names)


def name_sides_for(me: str | None, names: Sequence[str]) -> str:
    """Return who fights, for the player of `me`: ``you against B`` in a duel of theirs."""
    if me in names and len(names) == 2:
        return _("you against %(other)s") % {"other": next(name for name in names if name != me)}
    return name_sides(names)


def listed(names: Sequence[str], joint: Literal["and", "or"] = "and") -> str:
    """Return ``A``, ``A and B``, ``A, B and C``; with "or" in place of "and" on demand."""
    if len(names) < 2:
        return "".join(names)
    words = _("%(names)s and %(last)s") if joint == "and" else _("%(names)s or %(last)s")
    return words % {"names": ", ".join(names[:-1]), "last": names[-1]}


def read_banked(banked: tuple[str, str]) -> dict[str, str]:
    """Return the slots of a sentence about a banked spell: the `spell` as the reader calls it, and its `target`."""
    spell, target = banked
    return {"spell": name_spell(spell), "target": target}


def list_result_names(result: Mapping[str, object] | None, key: str) -> list[str]:
    """Return the mages in one part of a battle's stored result: the `winners`, `sharing`, `dead`, `surrendered` or
    `absent`; none while it has no result."""
    names = (result or {}).get(key)
    return [str(name) for name in names] if isinstance(names, list | tuple) else []


def name_agreed_draw(result: Mapping[str, object] | None) -> str:
    """Return "Draw, agreed in turn 8" for a battle whose stored result is a draw on which its players agreed; "" for
    any other."""
    if (result or {}).get("reason") != AGREED:
        return ""
    return _("Draw, agreed in turn %(turn)s") % {"turn": (result or {}).get("turn")}
