"""Adding finished battles to the records of the ladder."""

import datetime

import structlog

from duels.models import Battle
from ladder.services.count_battles import count_battle, forget_all_counts, uncount_battle
from ladder.services.count_requests import ask_for_count, postpone_count
from studies.selectors.ladder_facts import read_battle_facts

log = structlog.get_logger(__name__)


def record_battle(*, number: int, times: int, now: datetime.datetime) -> bool:
    """Add battle `number` to the records as its rows now are, or remove it; return whether the records changed.

    `times` is that of its CountDue row. A battle that cannot be read is postponed, never lost.
    """
    battle = Battle.objects.filter(number=number).first()
    try:
        facts = read_battle_facts(battle) if battle else None
    except Exception:
        log.exception("battle cannot be counted", battle=number)
        postpone_count(battle=number, now=now)
        return False
    if facts is None:
        return uncount_battle(number=number, times=times)
    return count_battle(facts=facts, times=times)


def ask_for_all_counts() -> int:
    """Clear the records and queue every finished battle to be counted again; return how many."""
    forget_all_counts()
    numbers = list(Battle.objects.filter(finished_at__isnull=False).order_by("number").values_list("number", flat=True))
    for number in numbers:
        ask_for_count(battle=number)
    return len(numbers)
