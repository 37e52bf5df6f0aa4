"""Fit the chances to win that analyses show, and print how reliable they are: of all mages who were shown a chance
between 60 and 70 %, say, how many won.

Plays games of all kinds of players in every ruleset, takes some positions of each, and analyses them; with --positions
0, it looks at every position by the evaluation alone. The games with even numbers give the slopes for those with odd
numbers, and the other way round: no chance in the table was fitted to its own game. Games that are cut don't count,
because nobody has won them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain
from math import log
from typing import Any, Final, NamedTuple

from rules_engine.bots.analyse import weigh_position
from rules_engine.bots.chance import Chance
from rules_engine.bots.pool import PROGRAMS, make_program
from rules_engine.bots.shown_chances import OF_MANY, SLOPE, ShownWorth, show_chances
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import MAGES, Chooser, Tally, make_player, play_game
from rules_engine.bots.worth import Worth
from rules_engine.orders import Sheet
from rules_engine.rulesets import RULESETS
from rules_engine.state import State
from rules_engine.store import read_state, write_state

STANDARD: Final = "firetop-standard"
STANDARD_PART: Final = 0.3
"""How many of the games are in the ruleset that most people play."""
PLAYERS: Final = (
    {"Magus": 2.0, "Warder": 3.0, "Journeyman": 1.5, "Apprentice": 1.5, "beginner": 1.0}
    | dict.fromkeys(PROGRAMS, 1.0)
    | {"matrix": 0.3}
)
"""How often each of them plays; the slow ones less often, and not the Archmage."""
MELEES: Final = 0.1
"""How many of the games have three or four mages: bots, because the programs play duels."""
TENTHS: Final = 10
AIM: Final = 4.0
AIM_OF_ONE: Final = 8.0
"""How many points a tenth may be off: over all rulesets, and in one."""
TOO_LONG: Final = "too long"
LEAST_CHANCE: Final = 1e-6
STEEPEST: Final = 4.0
STEPS: Final = 20


class Judged(NamedTuple):
    """A position of a game: the chances that were given to all mages, and their shares of the game."""

    chances: Sequence[float]
    shares: Sequence[float]

    @property
    def is_of_many(self) -> bool:
        """Whether three or more mages are left."""
        return sum(chance > 0.0 for chance in self.chances) > 2


class Slopes(NamedTuple):
    """The slopes of shown chances: while two mages are left, and while three or more are."""

    of_two: float
    of_many: float


@dataclass(frozen=True, slots=True)
class Watched:
    """A game: every position judged by the evaluation alone, and some positions with the orders for them, as data that
    other processes can read. One that was cut has no positions."""

    number: int
    ruleset: str
    shares: tuple[float, ...]
    judged: tuple[Judged, ...]
    taken: tuple[tuple[Mapping[str, Any], Mapping[str, Sequence[str]]], ...]


@dataclass(slots=True)
class Tenth:
    """The mages whose chance lies in one tenth of all chances: what they were shown, and what they won."""

    tally: Tally = field(default_factory=Tally)
    shown: float = 0.0

    @property
    def off(self) -> float:
        """By how many points the mages won more often than they were shown."""
        return 100 * (self.tally.share - self.shown / max(self.tally.games, 1))


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    reliability = commands.add_parser(
        "reliability", help="how reliable the chances of analyses are", description=__doc__
    )
    reliability.add_argument("--games", type=int, default=3000)
    reliability.add_argument("--positions", type=int, default=1, help="how many positions of each game to analyse")
    reliability.add_argument("--seed", default="reliability")
    reliability.add_argument("--processes", type=int, default=1)
    reliability.set_defaults(run=run_reliability)


def run_reliability(arguments: argparse.Namespace) -> int:
    """Print the slopes and the tables. The exit code is 1 if a tenth is further off than its aim."""
    play = partial(watch_game, seed=arguments.seed, positions=arguments.positions)
    with ProcessPoolExecutor(arguments.processes) as pool:
        run: Callable[..., Iterable[Any]] = map if arguments.processes == 1 else partial(pool.map, chunksize=10)
        games: list[Watched] = list(run(play, range(arguments.games)))
        slopes = fit_slopes(games)
        halves = [fit_slopes(games[1::2]), fit_slopes(games[::2])]
        judge = partial(judge_game, halves=halves, seed=arguments.seed)
        judged: list[tuple[str, Judged]] = list(chain.from_iterable(run(judge, games)))
    ended = sum(bool(game.judged) for game in games)
    print(f"{ended} of {arguments.games} games ended, seed {arguments.seed}; slopes fitted to all of them (in use):")
    print(f"two mages {slopes.of_two:.2f} ({SLOPE:.2f})")
    print(f"three or more mages {slopes.of_many:.2f} ({OF_MANY:.2f})")
    missed = print_table("all rulesets", [each for _, each in judged], AIM)
    missed += print_table(STANDARD, [each for ruleset, each in judged if ruleset == STANDARD], AIM_OF_ONE)
    for said in missed:
        print(f"missed: {said}", file=sys.stderr)
    return 1 if missed else 0


def watch_game(number: int, *, seed: str, positions: int) -> Watched:
    """Play the game of this number, and take some of its positions."""
    chance = Chance(seed, number)
    others = [name for name, ruleset in RULESETS.items() if ruleset.offered and name != STANDARD]
    ruleset = STANDARD if chance.random() < STANDARD_PART else chance.choose(others)
    mages = MAGES[: 3 + int(chance.random() * 2)] if chance.random() < MELEES else MAGES[:2]
    names = [name for name in PLAYERS if len(mages) == 2 or name in STRENGTHS]
    players: dict[str, Chooser] = {}
    for mage in mages:
        name = names[chance.draw([PLAYERS[each] for each in names])]
        make = make_player if name in STRENGTHS else make_program
        players[mage] = make(name, f"{seed} {number} {mage}")
    states: list[State] = []
    sheets: dict[int, Mapping[str, Sheet]] = {}

    def heed(state: State, given: Mapping[str, Sheet]) -> None:
        sheets.setdefault(state.seq, dict(given))  # those before the turn stops for answers

    game = play_game(ruleset, players, f"{seed} {number}", watch=states.append, heed=heed)
    shares = tuple(game.shares[mage] for mage in mages)
    if game.reason == TOO_LONG:
        return Watched(number, ruleset, shares, (), ())
    worth = get_worth(ruleset)
    left = list(states)
    taken = [left.pop(int(chance.random() * len(left))) for _ in range(min(positions, len(left)))]
    return Watched(
        number,
        ruleset,
        shares,
        tuple(Judged(worth.chances(state), shares) for state in states),
        tuple(
            (write_state(state), {mage: tuple(sheet.lines()) for mage, sheet in sheets[state.seq].items()})
            for state in taken
        ),
    )


@cache
def get_worth(ruleset: str) -> Worth:
    """Return the evaluation of a ruleset as in play."""
    return Worth(ruleset)


@cache
def get_shown_worth(ruleset: str, slopes: Slopes) -> ShownWorth:
    """Return the evaluation of a ruleset as it is shown with these slopes."""
    return ShownWorth(ruleset, slopes.of_two, slopes.of_many)


def fit_slopes(games: Iterable[Watched]) -> Slopes:
    """Return the slopes under which the results of these games are likeliest."""
    judged = [each for game in games for each in game.judged]
    return Slopes(
        fit_slope([each for each in judged if not each.is_of_many]),
        fit_slope([each for each in judged if each.is_of_many]),
    )


def fit_slope(judged: Sequence[Judged]) -> float:
    """Return the slope under which the shares are likeliest, given the chances in play. Every position counts once, as
    it does in the tables."""
    low, high = 0.0, STEEPEST
    for _ in range(STEPS):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if _log_likelihood(judged, one) < _log_likelihood(judged, other):
            low = one
        else:
            high = other
    return (low + high) / 2


def _log_likelihood(judged: Sequence[Judged], slope: float) -> float:
    total = 0.0
    for chances, shares in judged:
        for chance, share in zip(show_chances(chances, slope, slope), shares, strict=True):
            if share:
                total += share * log(max(chance, LEAST_CHANCE))
    return total


def judge_game(game: Watched, *, halves: Sequence[Slopes], seed: str) -> list[tuple[str, Judged]]:
    """Return the game's positions with the chances that an analysis shows, by the slopes of the other half; if none was
    taken, every position with those of the evaluation alone."""
    slopes = halves[game.number % 2]
    if not game.taken:
        return [(game.ruleset, Judged(show_chances(each.chances, *slopes), each.shares)) for each in game.judged]
    worth = get_shown_worth(game.ruleset, slopes)
    found = []
    for state, lines in game.taken:
        orders = {mage: Sheet.from_lines(written) for mage, written in lines.items()}
        shown = weigh_position(read_state(state), orders, worth=worth, seed=f"{seed} {game.number}")
        found.append((game.ruleset, Judged(shown, game.shares)))
    return found


def sort_tenths(judged: Iterable[Judged]) -> list[Tenth]:
    """Return what mages were shown and won, by tenths of the chance that they were shown."""
    tenths = [Tenth() for _ in range(TENTHS)]
    for chances, shares in judged:
        for chance, share in zip(chances, shares, strict=True):
            tenth = tenths[min(int(chance * TENTHS), TENTHS - 1)]
            tenth.tally.games += 1
            tenth.tally.points += share
            tenth.shown += chance
    return tenths


def print_table(name: str, judged: Sequence[Judged], aim: float) -> list[str]:
    """Print a table of tenths; return what misses the aim."""
    missed = []
    print(f"\n{name}, {len(judged)} positions: shown, won, points off (aim {aim:.0f})")
    for place, tenth in enumerate(sort_tenths(judged)):
        if not tenth.tally.games:
            continue
        shown, tally = 100 * tenth.shown / tenth.tally.games, tenth.tally
        line = f"{10 * place:3} to {10 * place + 10:3} %"
        print(
            f"{line}: {tally.games:5} mages, {shown:5.1f} % shown, {100 * tally.share:5.1f} % ±{100 * tally.margin:.1f}"
            f" won, {tenth.off:+.1f}"
        )
        if abs(tenth.off) > aim:
            missed.append(f"{name}, {line.strip()}: {tenth.off:+.1f}")
    return missed
