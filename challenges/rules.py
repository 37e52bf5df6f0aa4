"""The rules of a challenge, as plain values without a database: who may join, leave, propose and start.

Server rules: joining 3.5, changing 3.6, starting 3.10; documents FM-ORDNEW-4 to 14, FM-ORDACC-1 to 7, FM-ORDCHG-12.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from challenges.ballot import decides_at_once
from ladder.stakes import is_in_band

# The rules set no largest melee. This keeps the page of a challenge without a limit readable.
MOST_SEATS = 30
FEWEST_SEATS = 2


def find_most_seats(most_mages: int | None) -> int:
    """Return the most seats of a challenge whose ruleset allows this many mages (None: any number)."""
    return MOST_SEATS if most_mages is None else min(most_mages, MOST_SEATS)


@dataclass(frozen=True)
class Place:
    """One mage's seat. `state` is one of models.Seat.State."""

    mage_id: int
    mage: str
    user_id: int
    state: str
    accepts_everything: bool = False
    # The strength of a bot of the site; "" for everyone else.
    bot: str = ""
    is_bot_account: bool = False
    # Why the mage declined last, if they said it.
    reason: str = ""

    @property
    def is_bot(self) -> bool:
        """Return whether a program plays the mage, of the site or of a user."""
        return bool(self.bot) or self.is_bot_account


