"""Scheduled tasks that watch the site."""

from celery import shared_task
from django.utils import timezone

from operations.services.outages import watch_parts


@shared_task
def watch_parts_of_site() -> None:
    """Record a heartbeat, and check the other parts."""
    watch_parts(now=timezone.now())
