"""A ruleset beside others: the values of its options, and the rules and spells in which another one differs."""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine import RULESETS, Difference, Ruleset
from studies.rulebook.spells import BookSpell, list_spells


@dataclass(frozen=True)
class SpellPair:
    """A spell in both rulesets; None if a ruleset does not have it."""

    name: str
    here: BookSpell | None
    there: BookSpell | None

    @property
    def sides(self) -> tuple[BookSpell | None, BookSpell | None]:
        return self.here, self.there

    @property
    def slug(self) -> str:
        spell = self.here or self.there
        assert spell is not None
        return spell.slug

    @property
    def differs(self) -> bool:
        if self.here is None or self.there is None:
            return True
        return _facts(self.here) != _facts(self.there)


@dataclass(frozen=True)
class Comparison:
    """What differs between two rulesets: their differences from the base ruleset, and the spells."""

    here: Ruleset
    there: Ruleset
    only_here: tuple[Difference, ...]
    only_there: tuple[Difference, ...]
    differing: tuple[SpellPair, ...]
    alike: tuple[SpellPair, ...]


def _facts(spell: BookSpell) -> tuple[object, ...]:
    return spell.series, spell.default, spell.words, tuple(note.text for note in spell.notes)


def compare_rulesets(here: Ruleset, there: Ruleset) -> Comparison:
    """Compare two rulesets, each in its edition."""
    one, other = ({s.name: s for s in list_spells(r.name, edition=r.edition)} for r in (here, there))
    pairs = [SpellPair(name, one.get(name), other.get(name)) for name in sorted({*one, *other})]
    texts_here, texts_there = ({d.text for d in r.differences} for r in (here, there))
    return Comparison(
        here=here,
        there=there,
        only_here=tuple(d for d in here.differences if d.text not in texts_there),
        only_there=tuple(d for d in there.differences if d.text not in texts_here),
        differing=tuple(pair for pair in pairs if pair.differs),
        alike=tuple(pair for pair in pairs if not pair.differs),
    )


@dataclass(frozen=True)
class Way:
    """One value of one option; `name` is the ruleset that differs from the current one only in this."""

    words: str
    name: str
    current: bool


def list_ways(ruleset: Ruleset) -> list[list[Way]]:
    """Return the values of each option of the ruleset's family, in order."""
    kin = [each for each in RULESETS.values() if ruleset.family and each.family == ruleset.family]
    found = []
    for choice in ruleset.choices:
        ways = []
        for value, words in choice.worded:
            wanted = {**ruleset.chosen, choice.key: value}
            name = next(each.name for each in kin if each.chosen == wanted)
            ways.append(Way(words, name, value == ruleset.chosen[choice.key]))
        found.append(ways)
    return found
