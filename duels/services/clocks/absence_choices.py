"""Recording what the players who are present want to do about one who is absent for too long (FM-SLOW-7)."""

import datetime
from collections.abc import Callable

from accounts.services.vacations import end_vacation
from duels.models import Battle, Combatant
from duels.selectors.absences import WISHES, Consent
from duels.services.clocks.battle_clocks import update_clocks
from duels.services.lock import is_still_in

Read = Callable[[Battle, Combatant, datetime.datetime], Consent | None]


def record_choice(
    *, battle: Battle, combatant: Combatant, wish: str, read: Read, agrees: bool, now: datetime.datetime
) -> Consent | None:
    """Record that the user of `combatant` has that `wish`, a field of it, or withdraw that; return who had agreed
    before and who is missing, or None if there is nothing to choose.

    It replaces the user's other wishes, and ends their own vacation: they are present. Must run in a transaction that
    holds the battle's lock; the caller rolls it back if the answer is None.
    """
    if battle.is_over or not is_still_in(combatant):
        return None
    if agrees:
        end_vacation(user=combatant.mage.user, now=now)
    update_clocks(battle=battle, now=now)
    before = read(battle, combatant, now)
    if before is not None:
        own = battle.combatants.filter(mage__user=combatant.mage.user_id, standing="in")
        own.update(**(dict.fromkeys(WISHES) | {wish: now} if agrees else {wish: None}))
    return before
