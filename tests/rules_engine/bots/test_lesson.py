"""The Apprentice in a lesson: a beginner can read what it is about to cast, and the duel ends in six to ten turns."""

import random

import pytest

from rules_engine import KeyedDice, Sheet, advance, new_duel, preview, read_orders
from rules_engine.battle import Done
from rules_engine.bots import LESSON, choose_orders, see
from rules_engine.questions import is_complete
from tests.rules_engine.random_play import new_battle, play_turn, stir

GAMES = 100
HIT_POINTS = (8, 8)
ME, PIPKIN = "Visitor", "Pipkin"
# The turns that the front page begins with.
OPENING = (("P/W", "F/W"), ("W/F", "P/S"), ("S/P\nCHOOSE RH Cause Light Wounds", "S/D"))
HARM = ("Magic Missile", "Cause Light Wounds", "Cause Heavy Wounds", "Lightning Bolt", "Fireball", "Finger Of Death")
# How often a beginner presses a key that says it hurts, or leads to what hurts; otherwise they press any key.
SEES_IT = 0.7


def begin(seed):
    state = new_duel("firetop-standard", [ME, PIPKIN], dice=KeyedDice(str(seed)), hit_points=HIT_POINTS)
    for mine, theirs in OPENING:
        state = play(state, {ME: read(state, ME, mine), PIPKIN: read(state, PIPKIN, theirs)}, seed)
    return state


def read(state, mage, text):
    found = read_orders(state, mage, text)
    assert not found.problems, (text, found.problems)
    return found.sheet


def play(state, sheets, seed):
    done = advance(state, sheets, KeyedDice(str(seed), state.seq))
    while not isinstance(done, Done):
        state = done.state
        answers = {name: play_pipkin(state, seed, name) for name in state.owing}
        done = advance(state, answers, KeyedDice(str(seed), state.seq))
    return done.state


def play_pipkin(state, seed, name=PIPKIN):
    lines = choose_orders(see(state, name), mage=name, strength=LESSON, seed=seed, may_surrender=False)
    return read(state, name, "\n".join(lines))


def find_hurting(keys):
    """Return the keys that say they complete an attack, or else those that say they lead to one soonest."""
    hurting = [gesture for gesture, hint in keys.items() if set(hint.completes) & set(HARM)]
    led = {g: min((more for spell, more in hint.leads if spell in HARM), default=9) for g, hint in keys.items()}
    return hurting or [gesture for gesture, more in led.items() if more == min(led.values()) < 9]


def play_beginner(state, rng, heeds=0.0):
    """Choose key by key, by what the keys say; a missile that is announced is shielded as often as `heeds`."""
    sheet = Sheet()
    pipkin = state.wizards[PIPKIN]
    warned = "S" in (pipkin.left[-1:], pipkin.right[-1:]) and rng.random() < heeds
    for hand in ("LH", "RH"):
        hints = preview(state, ME, sheet).keys.get(hand, {})
        keys = {gesture: hint for gesture, hint in hints.items() if hint.allowed and gesture not in "C-"}
        if not keys:  # an enchantment decides
            continue
        if sheet.get("LH") == "P":
            keys.pop("P", None)
        if warned and "P" in keys and not any(set(hint.completes) & set(HARM) for hint in keys.values()):
            gesture, warned = "P", False
        else:
            gesture = rng.choice(find_hurting(keys) or list(keys)) if rng.random() < SEES_IT else rng.choice(list(keys))
        sheet = sheet.merged(Sheet({hand: gesture}))
    for hand, gesture in (("LH", sheet.get("LH")), ("RH", sheet.get("RH"))):
        spells = preview(state, ME, Sheet()).keys[hand][gesture].completes if gesture else ()
        if len(spells) > 1:
            picked = next((spell for spell in spells if spell in HARM), spells[0])
            sheet = sheet.merged(Sheet({f"CHOOSE {hand}": picked}))
    if is_complete(state, ME, sheet):
        return sheet
    filled = choose_orders(see(state, ME), mage=ME, strength="Apprentice", seed=rng.random(), may_surrender=False)
    return read(state, ME, "\n".join(filled))


def play_first_duel(seed, heeds=0.0):
    rng, state = random.Random(seed), begin(seed)
    while state.outcome is None and state.seq < 60:
        sheets = {name: play_pipkin(state, seed) for name in state.owing if name != ME}
        if ME in state.owing:
            sheets[ME] = play_beginner(state, rng, heeds)
        state = play(state, sheets, seed)
    assert state.outcome is not None, "the duel never ends"
    return state


@pytest.mark.parametrize(("heeds", "most"), [(0.0, 80), (0.5, 65)])
def test_most_first_duels_end_in_six_to_ten_turns_and_the_beginner_wins_most(heeds, most):
    ends = [play_first_duel(seed, heeds) for seed in range(GAMES)]
    won = sum(state.outcome.winners == (ME,) for state in ends)
    assert sum(6 <= state.seq <= 10 for state in ends) >= most
    assert 75 <= won < GAMES, "a beginner wins most, and can lose"


def test_it_finishes_what_its_hand_began_so_that_one_can_see_it_coming():
    state = begin(1)
    assert state.wizards[PIPKIN].left.endswith("S")
    assert play_pipkin(state, 1).get("LH") == "D"


def test_every_spell_that_hurts_was_to_be_seen_a_turn_before():
    for seed in range(12):
        rng, state = random.Random(seed), begin(seed)
        while state.outcome is None and state.seq < 20:
            before = state.wizards[PIPKIN]
            seen = {"LH": before.left, "RH": before.right}
            sheet = play_pipkin(state, seed)
            for hand, column in seen.items():
                if sheet.get(hand) == "D":
                    assert column[-1] == "S", (seed, state.label)
            assert ">" not in (sheet.get("LH"), sheet.get("RH"))
            state = play(state, {ME: play_beginner(state, rng), PIPKIN: sheet}, seed)


def test_the_same_position_and_seed_give_the_same_orders():
    state = begin(3)
    assert play_pipkin(state, 3) == play_pipkin(state, 3)


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands"])
def test_its_orders_are_legal_in_unusual_positions_and_at_every_stop(ruleset):
    rng = random.Random(ruleset)
    for seed in range(8):
        state = stir(new_battle(seed, ruleset), rng)
        for each in (state, *(stage.state for stage in play_turn(state, rng, seed))):
            for mage in each.owing:
                assert is_complete(each, mage, play_pipkin(each, seed, mage))


def test_it_never_surrenders():
    for seed in range(20):
        end = play_first_duel(seed)
        assert PIPKIN not in end.outcome.surrendered
