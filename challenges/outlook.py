"""What would decide a vote, in words."""

from collections.abc import Collection, Iterable
from itertools import accumulate

from challenges.seating import Seating
from challenges.voting import Ballot


def describe_outlook(ballot: Ballot, seating: Seating, mine: Collection[int] = ()) -> str:
    """Say how many more votes decide a change that is open, or whose vote does. `mine` are the reader's mages."""
    names = {place.mage_id: place.mage for place in seating.joined}
    if ballot.authoritarian:
        return "You alone decide." if ballot.challenger_id in mine else f"{names[ballot.challenger_id]} alone decides."
    adopting, rejecting = _count_missing(ballot, ballot.in_favour), _count_missing(ballot, ballot.against)
    if len(ballot.silent) == 1:
        last = ballot.silent[0]
        return "Your vote decides." if last in mine else f"The vote of {names[last]} decides."
    sides = ((adopting, "for it", "adopt"), (rejecting, "against it", "reject"))
    clauses = [_say(count, side, verb) for count, side, verb in sides if count is not None]
    return f"{', '.join(clauses)}." if clauses else ""


def _say(count: int, side: str, verb: str) -> str:
    """Write "1 more vote for it adopts it", "2 more votes against it reject it"."""
    return f"1 more vote {side} {verb}s it" if count == 1 else f"{count} more votes {side} {verb} it"


def _count_missing(ballot: Ballot, given: tuple[int, ...]) -> int | None:
    """How many of those who have not voted are enough for this side, the weightiest first; None if all are not."""
    weights = sorted((ballot.weigh((mage_id,)) for mage_id in ballot.silent), reverse=True)
    return _first_reaching(accumulate(weights, initial=ballot.weigh(given)), ballot.needed)


def _first_reaching(sums: Iterable[int], needed: int) -> int | None:
    return next((count for count, points in enumerate(sums) if points >= needed), None)
