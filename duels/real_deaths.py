"""Whether the deaths of a battle are real, and the sentence that says they are not."""

from collections.abc import Sequence

from django.utils.translation import ngettext

from duels.models import Battle
from duels.names import listed
from duels.selectors.battle_view import BattleView
from duels.terms import Terms
from operations.request_policy import recall_policy


def are_deaths_real(view: BattleView) -> bool:
    """Return whether a mage who dies in this battle is dead for good.

    They are in battles for scores. In practice only the site's policy can make them real, and never with bots.
    """
    if view.battle.practice:
        return bool(recall_policy().practice_deaths) and not any(row.is_bot for row in view.combatants)
    return view.terms.stake.scores


def explain_unreal_death_in(battle: Battle, mage: str) -> str:
    """Say that the death of this mage of the battle is not real; "" if it is."""
    if battle.practice:
        rows = battle.combatants.select_related("mage__user") if recall_policy().practice_deaths else ()
        is_real = bool(rows) and not any(row.mage.user.is_bot or row.stand_in for row in rows)
    else:
        is_real = Terms.from_json(battle.terms).stake.scores
    if is_real:
        return ""
    return _say_unreal([mage], in_event=Terms.from_json(battle.terms).stake.is_event)


def explain_unreal_deaths(view: BattleView, mages: Sequence[str]) -> str:
    """Say that the deaths of these mages are not real; "" if they are, or nobody is named."""
    if not mages or are_deaths_real(view):
        return ""
    return _say_unreal(mages, in_event=view.terms.stake.is_event)


def _say_unreal(mages: Sequence[str], *, in_event: bool) -> str:
    if in_event:  # a mage can have died elsewhere meanwhile
        return ngettext(
            "The death is not real: nobody dies for good in a league or cup.",
            "The deaths are not real: nobody dies for good in a league or cup.",
            len(mages),
        )
    words = ngettext(
        "The death is not real: %(names)s lives on.", "The deaths are not real: %(names)s live on.", len(mages)
    )
    return words % {"names": listed(mages)}
