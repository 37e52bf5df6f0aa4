"""Play a match of two players, and end with a line such as ``Warder 85.0 % ±3.5 (400 games)``.

A player is one of the five strengths, or the command line of a program that speaks the line protocol
(docs/bots/protocol.md). A takes every seat in turn; in a melee all others are B, so among n equal players A would get
one nth. The same seed plays the same games, however many processes share them.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import Chooser, Game, IllegalMove, Tally, make_player, play_game, seat_players
from rules_engine.bots.tools.programs import PATIENCE, Program
from rules_engine.errors import UnknownRuleset
from rules_engine.rulesets import get_ruleset

MOST_MAGES = 6
LONGEST_PROBLEM = 300
LONGEST_PATIENCE = 3600
MOST_FAILURES = 3
"""A program that did not answer in so many games loses the others too, so that the match ends."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    match = commands.add_parser("match", help="play a match and count it", description=__doc__)
    match.add_argument("a", metavar="A", type=_read_player, help=f"{', '.join(STRENGTHS)}, or a command")
    match.add_argument("b", metavar="B", type=_read_player)
    match.add_argument("--games", type=_read_count, default=40)
    match.add_argument("--ruleset", default="firetop-standard")
    match.add_argument("--mages", type=int, default=2, choices=range(2, MOST_MAGES + 1))
    match.add_argument("--seed", default="match")
    match.add_argument("--processes", type=_read_count, default=1)
    match.add_argument(
        "--patience", type=_read_seconds, default=PATIENCE, help="seconds that a program has for an answer"
    )
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
    patience: float


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
    for name in (arguments.a, arguments.b):
        problem = "" if name in STRENGTHS else _find_problem(name)
        if problem:
            print(f"match: {problem}", file=sys.stderr)
            return 2
    match = Match(
        arguments.a,
        arguments.b,
        arguments.ruleset,
        arguments.mages,
        arguments.seed,
        arguments.surrender,
        arguments.patience,
    )
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


def _read_player(word: str) -> str:
    """Return the name of a strength, which may be given in any case, or a command line."""
    return word.capitalize() if word.capitalize() in STRENGTHS else word


def _read_count(word: str) -> int:
    """Return a number of at least 1. Raises ArgumentTypeError."""
    if not word.isdecimal() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is no number from 1 on")
    return int(word)


def _read_seconds(word: str) -> float:
    """Return a time of at most an hour. Raises ArgumentTypeError."""
    with contextlib.suppress(ValueError):
        if 0 < float(word) <= LONGEST_PATIENCE:
            return float(word)
    raise argparse.ArgumentTypeError(f"{word!r} is no number of seconds up to {LONGEST_PATIENCE}")


def _find_problem(command: str) -> str:
    """Return why a command line cannot be started; nothing if it can."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"{command!r} is not a command line: {error}"
    if words and shutil.which(words[0]):
        return ""
    return f"{command!r} is neither a program nor one of {', '.join(STRENGTHS)}"


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
        print(f"illegal: {problem[:LONGEST_PROBLEM]}")
    print(tally.line(match.a))


def play_part(match: Match, numbers: list[int]) -> Counted:
    """Play the games with these numbers."""
    counted = Counted()
    sides = [Side(match, name, counted.seconds[side]) for name, side in ((match.a, "A"), (match.b, "B"))]
    try:
        for number in numbers:
            players, mine = seat_players((sides[0].seat, sides[1].seat), match.mages, match.seed, number)
            game = play_game(match.ruleset, players, f"{match.seed} {number}")
            counted.tally.add(game, mine)
            _report_to_programs(game, players)
            for side in sides:
                side.stand_up()
    finally:
        for side in sides:
            side.close()
    return counted


class Side:
    """A or B: seats a bot for each game, or programs, which play on in the next game."""

    def __init__(self, match: Match, name: str, seconds: list[float]) -> None:
        self.match, self.name, self.seconds = match, name, seconds
        self.idle: list[Program] = []
        self.busy: list[Program] = []
        self.failures = 0

    def seat(self, seed: object) -> Chooser:
        """Return a player for one mage of a game."""
        if self.name in STRENGTHS:
            return Timed(make_player(self.name, seed, may_surrender=self.match.surrender), self.seconds)
        if self.failures >= MOST_FAILURES:
            return _refuse
        program = self.idle.pop() if self.idle else Program(self.name, self.match.patience)
        self.busy.append(program)
        return Timed(program, self.seconds)

    def stand_up(self) -> None:
        """End a game: programs that still answer play the next one, the others are replaced."""
        for program in self.busy:
            if program.failed or program.process.poll() is not None:
                self.failures += program.failed
                program.close()
            else:
                self.idle.append(program)
        self.busy = []

    def close(self) -> None:
        for program in (*self.idle, *self.busy):
            program.close()


def _refuse(seen: Seen) -> list[str]:
    raise IllegalMove(f"{seen.mage}: not started again after {MOST_FAILURES} games without an answer")


class Timed:
    """A player whose answers are timed."""

    def __init__(self, player: Chooser, seconds: list[float]) -> None:
        self.player, self.seconds = player, seconds

    def __call__(self, seen: Seen) -> list[str]:
        begin = time.perf_counter()
        lines = list(self.player(seen))
        self.seconds.append(time.perf_counter() - begin)
        return lines


def _report_to_programs(game: Game, players: dict[str, Chooser]) -> None:
    for mage, player in players.items():
        if isinstance(player, Timed) and isinstance(player.player, Program):
            player.player.report_end(mage, game.shares[mage])
