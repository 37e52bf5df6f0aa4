"""Scheduled tasks: sweeps over rows, which may run late, twice, or on several machines."""

from celery import shared_task

from accounts.services import sweep_absent_users as judge_absent_users
from accounts.services import sweep_vacations as close_vacations
from fm_site.operations.sweeping import sweep_in_batches


@shared_task
def sweep_absent_users() -> int:
    """Warn and close absent users without a mage, guests, and unconfirmed sign-ups."""
    return sweep_in_batches(judge_absent_users)


@shared_task
def sweep_vacations() -> int:
    """Close the vacations that are over."""
    return sweep_in_batches(close_vacations)
