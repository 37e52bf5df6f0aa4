"""Who may view or change a battle: a janitor with a reason, and never in their own battle."""

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.models import User
from duels.errors import NoJanitor, ReasonMissing, StandsInBattle
from duels.models import Battle, Combatant


def refuse_who_stands_in(battle: Battle, by: User) -> None:
    """Raise StandsInBattle if `by`, even a superuser, has a mage there, dead or alive."""
    own = Combatant.objects.filter(battle=battle, mage__user=by).order_by("position")
    mages = list(own.values_list("mage__name", flat=True))
    if mages:
        raise StandsInBattle(battle.number, mages)


def refuse_unless_may_look(battle: Battle, by: User, reason: str) -> None:
    """Raise NoJanitor, StandsInBattle or ReasonMissing."""
    if not is_reading_janitor(by):
        raise NoJanitor(by.username)
    refuse_who_stands_in(battle, by)
    if not reason.strip():
        raise ReasonMissing


def refuse_unless_may_act(battle: Battle, by: User, reason: str) -> None:
    """Like refuse_unless_may_look, for changes: also raises NoJanitor for a read-only janitor."""
    if is_reading_janitor(by) and not is_janitor(by):
        raise NoJanitor(by.username, reads=True)
    refuse_unless_may_look(battle, by, reason)
