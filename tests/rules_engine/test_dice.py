"""Chance is keyed: a roll depends on its purpose, never on how many rolls came before."""

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Done, KeyedDice, ScriptedDice, UnrecordedRoll, advance
from tests.rules_engine.random_play import choose_sheets, new_battle, stir

GESTURES = tuple("FPSWDC")
keys = st.tuples(
    st.sampled_from(["confused hand", "paralysed hand", "confused gesture"]), st.sampled_from(["Ayla", "Crom", "Dara"])
)


@given(st.text(), st.lists(keys, unique=True), st.randoms(use_true_random=False))
def test_rolls_do_not_depend_on_their_order(seed, asked, shuffler):
    shuffled = asked.copy()
    shuffler.shuffle(shuffled)
    one, other = KeyedDice(seed, 3, 1), KeyedDice(seed, 3, 1)
    first = {key: one.pick(*key, GESTURES) for key in asked}
    assert {key: other.pick(*key, GESTURES) for key in shuffled} == first


def roll_many(seed="a", seq=1, attempt=0, purpose="confused gesture"):
    return [KeyedDice(seed, seq, attempt).pick(purpose, f"mage{n}", range(1000)) for n in range(20)]


@pytest.mark.parametrize("other", [{"seed": "b"}, {"seq": 2}, {"attempt": 1}, {"purpose": "confused hand"}])
def test_seed_turn_attempt_and_purpose_all_change_the_rolls(other):
    assert roll_many() == roll_many()
    assert roll_many() != roll_many(**other)


def test_rolls_are_fair_enough():
    counts = Counter(KeyedDice("fair", turn).pick("confused gesture", "Ayla", GESTURES) for turn in range(3000))
    assert set(counts) == set(GESTURES)
    assert all(400 < count < 600 for count in counts.values())


def test_every_roll_is_recorded_as_plain_data():
    dice = KeyedDice("x")
    picked = [dice.pick("confused hand", "Ayla", ("LH", "RH")), dice.pick("colours", "", range(7))]
    assert json.loads(json.dumps(dice.rolls)) == [
        {"purpose": "confused hand", "who": "Ayla", "picked": picked[0]},
        {"purpose": "colours", "who": "", "picked": picked[1]},
    ]


@given(st.integers(0, 2**32))
def test_recorded_rolls_replay_the_turn(seed):
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for wizard in state.wizards.values():
        wizard.marks["confused"] = 1
    sheets, dice = choose_sheets(state, rng), KeyedDice(str(seed), state.seq)
    done = advance(state, sheets, dice)
    assert dice.rolls, "confusion rolls"
    script = ScriptedDice(json.loads(json.dumps(dice.rolls)))
    again = advance(state, sheets, script)
    assert type(again) is type(done)
    assert (again.events, script.rolls) == (done.events, dice.rolls)


def test_a_turn_that_stopped_does_not_repeat_its_rolls():
    state = new_battle(2, mages=2)
    thrown = set()
    for attempt in range(200):
        rng = random.Random(attempt)
        stirred = stir(state, rng)
        for wizard in stirred.wizards.values():
            wizard.marks["confused"] = 1
        dice = KeyedDice(str(attempt), stirred.seq)
        result = advance(stirred, choose_sheets(stirred, rng), dice)
        if isinstance(result, Done) or not result.state.substituted:
            continue
        later = KeyedDice(str(attempt), stirred.seq)
        advance(result.state, choose_sheets(result.state, rng), later)
        first = {(roll["purpose"], roll["who"]) for roll in dice.rolls}
        assert not first & {(roll["purpose"], roll["who"]) for roll in later.rolls}
        thrown |= first
    assert ("confused hand", "Ayla") in thrown


def test_a_script_rejects_rolls_it_lacks_or_that_are_not_offered():
    script = ScriptedDice([{"purpose": "confused gesture", "who": "Ayla", "picked": "Q"}])
    with pytest.raises(UnrecordedRoll, match="no roll recorded: confused hand for Ayla"):
        script.pick("confused hand", "Ayla", ("LH", "RH"))
    with pytest.raises(UnrecordedRoll, match="'Q' is not possible"):
        script.pick("confused gesture", "Ayla", GESTURES)


def test_a_script_answers_repeated_rolls_in_order_and_then_stops():
    script = ScriptedDice({"purpose": "confused hand", "who": "Ayla", "picked": hand} for hand in ("LH", "RH"))
    assert [script.pick("confused hand", "Ayla", ("LH", "RH")) for _ in range(2)] == ["LH", "RH"]
    with pytest.raises(UnrecordedRoll):
        script.pick("confused hand", "Ayla", ("LH", "RH"))
