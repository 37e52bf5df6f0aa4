"""What came of an order on a challenge, in the sentences of the answer."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from challenges.changes import Difference
from challenges.outcomes import Decision, Outcome
from challenges.words import describe_difference


def describe_outcome(outcome: Outcome) -> list[str]:
    """Say what the order decided, and whether it began the battle."""
    told = [describe_decision(decision) for decision in outcome.decided]
    if outcome.proposed is not None:
        told.append(
            _("Change %(proposed)s of challenge %(number)s waits for votes.")
            % {"proposed": outcome.proposed, "number": outcome.number}
        )
    if outcome.has_started:
        told.append(
            _("Battle %(number)s has begun. You will get its first turn report soon.") % {"number": outcome.number}
        )
    return told


def describe_decision(decision: Decision) -> str:
    what = write_differences(decision.differences)
    if decision.number is None:
        return _("The challenge is changed: %(what)s.") % {"what": what}
    sentences = {
        "adopted": _("Change %(change)s by %(mage)s is adopted: %(what)s."),
        "rejected": _("Change %(change)s by %(mage)s is rejected: %(what)s."),
        "moot": _("Change %(change)s by %(mage)s has nothing left to change: %(what)s."),
    }
    return sentences[decision.result] % {"change": decision.number, "mage": decision.proposer, "what": what}


def write_differences(differences: Sequence[Difference]) -> str:
    """Say all parts of a change in one line."""
    return ", ".join(describe_difference(each.what, each.before, each.after).sentence for each in differences)
