"""Addresses that we write nothing to, because their owners have asked a janitor."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts.janitors import is_janitor
from accounts.languages import in_language_of
from accounts.models import User
from accounts.services.users import mark_email_refused, mark_email_wanted
from email_gateway.deliver.bounces import find_address
from email_gateway.models import MailAddress
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.user_journal import act_on_user
from notifications.selectors.notices import address_for_notices

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def stop_address(*, address: str, by: User, reason: str, now: datetime) -> MailAddress:
    """Write nothing to `address` any more, with an account or without. If users have it, that is in their journal, and
    pages tell them. Raises ModerationRefused, also if it is stopped already."""
    address, reason = address.strip(), reason.strip()
    _check(by, reason)
    try:
        validate_email(address)
    except ValidationError as error:
        raise ModerationRefused("not_an_address") from error
    with transaction.atomic():
        row = find_address(address)
        rows = MailAddress.objects.filter(pk=row.pk, stopped_at=None)
        if not rows.update(stopped_at=now, stopped_for=reason[:300]):
            raise ModerationRefused("already_stopped")
        for user in _list_users(row.address):
            with act_on_user(kind=JournalEntry.Kind.MAIL_STOPPED, user=user, by=by, reason=reason, now=now):
                mark_email_refused(user=user, now=now)
    row.refresh_from_db()
    return row


def resume_address(*, row: MailAddress, by: User, reason: "StrOrPromise", now: datetime) -> bool:
    """Write to a stopped address again; return whether it was stopped. A translatable `reason` is given to each user in
    their language. Raises ModerationRefused."""
    _check(by, reason)
    with transaction.atomic():
        stopped = MailAddress.objects.filter(pk=row.pk, stopped_at__isnull=False)
        if not stopped.update(stopped_at=None, stopped_for=""):
            return False
        for user in _list_users(row.address):
            with in_language_of(user):
                words = str(reason)
            with act_on_user(kind=JournalEntry.Kind.MAIL_RESUMED, user=user, by=by, reason=words, now=now):
                mark_email_wanted(user=user)
    return True


def _check(by: User, reason: "StrOrPromise") -> None:
    if not is_janitor(by):
        raise ModerationRefused("no_permission", name=by.username)
    if not reason.strip():
        raise ModerationRefused("no_reason")


def _list_users(address: str) -> Iterator[User]:
    """Yield the users whose email goes to `address`."""
    owners = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    for owner in owners.select_related("user").order_by("user"):
        if (address_for_notices(owner.user) or "").lower() == address:
            yield owner.user
