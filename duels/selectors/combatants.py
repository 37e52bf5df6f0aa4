"""The combatants of a battle."""

from collections.abc import Sequence

from django.db.models import Prefetch, prefetch_related_objects

from duels.models import Battle, Combatant


def read_combatants(battle: Battle) -> list[Combatant]:
    """Return the combatants by position, with their mages and users.

    They are read once for each Battle instance, until it is refreshed from the database: they never change.
    """
    whole = Combatant.objects.select_related("mage__user").order_by("position")
    prefetch_related_objects([battle], Prefetch("combatants", whole))
    return list(battle.combatants.all())


def remember_combatants(battle: Battle, combatants: Sequence[Combatant]) -> None:
    """Let `read_combatants` return these, read already: all of the battle, by position, with mages and users."""
    whole = Combatant.objects.filter(battle=battle).select_related("mage__user").order_by("position")
    whole._result_cache = list(combatants)  # as prefetch_related does
    battle.__dict__.setdefault("_prefetched_objects_cache", {})["combatants"] = whole
