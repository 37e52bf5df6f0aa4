"""The text of a rule, for players who ask why."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import get_language

from duels.board.links import link_clause
from duels.board.story import Rule
from duels.rulebook.anchors import section_of
from rules_engine import Ruleset, get_ruleset
from rules_engine.glossary import name_spell
from rules_engine.rulebook import describe_spell

# Longer texts are represented by their first sentence.
LONGEST = 200


def tell_rule(ruleset: Ruleset, clause: str) -> Rule | None:
    """Return the description of the clause's spell, with its place in the rules; None if it belongs to no spell."""
    return _tell(ruleset.name, ruleset.edition, clause, get_language() or "") if clause else None


@lru_cache(maxsize=2000)
def _tell(name: str, edition: int, clause: str, language: str) -> Rule | None:
    del language  # only part of the key
    ruleset = get_ruleset(name, edition)
    section = section_of(clause)
    spell = next((one for one in _list_names(ruleset) if section_of(ruleset.spells[one].clause) == section), None)
    if spell is None:
        return None
    words = describe_spell(ruleset, spell)
    sentence = words if len(words) <= LONGEST else f"{words.partition('. ')[0].rstrip('.')}."
    return Rule(sentence, name_spell(spell), link_clause(ruleset, clause))


def _list_names(ruleset: Ruleset) -> list[str]:
    return sorted(set(ruleset.series.values()))
