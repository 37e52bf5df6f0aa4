"""The spells of a ruleset as rows, sorted by name, by gestures, by gestures from the last, or by length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from duels.rule_anchors import anchors_of_spell
from rules_engine import Difference, Ruleset, get_ruleset
from rules_engine.rulebook import Section, describe_spell, describe_usual_target, find_differences, write_sections


@dataclass(frozen=True)
class BookSpell:
    """One spell: its series (small letters: both hands), its default target, and what it does.

    `notes` are the ruleset's differences that concern it; `first` is False if an earlier row has the same spell.
    `anchors` are the targets of links to its rules. If spells share a rule, only the first one has the anchor.
    """

    name: str
    series: tuple[str, ...]
    default: str
    category: str
    words: str
    clause: str
    notes: tuple[Difference, ...] = ()
    first: bool = True
    anchors: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The spell's anchor on the rules page."""
        return slugify(self.name)

    @property
    def steps(self) -> list[list[tuple[str, bool]]]:
        """Each series as pairs of (letter, played by both hands)."""
        return [[(letter.upper(), letter.islower()) for letter in series] for series in self.series]


Key = Callable[[BookSpell], object]
ORDERS: Mapping[str, tuple[str | Promise, Key]] = {
    "name": (_("By name"), lambda spell: spell.name),
    "gestures": (_("By gestures"), lambda spell: (spell.series[0].upper(), spell.series[0])),
    "backwards": (_("By the last gesture"), lambda spell: (spell.series[0][::-1].upper(), spell.series[0][::-1])),
    "length": (_("By length"), lambda spell: (min(len(s) for s in spell.series), spell.name)),
}
# The words of `describe_usual_target`; the rest of a spell's description is English in every language.
USUAL_TARGETS: Mapping[str, Promise | str] = {
    "yourself": pgettext_lazy("usual target", "yourself"),
    "your opponent": pgettext_lazy("usual target", "your opponent"),
    "everyone": pgettext_lazy("usual target", "everyone"),
    "nobody": pgettext_lazy("usual target", "nobody"),
}
# In these orders every series has its own row, for readers who have seen gestures and look up the spell.
ONE_ROW_A_SERIES = ("gestures", "backwards")


def list_spells(
    ruleset: str = "firetop-standard", *, edition: int | None = None, order: str = "name"
) -> list[BookSpell]:
    """Return every spell in this edition (default: the newest) of a ruleset. An unknown `order` means by name.

    Raises the engine's UnknownRuleset.
    """
    order = order if order in ORDERS else "name"
    rules = get_ruleset(ruleset, edition)
    spells = _list_by_name(rules)
    if order in ONE_ROW_A_SERIES:
        spells = [replace(spell, series=(text,)) for spell in spells for text in spell.series]
    ordered = sorted(spells, key=ORDERS[order][1])  # type: ignore[arg-type]
    names = _first_places((place, s.name) for place, s in enumerate(ordered))
    anchors = _first_places((place, anchor) for place, s in enumerate(ordered) for anchor in s.anchors)
    return [
        replace(s, first=names[s.name] == place, anchors=tuple(a for a in s.anchors if anchors[a] == place))
        for place, s in enumerate(ordered)
    ]


def list_sections(ruleset: str = "firetop-standard", *, edition: int | None = None) -> tuple[Section, ...]:
    """Return the general rules of this edition (default: the newest) of a ruleset. Raises UnknownRuleset."""
    return write_sections(get_ruleset(ruleset, edition))


def _first_places(placed: Iterable[tuple[int, str]]) -> dict[str, int]:
    return {word: place for place, word in reversed(list(placed))}


def _list_by_name(rules: Ruleset) -> list[BookSpell]:
    made: dict[str, list[str]] = {}
    for series in rules.book.series:
        made.setdefault(series.spell, []).append(series.text)
    return [
        BookSpell(
            name=name,
            series=tuple(sorted(made[name])),
            default=str(USUAL_TARGETS[describe_usual_target(rules.spells[name])]),
            category=rules.spells[name].category,
            words=describe_spell(rules, name),
            clause=rules.spells[name].clause,
            notes=find_differences(rules, name),
            anchors=anchors_of_spell(rules, name),
        )
        for name in sorted(made)
    ]
