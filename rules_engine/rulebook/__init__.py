"""The rules for readers: a page for each ruleset on offer, made from the engine's own data."""

from __future__ import annotations

from rules_engine.rulebook.pages import write_page, write_pages
from rules_engine.rulebook.sections import Section, tell_sections
from rules_engine.rulebook.telling import find_differences, tell_sentences, tell_spell, tell_usual_target

__all__ = [
    "Section",
    "find_differences",
    "tell_sections",
    "tell_sentences",
    "tell_spell",
    "tell_usual_target",
    "write_page",
    "write_pages",
]
