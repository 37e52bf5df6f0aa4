"""Bots know only what their mage knows: the same view, seed and strength give the same orders."""

import json
import random

import pytest

from rules_engine import Viewer, look, read_state, write_state
from rules_engine.beings import PERMANENT
from rules_engine.bots import choose_orders, read_seen, see
from rules_engine.gestures import GESTURES, HANDS
from tests.rules_engine.bots.bot_games import LONG, OFFERED, states_of
from tests.rules_engine.random_play import new_battle, play_turn, stir

SEEDS = range(60 if LONG else 2)  # a duel and a melee
STRENGTHS = ("Apprentice", "Warder", "Magus")


def hide(state, mage, rng):
    """A battle that hides much from this mage: unseen foes, columns of earlier blindness, or blindness now."""
    state = state.copy()
    state.wizards[mage].blind_columns = "".join(rng.choice("0001") for _ in state.columns)
    for wizard in state.wizards.values():
        if wizard.name != mage:
            wizard.unseen_columns = "".join(rng.choice("0011") for _ in state.columns)
            if rng.random() < 0.5:
                wizard.marks["invisible"] = 2
    if rng.random() < 0.4:
        state.wizards[mage].marks["blind"] = 2
    return read_state(write_state(state))


def permute(state, mage, rng):
    """The same battle, except for what this mage cannot know."""
    other = state.copy()
    blind = "blind" in other.wizards[mage].marks
    missed = other.wizards[mage].blind_columns
    for wizard in other.wizards.values():
        wizard.origins = {}
        if wizard.name == mage:
            continue
        for column, unseen in enumerate(wizard.unseen_columns):
            if "1" in (unseen, missed[column]) and wizard.left[column] not in ".#":
                wizard.left = wizard.left[:column] + rng.choice(GESTURES) + wizard.left[column + 1 :]
                wizard.right = wizard.right[:column] + rng.choice(GESTURES) + wizard.right[column + 1 :]
        if blind:
            wizard.hp = rng.randrange(1, 15)
            wizard.marks = {**wizard.marks, rng.choice(("shielded", "fast", "heat_resistant")): PERMANENT}
        wizard.short_bolt_used = rng.random() < 0.5
        wizard.habit = {}
        others = [name for name in other.mages if name not in (mage, wizard.name)]
        if "paralysed" in wizard.marks and wizard.paralyser != mage and others:  # who holds a foe, and which hand
            wizard.paralyser, wizard.stuck = rng.choice(others), {rng.choice(HANDS): 1}
        if "charmed" in wizard.marks and wizard.controller != mage and others:
            wizard.controller, wizard.directed = rng.choice(others), {rng.choice(HANDS): rng.choice("DFSW")}
    if blind:
        for monster in other.monsters.values():
            monster.hp = rng.randrange(1, 5)
            if monster.controller != mage:
                monster.target = rng.choice(other.mages)
        other.tombstone = ["MauveTroll"]
    other.colours = other.colours[::-1]
    return read_state(write_state(other))


@pytest.mark.parametrize("ruleset", ("firetop-standard", "waving-hands", "spellcast", "warlocks"))
@pytest.mark.parametrize("seed", SEEDS)
def test_permuting_hidden_facts_leaves_the_orders_unchanged(ruleset, seed):
    rng = random.Random(f"{ruleset} {seed}")
    state = stir(new_battle(seed, ruleset, 2 + seed % 2), rng)
    for mage in state.mages:
        one = hide(state, mage, rng)
        if mage not in one.owing:
            continue
        other = permute(one, mage, rng)
        assert write_state(one) != write_state(other)
        assert one.owing == other.owing
        assert look(one, Viewer.of(mage)) == look(other, Viewer.of(mage))
        assert see(one, mage) == see(other, mage)
        for strength in STRENGTHS:
            ordered = [choose_orders(each, mage=mage, strength=strength, seed=seed) for each in (one, other)]
            assert ordered[0] == ordered[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_orders_of_a_waiting_turn_are_not_seen(seed):
    """If a turn has stopped for answers, no bot sees what the others ordered."""
    rng = random.Random(seed)
    for _ in range(40):
        state = stir(new_battle(seed, "firetop-standard", 3), rng)
        waiting = next((stage.state for stage in play_turn(state, rng, seed) if stage.state.stage), None)
        if waiting is not None:
            break
    else:
        pytest.fail("no turn stopped")
    for mage in waiting.owing:
        other = waiting.copy()
        for wizard in other.wizards.values():
            if wizard.name != mage and wizard.name not in waiting.owing:
                wizard.left, wizard.right = wizard.left[:-1] + "D", wizard.right[:-1] + "W"
                wizard.spells, wizard.targets, wizard.saving, wizard.says = {}, {}, (), "nothing"
        assert see(waiting, mage) == see(other, mage)


@pytest.mark.parametrize("ruleset", OFFERED)
def test_a_view_survives_json(ruleset):
    for state in states_of(ruleset, 2, f"json {ruleset}", longest=6):
        for mage in state.owing:
            seen = see(state, mage)
            again = read_seen(json.loads(json.dumps(seen.facts)))
            orders = [choose_orders(each, mage=mage, strength="Warder", seed="json") for each in (state, seen, again)]
            assert orders[0] == orders[1] == orders[2]


@pytest.mark.parametrize("strength", ("Apprentice", "Journeyman", "Warder", "Magus"))
def test_the_same_seed_gives_the_same_orders_and_leaves_the_battle_alone(strength):
    for state in states_of("firetop-standard", 3, "same", longest=8):
        before = write_state(state)
        for mage in state.owing:
            chosen = [choose_orders(state, mage=mage, strength=strength, seed=7) for _ in range(2)]
            assert chosen[0] == chosen[1]
        assert write_state(state) == before
