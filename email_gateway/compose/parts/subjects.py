"""Subjects of emails about battles: one for the whole battle, so that mail programs show its emails as a thread."""

from django.utils.translation import gettext as _

from accounts.models import User
from duels.selectors.battle_view import BattleView
from notifications.selectors.notices import preferences_of

MOST_NAMES = 6


def write_battle_subject(view: BattleView, user: User | None, news: str) -> str:
    """Return "[FM 12] Froodal v Bung"; for a reader who prefers classic subjects "Duel 12, " and the news."""
    if user is not None and preferences_of(user)["mail_subjects"] == "classic":
        return f"{view.battle}, {news[:1].lower()}{news[1:]}"
    names = [row.name for row in view.combatants]
    sides, more = " v ".join(names[:MOST_NAMES]), len(names) - MOST_NAMES
    if more > 0:
        sides = _("%(names)s and %(count)s more") % {"names": sides, "count": more}
    return f"[FM {view.battle.number}] {sides}"
