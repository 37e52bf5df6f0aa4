"""The rules as a reader wants them: one page for each ruleset that is offered, made from the engine's own data."""

from __future__ import annotations

from rules_engine.rulebook.pages import write_page, write_pages
from rules_engine.rulebook.words import WORDS, find_differences, tell_sentences, tell_spell

__all__ = ["WORDS", "find_differences", "tell_sentences", "tell_spell", "write_page", "write_pages"]
