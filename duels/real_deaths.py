"""Whether the deaths of a battle are real, and the sentence that says they are not."""

from collections.abc import Sequence

from django.utils.translation import ngettext

from duels.names import listed
from duels.selectors.battle_view import BattleView
from operations.selectors import recall_policy


def are_deaths_real(view: BattleView) -> bool:
    """Return whether a mage who dies in this battle is dead for good.

    They are in battles for scores. In practice only the site's policy can make them real, and never with bots.
    """
    if view.battle.practice:
        return bool(recall_policy().practice_deaths) and not any(row.is_bot for row in view.combatants)
    return view.terms.stake.scores


def explain_unreal_deaths(view: BattleView, mages: Sequence[str]) -> str:
    """Say that the deaths of these mages are not real; "" if they are, or nobody is named."""
    if not mages or are_deaths_real(view):
        return ""
    words = ngettext(
        "The death is not real: %(names)s lives on.", "The deaths are not real: %(names)s live on.", len(mages)
    )
    return words % {"names": listed(mages)}
