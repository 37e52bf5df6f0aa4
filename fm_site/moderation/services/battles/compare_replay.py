"""Replaying a battle to check that the rules still give the same outcome."""

import datetime

from accounts.models import User
from duels.models import Battle
from duels.services.replays import replay_battle
from fm_site.moderation.models import JournalEntry
from fm_site.moderation.services.battles.journal import carry_out


def compare_replay(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Replay the battle (replay_battle) and enter in its journal whether, and from which turn, the outcome differs.

    Differences may contain secrets, so the entry does not list them. The battle does not change. Raises what carry_out
    raises.
    """

    def compare(locked: Battle, entry: JournalEntry) -> None:
        found = replay_battle(battle=locked, now=now)
        entry.facts |= {"turn": found[0].turn if found else ""}

    return carry_out(kind=JournalEntry.Kind.REPLAYED, battle=battle, by=by, reason=reason, now=now, act=compare)
