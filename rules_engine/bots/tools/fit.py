"""Fit the weights of a ruleset: games of a bot against itself, a search's evaluation of their positions, logistic
regression, and a match against the old weights.

New weights replace the old ones only if they win that match: its whole 95 % range must lie above a half.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules_engine.bots.chance import Chance
from rules_engine.bots.moves import Moves
from rules_engine.bots.search import Search
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS, Strength, choose_orders
from rules_engine.bots.tools import fit_weights, matches
from rules_engine.bots.tools.fit_weights import Example
from rules_engine.bots.tools.matches import Chooser, Tally
from rules_engine.bots.tree import grow_tree
from rules_engine.bots.worth import FOLDER, Weights, Worth, load_weights
from rules_engine.state import State

LONGEST = 80
HELD_BACK = 10
"""One game in so many is held back, to test how well the weights predict results."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    fit = commands.add_parser("fit", help="fit the weights of a ruleset by self-play", description=__doc__)
    fit.add_argument("ruleset")
    fit.add_argument("--games", type=int, default=200, help="how many games to learn from")
    fit.add_argument("--strength", choices=list(STRENGTHS), default="Magus", help="who plays them")
    fit.add_argument("--slips", type=float, default=0.2, help="how often they play any sensible move")
    fit.add_argument("--iterations", type=int, default=400, help="of the search that evaluates positions; 0 for none")
    fit.add_argument("--every", type=int, default=2, help="one position in so many is evaluated")
    fit.add_argument("--mages", type=int, default=2)
    fit.add_argument("--match", type=int, default=100, help="how many games the new weights play against the old")
    fit.add_argument("--by", choices=list(STRENGTHS), default="Magus", help="who plays the match")
    fit.add_argument("--seed", default="fit")
    fit.set_defaults(run=run_fit)


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """New weights, and their origin."""

    weights: Weights
    examples: int
    before: float
    after: float


def run_fit(arguments: argparse.Namespace) -> int:
    """Fit, play the match, and write the file after a win. The exit code is 1 if the old weights stay."""
    name = arguments.ruleset
    old = load_weights(name)
    player = Strength("Self", arguments.slips, looks_ahead=STRENGTHS[arguments.strength].looks_ahead)
    lookout = Lookout(name, old, arguments.iterations, arguments.every) if arguments.iterations else None
    games = gather(name, old, player, arguments.games, arguments.seed, arguments.mages, lookout)
    learnt = learn(games, old, arguments.seed)
    print(f"{learnt.examples} positions, loss {learnt.before:.4f} before, {learnt.after:.4f} after")
    tally = compare(name, learnt.weights, old, STRENGTHS[arguments.by], arguments.match, arguments.seed)
    print(tally.line("new weights"))
    if tally.share - tally.margin <= 0.5:
        print("the old weights stay")
        return 1
    learnt.weights.about = {
        "ruleset": name,
        "fitted to": f"{arguments.games} games of {arguments.mages} by {arguments.strength} with slips"
        f" {arguments.slips}, seed {arguments.seed}, {learnt.examples} positions,"
        f" searched with {arguments.iterations} iterations",
        "loss": f"{learnt.before:.4f} before, {learnt.after:.4f} after",
        "accepted by": f"{tally.line('new weights')} against the old, both as {arguments.by}",
    }
    learnt.weights.write(FOLDER / f"{name}.json")
    print(f"written: {FOLDER / name}.json")
    return 0


class Lookout:
    """A search that evaluates some positions of a game."""

    def __init__(self, ruleset: str, weights: Weights, iterations: int, every: int) -> None:
        self.moves = Moves(Worth(ruleset, weights))
        self.iterations, self.every = iterations, every

    def look(self, states: Sequence[State], number: int, seed: str) -> dict[int, list[float]]:
        """Index into `states` → everyone's chances there, if all play as the search would."""
        thought = {}
        for place in range(number % self.every, len(states), self.every):
            state = states[place]
            search = Search(self.moves, Chance(seed, number, place))
            thought[place] = grow_tree(search, state, state.owing[0], self.iterations).expect()
        return thought


def gather(
    ruleset: str,
    weights: Weights,
    player: Strength,
    games: int,
    seed: str,
    mages: int = 2,
    lookout: Lookout | None = None,
) -> list[list[Example]]:
    """Return the examples from games of a bot against itself."""
    found = []
    for number in range(games):
        states: list[State] = []
        players = {mage: _make_player(player, weights, f"{seed} {number} {mage}") for mage in matches.MAGES[:mages]}
        game = matches.play_game(ruleset, players, f"{seed} {number}", longest=LONGEST, watch=states.append)
        thought = lookout.look(states, number, seed) if lookout else None
        found.append(fit_weights.list_examples(states, game.shares, thought))
        if (number + 1) % 100 == 0:
            print(f"{number + 1} games", file=sys.stderr)
    return found


def learn(games: list[list[Example]], old: Weights, seed: str) -> FittedWeights:
    """Fit to most of the games, and test on the rest."""
    held = [example for game in games[::HELD_BACK] for example in game]
    kept = [example for place, game in enumerate(games) if place % HELD_BACK for example in game]
    weights = fit_weights.fit(kept, old, Chance(seed))
    return FittedWeights(weights, len(kept), fit_weights.loss(held, old), fit_weights.loss(held, weights))


def compare(ruleset: str, new: Weights, old: Weights, strength: Strength, games: int, seed: str) -> Tally:
    """Return a match between two sets of weights."""
    tally = Tally()
    makers = (_maker(strength, new), _maker(strength, old))
    for game, mine in matches.play_match(makers, ruleset, range(games), f"{seed} match"):
        tally.add(game, mine)
    return tally


def _maker(strength: Strength, weights: Weights) -> Callable[[object], Chooser]:
    return lambda seed: _make_player(strength, weights, seed)


def _make_player(strength: Strength, weights: Weights, seed: object) -> Chooser:
    def play(seen: Seen) -> list[str]:
        return choose_orders(seen, mage=seen.mage, strength=strength, seed=seed, may_surrender=False, weights=weights)

    return play
