"""Annulling a battle, as if it had never been fought."""

import datetime
from collections.abc import Iterable

from accounts.errors import MageUnavailable
from accounts.models import Mage, User
from accounts.services.mages import release_mage
from duels.models import Battle, ClockStop, Deadline, Stage
from duels.models.battle import STUCK_FIELDS
from duels.services.clocks.battle_clocks import stop_clocks
from ladder.errors import LadderRefused
from ladder.services.revise_results import annul_result, restore_result
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle, watch_engagements
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched


def annul_battle(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Annul the battle: it ends, its points are taken back, its dead live again, and its mages are free.

    A finished battle keeps its record. Raises ModerationRefused, also if it is already annulled.
    """

    with act_on_battle(
        kind=JournalEntry.Kind.ANNULLED, battle=battle, by=by, reason=reason, now=now, watch=watch_ending
    ) as (locked, entry):
        if locked.status == Battle.Status.ANNULLED:
            raise ModerationRefused("already_annulled", battle=locked)
        Stage.objects.filter(battle=locked, closed_at=None).update(closed_at=now)
        locked.status, locked.finished_at = Battle.Status.ANNULLED, locked.finished_at or now
        locked.forget_stuck_turn()
        locked.save(update_fields=["status", "finished_at", *STUCK_FIELDS])
        stop_clocks(battle=locked, now=now)
        annul_result(battle=locked.number, now=now, reason=entry.reason)
        for mage in Mage.objects.filter(combatants__battle=locked).order_by("pk"):
            release_mage(mage=mage, kind="battle", number=locked.number)
    return entry


def watch_ending(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """Return the rows that change when a battle ends, except scores, which the ladder restores."""
    yield Watched(Battle.objects.filter(pk=battle.pk), ("status", "finished_at", *STUCK_FIELDS, "result"))
    yield Watched(Stage.objects.filter(battle=battle), ("closed_at",))
    yield watch_engagements(battle)
    yield Watched(Deadline.objects.filter(battle=battle), by_themselves=True)
    yield Watched(ClockStop.objects.filter(battle=battle))


def count_again(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Make the ladder count an annulled battle again. Raises ModerationRefused if one of its dead is
    in something else."""
    try:
        restore_result(battle=battle.number, now=now, reason=entry.undone_reason)
    except (LadderRefused, MageUnavailable) as error:
        raise ModerationRefused("cannot_undo", error=error) from error
