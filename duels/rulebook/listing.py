"""The spell table in three orders: by name, by gestures, by length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.text import slugify

from rules_engine import get_ruleset
from rules_engine.rulebook import tell_spell

WHOM = {"self": "yourself", "foe": "your opponent", "none": "everyone"}


@dataclass(frozen=True)
class BookSpell:
    """One spell: its series (small letters are made by both hands), its default target, what it does."""

    name: str
    series: tuple[str, ...]
    default: str
    category: str
    words: str
    family: str

    @property
    def slug(self) -> str:
        """Its anchor on the rules page."""
        return slugify(self.name)

    @property
    def anchor(self) -> str:
        """Where links to its rule lead. The two elementals share theirs, and it may stand once."""
        return "" if self.name == "Summon Ice Elemental" else self.family

    @property
    def steps(self) -> list[list[tuple[str, bool]]]:
        """Each series as (letter, made by both hands)."""
        return [[(letter.upper(), letter.islower()) for letter in series] for series in self.series]


ORDERS: Mapping[str, Callable[[BookSpell], object]] = {
    "name": lambda spell: spell.name,
    "gestures": lambda spell: spell.series[0].upper(),
    "length": lambda spell: (min(len(s) for s in spell.series), spell.name),
}


def list_spells(ruleset: str = "firetop-standard", *, order: str = "name") -> list[BookSpell]:
    """Every spell that the ruleset's newest edition can make. An unknown order is the order by name."""
    rules = get_ruleset(ruleset)
    made: dict[str, list[str]] = {}
    for series in rules.book.series:
        made.setdefault(series.spell, []).append(series.text)
    spells = [
        BookSpell(
            name=name,
            series=tuple(sorted(texts)),
            default=WHOM.get(rules.spells[name].default, ""),
            category=rules.spells[name].category,
            words=tell_spell(rules, name),
            family=rules.spells[name].clause.rpartition("-")[0].lower(),
        )
        for name, texts in made.items()
    ]
    return sorted(spells, key=ORDERS.get(order, ORDERS["name"]))  # type: ignore[arg-type,return-value]
