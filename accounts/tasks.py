"""Scheduled tasks: sweeps over rows, which may run late, twice, or on several machines."""

from threading import BoundedSemaphore, Event
from time import monotonic

from celery import shared_task
from django.utils import timezone

from accounts.post_events import post_due_event
from accounts.push_messages import push_due_notice
from accounts.services.absence import sweep_absent_users as judge_absent_users
from accounts.services.absence import sweep_vacations as close_vacations
from notifications.services.deliveries import wake_poster
from notifications.services.hooks import switch_off_paused_hooks
from operations.sweeps import sweep_in_batches

# How long one run lasts; then it has the next one begin, behind the tasks that wait.
POSTING_SECONDS = 30
# How many threads of a worker wait for hooks and push services at once: the others are for emails and deadlines.
MOST_POSTING = 2
_posting = BoundedSemaphore(MOST_POSTING)
# Set by a wake-up that finds all of them at work: one of them then looks again.
_is_wanted = Event()


@shared_task
def sweep_absent_users() -> int:
    """Warn and close absent users without a mage, guests, and unconfirmed sign-ups."""
    return sweep_in_batches(judge_absent_users)


@shared_task
def sweep_vacations() -> int:
    return sweep_in_batches(close_vacations)


@shared_task
def post_events() -> None:
    """Send due notifications to push services and due messages to hooks; each is claimed when its turn comes."""
    _is_wanted.set()
    while _is_wanted.is_set() and _posting.acquire(blocking=False):
        try:
            _is_wanted.clear()
            is_done = _post_all_due()
        finally:
            _posting.release()
        if not is_done:
            wake_poster()
            return


def _post_all_due() -> bool:
    """Return whether nothing is due any more; False if the time was not enough."""
    end = monotonic() + POSTING_SECONDS
    switch_off_paused_hooks(now=timezone.now())
    while monotonic() < end:
        # Alternate between the two: a slow hook must not hold up other users' devices.
        pushed = push_due_notice(now=timezone.now())
        if not post_due_event(now=timezone.now()) and not pushed:
            return True
    return False
