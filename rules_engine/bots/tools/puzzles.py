"""Make puzzles: let the bots play short duels, and write down the positions with a proof, one a line of JSON.

Each line has the moves that lead to the position, so that it can be set up and proved again
(docs/decisions/0018-puzzles-are-proved.md).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

from rules_engine.battle import Asks, advance, new_duel
from rules_engine.bots.chance import Chance
from rules_engine.bots.seen import see
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import MAGES, make_player, read_lines
from rules_engine.dice import KeyedDice
from rules_engine.notation import write_orders
from rules_engine.orders import Sheet
from rules_engine.puzzles import KINDS, WIN, WIN_IN_TWO, PuzzleProof, is_plain, prove
from rules_engine.state import State

RULESET = "firetop-standard"
PLAYERS = [name for name in STRENGTHS if name != "Archmage"]
POINTS = range(3, 11)
LONGEST = 40
FEWEST_COLUMNS = 4
LAST = 6
"""How many turns before the end of a game are looked at."""
SEED = "puzzle"


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    puzzles = commands.add_parser("puzzles", help="make puzzles of games between bots", description=__doc__)
    puzzles.add_argument("file", type=Path, help="lines are added to it")
    puzzles.add_argument("--games", type=int, default=100)
    puzzles.add_argument("--first", type=int, default=0, help="the number of the first game")
    puzzles.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    puzzles.add_argument("--processes", type=int, default=1)
    puzzles.set_defaults(run=run_puzzles)


def run_puzzles(arguments: argparse.Namespace) -> int:
    """Play and write; a game gives one puzzle of each kind at most."""
    numbers = range(arguments.first, arguments.first + arguments.games)
    with (
        arguments.file.open("a", encoding="utf-8") as file,
        ProcessPoolExecutor(arguments.processes) as pool,
    ):
        for found in pool.map(find_puzzles, numbers, [tuple(arguments.kinds)] * len(numbers)):
            for puzzle in found:
                print(json.dumps(puzzle, ensure_ascii=False), file=file, flush=True)
    return 0


def find_puzzles(number: int, kinds: tuple[str, ...] = KINDS) -> list[dict[str, Any]]:
    """Return the puzzles of the game of this number: of each kind the first, seen from the end of the game."""
    points = tuple(Chance(SEED, number, place).choose(POINTS) for place in range(2))
    turns: list[dict[str, str]] = []
    positions: list[tuple[int, State]] = []
    for state, sheets in play_short_game(number, points):
        positions.append((len(turns), state))
        turns.append({mage: write_orders(sheet) for mage, sheet in sheets.items()})
    found: dict[str, dict[str, Any]] = {}
    about_to_win = ""
    for played, state in positions[: -LAST - 1 : -1]:
        if len(state.columns) < FEWEST_COLUMNS or not is_plain(state):
            about_to_win = ""
            continue
        winner = ""
        for kind, mage in product(KINDS, state.mages):
            # A win in two turns is possible if one turn later a single turn was enough.
            if kind in found or kind not in kinds or (kind == WIN_IN_TWO and mage != about_to_win):
                continue
            proof = prove(state, mage, kind)
            if proof is not None:
                found[kind] = write_puzzle(kind, mage, number, points, turns[:played], proof)
                winner = mage if kind == WIN else winner
        about_to_win = winner
    return list(found.values())


def play_short_game(number: int, points: tuple[int, ...]) -> Iterator[tuple[State, Mapping[str, Sheet]]]:
    """Yield the states of a game before its turns, with the orders for them; it ends before a turn that asks
    something."""
    mages = MAGES[:2]
    chance = Chance(SEED, number, "players")
    players = {mage: make_player(chance.choose(PLAYERS), f"{SEED} {number} {mage}") for mage in mages}
    state = new_duel(RULESET, mages, dice=KeyedDice(SEED, 0, 0), hit_points=points)
    while state.outcome is None and state.seq <= LONGEST:
        sheets = {mage: read_lines(state, mage, players[mage](see(state, mage))) for mage in state.owing}
        yield state, sheets
        done = advance(state, sheets, KeyedDice(SEED, state.seq, state.stage))
        if isinstance(done, Asks):
            return
        state = done.state


def write_puzzle(
    kind: str, mage: str, number: int, points: tuple[int, ...], turns: list[dict[str, str]], proof: PuzzleProof
) -> dict[str, Any]:
    """Return a puzzle as JSON data."""
    return {
        "key": f"{kind}-{number}",
        "kind": kind,
        "mage": mage,
        "ruleset": RULESET,
        "hit_points": list(points),
        "turns": turns,
        "columns": [proof.columns, proof.all_columns],
        "solutions": [write_orders(sheet) for sheet in proof.solutions[: None if kind == WIN_IN_TWO else 1]],
        "answers": [write_orders(sheet) for sheet in proof.answers],
        "reply": write_orders(proof.reply) if proof.reply else "",
    }
