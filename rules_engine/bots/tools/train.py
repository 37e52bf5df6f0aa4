"""Learn the evaluation of a ruleset's duels: games of the Magus against itself, the pool and blind scripts, a network
fitted to them, and a trial.

Each round begins with hunts for scripts that take something from the Magus, so that it meets these more often. The
Magus plays with the network in use, in later rounds with that of the round before, and all games so far are learnt
from. The new network replaces the old one only if the Magus with it takes enough of a match against the Magus with the
old, and no less of the pool; and it counts only in those rulesets of --also in which it does so, too. Same ruleset,
weights, options and seed: same network, on any number of processes. Needs numpy.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from rules_engine.bots.pool import NUMBER, PROGRAMS, make_program
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import choose_orders
from rules_engine.bots.tools.hunt import HandScript, ScriptHunt
from rules_engine.bots.tools.matches import Chooser, Game, Tally, play_match
from rules_engine.bots.tools.training_games import LONGEST, MAGUS, Lessons, TrainingGame, play_training_game
from rules_engine.bots.worth import FOLDER, Weights, find_file, load_weights
from rules_engine.errors import UnknownRuleset
from rules_engine.rulesets import get_ruleset

if TYPE_CHECKING:
    from rules_engine.bots.tools.learning import Fitted

Result = TypeVar("Result")

AT_LEAST: Final = 0.52
HUNTS: Final = 8
"""So many hunts share the games of one: they find scripts of different kinds, and can run in several processes."""
BEST: Final = 6
"""So many of the best scripts of each hunt are played in the games to learn from."""
REPEATED: Final = ("games", "hunt", "rounds", "units", "epochs", "iterations", "longest", "seed")
"""The options on which the network depends."""
NO_NUMPY: Final = "train: needs numpy, which `./run setup` installs with the other tools (pip install numpy)"


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    train = commands.add_parser("train", help="learn the evaluation of a ruleset", description=__doc__)
    train.add_argument("ruleset")
    train.add_argument("--games", type=int, default=1200, help="how many games of each round to learn from")
    train.add_argument("--hunt", type=int, default=1200, help="the games to look for scripts in before each round")
    train.add_argument("--rounds", type=int, default=1)
    train.add_argument("--units", type=int, default=16, help="how large the network is")
    train.add_argument("--epochs", type=int, default=30, help="how often the fit sees each position")
    train.add_argument("--iterations", type=int, default=0, help="of the search tree; 0 looks one turn ahead")
    train.add_argument("--longest", type=int, default=LONGEST, help="the turns after which a game is cut")
    train.add_argument("--match", type=int, default=400, help="the games against the old network")
    train.add_argument("--pool", type=int, default=20, help="the games against each program of the pool")
    train.add_argument("--also", action="append", default=[], metavar="RULESET", help="try the network there, too")
    train.add_argument("--at-least", type=float, default=AT_LEAST, help="the share that the new one must take")
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--processes", type=int, default=1)
    train.add_argument("--folder", type=Path, default=FOLDER, help="where to write the file")
    train.set_defaults(run=run_train)


def run_train(arguments: argparse.Namespace) -> int:
    """Learn, try, and write the file after a success. The exit code is 1 if the old network stays, 2 for a mistake."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the same sums in the same order on every machine
    if find_spec("numpy") is None:
        print(NO_NUMPY, file=sys.stderr)
        return 2
    if min(arguments.games, arguments.rounds) < 1:
        print("train: --games and --rounds must be 1 or more", file=sys.stderr)
        return 2
    try:
        name, *also = [get_ruleset(each).name for each in (arguments.ruleset, *arguments.also)]
    except UnknownRuleset as error:
        print(f"train: {error}", file=sys.stderr)
        return 2
    crew, old = Crew(arguments.processes), load_weights(name)
    with TemporaryDirectory() as scratch:
        fitted, games = _learn(arguments, crew, name, old, Path(scratch))
        fitted.units.rulesets += also
        tried = Path(scratch, "tried.json")
        Weights(old.values, old.about, fitted.units).write(tried)
        trials = _try_in_each(arguments, crew, fitted.units.rulesets, tried)
    if name not in trials:
        print("the old weights stay")
        return 1
    fitted.units.rulesets[:] = trials
    weights = Weights(old.values, old.about, fitted.units)
    source = find_file(name).stem
    if source != name:
        weights.about.clear()
        weights.about.update({"ruleset": name, "weights": f"those of {source}"})
    options = " ".join(f"--{option} {getattr(arguments, option)}" for option in REPEATED)
    weights.about["network"] = f"train {name} {options}: {describe(fitted, games)}"
    weights.about["network accepted by"] = trials.pop(name).describe()
    weights.about["network also accepted in"] = {each: trial.describe() for each, trial in trials.items()}
    path: Path = arguments.folder / f"{name}.json"
    weights.write(path)
    print(f"written: {path}")
    return 0


