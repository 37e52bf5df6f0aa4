"""Every order of a computer opponent is understood, allowed and complete, in all rulesets, duels and melees."""

import random

import pytest

from rules_engine import is_complete, open_questions, read_orders
from rules_engine.bots import choose_orders
from rules_engine.bots.deadly_turns import list_aims
from rules_engine.orders import write_line
from tests.rules_engine.bots.bot_games import LONG, OFFERED, QUICK, play
from tests.rules_engine.random_play import new_battle, play_turn, stir

GAMES = 850 if LONG else 2


@pytest.mark.parametrize("ruleset", OFFERED)
def test_whole_games_of_the_fast_bots_are_legal(ruleset):
    for seed in range(GAMES):
        game = play(ruleset, QUICK, (2, 3, 2, 6, 4)[seed % 5], f"{ruleset} {seed}", longest=150 if LONG else 30)
        assert game.illegal == {}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_turns_of_a_magus_are_legal(ruleset):
    for seed in range(GAMES // 50 + 1):
        mages = (2, 3)[seed % 2]
        assert play(ruleset, ["Magus"], mages, f"{ruleset} {seed}", longest=40 if LONG else 5).illegal == {}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_orders_are_legal_in_unusual_positions_and_at_every_stop(ruleset):
    """Enchantments, banked spells and creatures that are rare in games, and answers to every question."""
    rng = random.Random(ruleset)
    for seed in range(GAMES * 4):
        state = stir(new_battle(seed, ruleset), rng)
        check_all(state, seed)
        for stage in play_turn(state, rng, seed):
            check_all(stage.state, seed)


AIMED = ("DD", "SF", "WP", "PW", ">P", "CC", "SD", "WS", "FF", "SS")


@pytest.mark.parametrize("ruleset", OFFERED)
def test_every_aim_that_a_proof_tries_can_be_ordered(ruleset):
    """A creature that has just been charmed may still attack its new master, but never itself."""
    rng = random.Random(ruleset)
    tried = 0
    for seed in range(GAMES * 10):
        state = stir(new_battle(seed, ruleset, 2), rng)
        for monster in state.monsters.values():
            if monster.controller in state.wizards and rng.random() < 0.4:
                monster.target = monster.controller
        for name in state.owing:
            column = rng.choice(AIMED)
            lines = [f"LH {column[0]}", f"RH {column[1]}"]
            sheet = read_orders(state, name, "\n".join(lines))
            if sheet.problems:  # too afraid for these gestures
                continue
            for slot, values in list_aims(state, name, sheet.sheet).items():
                for value in values:
                    tried += 1
                    aimed = read_orders(state, name, "\n".join((*lines, write_line(slot, value))))
                    assert not aimed.problems, (seed, name, column, aimed.problems)
    assert tried > 30


def check_all(state, seed):
    for mage in state.owing:
        strength = QUICK[seed % len(QUICK)]
        lines = choose_orders(state, mage=mage, strength=strength, seed=seed)
        read = read_orders(state, mage, "\n".join(lines))
        assert read.problems == (), (state.label, mage, lines)
        assert is_complete(state, mage, read.sheet), (lines, open_questions(state, mage, read.sheet))


def test_a_mage_who_owes_no_orders_is_an_error():
    state = new_battle(1)
    with pytest.raises(ValueError, match="owes no orders"):
        choose_orders(state, mage="Nobody", strength="Warder", seed=1)


def test_an_unknown_strength_lists_all_names():
    state = new_battle(1)
    with pytest.raises(ValueError, match="Apprentice, Journeyman, Warder, Magus, Archmage"):
        choose_orders(state, mage=state.mages[0], strength="Wizard", seed=1)
