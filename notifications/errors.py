"""Errors of notifications.

Refused (of operations)
└── NotificationRefused  an announcement or a hook that cannot be made like this: SENTENCES lists why
InvalidHook              the address of a hook, or what belongs to it, cannot be used; perhaps the nearest that can
"""

from django.utils.translation import gettext_lazy as _

from operations.errors import Refused

SENTENCES = {
    "no_text": _("Enter the text to announce."),
    "past_end": _("Choose an end in the future."),
    "too_many_hooks": _("There are %(most)d hooks already. Remove one first."),
    "no_hook_events": _("Choose at least one event."),
    "no_hook_name": _("Enter a name for the hook."),
}


class NotificationRefused(Refused):
    sentences = SENTENCES


class InvalidHook(Exception):
    """An address, or a token or room that belongs to it, cannot be used. `field` names which; `nearest` is an address
    that could be, or None."""

    def __init__(self, message: str, nearest: str | None = None, field: str = "url") -> None:
        super().__init__(message)
        self.nearest, self.field = nearest, field
