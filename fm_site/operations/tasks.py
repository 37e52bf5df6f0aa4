"""What beat wakes to watch over the site."""

from celery import shared_task
from django.utils import timezone

from fm_site.operations.services import watch_parts


@shared_task
def watch_parts_of_site() -> None:
    """Note that background work goes on, and whether everything else does."""
    watch_parts(now=timezone.now())
