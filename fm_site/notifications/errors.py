"""Errors of notifying users.

NotificationsError
└── InvalidAnnouncement    the announcement is not valid: every problem
"""

from fm_site.operations.errors import Refused


class NotificationsError(Exception):
    """The root of the tree."""


class InvalidAnnouncement(Refused, NotificationsError):
    """The announcement is not valid."""
