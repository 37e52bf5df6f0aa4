"""Users' reports, the janitors' journal and second factors."""

from moderation.models.journal import Consent, JournalEntry
from moderation.models.report import Report
from moderation.models.second_factor import SecondFactor

__all__ = ["Consent", "JournalEntry", "Report", "SecondFactor"]
