"""What beat wakes: signs of life, and sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task
from django.utils import timezone

from accounts.selectors import read_house_state
from accounts.services import tell_announcements, watch_house


@shared_task
def watch_over_house() -> None:
    """Note that background work goes on, and whether everything else does."""
    watch_house(now=timezone.now())


@shared_task
def sweep_announcements() -> int:
    """Write the notices of what janitors announce; while the house is closed that waits."""
    now = timezone.now()
    return 0 if read_house_state(now).is_closed else tell_announcements(now=now)
