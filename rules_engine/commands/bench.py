"""Measures how fast the engine plays turns, on one core, with every event and each viewer's list of events.

The orders are random, legal, and prepared as sheets: the benchmark times `advance` and the lists of all mages and of a
spectator, and then the silent turn that a search uses.
The speed of a machine varies, so a fixed loop is timed in between: figures divided by it can be compared.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rules_engine import turn
from rules_engine.battle import Done, advance, advance_silently
from rules_engine.commands.files import CommandFailed
from rules_engine.commands.random_orders import RandomGame, make_game
from rules_engine.commands.step_costs import cost_of_parts
from rules_engine.dice import KeyedDice
from rules_engine.errors import UnknownRuleset
from rules_engine.events import Viewer, visible_events
from rules_engine.rules import Ruleset
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State

KINDS = {"duel": 2, "melee": 4}
LONGEST = 60
EARLY, LATE = range(5, 26), range(290, 311)
LASTING_HP = 9_999


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    bench = commands.add_parser("bench", help="how fast turns are played", description=__doc__)
    bench.add_argument("--calibrate", metavar="PATH", help="the calibration loop, a script that prints N loops/s")
    bench.add_argument("--ruleset", default="firetop-standard")
    bench.add_argument("--rounds", type=int, default=15, help="how often to take each figure; the median counts")
    bench.add_argument("--turns", type=int, default=4_000, help="how many turns to play in each round")
    bench.add_argument("--games", type=int, default=50, help="how many long games to play, for the cost of late turns")
    bench.add_argument("--purpose", type=float, default=0.0, help="how often a hand continues what it has begun")
    bench.add_argument("--steps", action="store_true", help="print only what each part of a turn costs")
    bench.set_defaults(run=run_bench)


@dataclass(frozen=True, slots=True)
class Speed:
    """Turns a second, and turns for each calibration loop (None without a loop)."""

    turns: float
    quotient: float | None


def run_bench(arguments: argparse.Namespace) -> int:
    """Print the figures. Without --calibrate there are no quotients, and the exit code is 2."""
    ruleset = _get_ruleset(arguments.ruleset)
    if arguments.steps:
        return _print_steps(ruleset, arguments.games)
    path = arguments.calibrate and _find(arguments.calibrate)
    engine = "source" if turn.__file__.endswith(".py") else "compiled"
    python = sys.version.split()[0]
    print(f"{ruleset.title}, {engine}, Python {python}, {arguments.rounds} rounds of {arguments.turns} turns")
    for kind, mages in KINDS.items():
        for play, name in ((play_game, kind), (play_silently, f"{kind} without events")):
            rounds = [_time_round(ruleset, mages, n, arguments, path, play) for n in range(arguments.rounds)]
            turns = statistics.median(speed.turns for speed in rounds)
            print(f"{name}: {turns:.0f} turns/s")
            quotients = [speed.quotient for speed in rounds if speed.quotient is not None]
            if quotients:
                print(f"{name}: {statistics.median(quotients):.3f} turns per calibration loop")
    if arguments.games:
        early, late = _time_long_games(ruleset, arguments.games, arguments.purpose)
        print(f"turns {LATE[0]}-{LATE[-1]} over turns {EARLY[0]}-{EARLY[-1]}: {late / early:.2f} times the median cost")
    if path is None:
        raise CommandFailed("bench: --calibrate PATH is missing. The quotients need calibrate.py.")
    return 0


def _print_steps(ruleset: Ruleset, games: int) -> int:
    for kind, mages in KINDS.items():
        parts = cost_of_parts(ruleset, mages, games)
        print(f"{kind}: {sum(parts.values()):.1f} microseconds a turn, each part warm")
        for part, microseconds in parts.items():
            print(f"{microseconds:8.2f}  {part}")
    return 0


def _get_ruleset(name: str) -> Ruleset:
    try:
        return get_ruleset(name)
    except UnknownRuleset as error:
        raise CommandFailed(f"bench: {error}") from error


def _find(path: str) -> str:
    if not Path(path).is_file():
        raise CommandFailed(f"bench: there is no {path}. Give --calibrate the path of calibrate.py.")
    return path


# -- speed ------------------------------------------------------------------------------------------------------------


def _time_round(
    ruleset: Ruleset,
    mages: int,
    number: int,
    arguments: argparse.Namespace,
    path: str | None,
    play: Callable[[RandomGame], State],
) -> Speed:
    """Time one round: some games, and the calibration loop before and after them."""
    games, turns = list[RandomGame](), 0
    while turns < arguments.turns:
        seed = f"{mages} {number} {len(games)}"
        games.append(make_game(ruleset, mages, seed, turns=LONGEST, purpose=arguments.purpose))
        turns += games[-1].turns
    before = path and calibrate(path)
    begin = time.process_time()
    for game in games:
        play(game)
    speed = turns / (time.process_time() - begin)
    return Speed(speed, speed * 2 / (before + calibrate(path)) if path and before else None)


def play_game(game: RandomGame) -> State:
    """Play a prepared game, and make the list of events of every viewer; returns the last state."""
    state = game.start
    viewers = (*map(Viewer.of, state.mages), Viewer.spectator())
    for sheets in game.stages:
        step = advance(state, sheets, KeyedDice(game.seed, state.seq))
        for viewer in viewers:
            visible_events(step.events, viewer)
        state = step.state
    return state


def play_silently(game: RandomGame) -> State:
    """Play a prepared game without events; returns the last state."""
    state = game.start
    for sheets in game.stages:
        state = advance_silently(state, sheets, KeyedDice(game.seed, state.seq)).state
    return state


def calibrate(path: str) -> float:
    """Loops per second, as the script prints them. Raises CommandFailed if it prints anything else."""
    done = subprocess.run([sys.executable, path, "0.5"], capture_output=True, text=True, check=False)
    found = re.search(r"([\d.]+) loops/s", done.stdout)
    if found is None:
        raise CommandFailed(f"bench: {path} printed no loops/s: {(done.stderr or done.stdout).strip()[-200:]}")
    return float(found[1])


# -- what a long history costs ----------------------------------------------------------------------------------------


def _time_long_games(ruleset: Ruleset, count: int, purpose: float) -> tuple[float, float]:
    """Return the median cost in seconds of early and of late turns, over `count` duels of this length."""
    # No ceiling, or the first turn would cut these hit points to the usual maximum.
    lasting = replace(ruleset, rules=replace(ruleset.rules, hit_point_surplus=LASTING_HP))
    early, late, found, number = list[float](), list[float](), 0, 0
    while found < count:
        if number > 20 * count:
            raise CommandFailed("bench: too few games last long enough")
        game = make_game(lasting, 2, f"long {number}", turns=LATE[-1], purpose=purpose, prepare=_toughen)
        number += 1
        if game.turns < LATE[-1]:
            continue
        found += 1
        for seq, seconds in _time_turns(game):
            if seq in EARLY:
                early.append(seconds)
            elif seq in LATE:
                late.append(seconds)
    return statistics.median(early), statistics.median(late)


def _time_turns(game: RandomGame) -> Iterator[tuple[int, float]]:
    """Yield (seq, seconds) of each turn, with all its stages."""
    state, spent = game.start, 0.0
    for sheets in game.stages:
        seq, begin = state.seq, time.process_time()
        step = advance(state, sheets, KeyedDice(game.seed, seq))
        spent += time.process_time() - begin
        state = step.state
        if isinstance(step, Done):
            yield seq, spent
            spent = 0.0


def _toughen(state: State) -> None:
    """Give every mage enough hit points for a long game."""
    for wizard in state.wizards.values():
        wizard.hp = LASTING_HP
