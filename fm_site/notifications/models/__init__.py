"""Notices, their deliveries, and users' preferences."""

from fm_site.notifications.models.notice import Delivery, Notice
from fm_site.notifications.models.preference import Preference

__all__ = ["Delivery", "Notice", "Preference"]
