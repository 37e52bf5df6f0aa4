"""Thousands of turns with random legal orders in every ruleset: none crashes or asks forever, and limits hold."""

import json
import os
from itertools import count

import pytest

from rules_engine import RULESETS, Asks, Done, KeyedDice, Sheet, advance, get_ruleset, new_duel, read_state, write_state
from tests.rules_engine.random_play import play_battle

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
