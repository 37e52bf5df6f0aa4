"""The rules of a vote on a proposed change, as plain values without a database.

Server rules 3.7, documents FM-ORDCHG-10 to 13. Each mage who joined has two points and the challenger three; a side
wins with more points than there are voters. So it takes a majority of those who joined, not of the votes cast, and the
challenger's third point only breaks a tie. In an authoritarian challenge the challenger alone decides.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

HEAD = 2
CHALLENGER = 3

Verdict = Literal["adopted", "rejected"]


@dataclass(frozen=True)
class Ballot:
    """The vote on one change. `voters` are the mages who have joined, `said` the votes cast so far, and `accepting`
    the mages who accept every change, which overrides their votes."""

    challenger_id: int
    voters: tuple[int, ...]
    said: Mapping[int, bool]
    accepting: frozenset[int] = frozenset()
    authoritarian: bool = False

    def stance_of(self, mage_id: int) -> bool | None:
        """Return this mage's vote: True for the change, False against it, None if they have not voted."""
        return True if mage_id in self.accepting else self.said.get(mage_id)

    @property
    def in_favour(self) -> tuple[int, ...]:
        return self._with(True)

    @property
    def against(self) -> tuple[int, ...]:
        return self._with(False)

    @property
    def silent(self) -> tuple[int, ...]:
        return self._with(None)

    def weigh(self, mages: tuple[int, ...]) -> int:
        return sum(CHALLENGER if mage_id == self.challenger_id else HEAD for mage_id in mages)

    @property
    def needed(self) -> int:
        """Return how many points decide."""
        return len(self.voters) + 1

    def verdict(self) -> Verdict | None:
        """Return the decision of the vote, or None while it is open."""
        if self.authoritarian:
            word = self.stance_of(self.challenger_id)
            return None if word is None else "adopted" if word else "rejected"
        if self.weigh(self.in_favour) >= self.needed:
            return "adopted"
        return "rejected" if self.weigh(self.against) >= self.needed else None

    def _with(self, stance: bool | None) -> tuple[int, ...]:
        return tuple(mage_id for mage_id in self.voters if self.stance_of(mage_id) is stance)


def decides_at_once(*, proposer_id: int, challenger_id: int, joined: int, authoritarian: bool) -> bool:
    """Return whether this proposer's own vote is enough, so that there is nothing to vote on (3.6)."""
    weight = CHALLENGER if proposer_id == challenger_id else HEAD
    return authoritarian or weight > joined


@dataclass(frozen=True)
class Outlook:
    """The votes that would decide an open vote.

    `decider` is the one mage whose vote decides: the challenger of an authoritarian challenge (`by_rule`), or the last
    who has not voted. Otherwise `adopting` and `rejecting` are how many more votes do; None if all of them are too few.
    """

    decider: int | None = None
    by_rule: bool = False
    adopting: int | None = None
    rejecting: int | None = None


def find_outlook(ballot: Ballot) -> Outlook:
    if ballot.authoritarian:
        return Outlook(decider=ballot.challenger_id, by_rule=True)
    if len(ballot.silent) == 1:
        return Outlook(decider=ballot.silent[0])
    return Outlook(adopting=_count_missing(ballot, ballot.in_favour), rejecting=_count_missing(ballot, ballot.against))


def _count_missing(ballot: Ballot, given: tuple[int, ...]) -> int | None:
    """Return how many more votes win for this side, those with most points first; None if all are too few."""
    weights = sorted((ballot.weigh((mage_id,)) for mage_id in ballot.silent), reverse=True)
    sums = accumulate(weights, initial=ballot.weigh(given))
    return next((count for count, points in enumerate(sums) if points >= ballot.needed), None)
