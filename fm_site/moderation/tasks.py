"""What beat wakes for the janitors."""

from celery import shared_task

from fm_site.moderation.services import sweep_sanctions as end_sanctions
from fm_site.operations.sweeping import sweep_in_batches


@shared_task
def sweep_sanctions() -> int:
    """End the suspensions whose time is over."""
    return sweep_in_batches(end_sanctions)
