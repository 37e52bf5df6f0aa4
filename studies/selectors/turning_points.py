"""The turns that decided a battle, for its player's page at the end: taken from an analysis, never guessed."""

from typing import Any

from duels.selectors.ending import TurningPoint, TurnThatMattered
from duels.selectors.viewer import MaybeUser
from rules_engine.bots.findings import BLUNDERS, describe_finding
from rules_engine.bots.review import Change, Facts, find_changes, list_chances, mark_move, sum_up_turn
from studies.models import Analysis
from studies.selectors.analyses import find_analysis_of_battle, find_withheld, list_states, list_winners


def find_turning_point(*, number: int, user: MaybeUser, mage: str) -> TurningPoint | None:
    """Return the turn that decided the battle, with this mage's chances. None if no finished analysis names one, or if
    one of its turns would help the reader in a running battle."""
    analysis = find_analysis_of_battle(number)
    facts = _read_facts(analysis, user) if analysis is not None else ()
    seq = analysis.summary["decided"] if analysis is not None else None
    place = next((place for place, each in enumerate(facts) if each["seq"] == seq), None)
    if analysis is None or seq is None or place is None:
        return None
    return TurningPoint(
        seq=seq,
        place=place,
        labels=tuple(each["label"] for each in facts),
        chances=list_chances(facts, mage, list_winners(analysis)),
        finding=_describe_best(facts[place]["findings"]),
        strength=analysis.strength,
    )


def find_turns_that_mattered(*, number: int, user: MaybeUser, mage: str) -> tuple[TurnThatMattered, ...] | None:
    """Return the three turns that changed this mage's chance most, in the order of the turns, in words for its player.

    None while there is no finished analysis; empty if one of its turns would help the reader in a running battle.
    """
    analysis = find_analysis_of_battle(number)
    if analysis is None:
        return None
    facts = _read_facts(analysis, user)
    found = find_changes(list_chances(facts, mage, list_winners(analysis))) if facts else ()
    return tuple(describe_change(facts[each.place], mage, each, you=True) for each in found)


def describe_change(facts: Facts, mage: str, change: Change, *, you: bool) -> TurnThatMattered:
    """Return a turn that mattered to a mage, in words; `you`: for its player."""
    move = facts["moves"].get(mage)
    return TurnThatMattered(
        seq=facts["seq"],
        label=facts["label"],
        sentence=sum_up_turn(facts, mage, change, you=you),
        before=change.before,
        after=change.after,
        mark=(mark_move(move) or "") if move else "",
    )


def _read_facts(analysis: Analysis, user: MaybeUser) -> tuple[Facts, ...]:
    """Return the facts of all turns, or none if one of them would help the reader in a running battle."""
    battle = analysis.battle
    if battle is None or find_withheld(list_states(battle), user):
        return ()
    return tuple(analysis.turns.order_by("seq").values_list("facts", flat=True))


def _describe_best(findings: list[dict[str, Any]]) -> str:
    """Return the sentence of a blunder, or of another finding if there was none."""
    ordered = sorted(findings, key=lambda each: each["kind"] not in BLUNDERS)
    return describe_finding(ordered[0]) if ordered else ""
