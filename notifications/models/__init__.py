"""Notices, their deliveries, and users' preferences."""

from notifications.models.delivery import Delivery, SkipReason
from notifications.models.notice import Notice
from notifications.models.preference import Preference

__all__ = ["Delivery", "Notice", "Preference", "SkipReason"]
