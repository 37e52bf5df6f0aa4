"""Sensible play: creatures are set on foes, deadly threats are parried, and cheap spells are not repeated forever."""

import pytest

from rules_engine import RULESETS, KeyedDice, Sheet, advance, new_duel
from rules_engine.beings import Monster
from rules_engine.bots import choose_orders, prior

STRENGTHS = ("Apprentice", "Journeyman", "Warder", "Magus")
ME, FOE = "Ayla", "Crom"


def played(*columns, ruleset="firetop-standard"):
    """A duel in which these columns of Ayla and Crom were played."""
    state = new_duel(ruleset, (ME, FOE), dice=KeyedDice("sensible"))
    for mine, theirs in columns:
        sheets = {mage: Sheet({"LH": column[0], "RH": column[1]}) for mage, column in ((ME, mine), (FOE, theirs))}
        state = advance(state, sheets, KeyedDice("sensible", state.seq)).state
    return state


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("blind", (False, True))
@pytest.mark.parametrize("target", (ME, "nobody"))
def test_even_a_blind_master_sets_an_idle_creature_on_a_foe(strength, blind, target):
    state = played(("WW", "WD"))
    state.monsters["RedTroll"] = Monster("RedTroll", "Troll", ME, target)
    if blind:
        state.wizards[ME].marks["blind"] = 2
    for seed in range(3):
        assert f"TARGET RedTroll {FOE}" in choose_orders(state, mage=ME, strength=strength, seed=seed)


@pytest.mark.parametrize("strength", ("Warder", "Magus"))
def test_a_lightning_bolt_that_would_kill_is_parried(strength):
    state = played(("WD", "DS"), ("PW", "FW"), ("WW", "FP"), ("PS", "DW"))
    state.wizards[ME].hp = 5
    for seed in range(5):
        orders = choose_orders(state, mage=ME, strength=strength, seed=seed)
        assert "LH P" in orders, orders


def test_a_paralysis_in_every_turn_is_worth_less_than_one_in_three():
    books = [RULESETS[name].book for name in ("warlocks", "warlocks-parafdf")]
    slow, often = [prior.worths_of(book)["Paralysis"] for book in books]
    assert often < slow
    assert prior.worths_of(books[1])["Disease"] == prior.SPELL_WORTH["Disease"]
    state = played(("FW", "WD"), ("DW", "PS"), ("FS", "DW"), ruleset="warlocks-parafdf")
    orders = [choose_orders(state, mage=ME, strength="Warder", seed=seed) for seed in range(8)]
    assert sum("LH D" in each for each in orders) < 4
