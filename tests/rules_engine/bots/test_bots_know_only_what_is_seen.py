"""Bots know only what their mage knows: the same view, seed and strength give the same orders."""

import dataclasses
import json
import random

import pytest

from rules_engine import Viewer, get_ruleset, look, read_state, write_state
from rules_engine.beings import HELD, PERMANENT, SEEN_HELD
from rules_engine.bots import choose_orders, read_seen, see
from rules_engine.bots.chance import Chance
from rules_engine.bots.imagine import imagine
from rules_engine.bots.worth import Worth
from rules_engine.gestures import GESTURES, HANDS
from tests.rules_engine.bots.bot_games import LONG, OFFERED, states_of
from tests.rules_engine.random_play import new_battle, play_turn, stir
from tests.rules_engine.staged_turns import AYLA, CROM, Stage

# Facts of the view that a bot is told in other words, or can tell from those it is told.
TOLD_OTHERWISE = {
    "View": {"viewer": "mage", "label": "turn", "kind": "extra", "book": "ruleset", "over": "own", "outcome": "own"},
    "MageView": {"mine": "mage", "seen": "hp", "max_hp": "ruleset", "enchantments": "marks", "letters": "marks"},
    "MonsterView": {"mine": "obey_me", "max_hp": "kind", "enchantments": "marks", "letters": "marks"},
}
OTHER_NAMES = {"held_hand": "held"}

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
            wizard.paralyser, wizard.stuck = rng.choice(others), {rng.choice(HANDS): HELD}
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


def test_a_bot_is_told_every_fact_that_its_mage_sees():
    state = stir(new_battle(1, "firetop-standard", 2), random.Random(3))
    facts = see(state, state.owing[0]).facts
    view = look(state, Viewer.of(state.owing[0]))
    assert view.monsters
    for part, told in ((view, facts), (view.mages[0], facts["mages"][0]), (view.monsters[0], facts["monsters"][0])):
        otherwise = TOLD_OTHERWISE[type(part).__name__]
        fields = {each.name for each in dataclasses.fields(part)}
        assert otherwise.keys() <= fields
        assert {OTHER_NAMES.get(name, name) for name in fields - otherwise.keys()} <= told.keys()


def held(ruleset: str = "firetop-standard", casters: int = 2) -> Stage:
    """Ayla paralyses Crom turn after turn, and has his left hand held."""
    stage = Stage(get_ruleset(ruleset))
    for turn in range(casters):
        orders = {AYLA: [f"PARALYZE {CROM} LH"]} if turn else {}
        stage.turn((AYLA, "Paralysis", CROM), orders=orders)
    return stage


def test_which_hand_is_held_is_seen_once_it_was_held():
    """FM-PARA-2, FM-PARA-3: the holder's choice is secret until the turn is told; then the same hand stays held."""
    before, after = held(casters=1).state, held(casters=2).state
    assert look(before, Viewer.of(CROM)).mage(CROM).held_hand == ""
    for viewer in (Viewer.of(AYLA), Viewer.of(CROM), Viewer.spectator()):
        assert look(after, viewer).mage(CROM).held_hand == "LH"
    assert see(after, CROM).facts["mages"][1]["held"] == "LH"


def test_whoever_did_not_see_the_mage_does_not_know_which_hand_is_held():
    state = held().state
    state.wizards[CROM].unseen_columns = state.wizards[CROM].unseen_columns[:-1] + "1"
    assert look(state, Viewer.of(AYLA)).mage(CROM).held_hand == ""
    assert look(state, Viewer.of(CROM)).mage(CROM).held_hand == "LH"


@pytest.mark.parametrize("mage", [AYLA, CROM])
def test_a_bot_imagines_the_hand_that_is_held(mage):
    state = held().state
    seen = see(state, mage)
    worth = Worth(state.ruleset.name)
    for number in range(8):
        crom = imagine(seen, worth, Chance(f"held {number}")).wizards[CROM]
        assert crom.stuck == {"LH": SEEN_HELD}
