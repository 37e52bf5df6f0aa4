"""Where a clause stands on the pages of the rules: the anchors of one ruleset's page, and the way to a clause."""

from __future__ import annotations

from rules_engine import Difference, Ruleset, get_ruleset

GENERAL = "/rules/"
"""The page of what every ruleset shares; it has an anchor for every section of the base's document."""
BASE = "FM"


def anchors_of_difference(ruleset: Ruleset, difference: Difference) -> tuple[str, ...]:
    """The anchors of a difference: its clauses, but for those that stand at an earlier one."""
    earlier = ruleset.differences[: ruleset.differences.index(difference)]
    taken = {clause for each in earlier for clause in each.clause.split()}
    return tuple(clause.lower() for clause in difference.clause.split() if clause not in taken)


def anchors_of_spell(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """The anchors of a spell: its own clause where another document than the base's tells of it, unless a difference
    has it, and the section of the base's document. Several spells may share them; the first on a page has them."""
    told = {clause for difference in ruleset.differences for clause in difference.clause.split()}
    spell, base = ruleset.spells[name], get_ruleset("firetop-standard").spells.get(name)
    sections = [section_of(each.clause) for each in (spell, base) if each and is_of_base(each.clause)]
    own = [] if is_of_base(spell.clause) or spell.clause in told else [spell.clause.lower()]
    return tuple(dict.fromkeys([*own, *sections]))


def find_place(ruleset: Ruleset, clause: str, page: str) -> str:
    """The address of a clause for the reader of a battle of that ruleset, whose rules are at `page`: the difference or
    the spell that it speaks of; else its section on the general page; else the differences of the ruleset.
    """
    anchors = {anchor for each in ruleset.differences for anchor in anchors_of_difference(ruleset, each)}
    made = set(ruleset.series.values())
    anchors |= {a for name in made for a in anchors_of_spell(ruleset, name)}
    here = next((anchor for anchor in (clause.lower(), section_of(clause)) if anchor in anchors), None)
    if here is None and is_of_base(clause):
        return f"{GENERAL}#{section_of(clause)}"
    return f"{page}#{here or 'differences'}"


def is_of_base(clause: str) -> bool:
    """Whether it is a clause of the document of which every ruleset is a change."""
    return clause.startswith(f"{BASE}-")


def section_of(clause: str) -> str:
    """``fm-missile`` for FM-MISSILE-3."""
    return clause.rpartition("-")[0].lower()
