"""What it means for a duel to belong to a league or cup, in sentences for its players."""

from django.utils.translation import gettext as _

from duels.selectors.battle_view import BattleView


def explain_event(view: BattleView) -> str:
    """Say what is at stake in a duel of a league or cup, and if nobody talks in it; "" for any other battle."""
    if not view.terms.stake.is_event:
        return ""
    silence = _("There is no talking in this duel, neither now nor when it is over.") if view.is_forever_silent else ""
    return f"{view.terms.stake.words} {silence}".rstrip()