def _learn(arguments: argparse.Namespace, crew: Crew, name: str, old: Weights, scratch: Path) -> tuple[Fitted, int]:
    """Play all rounds, and return the network of the last, and from how many games it comes."""
    from rules_engine.bots.tools import learning

    plan = learning.Plan(arguments.units, arguments.epochs)
    new = scratch / "old.json"
    old.write(new)
    games: list[TrainingGame] = []
    for number in range(arguments.rounds):
        scripts = hunt_scripts(crew, name, new, arguments.hunt, f"{arguments.seed} {number}")
        print(f"{len(scripts)} scripts found", file=sys.stderr, flush=True)
        seed = f"train {arguments.seed} {number}"
        lessons = Lessons(name, seed, arguments.iterations, arguments.longest, scripts)
        games += crew.map(partial(_play_to_learn, lessons, str(new)), arguments.games)
        fitted = learning.fit(name, games, plan, arguments.seed)
        print(describe(fitted, len(games)), flush=True)
        new = scratch / f"new{number}.json"
        Weights(old.values, old.about, fitted.units).write(new)
    return fitted, len(games)


def _try_in_each(arguments: argparse.Namespace, crew: Crew, rulesets: Sequence[str], file: Path) -> dict[str, Trial]:
    """Return the trials that were passed, by ruleset; if the first was not, there are no others."""
    passed: dict[str, Trial] = {}
    for each in rulesets:
        trial = try_out(crew, each, file, arguments.match, arguments.pool, f"trial {arguments.seed}")
        print(f"{each}: {trial.describe()}", flush=True)
        if trial.passes(arguments.at_least):
            passed[each] = trial
        elif each == rulesets[0]:
            break
    return passed


def describe(fitted: Fitted, games: int) -> str:
    return (
        f"{fitted.positions} positions of {games} games, loss {fitted.before:.4f} without a network,"
        f" {fitted.after:.4f} with it"
    )


class Trial(NamedTuple):
    """What the Magus takes: with the new network from the one with the old, and each of them from the pool."""

    match: Tally
    pool: Tally
    old_pool: Tally

    def passes(self, at_least: float) -> bool:
        return self.match.share >= at_least and self.pool.share >= self.old_pool.share

    def describe(self) -> str:
        return (
            f"{self.match.line('the new')} against the old, both as Magus; {self.pool.line('the new')} and"
            f" {self.old_pool.line('the old')} against pool {NUMBER}"
        )


class Crew:
    """One or more processes that play games by their numbers."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def map(self, play: Callable[[int], Result], games: int, at_a_time: int = 8) -> list[Result]:
        """Return the results in the order of the numbers; a process takes so many of them at a time."""
        if self.processes == 1:
            return self._count(map(play, range(games)))
        with ProcessPoolExecutor(self.processes) as pool:
            return self._count(pool.map(play, range(games), chunksize=at_a_time))

    def _count(self, results: Iterable[Result]) -> list[Result]:
        found = []
        for result in results:
            found.append(result)
            if len(found) % 100 == 0:
                print(f"{len(found)} games", file=sys.stderr, flush=True)
        return found


def hunt_scripts(crew: Crew, ruleset: str, file: Path, games: int, seed: str) -> tuple[HandScript, ...]:
    """Return scripts that took something from the Magus with the weights of a file, in about so many games; none in no
    games."""
    if not games:
        return ()
    found = crew.map(partial(_hunt, ruleset, str(file), games // HUNTS, seed), HUNTS, at_a_time=1)
    return tuple(dict.fromkeys(script for scripts in found for script in scripts))


def _hunt(ruleset: str, file: str, games: int, seed: str, number: int) -> list[HandScript]:
    hunt = ScriptHunt(partial(make_magus, _read(file)), ruleset, f"{seed} {number}")
    hunt.run(games)
    return [script for script in hunt.best(BEST) if hunt.tallies[script].points]


def make_magus(weights: Weights | None, seed: object) -> Chooser:
    """Return the Magus with these weights, or with those in use (None)."""

    def play(seen: Seen) -> Sequence[str]:
        return choose_orders(seen, mage=seen.mage, strength=MAGUS, seed=seed, may_surrender=False, weights=weights)

    return play


def try_out(crew: Crew, ruleset: str, new: Path, match: int, pool: int, seed: str) -> Trial:
    """Play the match, and as many games of each of the two against each program of the pool."""

    def count(file: str | None, opponent: str | None, games: int) -> Tally:
        tally = Tally()
        for game, mine in crew.map(partial(_play_to_try, ruleset, file, opponent, f"{seed} {opponent}"), games):
            tally.add(game, mine)
        return tally

    def count_pool(file: str | None) -> Tally:
        total = Tally()
        for program in PROGRAMS:
            total.merge(count(file, program, pool))
        return total

    return Trial(count(str(new), None, match), count_pool(str(new)), count_pool(None))


def _play_to_learn(lessons: Lessons, file: str, number: int) -> TrainingGame:
    return play_training_game(lessons, _read(file), number)


def _play_to_try(ruleset: str, file: str | None, opponent: str | None, seed: str, number: int) -> tuple[Game, str]:
    """Play a game of the Magus with a file's weights, or with those in use (None), against a program of the pool, or
    against the Magus with those in use."""
    other = partial(make_program, opponent) if opponent else partial(make_magus, None)
    makers = (partial(make_magus, _read(file) if file else None), other)
    (played,) = play_match(makers, ruleset, [number], seed)
    return played


@cache
def _read(file: str) -> Weights:
    """Return the weights of a file. The same file is the same object, because bots prepare each object only once."""
    return Weights.read(Path(file))
