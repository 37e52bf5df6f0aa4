"""What came of an order on a challenge, in the sentences of the answer."""

from collections.abc import Sequence

from challenges.changes import Difference
from challenges.outcomes import Decision, Outcome
from challenges.words import describe_difference

RESULTS = {"adopted": "is adopted", "rejected": "is rejected", "moot": "has nothing left to change and is off"}


def describe_outcome(outcome: Outcome) -> list[str]:
    """Say what the order decided, and whether it began the battle."""
    told = [describe_decision(decision) for decision in outcome.decided]
    if outcome.proposed is not None:
        told.append(f"Change {outcome.proposed} of challenge {outcome.number} waits for votes.")
    if outcome.has_started:
        told.append(f"Battle {outcome.number} begins. Its first report follows.")
    return told


def describe_decision(decision: Decision) -> str:
    what = write_differences(decision.differences)
    if decision.number is None:
        return f"The challenge is changed: {what}."
    return f"Change {decision.number} of {decision.proposer} {RESULTS[decision.result]}: {what}."


def write_differences(differences: Sequence[Difference]) -> str:
    """Say all parts of a change in one line."""
    return ", ".join(describe_difference(each.what, each.before, each.after).sentence for each in differences)
