"""Reading reports, and what keeps a user from going on."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import AccountWarning, Engagement, Report, Sanction, User
from accounts.moments import write_moment
from accounts.selectors.zones import UTC, zone_of


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


def list_reports_for(janitor: User) -> QuerySet[Report]:
    """Return the reports that `janitor` may read: neither one about him, nor one about a battle that goes on and in
    which he has a mage."""
    mine = Engagement.objects.filter(mage__user=janitor, kind=Engagement.Kind.BATTLE).values("number")
    return Report.objects.exclude(about_user=janitor).exclude(about_battle__in=mine)


def list_janitors() -> list[User]:
    """Return the users who look after the house."""
    return list(User.objects.filter(is_staff=True, is_active=True).order_by("pk"))


def list_janitors_for(report: Report) -> list[User]:
    """Return the janitors who may read a report."""
    there = Engagement.objects.filter(kind=Engagement.Kind.BATTLE, number=report.about_battle)
    concerned = {report.about_user_id, *there.values_list("mage__user", flat=True)}
    return [each for each in list_janitors() if each.pk not in concerned]


def list_sanctions_over(*, now: datetime, limit: int) -> list[Sanction]:
    """Return the suspensions whose time is over and whose users have not been told, the oldest first."""
    over = Sanction.objects.filter(lifted_at=None, expired_at=None, ends_at__lte=now).select_related("user")
    return list(over.order_by("ends_at", "pk")[:limit])
