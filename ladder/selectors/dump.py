"""Read the effect of battles on the ladder, as plain values for the dump."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ladder.models import Placing, RatingEntry, ScoredBattle, ScoreEntry, ScoreRevision


@dataclass
class LadderFacts:
    """One counted battle: its stakes, who won, who died, who paid for a surrender, and its effect on scores (by mage)
    and ratings (by user id: rating, deviation, volatility, Elo)."""

    practice: bool
    deadly: bool
    stakes: str
    ended_at: str
    corrected: bool = False
    won: list[str] = field(default_factory=list)
    died: list[str] = field(default_factory=list)
    paid: list[str] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    ratings: dict[str, list[Any]] = field(default_factory=dict)


def read_ladder_facts(numbers: Collection[int]) -> dict[int, LadderFacts]:
    """Return the facts of those battles that were counted and are not annulled."""
    counted = ScoredBattle.objects.filter(number__in=numbers, annulled_at=None)
    facts = {
        row.number: LadderFacts(row.practice, row.deadly, row.stakes, row.scored_at.astimezone(UTC).isoformat())
        for row in counted
    }
    for row in Placing.objects.filter(battle__number__in=facts).select_related("battle", "mage").order_by("mage__name"):
        facts[row.battle.number].won += [row.mage.name] if row.won else []
        facts[row.battle.number].died += [row.mage.name] if row.died else []
    for entry in ScoreEntry.objects.filter(battle__in=facts).select_related("mage").order_by("mage__name", "pk"):
        change = {"mage": entry.mage.name, "reason": entry.reason, "before": entry.before, "after": entry.after}
        facts[entry.battle].scores.append(change)
        facts[entry.battle].paid += [entry.mage.name] if entry.reason == ScoreEntry.Reason.SURRENDERED else []
    for rated in RatingEntry.objects.filter(battle__in=facts).order_by("user_id"):
        figures = [rated.rating, rated.deviation, rated.volatility, rated.elo]
        facts[rated.battle].ratings[str(rated.user_id)] = figures
    corrected = ScoreRevision.objects.filter(battle__in=facts, what=ScoreRevision.What.CORRECTED)
    for number in corrected.values_list("battle", flat=True):
        facts[number].corrected = True
    return facts


def list_ends_reopened(*, since: datetime) -> list[datetime]:
    """Return when the battles had ended that were reopened since then."""
    reopened = ScoreRevision.objects.filter(what=ScoreRevision.What.REOPENED, created_at__gte=since)
    return [end for end in reopened.values_list("ended_at", flat=True) if end is not None]
