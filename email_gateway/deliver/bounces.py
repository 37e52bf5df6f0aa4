"""Addresses that email does not reach, and people who don't want it.

A report counts only if it arrives at the envelope sender that we sign for each address: to forge one against another
player, an attacker would need our email to them.
"""

from datetime import datetime, timedelta

from django.db.models import F, Q

from accounts.models import User
from accounts.services.users import (
    mark_email_failing,
    mark_email_refused,
    mark_email_wanted,
    mark_email_working,
)
from email_gateway.deliver.notify_janitors import notify_of_failing_address
from email_gateway.models import MailAddress
from email_gateway.text.letter import make_storable
from notifications.selectors.notices import address_for_notices
from notifications.services.preferences import set_preference

PERMANENT, TEMPORARY = 5, 1
ONCE_IN = timedelta(days=1)
FORGOTTEN_AFTER = timedelta(days=30)


def find_address(address: str) -> MailAddress:
    """Return the row of an external address."""
    return MailAddress.objects.get_or_create(address=make_storable(address).lower())[0]


def note_failure(*, address: str, error: str, permanent: bool, now: datetime) -> None:
    """Count an email that did not reach an address: five points for a permanent rejection, otherwise one.

    At most once a day, since many emails may be on their way to a server that is down; a permanent rejection counts
    even after a temporary one. Points expire after a month. With ten points the address fails: janitors are notified,
    and we assume that email does not reach its user.
    """
    row = find_address(address)
    MailAddress.objects.filter(pk=row.pk, bounced_at__lt=now - FORGOTTEN_AFTER).update(bounce_score=0)
    points = PERMANENT if permanent else TEMPORARY
    due = Q(bounced_at=None) | Q(bounced_at__lte=now - ONCE_IN)
    if permanent:
        due |= Q(bounce_score__lt=PERMANENT)
    counted = MailAddress.objects.filter(due, pk=row.pk).update(
        bounce_score=F("bounce_score") + points, bounced_at=now, last_error=make_storable(error)[:200]
    )
    row.refresh_from_db()
    if counted and row.is_failing:
        handle_failing_address(row, now)


def handle_failing_address(row: MailAddress, now: datetime) -> None:
    for user in list_users_at(row.address):
        mark_email_failing(user=user, now=now)
        notify_of_failing_address(address=row, user=user, now=now)


def note_complaint(*, address: str, error: str, now: datetime) -> None:
    """Stop all email to an address whose owner has told their provider that they don't want it. Reminders to an address
    that isn't confirmed stop for good; other email, until its user resumes it on the site."""
    row = find_address(address)
    MailAddress.objects.filter(pk=row.pk).update(last_error=make_storable(error)[:200])
    for user in list_users_at(row.address):
        mark_email_refused(user=user, now=now)
    for user in User.objects.filter(emailaddress__email__iexact=row.address, emailaddress__verified=False):
        set_preference(user=user, key="mail_unconfirmed", value="no")


def list_users_at(address: str) -> list[User]:
    owners = User.objects.filter(emailaddress__email__iexact=address, emailaddress__verified=True, is_active=True)
    return [user for user in owners.distinct() if (address_for_notices(user) or "").lower() == address]


def clear_failures(*, user: User, now: datetime) -> None:
    """Forget the failures of a user's address, because they answered an email sent to it, or say that it is fixed. The
    user must have just been read."""
    address = address_for_notices(user)
    if address:
        MailAddress.objects.filter(address=address.lower(), bounce_score__gt=0).update(bounce_score=0, last_error="")
    if user.mail_fails_since is not None:
        mark_email_working(user=user, now=now)


def resume_email(*, user: User, now: datetime) -> None:
    """Send email to a user again who says that their address works and that they want it. The user must have just been
    read."""
    clear_failures(user=user, now=now)
    if user.mail_refused_since is not None:
        mark_email_wanted(user=user)
        # They have proven that the address is theirs, so they also undo what a janitor stopped for them.
        own = (address_for_notices(user) or "").lower()
        MailAddress.objects.filter(address=own, stopped_at__isnull=False).update(stopped_at=None, stopped_for="")
