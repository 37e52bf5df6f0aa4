"""What killed a mage, and the gestures that made it."""

import pytest

from rules_engine import KeyedDice, Sheet, advance, new_duel, read_orders
from rules_engine.battle import Done
from rules_engine.blows import Blow, find_blow, list_steps
from rules_engine.schools import STAB


def play(turns, hit_points=(15, 15)):
    state = new_duel("firetop-standard", ["Ayla", "Bung"], dice=KeyedDice("blows"), hit_points=hit_points)
    events = []
    for orders in turns:
        events = []
        sheets = {}
        for mage, text in zip(state.mages, orders, strict=True):
            read = read_orders(state, mage, text)
            assert not read.problems, read.problems
            sheets[mage] = read.sheet
        done = advance(state, sheets, KeyedDice("blows", state.seq))
        events += done.events
        assert isinstance(done, Done), done
        state = done.state
    return state, events


def steps(state, blow):
    mage = state.wizards[blow.who]
    return [
        (step.letter, step.column) for step in list_steps(state.ruleset.book, blow.by, blow.hand, mage.left, mage.right)
    ]


def test_a_stab_of_stopped_time_among_several():
    mages, dice = ["Ayla", "Bung", "Crom"], KeyedDice("blows")
    state = new_duel("firetop-standard", mages, dice=dice, hit_points=(15, 1, 15)).copy()
    state.wizards["Ayla"].marks["time_stopped"] = 1
    for orders in ({"LH": "-", "RH": "-"}, {"LH": "-", "RH": ">", "TARGET RH": "Bung"}):
        done = advance(state, {mage: Sheet(orders) for mage in state.owing}, dice)
        state = done.state
    assert find_blow(done.events, "Bung") == Blow("Bung", STAB, "Ayla", "", 1)


def test_a_missile_that_takes_the_last_point_and_its_two_gestures():
    state, events = play([("W/W", "F/F"), ("S/W", "W/F"), ("D/F", "S/W")], (15, 1))
    blow = find_blow(events, "Bung")
    assert blow == Blow("Bung", "Magic Missile", "Ayla", "LH", 1)
    assert steps(state, blow) == [("S", 2), ("D", 3)]
    assert find_blow(events, "Ayla") is None


def test_a_stab():
    _, events = play([(">/F", "W/W")], (15, 1))
    assert find_blow(events, "Bung") == Blow("Bung", STAB, "Ayla", "", 1)


def test_both_mages_can_die_each_of_another_blow():
    _, events = play([("S/W", "W/F"), ("D/F", ">/D")], (1, 1))
    assert find_blow(events, "Bung").by == "Magic Missile" and find_blow(events, "Ayla").by == STAB


def test_a_death_spell_kills_at_any_number_of_hit_points():
    series = "PWPFSSSD"
    turns = [(f"{letter}/{'FW'[place % 2]}", f"{'WF'[place % 2]}/D") for place, letter in enumerate(series)]
    turns[-1] = ("D/W\nCHOOSE LH Finger Of Death", "F/D")
    state, events = play(turns)
    blow = find_blow(events, "Bung")
    assert (blow.by, blow.who, blow.points) == ("Finger Of Death", "Ayla", 0)
    assert "".join(letter for letter, _ in steps(state, blow)) == series


def test_a_creature():
    _, events = play([("S/W", "W/F"), ("F/D", "F/W"), ("W/S", "D/F")], (15, 1))
    blow = find_blow(events, "Bung")
    assert blow.by.endswith("Goblin") and blow == Blow("Bung", blow.by, "", "", 1, is_creature=True)


def test_a_surrender_is_no_blow():
    _, events = play([("P/P", "W/F")])
    assert find_blow(events, "Ayla") is None


@pytest.mark.parametrize(("hand", "found"), [("LH", []), ("RH", ["C", "W"]), ("BH", ["C", "W"])])
def test_series_for_both_hands(hand, found):
    state, _ = play([("C/C", "W/F"), ("W/W", "F/F")])
    mage = state.wizards["Ayla"]
    made = list_steps(state.ruleset.book, "Magic Mirror", hand, mage.left, mage.right)
    assert [step.letter for step in made] == (found or ["C", "W"])


def test_a_hand_that_did_not_complete_the_spell_has_no_steps():
    state, _ = play([("S/W", "W/F"), ("F/F", "F/F")])
    mage = state.wizards["Ayla"]
    assert list_steps(state.ruleset.book, "Magic Missile", "LH", mage.left, mage.right) == ()
