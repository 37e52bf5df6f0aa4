"""Users' reports and the janitors' journal."""

from moderation.models.journal import Consent, JournalEntry
from moderation.models.report import Report

__all__ = ["Consent", "JournalEntry", "Report"]
