"""Replaying a turn that the rules could not resolve."""

import datetime
from collections.abc import Iterable

from accounts.models import Mage, User
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet, Stage, Turn, TurnEvent
from duels.models.battle import STUCK_FIELDS
from duels.services.resolve import resolve_if_complete
from ladder.errors import LadderRefused
from ladder.models import ScoreEntry
from ladder.services.revise_results import reopen_result
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.battles.journal import act_on_battle, watch_engagements
from moderation.services.battles.rewind_battle import ORDERED, PLAYED
from moderation.services.journal import Facts
from moderation.services.snapshots import Watched


def retry_turn(*, battle: Battle, by: User, reason: str, now: datetime.datetime) -> JournalEntry:
    """Try again to resolve the turn at which the battle is stuck, with the same orders and dice.

    `facts["outcome"]` is "resolved", "stuck" again, or "waiting" for orders that were taken back.
    Raises ModerationRefused for a battle that is not stuck, and what act_on_battle raises.
    """

    with act_on_battle(
        kind=JournalEntry.Kind.TRIED, battle=battle, by=by, reason=reason, now=now, watch=watch_retry
    ) as (locked, entry):
        if locked.status != Battle.Status.STUCK:
            raise ModerationRefused("not_stuck", battle=locked)
        entry.facts |= {"turn": locked.label, "seq": locked.seq, "paid": _list_paid(locked)}
        entry.facts["outcome"] = resolve_if_complete(locked, now=now).outcome
    return entry


def watch_retry(battle: Battle, facts: Facts) -> Iterable[Watched]:
    """Return the rows that resolving a turn changes and creates, except scores, which the ladder takes back."""
    later = Turn.objects.filter(battle=battle, seq__gte=facts.get("seq", battle.seq))
    columns = ("status", "seq", "attempt", "stage", "label", "state", "event_count", "finished_at", "result")
    yield Watched(Battle.objects.filter(pk=battle.pk), (*columns, *STUCK_FIELDS), PLAYED)
    yield Watched(later, ("taken_back_by", "resolved_at", "closed_by", "throws"), PLAYED)
    yield Watched(Stage.objects.filter(turn__in=later), ("closed_at",), PLAYED)
    yield Watched(TurnEvent.objects.filter(turn__in=later), ("n",), PLAYED)
    sheets = OrderSheet.objects.filter(stage__turn__in=later)
    yield Watched(sheets, ("lines", "text", "ready", "via", "submitted_at", "clock"), ORDERED)
    yield Watched(Combatant.objects.filter(battle=battle), ("standing", "bank"), PLAYED)
    yield Watched(Deadline.objects.filter(battle=battle), by_themselves=True)
    yield Watched(ClockStop.objects.filter(battle=battle), by_themselves=True)
    yield watch_engagements(battle)


def take_points_back(battle: Battle, entry: JournalEntry, now: datetime.datetime) -> None:
    """Make the ladder undo the turn: penalties, and the end if it was the last turn. Raises ModerationRefused."""
    paid = list(Mage.objects.filter(combatants__battle=battle, name__in=entry.facts["paid"]))
    try:
        reopen_result(battle=battle.number, now=now, reason=entry.undone_reason, keep_penalties=paid)
    except LadderRefused as error:
        raise ModerationRefused("cannot_undo", error=error) from error


def _list_paid(battle: Battle) -> list[str]:
    rows = ScoreEntry.objects.filter(battle=battle.number, reason=ScoreEntry.Reason.SURRENDERED)
    return sorted(rows.values_list("mage__name", flat=True))
