"""Who fights in a battle."""

from django.db.models import Prefetch, prefetch_related_objects

from duels.models import Battle, Combatant


def read_combatants(battle: Battle) -> list[Combatant]:
    """Return who fights, by position, each with his mage and user. They are read once for a battle in hand, as long as
    it is not refreshed from the database: who fights in it never changes."""
    whole = Combatant.objects.select_related("mage__user").order_by("position")
    prefetch_related_objects([battle], Prefetch("combatants", whole))
    return list(battle.combatants.all())
