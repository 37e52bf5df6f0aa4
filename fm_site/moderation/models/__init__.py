"""Users' reports and the janitors' journal."""

from fm_site.moderation.models.journal import Consent, JournalEntry
from fm_site.moderation.models.report import Report

__all__ = ["Consent", "JournalEntry", "Report"]
