"""Who fights the next duel of a place in a league or cup."""

from django.db.models import F

from accounts.models import Mage
from league.models import Place


def find_fighter(place: Place) -> Mage | None:
    """Return the mage who fights the next duel of a place: the one it has, or if they are dead or retired, the user's
    most recently active one. None without a living mage."""
    if place.mage.is_alive and not place.mage.is_retired:
        return place.mage
    living = Mage.objects.filter(user=place.user_id, died_at=None).select_related("user")
    return living.order_by(F("retired_at").asc(nulls_first=True), "-last_active_at", "pk").first()
