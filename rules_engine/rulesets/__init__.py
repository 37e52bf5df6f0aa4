"""Every ruleset by name and edition."""

from __future__ import annotations

from difflib import get_close_matches

from rules_engine.errors import UnknownRuleset
from rules_engine.rulesets import firetop, firetop_server, spellcast, warlocks, waving_hands
from rules_engine.rulesets.rules import Difference, Rules, Ruleset

RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for module in (firetop, firetop_server, spellcast, warlocks, waving_hands)
    for ruleset in module.RULESETS
}
"""The newest edition of every ruleset."""

EDITIONS: dict[tuple[str, int], Ruleset] = {(r.name, r.edition): r for r in RULESETS.values()}
"""Every edition that an unfinished battle may have pinned."""


def get_ruleset(name: str, edition: int | None = None) -> Ruleset:
    """The ruleset of that name, in that edition or the newest. Raises UnknownRuleset, naming the nearest."""
    found = RULESETS.get(name) if edition is None else EDITIONS.get((name, edition))
    if found is None:
        near = get_close_matches(name, RULESETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownRuleset(f"no ruleset {name}" + (f" edition {edition}" if edition else "") + hint)
    return found


__all__ = ["EDITIONS", "RULESETS", "Difference", "Rules", "Ruleset", "get_ruleset"]
