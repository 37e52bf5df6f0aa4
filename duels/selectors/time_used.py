"""How much time the players of league and cup duels have used, the clocks that run now included.

A clock tells nothing of sealed orders: it stops when they are ready, which everyone sees, and not when they change.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from duels.models import Combatant, Deadline, OrderSheet
from ladder.stakes import EVENT_STAKES


def read_times_used(battle_numbers: Collection[int], now: datetime) -> dict[int, dict[str, timedelta]]:
    """Return for each of these battles the time that each mage's player has used by `now`, in the order of the battle;
    nothing for battles of neither a league nor a cup, in which no time is counted."""
    rows = Combatant.objects.filter(battle__number__in=battle_numbers, battle__terms__stakes__in=EVENT_STAKES)
    ready = OrderSheet.objects.filter(
        stage__closed_at=None, ready=True, combatant__in=rows.values("pk"), clock__isnull=False
    )
    readings = {sheet.combatant_id: timedelta(seconds=sheet.clock["used"]) for sheet in ready if sheet.clock}
    found: dict[int, dict[str, timedelta]] = defaultdict(dict)
    for each in rows.select_related("battle", "mage", "deadline").order_by("battle__number", "position"):
        running: Deadline | None = getattr(each, "deadline", None)
        current = running.clock.used_at(now) if running else readings.get(each.pk, timedelta(0))
        found[each.battle.number][each.mage.name] = each.time_used + current
    return dict(found)
