"""Where readers live, as far as their clocks go."""

from zoneinfo import ZoneInfo

from accounts.models import Preference, User
from accounts.preferences import PREFERENCES

UTC = ZoneInfo("UTC")


def zone_of(user: object) -> ZoneInfo:
    """Return the time zone in which this reader is told of moments; UTC for a stranger."""
    if not isinstance(user, User):
        return UTC
    chosen = Preference.objects.filter(user=user, key="time_zone").values_list("value", flat=True).first()
    return ZoneInfo(chosen or PREFERENCES["time_zone"].default)
