"""Reading reports, and what keeps a user from going on."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Q, QuerySet

from accounts.models import AccountWarning, Report, Sanction, User
from accounts.selectors.engagements import fought_by
from fm_site.notifications.selectors.zones import zone_of
from fm_site.operations.moments import UTC, write_moment


@dataclass(frozen=True)
class Hold:
    """What keeps a user from going on: warnings that he has not acknowledged, and a suspension."""

    warnings: tuple[AccountWarning, ...]
    sanction: Sanction | None
    appeal: str
    zone: ZoneInfo = UTC

    def say(self) -> str:
        """Return why he cannot go on, in sentences that need no page."""
        if self.sanction is None:
            texts = " ".join(f'"{warning.text}"' for warning in self.warnings)
            return f"A janitor has warned you: {texts} Acknowledge that before you go on."
        end = self.sanction.ends_at
        until = f"until {write_moment(end, self.zone)}" if end else "until further notice"
        return f'You are suspended {until}: "{self.sanction.reason}" You may write to {self.appeal}.'


def read_hold(user: User, now: datetime) -> Hold | None:
    """Return what keeps `user` from going on at `now`, or None. Costs nothing for who is not marked (User.is_held)."""
    if not user.is_held:
        return None
    warnings = AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None).order_by("pk")
    sanction = Sanction.objects.filter(user=user, lifted_at=None, expired_at=None).first()
    current = sanction if sanction and sanction.lasts_at(now) else None
    found = tuple(warnings)
    return Hold(found, current, appeal_address(), zone_of(user)) if found or current else None


def appeal_address() -> str:
    """Return the address at which a janitor reads what a suspended user writes."""
    return f"postmaster@{settings.FM_MAIL_DOMAIN}"


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
