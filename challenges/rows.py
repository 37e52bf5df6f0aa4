"""What a page or a mail shows of a challenge: plain values, made by the selectors for one viewer."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from challenges.words import STATES, DifferenceWords

Section = Literal["taking_part", "waiting_for_you", "open_to_join"]


@dataclass(frozen=True)
class SeatRow:
    """One seat as it is drawn. A free seat has no name. `state`: one of models.Seat.State, or free."""

    name: str
    user: str
    state: str
    is_challenger: bool = False
    is_mine: bool = False
    # How many of his turns the user keeps, in words.
    reliability: str = ""
    # The mage's score of this kind of battle, as the standings show it; None where nobody asks.
    score: int | None = None

    @property
    def initial(self) -> str:
        return self.name[:1].upper()


@dataclass(frozen=True)
class VoteRow:
    """What one mage that joined says on a proposal. `stance`: for, against, or "" while it has not said.

    `by_everything` says that it accepts every change rather than this one.
    """

    name: str
    user: str
    stance: str
    points: int
    is_mine: bool = False
    by_everything: bool = False


@dataclass(frozen=True)
class ProposalRow:
    """One proposed change as one viewer sees it.

    `differences` are compared with the challenge as it is now, each with `label`, `before`, `after` and `sentence`.
    A side wins with `needed` points; in an authoritarian challenge the challenger's word counts instead. `state` is one
    of models.Proposal.State; `accept`, `oppose` and `take_back` name the viewer's mages that may do that.
    `outlook` says what would decide it; `my_vote_decides`: only one vote is missing, and it is the viewer's.
    """

    number: int
    proposer: str
    state: str
    differences: tuple[DifferenceWords, ...]
    votes: tuple[VoteRow, ...]
    points_for: int
    points_against: int
    needed: int
    created_at: datetime
    lapses_at: datetime
    decided_at: datetime | None
    accept: tuple[str, ...] = ()
    oppose: tuple[str, ...] = ()
    take_back: str = ""
    outlook: str = ""
    my_vote_decides: bool = False

    @property
    def state_words(self) -> str:
        """What became of it."""
        return STATES[self.state]

    @property
    def in_favour(self) -> tuple[VoteRow, ...]:
        return tuple(vote for vote in self.votes if vote.stance == "for")

    @property
    def against(self) -> tuple[VoteRow, ...]:
        return tuple(vote for vote in self.votes if vote.stance == "against")

    @property
    def silent(self) -> tuple[VoteRow, ...]:
        return tuple(vote for vote in self.votes if not vote.stance)

    @property
    def my_silent(self) -> tuple[str, ...]:
        """The viewer's mages whose vote is missing."""
        return tuple(vote.name for vote in self.silent if vote.name in self.accept)

    @property
    def my_words(self) -> str:
        """What the viewer's mages have said: "You voted against."; "" where none has a seat."""
        said = [(vote.name, vote.stance) for vote in self.votes if vote.is_mine and vote.stance]
        if len(said) == 1:
            return f"You voted {said[0][1]}."
        return " ".join(f"{name} voted {stance}." for name, stance in said)

    @property
    def is_pending(self) -> bool:
        return self.state == "pending"

    @property
    def sentence(self) -> str:
        """The whole change in one line: "limit 4 → 3, talk allowed → not allowed"."""
        return ", ".join(each.sentence for each in self.differences)


@dataclass(frozen=True)
class Actions:
    """What the viewer may do here, as names of the viewer's own mages; an empty tuple means no button.

    `start` begins the battle at once; where others have a say, a mage of `propose` may propose it. `decides` says that
    what a mage of `propose` asks for holds without a vote. `everything` may say yes to all changes to come.
    """

    accept: tuple[str, ...] = ()
    decline: tuple[str, ...] = ()
    leave: tuple[str, ...] = ()
    withdraw: str = ""
    start: str = ""
    propose: tuple[str, ...] = ()
    decides: bool = False
    everything: tuple[str, ...] = ()
    link: str = ""


@dataclass(frozen=True)
class ChallengeRow:
    """One challenge as one viewer sees it.

    `size_words` is the first part of `terms_words` ("Duel", "Melee of 4 mages") for pages that set it apart, and
    `rest_words` the other. `why_not` says in words why the viewer may not join, `why_not_code` for programs; both are
    empty if he may. `proposals` wait for votes, `decided` did; lists come without both. `free_seats` is None where any
    number may join. `pace_words` say what happens when orders do not come. What `is_over` is a battle by now, or
    withdrawn.
    """

    number: int
    title: str
    challenger: str
    challenger_user: str
    size_words: str
    rest_words: str
    ruleset: str
    start_words: str
    comment: str
    status: str
    section: Section
    is_open_to_all: bool
    is_duel: bool
    has_scores_at_stake: bool
    authoritarian: bool
    openness_words: str
    has_live_link: bool
    is_practice: bool
    mages_per_user: int | None
    limit: int | None
    free_seats: int | None
    seats: tuple[SeatRow, ...]
    actions: Actions
    why_not: str
    why_not_code: str
    created_at: datetime
    revision: int
    proposals: tuple[ProposalRow, ...] = ()
    decided: tuple[ProposalRow, ...] = ()
    pace_words: str = ""

    @property
    def terms_words(self) -> str:
        return f"{self.size_words}, {self.rest_words}"

    @property
    def free_words(self) -> str:
        """How many more may join: "1 free seat"; "" where that is no number, or a matter of invitations."""
        if self.is_over or not self.is_open_to_all:
            return ""
        if self.free_seats is None:
            return "any number may join"
        return f"{self.free_seats} free seat{'' if self.free_seats == 1 else 's'}"

    @property
    def may_join(self) -> bool:
        return bool(self.actions.accept)

    @property
    def is_over(self) -> bool:
        return self.status != "open"

    @property
    def joined(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "joined")

    @property
    def invited(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "invited")

    @property
    def excluded(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "excluded")
