"""Reading reports, and who may handle them."""

from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Message, Sanction, User
from accounts.selectors.engagements import fought_by
from moderation.models import Report


def list_reports_by(user: User) -> QuerySet[Report]:
    """Return `user`'s reports, newest first."""
    return Report.objects.filter(reporter=user).select_related("about_user")


def list_reports_for(janitor: User, reports: QuerySet[Report]) -> QuerySet[Report]:
    """Return the `reports` that `janitor` may read and handle: not those about themselves or about a battle in which
    they have or had a mage, so that they do not learn who reported them, nor their own."""
    by_them = Q(reporter__isnull=False, reporter=janitor.pk)
    about_them = Q(about_user__isnull=False, about_user=janitor.pk)
    about_their_battle = Q(about_battle__isnull=False) & fought_by(janitor, "about_battle")
    return reports.exclude(by_them).exclude(about_them).exclude(about_their_battle)


def may_judge(janitor: User, report: Report) -> bool:
    return list_reports_for(janitor, Report.objects.filter(pk=report.pk)).exists()


def list_reported_messages(report: Report) -> QuerySet[Message]:
    """Return what the reporter and the reported user had written to each other when the report was made, the oldest
    first; nothing if it is not about their messages."""
    ends = (report.reporter_id, report.about_user_id)
    between = Message.objects.filter(writer__in=ends, reader__in=ends, pk__lte=report.messages_to or 0)
    return between.select_related("writer").order_by("pk")


def list_sanctions_over(*, now: datetime, limit: int) -> list[Sanction]:
    """Return the suspensions that are over but not closed yet, oldest first."""
    over = Sanction.objects.open().filter(ends_at__lte=now).select_related("user")
    return list(over.order_by("ends_at", "pk")[:limit])
