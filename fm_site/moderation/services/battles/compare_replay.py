"""Playing a battle again to see whether the rules still play it that way."""

import datetime

from accounts.models import User
from duels.models import Battle
from duels.services.replays import replay_battle
from fm_site.moderation.models import JournalEntry
from fm_site.moderation.services.battles.journal import carry_out


def compare_replay(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Play the battle again (replay_battle) and enter in its book whether, and from which turn on, it comes out
    otherwise.

    What differs may hold secrets: the entry does not say. Nothing of the battle is changed. Raises what carry_out
    raises.
    """

    def compare(locked: Battle, entry: JournalEntry) -> None:
        found = replay_battle(battle=locked, now=now)
        entry.facts |= {"turn": found[0].turn if found else ""}

    return carry_out(kind=JournalEntry.Kind.REPLAYED, battle=battle, by=by, reason=reason, now=now, act=compare)
