"""Every ruleset by name and edition."""

from __future__ import annotations

from difflib import get_close_matches
from types import ModuleType

from rules_engine.errors import UnknownRuleset
from rules_engine.rules import Choice, Difference, Rules, Ruleset
from rules_engine.rulesets import firetop, firetop_server, spellcast, warlocks, waving_hands


def _gather(*modules: ModuleType) -> dict[tuple[str, int], Ruleset]:
    """Return every edition that the modules offer by (name, edition). Raises ValueError for duplicates."""
    found: dict[tuple[str, int], Ruleset] = {}
    for ruleset in (ruleset for module in modules for ruleset in module.RULESETS):
        if found.setdefault((ruleset.name, ruleset.edition), ruleset) is not ruleset:
            raise ValueError(f"{ruleset.name} edition {ruleset.edition} is offered twice")
    return found


EDITIONS = _gather(firetop, firetop_server, spellcast, warlocks, waving_hands)
"""Every edition that a battle may have pinned, by (name, edition)."""

RULESETS: dict[str, Ruleset] = {
    name: max((r for r in EDITIONS.values() if r.name == name), key=lambda r: r.edition) for name, _ in EDITIONS
}
"""The newest edition of every ruleset."""

SPELL_MARKS: dict[str, str] = {
    spell.name: spell.mark for ruleset in EDITIONS.values() for spell in ruleset.spells.values() if spell.mark
}
"""The mark that each spell of any ruleset leaves on a being (`Spell.mark`), in the spells' order of effect."""


def get_ruleset(name: str, edition: int | None = None) -> Ruleset:
    """Return the ruleset of that name, in that edition or the newest. Raises UnknownRuleset, naming the nearest."""
    found = RULESETS.get(name) if edition is None else EDITIONS.get((name, edition))
    if found is None and name in RULESETS:
        raise UnknownRuleset(f"{name} has no edition {edition}; its newest is {RULESETS[name].edition}")
    if found is None:
        near = get_close_matches(name, RULESETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownRuleset(f"no ruleset {name}{hint}")
    return found


__all__ = ["EDITIONS", "RULESETS", "SPELL_MARKS", "Choice", "Difference", "Rules", "Ruleset", "get_ruleset"]
