"""The only code that changes notices, deliveries and preferences."""

from fm_site.notifications.services.announcements import announce, notify_of_announcements, withdraw_announcement
from fm_site.notifications.services.deliveries import (
    claim_due_deliveries,
    claim_email,
    forget_copies,
    list_due_emails,
    mark_covered,
    mark_delivery_failed,
    mark_delivery_sent,
    mark_delivery_skipped,
    post_again,
    prune_notices,
    queue_delivery,
    read_frozen_mail,
    store_frozen_mail,
)
from fm_site.notifications.services.freeze_mails import answering
from fm_site.notifications.services.outbox import write_notice, write_notices
from fm_site.notifications.services.preferences import set_preference
from fm_site.notifications.services.remind_unconfirmed import remind_unconfirmed

__all__ = [
    "announce",
    "answering",
    "claim_due_deliveries",
    "claim_email",
    "forget_copies",
    "list_due_emails",
    "mark_covered",
    "mark_delivery_failed",
    "mark_delivery_sent",
    "mark_delivery_skipped",
    "notify_of_announcements",
    "post_again",
    "prune_notices",
    "queue_delivery",
    "read_frozen_mail",
    "remind_unconfirmed",
    "set_preference",
    "store_frozen_mail",
    "withdraw_announcement",
    "write_notice",
    "write_notices",
]
