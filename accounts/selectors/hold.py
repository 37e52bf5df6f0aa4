"""Reading what holds a user."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings

from accounts.models import AccountWarning, Sanction, User
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
            return f"A janitor has warned you: {texts} Acknowledge the warning to continue."
        end = self.sanction.ends_at
        until = f"until {write_moment(end, self.zone)}" if end else "until further notice"
        return f'You are suspended {until}: "{self.sanction.reason}" To appeal, write to {self.appeal}.'


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
