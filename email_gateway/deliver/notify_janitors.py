"""Notify the janitors of what only they can repair or answer."""

from datetime import datetime

from accounts.models import User
from accounts.selectors import list_janitors
from email_gateway.models import InboundMail, MailAddress
from fm_site.notifications.services import write_notice


def notify_of_stuck_mail(*, mail: InboundMail, reference: str, now: datetime) -> None:
    """Notify every janitor, once each time the email gets stuck."""
    for user in list_janitors():
        write_notice(
            key=f"mail_stuck:{mail.pk}:{reference}:{user.pk}",
            user=user,
            kind="mail_stuck",
            facts={"mail": mail.pk, "reference": reference},
            now=now,
        )


def notify_of_mail_for_janitors(*, mail: InboundMail, now: datetime) -> None:
    """Notify every janitor of the first email to them in an hour; they find the others beside it."""
    for user in list_janitors():
        write_notice(
            key=f"mail_for_janitors:{now:%Y-%m-%dT%H}:{user.pk}",
            user=user,
            kind="mail_for_janitors",
            facts={"mail": mail.pk},
            now=now,
        )


def notify_of_failing_address(*, address: MailAddress, user: User, now: datetime) -> None:
    """Notify every janitor, once a month while it lasts, that emails to a user do not arrive."""
    for janitor in list_janitors():
        write_notice(
            key=f"address_fails:{address.pk}:{now:%Y-%m}:{janitor.pk}",
            user=janitor,
            kind="address_fails",
            facts={"address": address.pk, "user": user.pk, "name": user.username},
            now=now,
        )
