"""Notices, their deliveries, hooks, and users' preferences."""

from notifications.models.delivery import Delivery, SkipReason
from notifications.models.hook import Hook
from notifications.models.notice import Notice
from notifications.models.preference import Preference

__all__ = ["Delivery", "Hook", "Notice", "Preference", "SkipReason"]
