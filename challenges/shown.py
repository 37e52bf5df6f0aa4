"""A challenge as a page or email shows it: plain values, built by the selectors for one viewer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from challenges.decline_reasons import describe_reason
from challenges.words import STATES, DifferenceWords

Section = Literal["taking_part", "waiting_for_you", "open_to_join"]


@dataclass(frozen=True)
class ShownSeat:
    """One seat as shown. A free seat has no name. `state`: one of models.Seat.State, or "free"."""

    name: str
    user: str
    state: str
    is_challenger: bool = False
    is_mine: bool = False
    is_bot: bool = False
    # How reliably the user sends orders on time, in words.
    reliability: str = ""
    # The mage's score in this kind of battle; None if it is not shown.
    score: int | None = None
    arms: str = ""
    # Why the mage declined, if they said it: one of decline_reasons.
    reason: str = ""

    @property
    def reason_words(self) -> str:
        return describe_reason(self.reason)


@dataclass(frozen=True)
class ShownSeating:
    """The seats of a challenge, and who may take a free one. `free_seats` is None if any number can join."""

    seats: tuple[ShownSeat, ...]
    is_duel: bool
    is_practice: bool
    is_open_to_all: bool
    has_live_link: bool
    limit: int | None
    free_seats: int | None

    @property
    def joined(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "joined")

    @property
    def invited(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.state == "invited")


@dataclass(frozen=True)
class ShownVote:
    """The vote of one joined mage on a proposal. `stance`: "for", "against", or "" if they have not voted.

    `by_everything`: they accept all proposals, not just this one.
    """

    name: str
    user: str
    stance: str
    points: int
    is_mine: bool = False
    by_everything: bool = False


@dataclass(frozen=True)
class ShownProposal:
    """One proposed change as one viewer sees it.

    `differences` are relative to the current terms, each with `label`, `before`, `after` and `sentence`.
    A side wins with `needed` points; in an authoritarian challenge the challenger decides instead. `state` is one
    of models.Proposal.State; `accept`, `oppose` and `take_back` name the viewer's mages who may do that.
    `outlook` is what would decide it; `my_vote_decides`: only one vote is missing, and it is the viewer's.
    """

    number: int
    proposer: str
    state: str
    differences: tuple[DifferenceWords, ...]
    votes: tuple[ShownVote, ...]
    points_for: int
    points_against: int
    needed: int
    created_at: datetime
    expires_at: datetime
    decided_at: datetime | None
    accept: tuple[str, ...] = ()
    oppose: tuple[str, ...] = ()
    take_back: str = ""
    outlook: str = ""
    my_vote_decides: bool = False

    @property
    def state_words(self) -> str:
        return str(STATES[self.state])

    @property
    def in_favour(self) -> tuple[ShownVote, ...]:
        return tuple(vote for vote in self.votes if vote.stance == "for")

    @property
    def against(self) -> tuple[ShownVote, ...]:
        return tuple(vote for vote in self.votes if vote.stance == "against")

    @property
    def silent(self) -> tuple[ShownVote, ...]:
        return tuple(vote for vote in self.votes if not vote.stance)

    @property
    def my_silent(self) -> tuple[str, ...]:
        """Return the viewer's mages who have not voted."""
        return tuple(vote.name for vote in self.silent if vote.name in self.accept)

    @property
    def my_words(self) -> str:
        """Return how the viewer's mages voted: "You voted against it."; "" if none has."""
        said = [(vote.name, vote.stance) for vote in self.votes if vote.is_mine and vote.stance]
        if len(said) == 1:
            return _("You voted for it.") if said[0][1] == "for" else _("You voted against it.")
        sentences = {"for": _("%(mage)s voted for it."), "against": _("%(mage)s voted against it.")}
        return " ".join(sentences[stance] % {"mage": name} for name, stance in said)

    @property
    def is_pending(self) -> bool:
        return self.state == "pending"

    @property
    def sentence(self) -> str:
        """Return the whole change in one line: "limit 4 → 3, talk allowed → not allowed"."""
        return ", ".join(each.sentence for each in self.differences)


@dataclass(frozen=True)
class Actions:
    """What the viewer may do, as names of the viewer's own mages; empty means no button.

    `start` starts the battle at once; if others vote, a mage of `propose` may propose to start. `decides`: changes by
    mages of `propose` take effect without a vote. Mages of `everything` may accept all future proposals.
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
class OwnPart:
    """The viewer's part in a challenge: the section of the list that shows it, and what they may do.

    `why_not` says in words why they cannot join, `why_not_code` for programs; both are empty if they can.
    """

    section: Section
    actions: Actions
    why_not: str = ""
    why_not_code: str = ""

    @property
    def may_join(self) -> bool:
        return bool(self.actions.accept)


@dataclass(frozen=True)
class ChallengeWords:
    """A challenge in words: its `size` ("Duel", "Melee of 4 mages"), the `rest` of its terms, and who may join.

    `pace` says what happens if orders do not arrive in time, `risk` what can be lost, `limit` how often wins
    count ("" where they never do), `start` when the battle begins.
    """

    title: str
    size: str
    rest: str
    pace: str
    risk: str
    limit: str
    start: str
    openness: str

    @property
    def terms(self) -> str:
        return f"{self.size}, {self.rest}"


@dataclass(frozen=True)
class ShownChallenge:
    """One challenge as one viewer sees it.

    `proposals` are waiting for votes, `decided` are not; lists leave out both. `is_of_bot`: a bot offers it to anyone.
    """

    number: int
    # The words in the language of the moment, which it is given: rows of the lobby are read once for all readers.
    describe: Callable[[str | None], ChallengeWords] = field(repr=False, compare=False)
    challenger: str
    challenger_user: str
    ruleset: str
    pace: str
    stakes: str
    comment: str
    status: str
    is_of_bot: bool
    has_scores_at_stake: bool
    authoritarian: bool
    seating: ShownSeating
    own: OwnPart
    created_at: datetime
    revision: int
    # The form that joins sends it back.
    terms_key: str
    proposals: tuple[ShownProposal, ...] = ()
    decided: tuple[ShownProposal, ...] = ()
    is_live: bool = False
    # The challenger's arms.
    arms: str = ""

    @property
    def words(self) -> ChallengeWords:
        return self.describe(get_language())

    @property
    def title(self) -> str:
        return self.words.title

    @property
    def free_words(self) -> str:
        """Return how many more may join: "1 free seat"; "" if it is over or by invitation."""
        free = self.seating.free_seats
        if self.is_over or not self.seating.is_open_to_all:
            return ""
        if free is None:
            return _("any number can join")
        return ngettext("%(count)d free seat", "%(count)d free seats", free) % {"count": free}

    @property
    def is_over(self) -> bool:
        """Return whether it has become a battle, or was withdrawn or closed."""
        return self.status != "open"

    @property
    def waits_alone(self) -> bool:
        """Return whether the viewer is alone here, waiting for anyone to join."""
        is_waiting = self.own.section == "taking_part" and self.seating.is_open_to_all and not self.is_over
        return is_waiting and len(self.seating.joined) == 1
