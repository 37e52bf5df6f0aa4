"""The cost of each part of a turn: plays every turn of some random games several times, and takes the best time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from rules_engine.battle import Done, advance
from rules_engine.commands.random_orders import RandomGame, Sheets, make_game
from rules_engine.dice import KeyedDice
from rules_engine.events import Viewer, visible_events
from rules_engine.rules import Ruleset
from rules_engine.state import State
from rules_engine.steps import set_up_next_turn, take_orders
from rules_engine.turn import Turn

REPEATS = 5
GAME_TURNS = 60
T = TypeVar("T")


class Costs:
    """The best time in seconds of each part of one turn."""

    def __init__(self) -> None:
        self.best: dict[str, float] = {}

    def time(self, part: str, work: Callable[[], T]) -> T:
        """Do the work, and record its time if it is the shortest yet."""
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        self.best[part] = min(seconds, self.best.get(part, seconds))
        return result


def cost_of_parts(ruleset: Ruleset, mages: int, games: int) -> Mapping[str, float]:
    """Return the mean cost of each part of a turn in microseconds, the most expensive first.

    Turns that stop for questions are left out, and so are turns with two pairs of gestures.
    """
    total, turns = defaultdict[str, float](float), 0
    for number in range(games):
        for state, sheets in _list_turns(make_game(ruleset, mages, f"costs {number}", turns=GAME_TURNS)):
            costs = Costs()
            if all(_play_in_parts(costs, state, sheets) for _ in range(REPEATS)):
                turns += 1
                for part, seconds in costs.best.items():
                    total[part] += seconds
    return {part: total[part] / turns * 1e6 for part in sorted(total, key=lambda part: -total[part])}


def _list_turns(game: RandomGame) -> Iterator[tuple[State, Sheets]]:
    state = game.start
    for sheets in game.stages:
        if not state.stage and not state.doubled:
            yield state, sheets
        state = advance(state, sheets, KeyedDice(game.seed, state.seq)).state


def _play_in_parts(costs: Costs, state: State, sheets: Sheets) -> bool:
    """Run and time the parts of a turn one by one; return False if the turn stops to ask."""
    copy = costs.time("copy the state", state.copy)
    turn = costs.time("begin the turn", lambda: Turn(copy, KeyedDice("costs", state.seq), sheets))
    if costs.time("take_orders", lambda: take_orders(turn, sheets)):
        return False
    for step in state.ruleset.plans[turn.extra][turn.occasions]:
        if costs.time(step.__name__, lambda step=step: step(turn)):  # type: ignore[misc]
            return False
    if not turn.state.over:
        costs.time("set_up_next_turn", lambda: set_up_next_turn(turn))
    viewers = (*map(Viewer.of, state.mages), Viewer.spectator())
    done = costs.time("keep the record and its events", lambda: Done(turn, len(state.columns)))
    costs.time("lists of all viewers", lambda: [visible_events(done.events, viewer) for viewer in viewers])
    return True
