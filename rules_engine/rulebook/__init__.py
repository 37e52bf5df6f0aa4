"""The rules for readers: a page for each ruleset on offer, made from the engine's own data."""

from __future__ import annotations

from rules_engine.rulebook.pages import write_page, write_pages
from rules_engine.rulebook.sections import Section, write_sections
from rules_engine.rulebook.spell_descriptions import (
    describe_spell,
    describe_usual_target,
    find_differences,
    write_sentences,
)

__all__ = [
    "Section",
    "describe_spell",
    "describe_usual_target",
    "find_differences",
    "write_page",
    "write_pages",
    "write_sections",
    "write_sentences",
]
