"""The combatants of a battle."""

from django.db.models import Prefetch, prefetch_related_objects

from duels.models import Battle, Combatant


def read_combatants(battle: Battle) -> list[Combatant]:
    """Return the combatants by position, with their mages and users.

    They are read once for each Battle instance, until it is refreshed from the database: they never change.
    """
    whole = Combatant.objects.select_related("mage__user").order_by("position")
    prefetch_related_objects([battle], Prefetch("combatants", whole))
    return list(battle.combatants.all())
