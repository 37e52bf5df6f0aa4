"""Work in the background. Each task is a sweep over rows: it may run twice, late, or on several machines at once."""

from celery import shared_task
from django.utils import timezone

from accounts.selectors import is_clock_in_doubt
from accounts.services import forget_traces
from ladder.rating import KINDS
from ladder.services import count_merges, rate_battles, refresh_ladders, report_disagreements, watch_pairs

AT_A_TIME = 500


@shared_task  # type: ignore[untyped-decorator]
def sweep_unrated_battles() -> int:
    """Rate every battle that was counted since, and those that a correction or merged accounts touch; return how
    many."""
    count_merges()
    rated = 0
    for kind in KINDS:
        while taken := rate_battles(kind=kind, limit=AT_A_TIME):
            rated += taken
    return rated


@shared_task  # type: ignore[untyped-decorator]
def check_scores_nightly() -> int:
    """Look whether every score is the sum of its rows; the janitors are told of each row that is not. Return how many
    are not."""
    return report_disagreements(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def refresh_standings() -> int:
    """Put every ladder in order as of now; return how many places changed."""
    return refresh_ladders(now=timezone.now())


@shared_task  # type: ignore[untyped-decorator]
def watch_pairs_nightly() -> int:
    """Make the list of pairs that janitors may want to look at; return its length. Old traces are forgotten first."""
    now = timezone.now()
    if not is_clock_in_doubt(now=now):
        forget_traces(now=now)
    return watch_pairs(now=now)
