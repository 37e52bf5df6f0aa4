"""Reading reports, and who may judge them."""

from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Sanction, User
from accounts.selectors.engagements import fought_by
from fm_site.moderation.models import Report


def list_reports_by(user: User) -> QuerySet[Report]:
    """Return what `user` has reported, the newest first."""
    return Report.objects.filter(reporter=user).select_related("about_user")


def list_reports_for(janitor: User, reports: QuerySet[Report]) -> QuerySet[Report]:
    """Return those of `reports` that he may read and judge: nobody judges what is about himself, or about a battle in
    which he has or had a mage, and who is reported does not learn by whom."""
    about_him = Q(about_user__isnull=False, about_user=janitor.pk)
    about_his_battle = Q(about_battle__isnull=False) & fought_by(janitor, "about_battle")
    return reports.exclude(about_him).exclude(about_his_battle)


def may_judge(janitor: User, report: Report) -> bool:
    """Say whether the report is one that he may read and judge."""
    return list_reports_for(janitor, Report.objects.filter(pk=report.pk)).exists()


def list_sanctions_over(*, now: datetime, limit: int) -> list[Sanction]:
    """Return the suspensions whose time is over and whose users have not been told, the oldest first."""
    over = Sanction.objects.filter(lifted_at=None, expired_at=None, ends_at__lte=now).select_related("user")
    return list(over.order_by("ends_at", "pk")[:limit])
