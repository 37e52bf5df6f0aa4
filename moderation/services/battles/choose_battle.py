"""Choosing the battle of the week, which *Watch* shows to everyone."""

import datetime
from collections.abc import Iterable

from accounts.models import User
from duels.models import Battle
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched


def choose_battle_of_the_week(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Make the battle the one of the week for seven days, or until another one is chosen. Raises ModerationRefused
    unless it has ended with a result, and what act_on_battle raises."""
    with act_on_battle(
        kind=JournalEntry.Kind.CHOSEN, battle=battle, by=by, reason=reason, now=now, watch=watch_choice
    ) as (locked, entry):
        if locked.status != Battle.Status.FINISHED:
            raise ModerationRefused("no_result_yet", battle=locked)
        locked.week_chosen_at = now
        locked.save(update_fields=["week_chosen_at"])
    return entry


def watch_choice(battle: Battle, facts: Facts) -> Iterable[Watched]:
    yield Watched(Battle.objects.filter(pk=battle.pk), ("week_chosen_at",), "it is chosen again")
