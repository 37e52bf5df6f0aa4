"""Scheduled tasks: sweeps over rows, which may run late, twice, or on several machines."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from accounts.post_events import post_due_event
from accounts.push_messages import push_due_notice
from accounts.services.absence import sweep_absent_users as judge_absent_users
from accounts.services.absence import sweep_vacations as close_vacations
from fm_site.operations.sweeping import sweep_in_batches

# How long one sweep runs; the next one comes after at most 15 seconds.
POSTING_SECONDS = 30


@shared_task
def sweep_absent_users() -> int:
    """Warn and close absent users without a mage, guests, and unconfirmed sign-ups."""
    return sweep_in_batches(judge_absent_users)


@shared_task
def sweep_vacations() -> int:
    """Close the vacations that are over."""
    return sweep_in_batches(close_vacations)


@shared_task
def post_events() -> None:
    """Send due notifications to push services and due events to webhooks; each is claimed when its turn comes."""
    end = monotonic() + POSTING_SECONDS
    while monotonic() < end:
        # Alternate between the two: a slow webhook must not hold up other users' devices.
        pushed = push_due_notice(now=timezone.now())
        if not post_due_event(now=timezone.now()) and not pushed:
            return
