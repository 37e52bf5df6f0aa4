"""What beat wakes: signs of life, and sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task
from django.utils import timezone

from accounts.selectors import read_house_state
from accounts.services import sweep_absent_users as judge_absent_users
from accounts.services import sweep_sanctions as end_sanctions
from accounts.services import sweep_vacations as close_vacations
from accounts.services import tell_announcements, watch_house
from accounts.sweeping import sweep_in_batches


@shared_task
def watch_over_house() -> None:
    """Note that background work goes on, and whether everything else does."""
    watch_house(now=timezone.now())


@shared_task
def sweep_announcements() -> int:
    """Write the notices of what janitors announce; while the house is closed that waits."""
    now = timezone.now()
    return 0 if read_house_state(now).is_closed else sweep_in_batches(tell_announcements)


@shared_task
def sweep_absent_users() -> int:
    """Warn and close users who stay away without a mage, guests and sign-ups that came to nothing."""
    return sweep_in_batches(judge_absent_users)


@shared_task
def sweep_vacations() -> int:
    """Welcome those back whose vacation is over."""
    return sweep_in_batches(close_vacations)


@shared_task
def sweep_sanctions() -> int:
    """End the suspensions whose time is over."""
    return sweep_in_batches(end_sanctions)
