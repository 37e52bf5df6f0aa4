"""Scheduled tasks that notify users."""

from celery import shared_task
from django.utils import timezone

from notifications.services.announcements import notify_of_announcements
from operations.selectors import read_site_state
from operations.sweeps import sweep_in_batches


@shared_task
def sweep_announcements() -> int:
    """Write notices of announcements, except during maintenance."""
    now = timezone.now()
    return 0 if read_site_state(now).is_closed else sweep_in_batches(notify_of_announcements)
