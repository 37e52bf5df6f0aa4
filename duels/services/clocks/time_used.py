"""Counting the time that players have used in the duels of leagues and cups, and their late turns."""

from collections import defaultdict
from datetime import timedelta
from typing import Any

from duels.models import Battle, Combatant, Deadline, MissedTurn, OrderSheet
from duels.terms import read_stakes
from ladder.stakes import STAKES


def counts_time(battle: Battle) -> bool:
    """Return whether the players' time is counted: in duels of leagues and cups."""
    return STAKES[read_stakes(battle.terms)].is_event


def count_times_used(battle: Battle) -> None:
    """Store for each mage of a duel of a league or cup how much time they have used and how many of their turns were
    late. Must run under the battle's lock, and can run any number of times.

    Both follow from what is stored: the clocks' readings of all stages that are over, and the missed turns. Turns taken
    back and missed turns that are excused don't count.
    """
    if not counts_time(battle):
        return
    used: dict[int, timedelta] = defaultdict(timedelta)
    counting = OrderSheet.objects.filter(stage__battle=battle, stage__turn__taken_back_by=None)
    closed = counting.filter(stage__closed_at__isnull=False, clock__isnull=False)
    for sheet in closed.only("combatant", "clock"):
        used[sheet.combatant_id] += timedelta(seconds=sheet.clock["used"] if sheet.clock else 0)
    late: dict[int, set[int]] = defaultdict(set)
    missed = MissedTurn.objects.filter(combatant__battle=battle, stage__turn__taken_back_by=None, excused_at=None)
    for combatant, seq in missed.values_list("combatant", "stage__turn__seq"):
        late[combatant].add(seq)
    for each in Combatant.objects.filter(battle=battle):
        count = used[each.pk], len(late[each.pk])
        if count != (each.time_used, each.late_turns):
            Combatant.objects.filter(pk=each.pk).update(time_used=count[0], late_turns=count[1])


def write_reading(row: Deadline, used: timedelta) -> dict[str, Any]:
    """Return the reading of a clock as a sheet stores it, when `used` is used up."""
    return {
        "allowed": row.allowed.total_seconds(),
        "grace": row.grace.total_seconds(),
        "used": used.total_seconds(),
        "rest": row.rest,
        "step": row.step,
        "reminders": row.reminders,
        "extensions": row.extensions,
    }
