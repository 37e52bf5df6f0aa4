"""A user's news."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Block, Sanction
from notifications.models import Notice


def list_news(user: int, *, part: str = "") -> QuerySet[Notice]:
    """Return the news of `user` (their id), or one part of it, the newest first, without the doings of users whom they
    block, who block them, or who are suspended."""
    mine = list_all_news(user)
    if part:
        mine = mine.filter(news=part)
    return mine.filter(~_is_silent(user)).order_by("-created_at", "-pk")


def list_news_page(user: int, *, part: str = "", before: int | None = None, most: int) -> tuple[list[Notice], bool]:
    """Return `most` lines of the news of `user` (their id), or of one part of it, and whether there are older ones.
    They are the newest, or those before the line `before`, if that is in their news."""
    found = list_news(user, part=part)
    if before is not None:
        last = list_news(user).filter(pk=before).values_list("created_at", flat=True).first()
        if last is not None:
            found = found.filter(created_at__lte=last).exclude(created_at=last, pk__gte=before)
    rows = list(found[: most + 1])
    return rows[:most], len(rows) > most


def count_unseen_news(user: int) -> Coalesce:
    """Return the number of lines of news that `user` (their id) has not seen, as a part of a query."""
    unseen = Notice.objects.filter(~_is_silent(user), user=user, is_unseen=True)
    return Coalesce(Subquery(unseen.order_by().values("user").annotate(lines=Count("pk")).values("lines")), 0)


def _is_silent(user: int) -> Exists:
    """Whether a notice is about someone of whom `user` is told nothing."""
    apart = Block.objects.filter(Q(user=user, blocked=OuterRef("user")) | Q(user=OuterRef("user"), blocked=user))
    suspended = Sanction.objects.open().filter(user=OuterRef("user"))
    subjects = Notice.about.through.objects.filter(notice=OuterRef("pk"))
    return Exists(subjects.filter(Exists(apart) | Exists(suspended)))


def list_all_news(user: int) -> QuerySet[Notice]:
    """Return the news of `user` (their id), also about users of whom they are told nothing."""
    return Notice.objects.filter(user=user).exclude(news="")