@dataclass(frozen=True)
class Seating:
    """A challenge as its rules see it. `places` are in the order in which the mages joined, the challenger first.

    A closed challenge does not start while an invite link is live. `scores`, by mage id, are set only for a challenge
    within the band.
    """

    number: int
    status: str
    challenger_id: int
    challenger_user_id: int
    mages_per_user: int | None
    limit: int | None
    places: tuple[Place, ...]
    authoritarian: bool = False
    has_live_link: bool = False
    most_seats: int = MOST_SEATS
    scores: Mapping[int, int] | None = None
    # Users who sent too few of their orders on time for this challenge.
    unreliable: frozenset[int] = frozenset()

    @property
    def is_open_to_all(self) -> bool:
        return self.mages_per_user is not None

    @property
    def joined(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.state == "joined")

    @property
    def people(self) -> tuple[Place, ...]:
        """Return those who have joined, without the bots of the site."""
        return tuple(place for place in self.joined if not place.bot)

    @property
    def voters(self) -> tuple[Place, ...]:
        """Return those who have joined and have a vote: bots of users have one only where no person has joined."""
        return tuple(place for place in self.people if not place.is_bot_account) or self.people

    @property
    def bots(self) -> tuple[Place, ...]:
        return tuple(place for place in self.joined if place.bot)

    @property
    def invited(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.state == "invited")

    @property
    def free_seats(self) -> int | None:
        """Return how many more may join: up to the limit, and in a closed challenge only those invited; None: any
        number."""
        left = None if self.limit is None else self.limit - len(self.joined)
        if self.is_open_to_all:
            return left
        return len(self.invited) if left is None else min(left, len(self.invited))

    @property
    def present(self) -> int:
        """Return how many mages have joined or may still accept an invitation."""
        return len(self.joined) + len(self.invited)

    @property
    def is_duel(self) -> bool:
        """Return whether it will be a duel. This may change until the battle starts: two mages make a duel, more a
        melee."""
        return self.limit == 2 or (self.limit is None and not self.is_open_to_all and self.present == 2)

    @property
    def is_practice(self) -> bool:
        """Return whether all mages belong to one user, and nobody else may join."""
        return (
            not self.is_open_to_all
            and not self.has_live_link
            and self.present > 1
            and len({place.user_id for place in (*self.joined, *self.invited)}) == 1
        )

    def has_joined(self, mage_id: int) -> bool:
        return any(place.mage_id == mage_id for place in self.joined)

    def get_place(self, mage_id: int) -> Place | None:
        return next((place for place in self.places if place.mage_id == mage_id), None)

    @property
    def asked(self) -> int:
        """Return how many mages have joined, may still accept an invitation, or have declined one."""
        return self.present + sum(place.state == "declined" for place in self.places)

    def is_complete(self) -> bool:
        """Return whether the battle starts by itself: at the limit or, if closed, once everyone invited has answered.

        If declines keep a closed challenge below its limit, it waits: those who joined a melee of three have not agreed
        to a duel (FM-ORDNEW-11)."""
        count = len(self.joined)
        if count < FEWEST_SEATS:
            return False
        if count == self.limit:
            return True
        is_short = self.limit is not None and self.limit <= self.asked
        return not (self.is_open_to_all or self.invited or self.has_live_link or is_short)

    def why_not_join(
        self, mage_id: int, user_id: int, *, apart: frozenset[int] = frozenset(), by_link: bool = False
    ) -> str | None:
        """Return a code for why this mage cannot join, or None. Ignores other challenges and battles of the mage.

        `apart` are the users with a block between them and the mage's user; `by_link` counts as an invitation.
        """
        if self.status != "open":
            return self.status
        place = self.get_place(mage_id)
        if place is not None and place.state == "joined":
            return "joined_already"
        if place is not None and place.state == "excluded":
            return "excluded"
        if not (self.is_open_to_all or by_link) and (place is None or place.state != "invited"):
            return "declined_before" if place is not None else "not_invited"
        if any(other.user_id in apart for other in self.joined):
            return "apart"
        if len(self.joined) >= self.most_seats:
            return "full"
        own = sum(other.user_id == user_id for other in self.joined)
        if self.mages_per_user and own >= self.mages_per_user:
            return "enough_of_yours"
        if user_id in self.unreliable:
            return "not_reliable"
        return None if self.is_near(mage_id) else "out_of_band"

    def is_near(self, *mage_ids: int) -> bool:
        """Return whether these mages are within the band of those who have joined; a mage without a score has 0."""
        if self.scores is None:
            return True
        met = {place.mage_id for place in self.joined} | set(mage_ids)
        return is_in_band([self.scores.get(mage_id, 0) for mage_id in met])

    def why_not_decline(self, mage_id: int) -> str | None:
        """Return a code for why this mage has nothing to decline or leave, or None."""
        if self.status != "open":
            return self.status
        if mage_id == self.challenger_id:
            return "own_challenge"
        place = self.get_place(mage_id)
        if place is None or place.state == "excluded":
            return "no_need_to_decline" if self.is_open_to_all else "not_invited"
        return None if place.state in ("invited", "joined") else "declined_already"

    def why_not_withdraw(self, mage_id: int) -> str | None:
        """Return a code for why this mage cannot withdraw the challenge, or None."""
        if self.status != "open":
            return self.status
        return None if mage_id == self.challenger_id else "not_the_challenger"

    def why_not_start(self, mage_id: int) -> str | None:
        """Return a code for why this mage cannot start the battle now, or propose to, or None."""
        return self.why_not_propose(mage_id) or (None if len(self.joined) >= FEWEST_SEATS else "too_few")

    def why_not_propose(self, mage_id: int) -> str | None:
        """Return a code for why this mage can neither change the challenge nor vote on a change, or None (3.6)."""
        if self.status != "open":
            return self.status
        if not self.has_joined(mage_id):
            return "not_joined"
        if all(place.mage_id != mage_id for place in self.voters):
            return "bot_no_vote"
        return "authoritarian" if self.authoritarian and mage_id != self.challenger_id else None

    def decides_at_once(self, mage_id: int) -> bool:
        """Return whether a change by this mage takes effect without a vote."""
        return decides_at_once(
            proposer_id=mage_id,
            challenger_id=self.challenger_id,
            joined=len(self.voters),
            authoritarian=self.authoritarian,
        )

    def why_not_link(self, mage_id: int) -> str | None:
        """Return a code for why this mage cannot create links, or None.

        A link invites anyone who has it: only the challenger creates one, and only if no vote decides who is invited.
        """
        if self.status != "open":
            return self.status
        if mage_id != self.challenger_id:
            return "not_the_challenger"
        return None if self.is_open_to_all or self.decides_at_once(mage_id) else "link_needs_a_vote"
