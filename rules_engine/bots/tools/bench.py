"""Measures the strength and speed of the computer opponents: matches in duels, melees and every ruleset, with 95 %
ranges; rivals that try to exploit the Archmage; illegal orders, unforced surrenders, seconds of an answer, memory.

The short form prints every row after about ten minutes of processor time, and its ranges are wide; --long plays as many
games as the aims need, for hours. The exit code is 1 if an aim is missed: if the whole range of a match lies below it.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules_engine.battle import Done, advance_silently
from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.moves import COLUMNS, Moves
from rules_engine.bots.seen import Seen
from rules_engine.bots.tools import exploit
from rules_engine.bots.tools.matches import MAGES, Chooser, Tally, make_player, play_game, seat_players
from rules_engine.bots.worth import Worth
from rules_engine.orders import Sheet
from rules_engine.rulesets import RULESETS
from rules_engine.state import State

STANDARD = "firetop-standard"
SLOWEST, MOST, MEGABYTES = 2.0, 0.5, 200
"""Aims: seconds of the slowest answer and of 95 in a hundred, memory of a process."""
LADDER = ("Journeyman", "Warder", "Magus", "Archmage")
QUICK = ("Apprentice", "Journeyman", "Warder", "Magus")


@dataclass(frozen=True, slots=True)
class Plan:
    """A match: the aim is A's share of all points. `games` of the long form; the short form plays for `seconds`."""

    a: str
    b: str
    aim: float
    games: int
    seconds: float
    mages: int = 2
    ruleset: str = STANDARD


DUELS = (
    Plan("Warder", "Journeyman", 0.80, 400, 10.0),
    Plan("Magus", "Warder", 0.85, 400, 40.0),
    Plan("Archmage", "Magus", 0.75, 100, 50.0),
)
MELEES = (
    Plan("Warder", "Journeyman", 0.25, 200, 10.0, mages=4),
    Plan("Magus", "Warder", 0.25, 100, 30.0, mages=4),
    Plan("Archmage", "Magus", 0.25, 40, 40.0, mages=4),
)
BY_RULESET = (
    Plan("Warder", "Journeyman", 0.5, 100, 2.0),
    Plan("Magus", "Warder", 0.5, 100, 6.0),
    Plan("Archmage", "Magus", 0.5, 20, 0.0),
)
LEGAL_GAMES, LEGAL_SECONDS = 10_000, 20.0
EXPLOITED = "Archmage"
SEER_GAMES, OPENER_GAMES, EXPLOIT_SECONDS = 60, 100, 30.0


@dataclass(slots=True)
class Bench:
    """The measurements: processor seconds of answers by strength, and failures."""

    long: bool
    seconds: dict[str, list[float]] = field(default_factory=dict)
    illegal: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def time(self, strength: str) -> Callable[[object], Chooser]:
        """Return a function that makes players and times their answers."""
        taken = self.seconds.setdefault(strength, [])

        def make(seed: object) -> Chooser:
            player = make_player(strength, seed)

            def play(seen: Seen) -> Sequence[str]:
                begin = time.process_time()
                lines = player(seen)
                taken.append(time.process_time() - begin)
                return lines

            return play

        return make

    def play(self, plan: Plan) -> Tally:
        """Play the games of a plan, and print the result."""
        tally = Tally()
        makers = (self.time(plan.a), self.time(plan.b))
        for number in exploit.count_games(plan.games, math.inf if self.long else plan.seconds):
            players, mine = seat_players(makers, plan.mages, "bench", number)
            tally.add(play_game(plan.ruleset, players, f"bench {number}"), mine)
        self.illegal += tally.illegal
        kind = f"{plan.ruleset}, {'duels' if plan.mages == 2 else f'melees of {plan.mages}'}"
        print(
            f"{kind}: {tally.line(f'{plan.a} over {plan.b}')}, aim {100 * plan.aim:.0f} %;"
            f" {tally.turns / tally.games:.0f} turns a game, {tally.draws} draws",
            flush=True,
        )
        if tally.share + tally.margin < plan.aim:
            self.missed.append(f"{plan.a} over {plan.b} in {kind}")
        return tally


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    bench = commands.add_parser("bench", help="how strong and how fast the bots are", description=__doc__)
    bench.add_argument("--long", action="store_true", help="as many games as the aims need")
    bench.add_argument("--only", choices=("duels", "melees", "rulesets", "exploit", "legal"), help="one part")
    bench.set_defaults(run=run_bench)


def run_bench(arguments: argparse.Namespace) -> int:
    """Play and print. The exit code is 1 if an aim is missed."""
    bench = Bench(arguments.long)
    only = arguments.only
    if only in (None, "duels"):
        for plan in DUELS:
            bench.play(plan)
    if only in (None, "melees"):
        for plan in MELEES:
            bench.play(plan)
    if only in (None, "rulesets"):
        for plan in _list_rulesets():
            bench.play(plan)
    if only in (None, "exploit"):
        check_exploits(bench)
    if only in (None, "legal"):
        check_legal(bench)
    _print_seconds(bench)
    _print_memory(bench)
    for problem in bench.illegal[:5]:
        print(f"illegal: {problem}")
    if bench.illegal:
        bench.missed.append("no illegal orders")
    for missed in bench.missed:
        print(f"missed: {missed}", file=sys.stderr)
    return 1 if bench.missed else 0


