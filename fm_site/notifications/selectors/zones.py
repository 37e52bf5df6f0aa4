"""Users' time zones."""

from zoneinfo import ZoneInfo

from django.contrib.auth.base_user import AbstractBaseUser

from fm_site.notifications.selectors.notices import preferences_of
from fm_site.operations.wording import UTC


def zone_of(user: object) -> ZoneInfo:
    """Return the time zone for this reader; UTC for a stranger."""
    if not isinstance(user, AbstractBaseUser):
        return UTC
    return ZoneInfo(preferences_of(user)["time_zone"])
