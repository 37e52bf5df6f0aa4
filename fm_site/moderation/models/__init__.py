"""What players report, and what janitors do."""

from fm_site.moderation.models.intervention import Consent, Intervention
from fm_site.moderation.models.report import Report
from fm_site.moderation.models.user_act import Undoable, UserAct

__all__ = ["Consent", "Intervention", "Report", "Undoable", "UserAct"]
