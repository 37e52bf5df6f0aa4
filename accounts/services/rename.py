"""Renaming users (FM-ORDUSR-3)."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from accounts.errors import RenamedLately
from accounts.models import Name, User
from accounts.names import capitalize, check_name, refuse_taken
from fm_site.notifications.services.outbox import write_notice

ONCE_IN = timedelta(days=30)


def rename_user(*, user: User, name: str, now: datetime, again: bool = False) -> str:
    """Rename `user` and return the new name as it is written. The user keeps everything, including the old name, and
    may return to an earlier name. Janitors are notified. `again` allows it however recent the last change was. Raises
    InvalidName, NameTaken, RenamedLately."""
    written = capitalize(name.strip())
    try:
        with transaction.atomic():
            old = User.objects.select_for_update().get(pk=user.pk).username
            had = Name.objects.filter(key=written.lower(), owner=user, kind=Name.Kind.USER).first()
            if had is None:
                written = check_name(name, kind=Name.Kind.USER)
                if not again:
                    _refuse_if_lately(user, now)
            if had is None:
                Name.objects.create(
                    key=written.lower(), written=written, kind=Name.Kind.USER, owner=user, created_at=now
                )
            else:
                Name.objects.filter(pk=had.pk).update(written=written)
            User.objects.filter(pk=user.pk).update(username=written)
            _notify_janitors(user, old, written, now)
    except IntegrityError as error:
        raise refuse_taken(name, written, kind=Name.Kind.USER, user=user) from error
    user.username = written
    return written


def _refuse_if_lately(user: User, now: datetime) -> None:
    names = list(Name.objects.filter(owner=user, kind=Name.Kind.USER).order_by("created_at", "pk"))
    if len(names) > 1 and names[-1].created_at > now - ONCE_IN:
        raise RenamedLately(names[-1].created_at + ONCE_IN)


def _notify_janitors(user: User, old: str, new: str, now: datetime) -> None:
    for janitor in User.objects.filter(is_staff=True, is_active=True).order_by("pk"):
        write_notice(
            key=f"user_renamed:{user.pk}:{now.isoformat()}:{janitor.pk}",
            user=janitor,
            kind="user_renamed",
            facts={"user": user.pk, "old": old, "new": new},
            now=now,
        )
