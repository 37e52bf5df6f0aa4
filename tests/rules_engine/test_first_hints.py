"""Hints for a mage at the start of a battle, and for an incomplete form."""

import pytest

from rules_engine import KeyedDice, new_duel, preview, read_orders


@pytest.fixture
def duel():
    return new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("hints"))


def test_in_the_first_turn_a_key_shows_what_it_begins(duel):
    keys = preview(duel, "Ayla", read_orders(duel, "Ayla", "").sheet).keys["LH"]
    assert ("Magic Missile", 1) in keys["S"].leads
    assert ("Protection", 2) in keys["W"].leads
    assert keys["-"].leads == ()


@pytest.mark.parametrize(("written", "nearest"), [("?", "LH W"), ("wave", "LH W"), ("snapp", "LH S"), ("7", "LH W")])
def test_a_wrong_gesture_suggests_the_nearest_one_or_the_form(duel, written, nearest):
    (problem,) = read_orders(duel, "Ayla", f"LH {written}").problems
    assert (problem.code, problem.nearest) == ("not_a_gesture", nearest)


def test_a_review_says_what_orders_do(duel):
    def review(text):
        return preview(duel, "Ayla", read_orders(duel, "Ayla", text).sheet).review

    assert review("P/>") == "You cast Shield on yourself and stab Crom."
    assert review("S/>\nTARGET RH Ayla") == "You stab yourself."
    assert review("S/W") == "You complete no spell this turn."
