"""Reading a user's warnings and suspension."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import AccountWarning, Sanction, User
from notifications.selectors.notices import zone_of
from operations.text.dates import UTC, write_moment


@dataclass(frozen=True)
class Hold:
    """What restricts a user: warnings they have not acknowledged, and a suspension."""

    warnings: tuple[AccountWarning, ...]
    sanction: Sanction | None
    appeal: str
    zone: ZoneInfo = UTC

    def say(self) -> str:
        """Return why the user is restricted, as plain sentences."""
        if self.sanction is None:
            sentences = [_("A janitor has warned you.")]
            sentences += [_("“%(text)s”") % {"text": warning.text} for warning in self.warnings]
            return " ".join([*sentences, _("Acknowledge the warning to continue.")])
        end = self.sanction.ends_at
        facts = {"reason": self.sanction.reason, "appeal": self.appeal}
        if end is None:
            return _("You are suspended until further notice: “%(reason)s” To appeal, write to %(appeal)s.") % facts
        facts["until"] = write_moment(end, self.zone)
        return _("You are suspended until %(until)s: “%(reason)s” To appeal, write to %(appeal)s.") % facts


def read_hold(user: User, now: datetime) -> Hold | None:
    """Return what restricts `user` at `now`, or None. Needs no query for users who are not marked (User.is_held)."""
    if not user.is_held:
        return None
    warnings = AccountWarning.objects.filter(user=user, acknowledged_at=None, withdrawn_at=None).order_by("pk")
    current = Sanction.objects.lasting(now).filter(user=user).first()
    unread = tuple(warnings)
    return Hold(unread, current, appeal_address(), zone_of(user)) if unread or current else None


def is_suspended(user: User, now: datetime) -> bool:
    return Sanction.objects.lasting(now).filter(user=user).exists()


def list_suspended() -> "QuerySet[Sanction, int]":
    """Return the ids of the suspended users, for lists: someone may be missing from one until they are notified of the
    end of their suspension."""
    suspended: QuerySet[Sanction, int] = Sanction.objects.open().values_list("user_id", flat=True)
    return suspended


def appeal_address() -> str:
    return f"postmaster@{settings.FM_MAIL_DOMAIN}"
