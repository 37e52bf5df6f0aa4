"""Random battles, stored as a site stores them: states before turns, orders, rolls, events."""

from __future__ import annotations

import json
import random
from functools import cache

from rules_engine import Asks, KeyedDice, advance, write_state
from rules_engine.records import StoredBattle, StoredStage, StoredTurn
from rules_engine.state import State
from tests.rules_engine.random_play import MOST_STAGES, choose_sheets, new_battle, stir


@cache
def store_battle(
    seed: int, ruleset: str = "firetop-standard", *, turns: int = 9, mages: int | None = None
) -> StoredBattle:
    """Half of the battles start from a stirred state in mid-battle; the others with their first turn."""
    rng = random.Random(seed)
    state = new_battle(seed, ruleset, mages)
    if seed % 2:
        state = stir(state, rng)
    kept = []
    while not state.over and len(kept) < turns:
        turn, state = store_turn(state, rng, str(seed))
        kept.append(turn)
    return StoredBattle(kept, through_json(state), 7, {name: f"user{name}" for name in state.mages})


def store_turn(state: State, rng: random.Random, seed: str) -> tuple[StoredTurn, State]:
    before, seq, throws, stages = through_json(state), state.seq, [], []
    for _ in range(MOST_STAGES):
        # Like the site: new dice with the same key for every stage.
        dice = KeyedDice(seed, seq)
        sheets = choose_sheets(state, rng)
        step = advance(state, sheets, dice)
        throws += dice.rolls
        stages.append(StoredStage({mage: sheet.lines() for mage, sheet in sheets.items()}, step.events))
        state = step.state
        if not isinstance(step, Asks):
            break
    return StoredTurn(seq, before, stages, throws), state


def through_json(state: State) -> dict[str, object]:
    return json.loads(json.dumps(write_state(state)))
