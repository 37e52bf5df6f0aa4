"""Whether a player is coached: in their first duel, unless they have closed the coach."""

from duels.models import Combatant
from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import MaybeUser
from notifications.selectors.notices import preferences_of


def wants_coach(view: BattleView, user: MaybeUser) -> bool:
    """Return whether this is the first duel of the user, and they want its coach."""
    if not view.terms.lesson or view.own is None or view.over or user is None or not user.is_authenticated:
        return False
    if preferences_of(user)["coach"] == "no":
        return False
    earlier = Combatant.objects.filter(mage__user=user.pk, battle__number__lt=view.battle.number)
    return not earlier.exists()
