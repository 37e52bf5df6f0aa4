"""The command digest: the results of random games, as a number for each ruleset.

Two engines that print the same number have produced the same games, events and records, the same states from silent
turns, and the same orders of a bot that searches.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from typing import Any

from rules_engine.battle import Asks, Done, advance, advance_silently
from rules_engine.bots import Strength, choose_orders
from rules_engine.commands.files import CommandFailed
from rules_engine.commands.random_orders import RandomGame, make_game
from rules_engine.dice import KeyedDice
from rules_engine.errors import UnknownRuleset
from rules_engine.events import write_event
from rules_engine.outcome import write_outcome
from rules_engine.questions import open_questions
from rules_engine.rules import Ruleset
from rules_engine.rulesets import RULESETS, get_ruleset
from rules_engine.store import write_state

LONGEST = 60
MAGES = (2, 2, 3, 4)
PURPOSES = (0.0, 0.5, 0.8, 0.95, 1.0)
SEARCHING = Strength("digest", looks_ahead=True, iterations=150)
"""A bot whose tree is deeper than one turn in a duel."""
STAGES_BETWEEN_SEARCHES = 25


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    digest = commands.add_parser(
        "digest", help="the results of random games: engines that print the same play the same", description=__doc__
    )
    digest.add_argument("--ruleset", action="append", metavar="NAME", help="one of them; by default, all")
    digest.add_argument("--turns", type=int, default=1000, help="the minimum number of turns of each ruleset")
    digest.add_argument("--games", action="store_true", help="also print a line for each game")
    digest.set_defaults(run=print_digests)


def print_digests(arguments: argparse.Namespace) -> int:
    """Print a line for each ruleset."""
    try:
        rulesets = [get_ruleset(name) for name in arguments.ruleset or RULESETS]
    except UnknownRuleset as error:
        raise CommandFailed(f"digest: {error}") from error
    for ruleset in rulesets:
        whole, turns, number = hashlib.sha256(), 0, 0
        while turns < arguments.turns:
            game = _make(ruleset, number)
            digest = digest_game(game)
            if arguments.games:
                print(f"{ruleset.name} game {number}: {game.turns} turns, {digest}", flush=True)
            whole.update(digest.encode())
            turns += game.turns
            number += 1
        print(f"{ruleset.name}: {turns} turns in {number} games, {whole.hexdigest()[:32]}", flush=True)
    return 0


def _make(ruleset: Ruleset, number: int) -> RandomGame:
    mages, purpose = MAGES[number % len(MAGES)], PURPOSES[number % len(PURPOSES)]
    return make_game(ruleset, mages, f"digest {number}", turns=LONGEST, purpose=purpose)


def digest_game(game: RandomGame) -> str:
    """Return a number computed from all states, events and records of the game."""
    digest = hashlib.sha256()
    for fact in list_facts(game):
        digest.update(repr(fact).encode())
    return digest.hexdigest()[:32]


def list_facts(game: RandomGame) -> Iterator[Any]:
    """Yield all results of a game, stage by stage, as words and numbers only."""
    state = silent = game.start
    for number, sheets in enumerate(game.stages):
        if state.ruleset.offered and number % STAGES_BETWEEN_SEARCHES == 0:
            yield [choose_orders(state, mage=mage, strength=SEARCHING, seed=game.seed) for mage in state.owing]
        dice = KeyedDice(game.seed, state.seq)
        step = advance(state, sheets, dice)
        state = step.state
        silent = advance_silently(silent, sheets, KeyedDice(game.seed, silent.seq)).state
        yield write_state(state), write_state(silent), [write_event(event) for event in step.events], dice.rolls
        if isinstance(step, Asks):
            yield [
                (q.id, q.required, [o.value for o in q.options]) for m in state.owing for q in open_questions(state, m)
            ]
        if isinstance(step, Done):
            record = step.record
            yield write_outcome(step.outcome), step.penalties, record.gestures, record.attacks, record.collisions
            yield dict(record.newborn), record.flags
            yield [(c.spell.name, c.caster, c.target, c.hand, c.summoner, c.outcome, c.event) for c in record.casts]
