"""Background tasks of leagues and cups: sweeps over rows, which may run twice, late, or on several machines at once."""

from celery import shared_task
from django.utils import timezone

from league.services.run import process_league
from league.services.run_cups import process_cups
from operations.selectors import is_clock_in_doubt


@shared_task
def run_league() -> int:
    """Draw, begin and end what is due in the league; return how much that was. A clock that may be wrong begins and
    ends nothing."""
    now = timezone.now()
    return 0 if is_clock_in_doubt(now=now) else process_league(now=now)


@shared_task
def run_cups() -> int:
    """Make the next cups, and begin, lead on and end those that are due; return how many changed. A clock that may be
    wrong begins and ends nothing."""
    now = timezone.now()
    return 0 if is_clock_in_doubt(now=now) else process_cups(now=now)
