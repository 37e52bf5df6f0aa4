"""Thousands of turns with random legal orders in every ruleset: none crashes or asks forever, and limits hold."""

import gc
import json
import os
import random
from itertools import count
from types import FunctionType, ModuleType

import pytest

from rules_engine import RULESETS, Asks, Done, KeyedDice, Sheet, advance, get_ruleset, new_duel, read_state, write_state
from rules_engine.battle import advance_silently
from rules_engine.beings import Monster, Wizard
from rules_engine.rules import Ruleset
from rules_engine.spells import Cast, HandStates, Spell
from rules_engine.state import State
from rules_engine.turn import Turn
from tests.rules_engine.random_play import choose_sheets, play_battle

TURNS = 100_000 if os.environ.get("FM_TEST_LONG") == "1" else 80
TURNS_OF_A_BATTLE = 40


def find_raised(stage: Asks | Done) -> set[str]:
    """The mage or creature that Raise Dead brings back in this turn."""
    casts = stage.record.casts if isinstance(stage, Done) else ()
    return {cast.target for cast in casts if cast.spell.name == "Raise Dead"}


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_no_orders_break_the_rules(ruleset):
    surplus = get_ruleset(ruleset).rules.hit_point_surplus
    turns = 0
    for seed in count():
        for before, stage in play_battle(seed, ruleset, turns=TURNS_OF_A_BATTLE):
            state = stage.state
            turns += isinstance(stage, Done)
            assert state.over or state.owing, f"seed {seed}: nobody is asked, and the battle is not over"
            assert not set(state.owing) & set(state.out), f"seed {seed}: somebody who is out is asked"
            assert all(wizard.hp <= wizard.max_hp + surplus for wizard in state.wizards.values()), f"seed {seed}"
            assert set(before.out) - set(state.out) <= find_raised(stage), f"seed {seed}: somebody came back"
        written = write_state(state)
        assert write_state(read_state(json.loads(json.dumps(written)))) == written, f"seed {seed}: changed when stored"
        if turns >= TURNS:
            return


def test_each_column_of_a_long_battle_has_the_label_of_its_turn():
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("long"))
    nothing = Sheet({"LH": "-", "RH": "-"})
    for _turn in range(250):
        state = advance(state, dict.fromkeys(state.mages, nothing), KeyedDice("long", state.seq)).state
    assert state.columns == [str(turn) for turn in range(251)]
    assert new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("next")).columns == ["0"]


# The classes marked as acyclic (rules_engine/native.py), and what lives as long as the process.
ACYCLIC = (Asks, Cast, Done, KeyedDice, Monster, Sheet, State, Turn, Wizard)
PERMANENT = (type, FunctionType, ModuleType, Ruleset, HandStates, Spell)


def reach(start: object) -> list[object]:
    """Everything that an object refers to, directly or not, except what lives as long as the process."""
    found, left = dict[int, object](), [start]
    while left:
        for each in gc.get_referents(left.pop()):
            if id(each) not in found and not isinstance(each, PERMANENT):
                found[id(each)] = each
                left.append(each)
    return list(found.values())


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_nothing_that_a_turn_creates_is_in_a_reference_cycle(ruleset):
    met = set[type]()
    for seed in range(3):
        for before, stage in play_battle(seed, ruleset, turns=15):
            sheets = choose_sheets(before, random.Random(seed))
            for done in (stage, advance_silently(before, sheets, KeyedDice("silent", before.seq))):
                for each in (done, *reach(done)):
                    if isinstance(each, ACYCLIC):
                        met.add(type(each))
                        assert all(other is not each for other in reach(each)), type(each)
    assert {Done, State, Wizard, Sheet, KeyedDice, Cast} <= met
