"""The spells of a ruleset as rows, by name, by gestures, by gestures from the last, or by length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.text import slugify

from rules_engine import Difference, Ruleset, get_ruleset
from rules_engine.rulebook import find_differences, tell_spell

WHOM = {"self": "yourself", "foe": "your opponent", "none": "everyone"}


@dataclass(frozen=True)
class BookSpell:
    """One spell: its series (small letters are made by both hands), its default target, what it does.

    `notes` are the differences of its ruleset that speak of it, `first` is False where it stood further up already.
    `anchor` is where links to its rule lead; several spells may share a rule, and only the first of them has it.
    """

    name: str
    series: tuple[str, ...]
    default: str
    category: str
    words: str
    clause: str
    notes: tuple[Difference, ...] = ()
    first: bool = True
    anchor: str = ""

    @property
    def slug(self) -> str:
        """Its anchor on the rules page."""
        return slugify(self.name)

    @property
    def steps(self) -> list[list[tuple[str, bool]]]:
        """Each series as (letter, made by both hands)."""
        return [[(letter.upper(), letter.islower()) for letter in series] for series in self.series]


Key = Callable[[BookSpell], object]
ORDERS: Mapping[str, tuple[str, Key]] = {
    "name": ("By name", lambda spell: spell.name),
    "gestures": ("By gestures", lambda spell: (spell.series[0].upper(), spell.series[0])),
    "backwards": ("By the last gesture", lambda spell: (spell.series[0][::-1].upper(), spell.series[0][::-1])),
    "length": ("By length", lambda spell: (min(len(s) for s in spell.series), spell.name)),
}
# In these every series has its own row, as somebody looks for it who has seen gestures.
ONE_ROW_A_SERIES = ("gestures", "backwards")


def list_spells(
    ruleset: str = "firetop-standard", *, edition: int | None = None, order: str = "name"
) -> list[BookSpell]:
    """Every spell that this edition (or the newest) of a ruleset can make. An unknown order is the order by name.

    Raises the engine's UnknownRuleset.
    """
    order = order if order in ORDERS else "name"
    spells = _list_by_name(get_ruleset(ruleset, edition))
    if order in ONE_ROW_A_SERIES:
        spells = [replace(spell, series=(text,)) for spell in spells for text in spell.series]
    ordered = sorted(spells, key=ORDERS[order][1])  # type: ignore[arg-type]
    names, rules = _first_places(s.name for s in ordered), _first_places(_rule_of(s) for s in ordered)
    return [
        replace(s, first=names[s.name] == place, anchor=_rule_of(s) if rules[_rule_of(s)] == place else "")
        for place, s in enumerate(ordered)
    ]


def _first_places(words: Iterable[str]) -> dict[str, int]:
    return {word: place for place, word in reversed(list(enumerate(words)))}


def _rule_of(spell: BookSpell) -> str:
    return spell.clause.rpartition("-")[0].lower()


def _list_by_name(rules: Ruleset) -> list[BookSpell]:
    made: dict[str, list[str]] = {}
    for series in rules.book.series:
        made.setdefault(series.spell, []).append(series.text)
    return [
        BookSpell(
            name=name,
            series=tuple(sorted(made[name])),
            default=WHOM.get(rules.spells[name].default, ""),
            category=rules.spells[name].category,
            words=tell_spell(rules, name),
            clause=rules.spells[name].clause,
            notes=find_differences(rules, name),
        )
        for name in sorted(made)
    ]
