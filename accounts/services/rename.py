"""Renaming users (FM-ORDUSR-3)."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.formats import date_format

from accounts.errors import AccountRefused
from accounts.models import Name, User
from accounts.names import capitalize, check_name, refuse_taken
from accounts.selectors.users import list_janitors
from notifications.services.outbox import write_notice

ONCE_IN = timedelta(days=30)


def rename_user(*, user: User, name: str, now: datetime, by_janitor: bool = False) -> str:
    """Rename `user` and return the new name as it is written; nothing happens if it is theirs already. The user keeps
    everything, including the old name, and may return to an earlier name. Each change is limited, and janitors are
    notified of it once; a janitor's own (`by_janitor`) is in their journal instead, and possible however recent the
    last change was. Raises InvalidName, NameTaken, AccountRefused."""
    written = capitalize(name.strip())
    try:
        with transaction.atomic():
            row = User.objects.select_for_update().get(pk=user.pk)
            old = row.username
            if old != written:
                written = _rename(row, name, written, now, again=by_janitor)
                if not by_janitor:
                    _notify_janitors(user, old, written, now)
    except IntegrityError as error:
        raise refuse_taken(name, written, kind=Name.Kind.USER, user=user) from error
    user.username = written
    return written


def _rename(user: User, name: str, written: str, now: datetime, *, again: bool) -> str:
    had = Name.objects.filter(key=written.lower(), owner=user, kind=Name.Kind.USER).first()
    if had is None:
        written = check_name(name, kind=Name.Kind.USER)
    if not again and user.renamed_at is not None and user.renamed_at > now - ONCE_IN:
        raise AccountRefused("renamed_lately", day=date_format(user.renamed_at + ONCE_IN))
    if had is None:
        Name.objects.create(key=written.lower(), written=written, kind=Name.Kind.USER, owner=user, created_at=now)
    else:
        Name.objects.filter(pk=had.pk).update(written=written)
    User.objects.filter(pk=user.pk).update(username=written, renamed_at=now)
    return written


def _notify_janitors(user: User, old: str, new: str, now: datetime) -> None:
    for janitor in list_janitors():
        write_notice(
            key=f"user_renamed:{user.pk}:{now.isoformat()}:{janitor.pk}",
            user=janitor,
            kind="user_renamed",
            facts={"user": user.pk, "old": old, "new": new},
            now=now,
        )
