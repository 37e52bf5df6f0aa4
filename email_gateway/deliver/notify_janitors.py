"""Notify janitors of problems that only they can fix or answer."""

from collections.abc import Mapping
from datetime import datetime

from accounts.models import User
from accounts.selectors.users import list_janitors
from email_gateway.models import InboundMail, MailAddress
from notifications.services.outbox import write_notice


def notify_of_stuck_mail(*, mail: InboundMail, reference: str, now: datetime) -> None:
    """Notify every janitor, once each time the email gets stuck."""
    _notify("mail_stuck", f"{mail.pk}:{reference}", {"mail": mail.pk, "reference": reference}, now)


def notify_of_mail_for_janitors(*, mail: InboundMail, now: datetime) -> None:
    """Notify every janitor of the first email to them in an hour; they find the others next to it."""
    _notify("mail_for_janitors", f"{now:%Y-%m-%dT%H}", {"mail": mail.pk}, now)


def notify_of_failing_address(*, address: MailAddress, user: User, now: datetime) -> None:
    """Notify every janitor, once a month until it is fixed, that emails to a user do not arrive."""
    facts = {"address": address.pk, "user": user.pk, "name": user.username}
    _notify("address_fails", f"{address.pk}:{now:%Y-%m}", facts, now)


def _notify(kind: str, once: str, facts: Mapping[str, object], now: datetime) -> None:
    for janitor in list_janitors():
        write_notice(key=f"{kind}:{once}:{janitor.pk}", user=janitor, kind=kind, facts=facts, now=now)
