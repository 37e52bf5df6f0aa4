"""The sweep over clocks: it does what is due, and nothing while the house is in doubt about itself."""

import datetime

import structlog
from django.db import transaction

from accounts.selectors import list_doubts
from duels.models import Battle, OrderSheet
from duels.selectors.due import (
    list_battles_due,
    list_battles_with_absences,
    list_battles_with_news_of_absence,
    list_battles_without_clocks,
)
from duels.services.clocks.lapsing import lapse_deadlines
from duels.services.clocks.outages import give_back_outages
from duels.services.clocks.running import return_clock
from duels.services.locking import lock_battle

log = structlog.get_logger(__name__)

AT_A_TIME = 500


def sweep_deadlines(*, now: datetime.datetime, limit: int = AT_A_TIME) -> int:
    """Remind, alarm, notify and forfeit whoever is due at `now`; return how many steps were taken.

    May be run by any number of workers at once and killed anywhere: each battle is one transaction. The time of outages
    is given back first. While the house is closed, was silent, or its mail is stuck, nothing else is done.
    """
    give_back_outages(now=now)
    away = list_battles_with_news_of_absence(now=now)
    due = list_battles_due(now=now, limit=limit)
    doubts = list_doubts(now) if away or due else ()
    if doubts:
        log.info("deadlines wait", doubts=doubts)
        return 0
    return sum(len(_lapse(battle, now)) for battle in dict.fromkeys([*away, *due]))


def sweep_absences(*, now: datetime.datetime) -> int:
    """Look after battles in which an absence simply goes on, so that the others hear when it is long (FM-SLOW-7).

    A clock that stands still is never due by itself. Does nothing while the house is in doubt; returns how many battles
    it looked at.
    """
    battles = list_battles_with_absences()
    if not battles or list_doubts(now):
        return 0
    for battle in battles:
        _lapse(battle, now)
    return len(battles)


def _lapse(battle: int, now: datetime.datetime) -> list[str]:
    """One battle's trouble is not the next one's; the row stays due, and the next sweep finds it."""
    try:
        return lapse_deadlines(battle_id=battle, now=now)
    except Exception:
        log.exception("deadline not looked after yet", battle=battle)
        return []


def start_missing_clocks(*, now: datetime.datetime, limit: int = AT_A_TIME) -> int:
    """Start the clocks of mages who are waited for and have none; return in how many battles."""
    return sum(_start_missing_of(battle, now) for battle in list_battles_without_clocks(limit=limit))


def _start_missing_of(battle: Battle, now: datetime.datetime) -> bool:
    try:
        _start_missing(battle, now)
    except Exception:
        log.exception("clocks not started yet", battle=battle.pk)
        return False
    return True


def _start_missing(battle: Battle, now: datetime.datetime) -> None:
    with transaction.atomic():
        locked = lock_battle(battle.pk)
        waiting = OrderSheet.objects.filter(
            stage__battle=locked, stage__closed_at=None, ready=False, combatant__deadline=None
        )
        for sheet in waiting.select_related("stage", "combatant__mage__user"):
            return_clock(battle=locked, sheet=sheet, now=now)
