"""Background tasks. Each one is a sweep over rows: it may run twice, late, or on several machines at once."""

from time import monotonic

from celery import shared_task
from django.db.models import QuerySet
from django.utils import timezone

from duels.models import Battle
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.selectors.due import list_battles_to_retry, list_unresolved_battles
from duels.services.bot_orders import give_bot_orders
from duels.services.clocks.deadlines import find_last_forfeit
from duels.services.clocks.pauses import expire_wishes, meet_wishes
from duels.services.clocks.sweep import start_missing_clocks, sweep_absences, sweep_deadlines
from duels.services.resolve import resolve_turn
from duels.services.spectators import note_spectators
from duels.services.stuck_turns import remind_of_stuck_battles

AT_A_TIME = 100
# The length of one run of bots' answers; the rest is left to the next.
SECONDS_FOR_BOTS = 20


@shared_task
def sweep_unresolved_battles() -> int:
    """Resolve every complete stage that was left unresolved because a process died or the database failed."""
    return _resolve(list_unresolved_battles())


@shared_task
def retry_stuck_battles() -> int:
    """Retry battles that another release of the rules could not resolve. Each release tries each battle once."""
    return _resolve(list_battles_to_retry())


@shared_task(name="duels.tasks.remind_of_stuck_battles")
def run_stuck_reminders() -> int:
    """Remind the janitors of battles that are still stuck; return of how many."""
    return remind_of_stuck_battles(now=timezone.now())


@shared_task
def answer_for_bots() -> int:
    """Give the orders that bots owe; return how many. Runs when a turn opens, and by the schedule.

    It looks again after each sheet, so that a player who has just ordered comes before battles among bots.
    """
    given, end = 0, monotonic() + SECONDS_FOR_BOTS
    while monotonic() < end:
        due = list_sheets_due_from_bots(now=timezone.now(), limit=1)
        if not due:
            break
        given += give_bot_orders(sheet=due[0], now=timezone.now())
    return given


@shared_task(name="duels.tasks.sweep_deadlines")
def run_deadlines() -> int:
    """Send due reminders, alarms and final notices, and forfeit mages who are out of time (FM-SLOW-1)."""
    now = timezone.now()
    return sweep_deadlines(now=now, forfeit_until=find_last_forfeit(now=now))


@shared_task(name="duels.tasks.sweep_absences")
def run_absences() -> int:
    """Correct battles whose clocks do not match who is away, in case news of an absence was lost (FM-SLOW-7), drop
    requests for pauses that are too old, and meet those that nobody is against any more."""
    now = timezone.now()
    return expire_wishes(now=now) + sweep_absences(now=now) + meet_wishes(now=now)


@shared_task(name="duels.tasks.start_missing_clocks")
def run_missing_clocks() -> int:
    return start_missing_clocks(now=timezone.now())


@shared_task(name="duels.tasks.note_spectators")
def store_spectators() -> int:
    """Remember the most spectators of the running battles; return of how many it changed."""
    return note_spectators()


def _resolve(battles: QuerySet[Battle]) -> int:
    played = [resolve_turn(battle=battle, now=timezone.now()) for battle in battles.only("pk")[:AT_A_TIME]]
    return sum(each.outcome == "resolved" for each in played)
