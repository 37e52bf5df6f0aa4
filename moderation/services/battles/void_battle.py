"""Voiding a battle whose turn the rules cannot resolve."""

import datetime

from accounts.models import User
from duels.models import Battle
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.annul_battle import watch_ending
from moderation.services.battles.journal import act_on_battle
from moderation.services.battles.set_result import end_battle
from rules_engine import CALLED_OFF, Outcome


def void_battle(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """End a battle that is stuck, as if its players had called it off: nobody wins or dies, also not mages who fell
    earlier, no score or rating changes, and its mages are free.

    Raises ModerationRefused for a battle that is not stuck, and what act_on_battle raises.
    """
    with act_on_battle(
        kind=JournalEntry.Kind.VOIDED, battle=battle, by=by, reason=reason, now=now, watch=watch_ending
    ) as (locked, entry):
        if locked.status != Battle.Status.STUCK:
            raise ModerationRefused("not_stuck", battle=locked)
        entry.facts |= {"turn": locked.label}
        end_battle(battle=locked, outcome=Outcome(locked.kind, (), CALLED_OFF, (), ()), now=now)
    return entry
