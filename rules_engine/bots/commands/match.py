"""Play a match of two players, and end with a line such as ``Warder 85.0 % ±3.5 (400 games)``.

A player is one of the five strengths, or the command line of a program that speaks the line protocol
(docs/bots/protocol.md). A takes every seat in turn; in a melee all others are B, so among n equal players A would get
one nth. The same seed plays the same games, however many processes share them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from rules_engine.bots.commands.programs import Program
from rules_engine.bots.matches import Chooser, Game, Tally, make_player, play_game, seat_players
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.errors import UnknownRuleset
from rules_engine.rulesets import get_ruleset

MOST_MAGES = 6


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add match."""
    match = commands.add_parser("match", help="play a match and count it", description=__doc__)
    match.add_argument("a", metavar="A", help=f"{', '.join(STRENGTHS)}, or a command")
    match.add_argument("b", metavar="B")
    match.add_argument("--games", type=int, default=40)
    match.add_argument("--ruleset", default="firetop-standard")
    match.add_argument("--mages", type=int, default=2, choices=range(2, MOST_MAGES + 1))
    match.add_argument("--seed", default="match")
    match.add_argument("--processes", type=int, default=1)
    match.add_argument("--surrender", action="store_true", help="bots surrender when all is lost")
    match.set_defaults(run=run_match)


@dataclass(frozen=True, slots=True)
class Match:
    """The settings of a match. They are sent to other processes."""

    a: str
    b: str
    ruleset: str
    mages: int
    seed: str
    surrender: bool


@dataclass(slots=True)
class Counted:
    """The results of one process: the tally, and the seconds of A's and B's answers."""

    tally: Tally = field(default_factory=Tally)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"A": [], "B": []})


def run_match(arguments: argparse.Namespace) -> int:
    """Play and print. The exit code is 1 if someone gave illegal orders, 2 if nothing could be played."""
    try:
        get_ruleset(arguments.ruleset)
    except UnknownRuleset as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    match = Match(arguments.a, arguments.b, arguments.ruleset, arguments.mages, arguments.seed, arguments.surrender)
    shares = [list(range(arguments.games))[process :: arguments.processes] for process in range(arguments.processes)]
    if arguments.processes == 1:
        parts = [play_part(match, shares[0])]
    else:
        with ProcessPoolExecutor(arguments.processes) as pool:
            parts = list(pool.map(play_part, [match] * len(shares), shares))
    total = parts[0]
    for part in parts[1:]:
        total.tally.merge(part.tally)
        for side, seconds in part.seconds.items():
            total.seconds[side] += seconds
    print_match(match, total)
    return 1 if total.tally.illegal else 0


def print_match(match: Match, counted: Counted) -> None:
    """Print the details, and the result last."""
    tally = counted.tally
    games = max(tally.games, 1)
    print(f"{match.ruleset}, {match.mages} mages, {tally.turns / games:.1f} turns a game, {tally.draws} draws")
    for side, name in (("A", match.a), ("B", match.b)):
        seconds = sorted(counted.seconds[side])
        if seconds:
            most = seconds[int(0.95 * (len(seconds) - 1))]
            print(f"{side} {name}: 95 % of answers within {most:.3f} s, the slowest {seconds[-1]:.3f} s")
    for problem in tally.illegal[:5]:
        print(f"illegal: {problem}")
    print(tally.line(match.a))


def play_part(match: Match, numbers: list[int]) -> Counted:
    """Play the games with these numbers."""
    counted = Counted()
    programs: list[Program] = []
    make_a, make_b = (
        _make_maker(match, name, side, counted, programs) for name, side in ((match.a, "A"), (match.b, "B"))
    )
    try:
        for number in numbers:
            players, mine = seat_players((make_a, make_b), match.mages, match.seed, number)
            game = play_game(match.ruleset, players, f"{match.seed} {number}")
            counted.tally.add(game, mine)
            _tell_programs(game, players)
    finally:
        for program in programs:
            program.close()
    return counted


def _make_maker(
    match: Match, name: str, side: str, counted: Counted, programs: list[Program]
) -> Callable[[object], Chooser]:
    """Return a function that seats this player: a new bot for each game, or one program for each seat."""
    if name in STRENGTHS:
        return lambda seed: Timed(make_player(name, seed, may_surrender=match.surrender), counted.seconds[side])
    idle: list[Program] = []

    def seat(seed: object) -> Chooser:
        # A program that has stopped is restarted; in a melee each seat has its own process.
        busy = [program for program in programs if program.process.poll() is None and program in idle]
        if busy and match.mages == 2:
            return Timed(busy[0], counted.seconds[side])
        program = Program(name)
        programs.append(program)
        idle.append(program)
        return Timed(program, counted.seconds[side])

    return seat


class Timed:
    """A player whose answers are timed."""

    def __init__(self, player: Chooser, seconds: list[float]) -> None:
        self.player, self.seconds = player, seconds

    def __call__(self, seen: Seen) -> list[str]:
        begin = time.perf_counter()
        lines = list(self.player(seen))
        self.seconds.append(time.perf_counter() - begin)
        return lines


def _tell_programs(game: Game, players: dict[str, Chooser]) -> None:
    for mage, player in players.items():
        if isinstance(player, Timed) and isinstance(player.player, Program):
            player.player.tell_end(mage, game.shares[mage])
