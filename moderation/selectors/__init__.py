"""Reading reports and the journal."""

from moderation.selectors.journal import (
    ask_player,
    describe_news,
    find_answers,
    find_decided,
    list_entries_for_anyone,
    mark_journal,
)
from moderation.selectors.reports import list_reports_by, list_reports_for

__all__ = [
    "ask_player",
    "describe_news",
    "find_answers",
    "find_decided",
    "list_entries_for_anyone",
    "list_reports_by",
    "list_reports_for",
    "mark_journal",
]
