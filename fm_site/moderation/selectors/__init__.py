"""Reading reports and the journal."""

from fm_site.moderation.selectors.journal import ask_player, find_answers, find_decided, list_entries_for_anyone
from fm_site.moderation.selectors.reports import list_reports_by, list_reports_for

__all__ = [
    "ask_player",
    "find_answers",
    "find_decided",
    "list_entries_for_anyone",
    "list_reports_by",
    "list_reports_for",
]
