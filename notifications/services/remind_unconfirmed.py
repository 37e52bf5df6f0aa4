"""Reminding users whose only address is unconfirmed."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress

from notifications.kinds import UNCONFIRMED_REMINDER
from notifications.models import Notice
from notifications.selectors.notices import wants_mail
from notifications.services.outbox import write_notice

# Limits for one address.
MOST_REMINDERS = 3
BETWEEN_REMINDERS = timedelta(days=1)


def remind_unconfirmed(*, users: Iterable[Any], facts: Mapping[str, Any], now: datetime) -> list[Notice]:
    """Remind those of `users` whose only address is unconfirmed of what is waiting for them; return the new notices.

    The email goes to that address with a link to confirm it: at most three times, a day apart, and not after its reader
    has stopped it. It is safe to call this twice.
    """
    active = {user.pk: user for user in users if user.is_active}
    rows = EmailAddress.objects.filter(user__in=active).order_by("user", "-primary", "pk")
    proven = {row.user_id for row in rows if row.verified}
    addresses = {row.user_id: row for row in reversed(rows) if row.user_id not in proven}
    written = (_remind_unconfirmed(active[pk], row, facts, now) for pk, row in sorted(addresses.items()))
    return [notice for notice in written if notice is not None]


def _remind_unconfirmed(user: Any, row: EmailAddress, facts: Mapping[str, Any], now: datetime) -> Notice | None:
    sent = Notice.objects.filter(user=user, kind=UNCONFIRMED_REMINDER, facts__address=row.email)
    times = list(sent.values_list("created_at", flat=True))
    is_soon = any(now - moment < BETWEEN_REMINDERS for moment in times)
    if is_soon or len(times) >= MOST_REMINDERS or not wants_mail(user, UNCONFIRMED_REMINDER):
        return None
    return write_notice(
        key=f"{UNCONFIRMED_REMINDER}/{user.pk}/{row.pk}/{len(times) + 1}",
        user=user,
        kind=UNCONFIRMED_REMINDER,
        facts={**facts, "address": row.email},
        address=row.email,
        now=now,
    )
