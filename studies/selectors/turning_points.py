"""The turn that decided a battle, for its player's page at the end: taken from an analysis, never guessed."""

from typing import Any

from django.db.models import F

from duels.models import Turn
from duels.selectors.battle_rows import read_state_of
from duels.selectors.ending import TurningPoint
from duels.selectors.viewer import MaybeUser
from rules_engine.bots.findings import BLUNDERS, describe_finding
from studies.models import Analysis
from studies.selectors.analyses import find_withheld


def find_turning_point(*, number: int, user: MaybeUser, mage: str) -> TurningPoint | None:
    """Return the turn that decided the battle, with this mage's chances. None if no finished analysis names one, or if
    one of its turns would help the reader in a running battle."""
    analysis = (
        Analysis.objects.filter(battle__number=number, battle__finished_at=F("ended_at"), done_at__isnull=False)
        .filter(summary__decided__isnull=False)
        .select_related("battle")
        .order_by("strength")  # the Archmage's before the Magus's
        .first()
    )
    if analysis is None or analysis.battle is None or analysis.summary["decided"] is None:
        return None
    facts = dict(analysis.turns.order_by("seq").values_list("seq", "facts"))
    seq = analysis.summary["decided"]
    battle = analysis.battle
    turns = Turn.objects.filter(battle=battle, taken_back_by=None).values_list("seq", "before")
    if seq not in facts or find_withheld(((each, read_state_of(battle, before)) for each, before in turns), user):
        return None
    winners = (battle.result or {}).get("winners", [])
    at_end = 1 / len(winners) if mage in winners else 0.0
    return TurningPoint(
        seq=seq,
        place=list(facts).index(seq),
        labels=tuple(each["label"] for each in facts.values()),
        chances=(*(each["chances"].get(mage, 0.0) for each in facts.values()), at_end),
        finding=_describe_best(facts[seq]["findings"]),
        strength=analysis.strength,
    )


def _describe_best(findings: list[dict[str, Any]]) -> str:
    """Return the sentence of a blunder, or of another finding if there was none."""
    ordered = sorted(findings, key=lambda each: each["kind"] not in BLUNDERS)
    return describe_finding(ordered[0]) if ordered else ""
