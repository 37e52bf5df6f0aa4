"""What users are told, and how they want to be told."""

from fm_site.notifications.models.notice import Delivery, Notice
from fm_site.notifications.models.preference import Preference

__all__ = ["Delivery", "Notice", "Preference"]
