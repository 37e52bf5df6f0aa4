"""Reading reports and the journal."""

from fm_site.moderation.selectors.journal import ask_player, find_answers, find_decided, list_entries_for_anybody
from fm_site.moderation.selectors.reports import list_reports_by, list_reports_for

__all__ = [
    "ask_player",
    "find_answers",
    "find_decided",
    "list_entries_for_anybody",
    "list_reports_by",
    "list_reports_for",
]
