"""What can go wrong in telling users something.

NotificationsError
└── InvalidAnnouncement    an announcement that cannot be made: every problem
"""

from fm_site.operations.errors import Refused


class NotificationsError(Exception):
    """The root of the tree."""


class InvalidAnnouncement(Refused, NotificationsError):
    """The announcement cannot be made."""
