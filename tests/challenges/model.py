"""A model of the rules of challenges in plain Python, with which test_model.py compares the site.

It follows the rules and not the site's code: it counts heads instead of weights, and uses dicts of names. Every order
either changes the model, or raises Refused and changes nothing.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

LIFE = 7 * 24 * 60  # minutes


class Refused(Exception):
    """The rules forbid the order."""


def demand(allowed: bool) -> None:
    if not allowed:
        raise Refused


@dataclass
class Poll:
    proposer: str
    change: dict[str, Any]
    made: int
    state: str = "pending"
    votes: dict[str, bool] = field(default_factory=dict)


@dataclass
class Game:
    """One challenge. `seats` has every mage ever named in it, in the order of their first naming."""

    challenger: str
    per_user: int | None
    limit: int | None
    authoritarian: bool
    stakes: str = "ladder"
    status: str = "open"
    seats: dict[str, str] = field(default_factory=dict)
    joined_at: dict[str, int] = field(default_factory=dict)
    loyal: set[str] = field(default_factory=set)
    polls: dict[int, Poll] = field(default_factory=dict)

    @property
    def joined(self) -> list[str]:
        return sorted((mage for mage in self.seats if self.seats[mage] == "joined"), key=self.joined_at.__getitem__)

    @property
    def invited(self) -> list[str]:
        return [mage for mage, state in self.seats.items() if state == "invited"]

    @property
    def pending(self) -> dict[int, Poll]:
        return {number: poll for number, poll in self.polls.items() if poll.state == "pending"}

    def wins(self, side: set[str]) -> bool:
        heads = len(self.joined)
        return 2 * len(side) > heads or (2 * len(side) == heads and self.challenger in side)

    def judge(self, poll: Poll) -> str | None:
        yes = {mage for mage in self.joined if mage in self.loyal or poll.votes.get(mage) is True}
        no = {mage for mage in self.joined if mage not in yes and poll.votes.get(mage) is False}
        if self.authoritarian:
            return "adopted" if self.challenger in yes else "rejected" if self.challenger in no else None
        return "adopted" if self.wins(yes) else "rejected" if self.wins(no) else None


class Model:
    """All challenges. `owners` has the user of each mage; the clock counts minutes."""

    def __init__(self, owners: dict[str, str]) -> None:
        self.owners = owners
        self.games: dict[int, Game] = {}
        self.busy: dict[str, tuple[str, int]] = {}
        self.retired: set[str] = set()
        self.blocks: set[frozenset[str]] = set()
        self.fighters: dict[int, set[str]] = {}
        self.clock = 0

    def obey(self, order: str, **asked: Any) -> bool:
        """Process an order, or reject it and change nothing."""
        before = copy.deepcopy(self.__dict__)
        try:
            getattr(self, order)(**asked)
        except Refused:
            self.__dict__ = before
            return False
        return True

    # -- orders

    def newgame(
        self,
        number: int,
        mage: str,
        invited: list[str],
        excluded: list[str],
        per_user: int | None,
        limit: int | None,
        authoritarian: bool,
    ) -> None:
        demand(mage not in self.busy)
        demand(bool(invited) or per_user is not None)
        demand(not excluded or per_user is not None)
        demand(limit is None or limit >= 2)
        demand(mage not in (*invited, *excluded) and not set(invited) & set(excluded))
        for guest in invited:
            demand(self.is_free(guest) and not self.are_apart(mage, guest))
            demand(per_user != 1 or self.owners[guest] != self.owners[mage])
        game = self.games[number] = Game(mage, per_user, limit, authoritarian)
        self.sit(number, mage)
        game.seats |= dict.fromkeys(invited, "invited") | dict.fromkeys(excluded, "excluded")

    def accept(self, number: int, mage: str, changes: Sequence[int] = (), everything: bool = False) -> None:
        game = self.get_open(number)
        if not ((everything or changes) and mage in game.joined):
            self.join(number, mage)
        if everything:
            game.loyal.add(mage)
        for change in changes:
            self.vote(game, mage, change, True)
        self.settle(number)

    def oppose(self, number: int, mage: str, changes: Sequence[int]) -> None:
        game = self.get_open(number)
        for change in changes:
            self.vote(game, mage, change, False)
        game.loyal.discard(mage)
        self.settle(number)

    def decline(self, number: int, mage: str) -> None:
        game = self.get_open(number)
        demand(mage != game.challenger and game.seats.get(mage) in ("invited", "joined"))
        self.stand_up(number, mage, "declined")
        self.settle(number)

    def withdraw(self, number: int, mage: str) -> None:
        game = self.get_open(number)
        demand(mage == game.challenger)
        self.finish(number, "withdrawn")

    def propose(self, number: int, mage: str, change: dict[str, Any]) -> None:
        game = self.get_open(number)
        demand(self.has_a_say(game, mage))
        self.check_change(game, change)
        heads = len(game.joined)
        if game.authoritarian or heads == 1 or (heads == 2 and mage == game.challenger):
            self.make(number, self.rest_of(game, change))
        elif same := next((poll for poll in game.pending.values() if poll.change == change), None):
            same.votes[mage] = True
        else:
            demand(len(game.pending) < 10)
            game.polls[len(game.polls) + 1] = Poll(mage, change, self.clock, votes={mage: True})
        self.settle(number)

    def take_back(self, number: int, mage: str, change: int) -> None:
        game = self.get_open(number)
        demand(change in game.pending and game.pending[change].proposer == mage)
        game.polls[change].state = "taken_back"

    # -- not orders

    def retire(self, mage: str) -> None:
        demand(mage not in self.busy)
        self.retired.add(mage)

    def block(self, user: str, other: str) -> None:
        demand(user != other)
        self.blocks.add(frozenset((user, other)))

    def end_battle(self, number: int) -> None:
        self.busy = {mage: what for mage, what in self.busy.items() if what != ("battle", number)}

    def sweep(self) -> None:
        """Decline for mages who cannot join a closed challenge."""
        due = [
            (number, mage)
            for number, game in sorted(self.games.items())
            if game.status == "open" and game.per_user is None
            for mage in game.invited
        ]
        for number, mage in due:
            game = self.games[number]
            open_still = game.status == "open" and game.per_user is None and mage in game.invited
            if open_still and not self.is_free(mage):
                self.decline(number, mage)

    def wait(self) -> None:
        """Let all present proposals expire."""
        self.clock += LIFE
        for game in self.games.values():
            for poll in game.pending.values():
                poll.state = "lapsed" if poll.made + LIFE <= self.clock else "pending"

    # -- rules

    def get_open(self, number: int) -> Game:
        demand(number in self.games and self.games[number].status == "open")
        return self.games[number]

    def is_free(self, mage: str) -> bool:
        return mage not in self.busy and mage not in self.retired

    def are_apart(self, mage: str, other: str) -> bool:
        return frozenset((self.owners[mage], self.owners[other])) in self.blocks

    def has_a_say(self, game: Game, mage: str) -> bool:
        return mage in game.joined and (not game.authoritarian or mage == game.challenger)

    def join(self, number: int, mage: str) -> None:
        game, state = self.games[number], self.games[number].seats.get(mage)
        demand(state not in ("joined", "excluded") and mage not in self.busy)
        demand(game.per_user is not None or state == "invited")
        demand(not any(self.are_apart(mage, other) for other in game.joined))
        own = sum(self.owners[other] == self.owners[mage] for other in game.joined)
        demand(not game.per_user or own < game.per_user)
        self.sit(number, mage)

    def sit(self, number: int, mage: str) -> None:
        game = self.games[number]
        game.seats[mage], game.joined_at[mage] = "joined", self.clock
        self.busy[mage] = ("challenge", number)
        self.retired.discard(mage)

    def stand_up(self, number: int, mage: str, state: str) -> None:
        game = self.games[number]
        if game.seats[mage] == "joined":
            del self.busy[mage]
            game.loyal.discard(mage)
            for poll in game.pending.values():
                poll.votes.pop(mage, None)
        game.seats[mage] = state

    def vote(self, game: Game, mage: str, change: int, word: bool) -> None:
        demand(self.has_a_say(game, mage) and change in game.pending)
        game.polls[change].votes[mage] = word

    def check_change(self, game: Game, change: dict[str, Any]) -> None:
        added, excluded = change.get("add", []), change.get("exclude", [])
        closes = "mages_per_user" in change and change["mages_per_user"] is None
        is_open = change.get("mages_per_user", game.per_user) is not None
        limit = change.get("limit")
        demand(limit is None or limit >= max(2, len(game.joined)))
        for mage in added:
            demand(game.seats.get(mage) not in ("joined", "invited") and self.is_free(mage))
            demand(not any(self.are_apart(mage, other) for other in game.joined))
        for mage in excluded:
            demand(mage not in added and game.seats.get(mage) not in ("joined", "excluded"))
            demand(is_open or game.seats.get(mage) == "invited")
        demand(not (closes and len(game.joined) < 2 and not game.invited and not added))
        demand(not change.get("start") or len(game.joined) >= 2)
        demand(bool(self.rest_of(game, change)))

    def rest_of(self, game: Game, change: dict[str, Any]) -> dict[str, Any]:
        now = {
            "limit": game.limit,
            "mages_per_user": game.per_user,
            "authoritarian": game.authoritarian,
            "stakes": game.stakes,
        }
        rest = {name: change[name] for name in now if name in change and change[name] != now[name]}
        if rest.get("limit") and rest["limit"] < len(game.joined):
            del rest["limit"]
        is_open = rest.get("mages_per_user", game.per_user) is not None
        starts = change.get("start", False) and len(game.joined) >= 2
        added = [mage for mage in change.get("add", []) if game.seats.get(mage) not in ("joined", "invited")]
        excluded = [
            mage
            for mage in change.get("exclude", [])
            if game.seats.get(mage) == "invited" or (is_open and game.seats.get(mage) in (None, "declined", "left_out"))
        ]
        if starts:
            rest["start"] = True
        if added and not starts:
            rest["add"] = added
        if excluded:
            rest["exclude"] = excluded
        return rest

    def make(self, number: int, rest: dict[str, Any]) -> None:
        game = self.games[number]
        self.part(number)
        game.limit = rest.get("limit", game.limit)
        game.per_user = rest.get("mages_per_user", game.per_user)
        game.authoritarian = rest.get("authoritarian", game.authoritarian)
        game.stakes = rest.get("stakes", game.stakes)
        for mage in rest.get("add", []):
            if self.is_free(mage) and not any(self.are_apart(mage, other) for other in game.joined):
                game.seats[mage] = "invited"
        for mage in rest.get("exclude", []):
            game.seats[mage] = "excluded"
        if rest.get("start") and len(game.joined) >= 2:
            self.begin(number)

    def settle(self, number: int) -> None:
        game = self.games[number]
        if game.status == "open":
            self.part(number)
        while game.status == "open" and self.decide_one(number):
            pass
        heads = len(game.joined)
        declined = sum(state == "declined" for state in game.seats.values())
        # A limit that was within reach, and that declines have left too high.
        is_short = game.limit is not None and heads < game.limit <= heads + len(game.invited) + declined
        waits = heads < 2 or (heads != game.limit and (game.per_user is not None or bool(game.invited) or is_short))
        if game.status == "open" and not waits:
            self.begin(number)

    def decide_one(self, number: int) -> bool:
        game = self.games[number]
        for poll in game.pending.values():
            rest = self.rest_of(game, poll.change)
            verdict = game.judge(poll) if rest else "moot"
            if verdict:
                poll.state = verdict
                if verdict == "adopted":
                    self.make(number, rest)
                return True
        return False

    def part(self, number: int) -> None:
        game = self.games[number]
        kept: list[str] = []
        for mage in [*game.joined, *game.invited]:
            if any(self.are_apart(mage, other) for other in kept):
                self.stand_up(number, mage, "excluded")
            elif game.seats[mage] == "joined":
                kept.append(mage)

    def begin(self, number: int) -> None:
        game = self.games[number]
        for mage in game.invited:
            game.seats[mage] = "left_out"
        self.fighters[number] = set(game.joined)
        self.finish(number, "started")
        self.busy |= dict.fromkeys(game.joined, ("battle", number))

    def finish(self, number: int, status: str) -> None:
        game = self.games[number]
        game.status = status
        for poll in game.pending.values():
            poll.state = "abandoned"
        for mage in game.joined:
            del self.busy[mage]