def _list_rulesets() -> Iterator[Plan]:
    for name, ruleset in RULESETS.items():
        if ruleset.offered and name != STANDARD:
            yield from (replace(plan, ruleset=name) for plan in BY_RULESET)


def check_exploits(bench: Bench) -> None:
    """Let a rival that knows the next move, and one that repeats an opening, play against the Archmage."""
    seconds = math.inf if bench.long else EXPLOIT_SECONDS
    kept = exploit.face_seer(EXPLOITED, STANDARD, SEER_GAMES, "bench", seconds=seconds)
    print(f"{kept.line(f'{EXPLOITED} against the seer of its next move')}, aim {100 * exploit.KEPT:.0f} %", flush=True)
    if kept.share + kept.margin < exploit.KEPT:
        bench.missed.append(f"{EXPLOITED} against the seer of its next move")
    opening = exploit.find_opening(EXPLOITED, STANDARD, "bench")
    if opening is None:
        print(f"{exploit.OPENING_WITH} has not beaten {EXPLOITED} in {exploit.TRIES} games: no opening to repeat")
        return
    fixed, free = (
        exploit.face_opening(EXPLOITED, STANDARD, OPENER_GAMES, "bench", columns, seconds=seconds)
        for columns in (opening, [])
    )
    print(f"{fixed.line(f'{exploit.OPENING_WITH} that repeats {chr(32).join(opening)}')} against {EXPLOITED},")
    print(f"{free.line('one that opens freely')}; aim: no more", flush=True)
    if fixed.share - fixed.margin > free.share + free.margin:
        bench.missed.append(f"repeating an opening gains nothing on {EXPLOITED}")


def check_legal(bench: Bench) -> None:
    """Play the fast bots in all rulesets, with two to six mages, and check their orders and surrenders."""
    offered = [name for name, ruleset in RULESETS.items() if ruleset.offered]
    moves = {name: Moves(Worth(name)) for name in offered}
    unforced: list[str] = []
    games = surrenders = 0
    begin = time.process_time()
    while games < LEGAL_GAMES and (bench.long or time.process_time() - begin < LEGAL_SECONDS):
        ruleset, mages = offered[games % len(offered)], 2 + games // len(offered) % 5
        judge = Judge(moves[ruleset])
        # A Magus takes a hundred times as long as the others, so it plays in one duel of eight.
        seats = QUICK if mages == 2 and games % 8 == 0 else QUICK[:3]
        players = {
            mage: make_player(seats[(place + games) % len(seats)], f"legal {games} {mage}", may_surrender=True)
            for place, mage in enumerate(MAGES[:mages])
        }
        game = play_game(ruleset, players, f"legal {games}", heed=judge.heed)
        bench.illegal += game.illegal.values()
        unforced += judge.unforced
        surrenders += judge.surrenders
        games += 1
    print(f"{games} games in all rulesets, duels to melees of six: {len(bench.illegal)} illegal orders,")
    print(f"{surrenders} surrenders, {len(unforced)} of them unforced")
    for said in unforced[:5]:
        print(f"unforced: {said}")
    if unforced:
        bench.missed.append("no unforced surrender")


class Judge:
    """Checks every surrender: it is unforced if some column would have let the mage survive the turn. Palms that win
    are no surrender."""

    def __init__(self, moves: Moves) -> None:
        self.moves = moves
        self.surrenders = 0
        self.unforced: list[str] = []

    def heed(self, state: State, sheets: Mapping[str, Sheet]) -> None:
        """Take the orders of a turn before it is played."""
        for mage, sheet in sheets.items():
            if sheet.column == "PP" and not self._lives(state, sheets, mage):
                self.surrenders += 1
                if any(self._lives(state, {**sheets, mage: other}, mage) for other in self._others(state, mage)):
                    self.unforced.append(f"{state.ruleset.name} {state.label} {mage}")

    def _others(self, state: State, mage: str) -> Iterator[Sheet]:
        return (move.sheet for move in self.moves.find(state, mage, len(COLUMNS)))

    def _lives(self, state: State, sheets: Mapping[str, Sheet], mage: str) -> bool:
        done = advance_silently(state, sheets, SearchDice(Chance("judge")))
        return isinstance(done, Done) and mage not in done.state.out


def _print_seconds(bench: Bench) -> None:
    for strength, seconds in bench.seconds.items():
        if not seconds:
            continue
        ordered = sorted(seconds)
        most, slowest = ordered[int(0.95 * (len(ordered) - 1))], ordered[-1]
        print(f"{strength}: {len(ordered)} answers, processor time: 95 % {most:.3f} s, the slowest {slowest:.3f} s")
        if most > MOST or slowest > SLOWEST:
            bench.missed.append(f"{strength}: 95 % within {MOST} s, the slowest {SLOWEST} s")


def _print_memory(bench: Bench) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    print(f"memory of the process at most {used:.0f} MB, aim under {MEGABYTES} MB")
    if used >= MEGABYTES:
        bench.missed.append(f"under {MEGABYTES} MB")
