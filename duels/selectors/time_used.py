"""How much time the players of several league and cup duels have used."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from duels.models import Combatant
from duels.selectors.clocks import list_times_used
from ladder.stakes import EVENT_STAKES


def read_times_used(battle_numbers: Collection[int], now: datetime) -> dict[int, dict[str, timedelta]]:
    """Return for each of these battles the time that each mage's player has used by `now`, the running clock included,
    in the order of the battle; nothing for battles of neither a league nor a cup, in which no time is counted."""
    rows = Combatant.objects.filter(battle__number__in=battle_numbers, battle__terms__stakes__in=EVENT_STAKES)
    fighting = list(rows.select_related("battle", "mage", "deadline").order_by("battle__number", "position"))
    found: dict[int, dict[str, timedelta]] = defaultdict(dict)
    for each, used in zip(fighting, list_times_used(fighting), strict=True):
        found[each.battle.number][used.mage] = used.at(now)
    return dict(found)
