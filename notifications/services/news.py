"""The lines of users' news: which have been seen, and which are no longer true."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser

from notifications.kinds import KINDS
from notifications.models import Notice


def mark_news_seen(*, user: AbstractBaseUser, lines: Iterable[int] | None = None) -> int:
    """Note that the user has seen these lines (their ids) of their news, by default all; return how many were new."""
    unseen = Notice.objects.filter(user=user.pk, is_unseen=True)
    if lines is not None:
        unseen = unseen.filter(pk__in=list(lines))
    return unseen.update(is_unseen=False)


def hide_news(*, kinds: Collection[str], start: str) -> None:
    """Take the notices of these kinds whose key begins with `start` out of the news: they are no longer true."""
    Notice.objects.filter(kind__in=kinds, key__startswith=start).update(news="", is_unseen=False)


def show_news_again(*, kinds: Iterable[str], start: str, written_at: datetime) -> None:
    """Put those that were written at this moment back into the news: they are true again."""
    for kind in kinds:
        again = Notice.objects.filter(kind=kind, key__startswith=start, created_at=written_at)
        again.update(news=KINDS[kind].news)
