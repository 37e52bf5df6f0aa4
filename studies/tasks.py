"""Background tasks of studies: a sweep over rows, which may run twice, late, or on several machines at once."""

from time import monotonic

from celery import shared_task
from django.utils import timezone

from operations.workers import wake_worker
from studies.services.analyses import TASK, analyse_next_turn

# The length of one run: the bots, who may share the worker, answer in between.
SECONDS_AT_ONCE = 2


@shared_task
def analyse_battles() -> int:
    """Analyse turns of requested analyses; return how many. Wakes itself while there are more."""
    done, end = 0, monotonic() + SECONDS_AT_ONCE
    while monotonic() < end:
        if not analyse_next_turn(now=timezone.now()):
            return done
        done += 1
    wake_worker(TASK)
    return done
