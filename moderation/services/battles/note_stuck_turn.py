"""Noting in a battle's journal that the rules could not resolve a turn."""

import datetime
from collections.abc import Sequence

from duels.models import Battle
from moderation.models import JournalEntry
from moderation.services.journal import write_site_entry


def note_stuck_turn(*, battle: Battle, mages: Sequence[str], now: datetime.datetime) -> None:
    """Note that the battle, locked by the caller, is stuck at its turn, and the mages whose orders raised the error.

    Everyone can read this. It names nobody's orders.
    """
    facts = {"turn": battle.label, "mages": list(mages)}
    write_site_entry(kind=JournalEntry.Kind.STUCK, about=battle, reference=battle.stuck_reference, now=now, facts=facts)
