"""Looking into a battle: as one of its mages sees it, or by a replay. Neither changes it."""

import datetime

from django.db import transaction

from accounts.janitors import is_janitor
from accounts.models import User
from duels.models import Battle
from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import get_battle_through_eyes
from duels.services.lock import lock_battle
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle, refuse_unless_may_look
from moderation.services.journal import write_entry
from studies.services.replay_checks import replay_battle


def look_through_eyes(*, battle: Battle, mage: str, by: User, reason: str, now: datetime.datetime) -> BattleView:
    """Return the battle as the mage sees it, with their pending orders and nobody else's.

    Read-only janitors do not get the pending orders. Each look is logged immediately and entered in the journal, which
    shows looks to the players once the battle is over. Raises ModerationRefused,
    NotYourCombatant if there is no such mage, UnreadableBattle.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        refuse_unless_may_look(battle, by, reason)
        orders = is_janitor(by)
        view = get_battle_through_eyes(battle=battle, mage_name=mage, with_orders=orders)
        facts = {"mage": mage, "orders": orders}
        with write_entry(kind=JournalEntry.Kind.LOOKED, about=battle, by=by, reason=reason, now=now, facts=facts):
            pass  # looking changes nothing
    return view


def compare_replay(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Replay the battle (replay_battle) and enter in its journal whether, and from which turn, the outcome differs.

    Differences may contain secrets, so the entry does not list them. The battle does not change. Raises what
    act_on_battle raises.
    """

    with act_on_battle(kind=JournalEntry.Kind.REPLAYED, battle=battle, by=by, reason=reason, now=now) as (
        locked,
        entry,
    ):
        found = replay_battle(battle=locked, now=now)
        entry.facts |= {"turn": found[0].turn if found else ""}
    return entry
