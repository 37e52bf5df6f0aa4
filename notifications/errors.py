"""The one error of notifications.

Refused (of operations)
└── NotificationRefused  an announcement that cannot be made like this: SENTENCES lists why
"""

from django.utils.translation import gettext_lazy as _

from operations.errors import Refused

SENTENCES = {
    "no_text": _("Enter the text to announce."),
    "past_end": _("Choose an end in the future."),
}


class NotificationRefused(Refused):
    sentences = SENTENCES
