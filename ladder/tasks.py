"""Background tasks: sweeps over rows, which may run twice, late, or on several machines at once."""

from celery import shared_task
from django.utils import timezone

from accounts.services.traces import forget_traces
from ladder.rating import KINDS
from ladder.services.janitor_reports import report_disagreements, watch_pairs
from ladder.services.rate_battles import rate_battles
from ladder.services.recount_merges import recount_merges
from ladder.services.refresh_ladders import refresh_ladders
from operations.selectors import is_clock_in_doubt

AT_A_TIME = 500


@shared_task
def sweep_unrated_battles() -> int:
    """Rate every new battle, and those affected by corrections or merged accounts; return how many."""
    recount_merges()
    rated = 0
    for kind in KINDS:
        while taken := rate_battles(kind=kind, limit=AT_A_TIME):
            rated += taken
    return rated


@shared_task
def check_scores_nightly() -> int:
    """Check that every score is the sum of its rows, and notify the janitors of rows that are wrong; return how
    many."""
    return report_disagreements(now=timezone.now())


@shared_task
def refresh_places() -> int:
    """Refresh every ladder; return how many places changed."""
    return refresh_ladders(now=timezone.now())


@shared_task
def watch_pairs_nightly() -> int:
    """Rebuild the list of pairs for the janitors; return its length. Old traces are deleted first."""
    now = timezone.now()
    if not is_clock_in_doubt(now=now):
        forget_traces(now=now)
    return watch_pairs(now=now)
