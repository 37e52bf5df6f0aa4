"""Janitors' announcements."""

from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from notifications.errors import NotificationRefused
from notifications.hook_events import LINES
from notifications.services.news import hide_news
from notifications.services.open_hooks import tell_open_hooks
from notifications.services.outbox import write_notices
from operations.banner import forget_banner_on_commit
from operations.models import Announcement
from operations.text.invisible_characters import mark_hidden

AT_ONCE = 200
KINDS_OF_NEWS = ("site_news", "site_line")


def announce(*, by: AbstractBaseUser, text: str, until: datetime, is_mailed: bool, now: datetime) -> Announcement:
    """Show `text` on every page until `until` and in users' news, and if `is_mailed`, email it to those who want it.
    Sending it twice makes one announcement. Raises NotificationRefused."""
    problems = [] if text.strip() else [NotificationRefused("no_text")]
    problems += [] if until > now else [NotificationRefused("past_end")]
    if problems:
        raise NotificationRefused.together(problems)
    text = mark_hidden(text.strip())
    with transaction.atomic():
        get_user_model().objects.select_for_update().get(pk=by.pk)
        same = Announcement.objects.filter(text=text, until=until, is_mailed=is_mailed, withdrawn_at=None).first()
        if same is not None:
            return same
        announcement = Announcement.objects.create(
            text=text,
            written_by_id=by.pk,
            starts_at=now,
            until=until,
            is_mailed=is_mailed,
            notified_upto=0,
        )
        tell_open_hooks(
            kind="open_line",
            event=LINES,
            key=f"announcement/{announcement.pk}",
            facts={"announcement": announcement.pk},
            of_site=True,
            now=now,
        )
        forget_banner_on_commit()
    return announcement


def withdraw_announcement(*, announcement: Announcement, now: datetime) -> bool:
    """Remove an announcement from the pages and stop emailing it; return whether it was still active."""
    with transaction.atomic():
        active = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None)
        withdrawn = active.update(withdrawn_at=now, notified_upto=None)
        hide_news(kinds=KINDS_OF_NEWS, start=f"site_news:{announcement.pk}:")
        forget_banner_on_commit()
    return withdrawn == 1


def notify_of_announcements(*, now: datetime, limit: int = AT_ONCE) -> int:
    """Write notices of new announcements, for up to `limit` users of each; return how many."""
    return sum(_notify_users(row, limit, now) for row in Announcement.objects.filter(notified_upto__isnull=False))


def _notify_users(announcement: Announcement, limit: int, now: datetime) -> int:
    """Write one batch, claimed by the last user's id, so that only one of two workers writes it."""
    last = announcement.notified_upto
    users = list(get_user_model().objects.filter(pk__gt=last, is_active=True, is_guest=False).order_by("pk")[:limit])
    with transaction.atomic():
        mine = Announcement.objects.filter(pk=announcement.pk, notified_upto=last)
        if not mine.update(notified_upto=users[-1].pk if users else None):
            return 0
        facts = {"announcement": announcement.pk, "text": announcement.text}
        write_notices(
            kind="site_news" if announcement.is_mailed else "site_line",
            entries=[(f"site_news:{announcement.pk}:{user.pk}", user, facts) for user in users],
            now=now,
        )
    return len(users)
