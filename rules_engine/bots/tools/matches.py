"""Plays and counts games: any function from a mage's view to order lines can be a player."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules_engine.battle import Done, advance, new_duel
from rules_engine.bots.belief import PastTurn
from rules_engine.bots.seen import Seen, see
from rules_engine.bots.strengths import choose_orders as choose
from rules_engine.bots.strengths import get_strength
from rules_engine.dice import KeyedDice
from rules_engine.events import Event
from rules_engine.notation import read_orders
from rules_engine.orders import Sheet
from rules_engine.questions import is_complete
from rules_engine.state import State

LONGEST = 150
"""A game counts as a draw after so many turns."""
MOST_STAGES = 12
MAGES = ("Ayla", "Crom", "Dara", "Edda", "Finn", "Gwen")

Chooser = Callable[[Seen], Sequence[str]]
"""A player: order lines for what a mage sees."""


class IllegalMove(Exception):
    """A player gave orders that are not understood, not allowed or not complete."""


@dataclass(slots=True)
class Game:
    """The result of one game. `shares` is each mage's part of one point; `surrenders` lists who gave up."""

    shares: dict[str, float]
    turns: int
    reason: str
    surrenders: tuple[str, ...] = ()
    illegal: dict[str, str] = field(default_factory=dict)


def make_player(strength: str, seed: object, *, may_surrender: bool = False) -> Chooser:
    """Return one of the five strengths as a player."""
    known = get_strength(strength)

    def play(seen: Seen) -> Sequence[str]:
        return choose(seen, mage=seen.mage, strength=known, seed=seed, may_surrender=may_surrender)

    return play


def read_lines(state: State, mage: str, lines: Sequence[str]) -> Sheet:
    """Return the sheet with these lines. Raises IllegalMove, which says what is wrong."""
    read = read_orders(state, mage, "\n".join(lines))
    if read.problems:
        problem = read.problems[0]
        raise IllegalMove(f"{state.label} {mage}: {problem.text}: {problem.message}")
    if not is_complete(state, mage, read.sheet):
        raise IllegalMove(f"{state.label} {mage}: {'; '.join(lines)}: not complete")
    return read.sheet


def play_game(
    ruleset: str,
    players: Mapping[str, Chooser],
    seed: object,
    *,
    longest: int = LONGEST,
    watch: Callable[[State], None] = lambda state: None,
    heed: Callable[[State, Mapping[str, Sheet]], None] = lambda state, sheets: None,
) -> Game:
    """Play a game of these mages to its end. A player who gives illegal orders forfeits the game.

    Calls `watch` with the state before each turn, and `heed` with all orders before they are played.
    """
    state = new_duel(ruleset, tuple(players), dice=KeyedDice(str(seed)))
    illegal: dict[str, str] = {}
    past: list[PastTurn] = []
    while state.outcome is None and state.seq <= longest:
        watch(state)
        before, events = state, list[Event]()
        for _ in range(MOST_STAGES):
            sheets = {}
            for mage in state.owing:
                try:
                    sheets[mage] = read_lines(state, mage, players[mage](see(state, mage, past)))
                except IllegalMove as error:
                    illegal[mage] = str(error)
                    sheets[mage] = Sheet.of_forfeit()
            heed(state, sheets)
            done = advance(state, sheets, KeyedDice(str(seed), state.seq))
            state = done.state
            events += done.events
            if isinstance(done, Done):
                past.append(PastTurn(before, events))
                break
        else:
            raise RuntimeError(f"turn {state.label} never stops asking")
    return _count(state, illegal)


def _count(state: State, illegal: dict[str, str]) -> Game:
    outcome = state.outcome
    if outcome is None:
        left = state.still_in
        shares = {mage: 1.0 / len(left) if mage in left else 0.0 for mage in state.mages}
        return Game(shares, state.seq, "too long", (), illegal)
    best = outcome.winners or outcome.sharing or state.mages
    shares = {mage: 1.0 / len(best) if mage in best else 0.0 for mage in state.mages}
    return Game(shares, state.seq, outcome.reason, tuple(outcome.surrendered), illegal)


@dataclass(slots=True)
class Tally:
    """The points of one side of a match. In a melee one mage is A and all others are B."""

    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    draws: int = 0
    surrenders: int = 0
    turns: int = 0
    illegal: list[str] = field(default_factory=list)

    def add(self, game: Game, mage: str) -> None:
        """Count a game in which A played this mage."""
        share = game.shares[mage]
        self.games += 1
        self.points += share
        self.squares += share * share
        self.draws += 0 < share < 1
        self.surrenders += len(game.surrenders)
        self.turns += game.turns
        self.illegal += game.illegal.values()

    def merge(self, other: Tally) -> None:
        """Add what another process counted."""
        self.games += other.games
        self.points += other.points
        self.squares += other.squares
        self.draws += other.draws
        self.surrenders += other.surrenders
        self.turns += other.turns
        self.illegal += other.illegal

    @property
    def share(self) -> float:
        """A's part of all points."""
        return self.points / self.games if self.games else 0.0

    @property
    def margin(self) -> float:
        """Half of the 95 % range around `share` (Wilson's, so that it is never zero)."""
        n, z = max(self.games, 1), 1.96
        p = self.share
        return z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)

    def line(self, name: str) -> str:
        """Return the last line of a match."""
        return f"{name} {100 * self.share:.1f} % ±{100 * self.margin:.1f} ({self.games} games)"


def seat_players(
    makers: tuple[Callable[[object], Chooser], Callable[[object], Chooser]], mages: int, seed: object, number: int
) -> tuple[dict[str, Chooser], str]:
    """Return (players by mage, the mage of the first maker): A takes every seat in turn."""
    seat = number % mages
    names = MAGES[:mages]
    players = {name: makers[0 if place == seat else 1](f"{seed} {number} {name}") for place, name in enumerate(names)}
    return players, names[seat]


def play_match(
    makers: tuple[Callable[[object], Chooser], Callable[[object], Chooser]],
    ruleset: str,
    numbers: Sequence[int],
    seed: object,
    *,
    mages: int = 2,
) -> Iterator[tuple[Game, str]]:
    """Play the games with these numbers; yields each with the mage that A played."""
    for number in numbers:
        players, mine = seat_players(makers, mages, seed, number)
        yield play_game(ruleset, players, f"{seed} {number}"), mine


__all__ = ["Chooser", "Game", "IllegalMove", "Tally", "make_player", "play_game", "play_match", "read_lines"]
