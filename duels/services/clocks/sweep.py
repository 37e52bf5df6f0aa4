"""The sweep over clocks: takes the steps that are due, unless the site has reason to doubt its own clocks or email."""

import datetime
from collections.abc import Iterable

import structlog
from django.db import transaction

from accounts.services.vacations import confirm_clock_update
from duels.models import Battle, ClockTrouble, OrderSheet
from duels.selectors.clocks import BattleClocks, ShownClock
from duels.selectors.due import (
    list_battles_due,
    list_battles_in_trouble,
    list_battles_waiting_for,
    list_battles_with_other_absences,
    list_battles_with_stops_due,
    list_battles_without_clocks,
    list_clock_updates_due,
)
from duels.selectors.live import list_live_battles_in_doubt
from duels.services.clocks.battle_clocks import return_clock
from duels.services.clocks.deadlines import find_last_forfeit, process_deadlines
from duels.services.clocks.outages import give_back_outages, make_gaps_good
from duels.services.lock import lock_battle
from duels.wakeups import wake_overdue_clocks
from operations.selectors import list_doubts

log = structlog.get_logger(__name__)

AT_A_TIME = 500
# How long a battle whose clocks failed waits before the next attempt: first, and at most.
FIRST_RETRY = datetime.timedelta(minutes=5)
LAST_RETRY = datetime.timedelta(hours=6)


def sweep_deadlines(
    *, now: datetime.datetime, limit: int = AT_A_TIME, forfeit_until: datetime.datetime | None = None
) -> int:
    """Send reminders, alarms and final notices due at `now`, and forfeit mages; return how many steps were taken.

    Reads only what is due, at most `limit` of each kind. Any number of workers can run this at once, and it can be
    interrupted anywhere: each battle is one transaction. The time of outages is given back first. Nothing else happens
    during maintenance, after a silence, or while outgoing email is stuck; and nothing in live battles while no page is
    served. `forfeit_until` is as in process_deadlines.
    """
    give_back_outages(now=now)
    make_gaps_good(now=now)
    updates = list_clock_updates_due(now=now, limit=limit)
    trouble = list_battles_in_trouble()
    troubled = [battle for battle, retry_at in trouble.items() if retry_at <= now][:limit]
    waiting = list_battles_waiting_for(each.user_id for each in updates) if updates else []
    besides = {*trouble, *list_live_battles_in_doubt(now=now)}
    stopped = list_battles_with_stops_due(now=now, limit=limit, besides=besides)
    due = list_battles_due(now=now, limit=limit, besides=besides)
    battles = dict.fromkeys([*troubled, *waiting, *stopped, *due])
    doubts = list_doubts(now) if battles or updates else ()
    if doubts:
        log.info("deadlines not processed while in doubt", doubts=doubts)
        return 0
    done = {battle: _process_safely(battle, now, forfeit_until) for battle in battles}
    if troubled:
        end_clock_trouble(battle_ids=[battle for battle in troubled if done[battle] is not None])
    for each in updates:
        confirm_clock_update(update=each, now=now)
    return sum(len(steps) for steps in done.values() if steps)


def hurry_overdue_clocks(*, clocks: Iterable[ShownClock], time: BattleClocks, now: datetime.datetime) -> None:
    """Have a worker sweep soon if a deadline that someone is looking at has passed: in a live battle, the time until
    the next sweep is long."""
    moments = (*(row.next_at for row in clocks if not row.stops), time.here_until)
    if any(moment is not None and moment <= now for moment in moments):
        wake_overdue_clocks()


def sweep_absences(*, now: datetime.datetime) -> int:
    """Correct battles whose clocks do not match who is away, in case a clock update was lost; return how many.

    Does nothing while the site has reason to doubt itself.
    """
    battles = list_battles_with_other_absences(now=now)
    if not battles or list_doubts(now):
        return 0
    for battle in battles:
        _process_safely(battle, now, find_last_forfeit(now=now))
    return len(battles)


def _process_safely(battle: int, now: datetime.datetime, forfeit_until: datetime.datetime | None) -> list[str] | None:
    """Return the steps taken in one battle, or None if that failed: one battle must not hold up the next."""
    try:
        return process_deadlines(battle_id=battle, now=now, forfeit_until=forfeit_until)
    except Exception as error:
        log.exception("deadlines not processed", battle=battle)
        postpone_after_error(battle_id=battle, error=error, now=now)
        return None


def start_missing_clocks(*, now: datetime.datetime) -> int:
    """Start missing clocks of mages the battle waits for; return in how many battles."""
    return sum(_start_missing_safely(battle, now) for battle in list_battles_without_clocks(limit=AT_A_TIME))


def _start_missing_safely(battle: Battle, now: datetime.datetime) -> bool:
    try:
        with transaction.atomic():
            locked = lock_battle(battle.pk)
            waiting = OrderSheet.objects.filter(
                stage__battle=locked, stage__closed_at=None, ready=False, combatant__deadline=None
            )
            for sheet in waiting.select_related("stage", "combatant__mage__user"):
                return_clock(battle=locked, sheet=sheet, now=now)
    except Exception:
        log.exception("clocks not started", battle=battle.pk)
        return False
    return True


def postpone_after_error(*, battle_id: int, error: Exception, now: datetime.datetime) -> None:
    """Postpone a battle for five minutes, then for twice as long each time, up to six hours. Janitors see it at their
    desk."""
    words = f"{type(error).__name__}: {error}"[:200]
    first = {"since": now, "retry_at": now + FIRST_RETRY, "error": words}
    row, is_new = ClockTrouble.objects.get_or_create(battle_id=battle_id, defaults=first)
    if not is_new and row.retry_at <= now:
        wait = min(FIRST_RETRY * 2 ** min(row.failures, 10), LAST_RETRY)
        seen = ClockTrouble.objects.filter(pk=row.pk, failures=row.failures)
        seen.update(failures=row.failures + 1, retry_at=now + wait, error=words)


def end_clock_trouble(*, battle_ids: Iterable[int]) -> int:
    """Note that the clocks of these battles work again; return how many had trouble."""
    return ClockTrouble.objects.filter(battle__in=list(battle_ids)).delete()[0]
