"""Plays an imagined turn to its end, and answers its questions by rules of thumb."""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine.battle import Done, advance_silently
from rules_engine.bots.aims import Situation
from rules_engine.bots.chance import SearchDice
from rules_engine.bots.moves import answer
from rules_engine.bots.worth import Worth
from rules_engine.orders import Sheet
from rules_engine.state import State

MOST_STAGES = 8


def play_turn(state: State, sheets: Mapping[str, Sheet], worth: Worth, dice: SearchDice) -> State:
    done = advance_silently(state, sheets, dice)
    for _ in range(MOST_STAGES):
        if isinstance(done, Done):
            return done.state
        state = done.state
        answers = {}
        for name in state.owing:
            answers[name] = answer(Situation(state, name, worth), state.wizards[name], {})
        done = advance_silently(state, answers, dice)
    raise RuntimeError(f"turn {state.label} of an imagined battle never stops asking")
