"""Notices, their deliveries, and users' preferences."""

from fm_site.notifications.models.delivery import Delivery, SkipReason
from fm_site.notifications.models.notice import Notice
from fm_site.notifications.models.preference import Preference

__all__ = ["Delivery", "Notice", "Preference", "SkipReason"]
