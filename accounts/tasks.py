"""What beat wakes: sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task

from accounts.services import sweep_absent_users as judge_absent_users
from accounts.services import sweep_vacations as close_vacations
from fm_site.operations.sweeping import sweep_in_batches


@shared_task
def sweep_absent_users() -> int:
    """Warn and close users who stay away without a mage, guests and sign-ups that came to nothing."""
    return sweep_in_batches(judge_absent_users)


@shared_task
def sweep_vacations() -> int:
    """Welcome those back whose vacation is over."""
    return sweep_in_batches(close_vacations)
