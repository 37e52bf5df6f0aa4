"""Writing notices, each exactly once, with their deliveries."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction

from notifications.covered_notices import find_pending_answer
from notifications.events import channel_of
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice
from notifications.selectors.notices import find_choices
from notifications.services.deliveries import wake_poster, wake_sender_on_commit
from notifications.services.freeze_mails import freeze_mail
from notifications.services.make_deliveries import make_mails, make_posts
from operations.database.prepared_insert import PreparedInsert
from operations.encryption import seal
from operations.wakeups import on_commit_once, wake_on_commit

_insert_notices = PreparedInsert(Notice)


def write_notice(
    *,
    key: str,
    user: AbstractBaseUser,
    kind: str,
    facts: Mapping[str, Any],
    now: datetime,
    secrets: Mapping[str, Any] | None = None,
    address: str = "",
    about: Collection[int] = (),
) -> Notice | None:
    """Write a notice with `facts` for `user`, once per `key`; return None if it already exists.

    An email becomes due if the user has a verified address and wants email of that kind. Kinds that name an address go
    to `address`, verified or not. `secrets` (codes, links) are stored encrypted until the email is sent. `about` are
    the ids of the users whose doing it is, for kinds that are news. Raises KeyError for a kind that is not in
    notifications.kinds.
    """
    sealed = seal(secrets) if secrets else ""
    notice = Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), sealed=sealed, created_at=now)
    return next(
        iter(_write([notice], address=address if KINDS[kind].names_address else "", about=about, now=now)), None
    )


def write_notices(
    *,
    kind: str,
    entries: Iterable[tuple[str, AbstractBaseUser, Mapping[str, Any]]],
    now: datetime,
    are_new: bool = False,
    about: Collection[int] = (),
) -> list[Notice]:
    """Write notices for several users at once, each with a key and facts; return the new ones. `about` is as for
    write_notice.

    With `are_new`, the caller guarantees that none of them exists and no other process can write them; if one does
    exist, this raises IntegrityError.
    """
    notices = [
        Notice(key=key, user=_as_saved(user), kind=kind, facts=dict(facts), created_at=now)
        for key, user, facts in entries
    ]
    if not notices:
        return []
    return _insert(notices, about=about, now=now) if are_new else _write(notices, about=about, now=now)


def _as_saved(user: AbstractBaseUser) -> Any:
    """Return the user for a foreign key; this app is below the model's and cannot name its type."""
    return user


def _write(notices: Sequence[Notice], *, now: datetime, address: str = "", about: Collection[int] = ()) -> list[Notice]:
    """Write the notices (all of one kind) with new keys, with their emails, and return them."""
    if not notices:
        return []
    try:
        with transaction.atomic():
            return _insert(notices, now=now, address=address, about=about)
    except IntegrityError:  # some are written already, or another worker was quicker
        keys = [notice.key for notice in notices]
        known = set(Notice.objects.filter(key__in=keys).values_list("key", flat=True))
        if not known:
            raise
        new = [notice for notice in notices if notice.key not in known]
        for notice in new:
            notice.pk = None
        return _write(new, now=now, address=address, about=about)


def _enter_into_news(notices: Sequence[Notice], about: Collection[int]) -> Sequence[Notice]:
    """Make the notices lines of their users' news, of those who want that and did not do it themselves; return those
    to be written."""
    kind = KINDS[notices[0].kind]
    wants = find_choices([notice.user_id for notice in notices], kind.page) if kind.page else {}
    for notice in notices:
        if wants.get(notice.user_id, "yes") == "yes" and notice.user_id not in about:
            notice.news, notice.is_unseen = kind.news, True
    return [notice for notice in notices if notice.news] if kind.is_only_news else notices


def _insert(
    notices: Sequence[Notice], *, now: datetime, address: str = "", about: Collection[int] = ()
) -> list[Notice]:
    kind = KINDS[notices[0].kind]
    if kind.news:
        notices = _enter_into_news(notices, about)
    _insert_notices(notices)
    if about:
        subjects = Notice.about.through
        subjects.objects.bulk_create(
            subjects(notice_id=notice.pk, user_id=other) for notice in notices if notice.news for other in about
        )
    if kind.is_only_news:
        return list(notices)
    pending = find_pending_answer()
    if pending is not None and notices[0].kind in pending.kinds:
        pending.notices += [notice for notice in notices if notice.user_id == pending.user]
    mails = [] if kind.posts else list(make_mails(notices, address=address, now=now))
    # An email of a list is composed when it leaves: it has no line that was removed until then, and however many
    # readers there are, writing their notices takes no longer.
    for mail in mails if not kind.is_list else ():
        freeze_mail(mail)
    posts = list(make_posts(notices, now))
    Delivery.objects.bulk_create([*mails, *posts])
    if any(mail.due_at <= now for mail in mails):
        wake_sender_on_commit()
    if posts:
        on_commit_once(wake_poster)
    for notice in notices:
        if kind.event:
            wake_on_commit(channel_of(notice.user_id))
    return list(notices)
