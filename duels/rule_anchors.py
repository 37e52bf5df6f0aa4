"""Anchors on the rules pages, and the URL of each clause."""

from __future__ import annotations

from functools import cache

from rules_engine import Difference, Ruleset, get_ruleset

GENERAL = "/rules/"
"""The page of the common rules, with an anchor for every section of the base document."""
BASE = "FM"


def anchors_of_difference(ruleset: Ruleset, difference: Difference) -> tuple[str, ...]:
    """Return the anchors of a difference: its clauses, except those an earlier difference has."""
    earlier = ruleset.differences[: ruleset.differences.index(difference)]
    taken = {clause for each in earlier for clause in each.clause.split()}
    return tuple(clause.lower() for clause in difference.clause.split() if clause not in taken)


def anchors_of_spell(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """Return the anchors of a spell: its section of the base document, and its own clause if that is from another
    document and no difference has it. Spells can share anchors; the first on a page gets them."""
    differing = {clause for difference in ruleset.differences for clause in difference.clause.split()}
    spell, base = ruleset.spells[name], get_ruleset("firetop-standard").spells.get(name)
    sections = [section_of(each.clause) for each in (spell, base) if each and is_of_base(each.clause)]
    own = [] if is_of_base(spell.clause) or spell.clause in differing else [spell.clause.lower()]
    return tuple(dict.fromkeys([*own, *sections]))


def find_place(ruleset: Ruleset, clause: str, page: str) -> str:
    """Return the URL of a clause for a battle of that ruleset, whose rules are at `page`.

    It leads to the difference or spell of the clause, else to its section on the general page, else to the ruleset's
    list of differences.
    """
    anchors = _list_anchors(ruleset.name, ruleset.edition)
    here = next((anchor for anchor in (clause.lower(), section_of(clause)) if anchor in anchors), None)
    if here is None and is_of_base(clause):
        return f"{GENERAL}#{section_of(clause)}"
    return f"{page}#{here or 'differences'}"


@cache
def _list_anchors(name: str, edition: int) -> frozenset[str]:
    ruleset = get_ruleset(name, edition)
    of_differences = {anchor for each in ruleset.differences for anchor in anchors_of_difference(ruleset, each)}
    return frozenset(of_differences | {a for name in ruleset.series.values() for a in anchors_of_spell(ruleset, name)})


def is_of_base(clause: str) -> bool:
    return clause.startswith(f"{BASE}-")


def section_of(clause: str) -> str:
    """Return the section of a clause: ``fm-missile`` for FM-MISSILE-3."""
    return clause.rpartition("-")[0].lower()
