"""Sensible play: creatures are set on foes, deadly threats are parried, and cheap spells are not repeated forever."""

import pytest

from rules_engine import RULESETS, KeyedDice, Sheet, advance, new_duel
from rules_engine.beings import SEEN_HELD, Monster
from rules_engine.bots import choose_orders, prior
from rules_engine.bots.aims import Situation
from rules_engine.bots.answer_questions import decide
from rules_engine.bots.moves import Moves
from rules_engine.bots.worth import Worth

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


def moves_of(state, mage):
    """The orders that a bot would consider, by column."""
    worth = Worth(state.ruleset.name)
    return {move.sheet.column: move.sheet for move in Moves(worth).find(state, mage, 99)}


@pytest.mark.parametrize("columns", (("SD", "DS", "PD"), ("PW", "WD", "WD")), ids=("P stays P", "W becomes P"))
def test_a_hand_is_not_held_where_that_casts_a_shield_in_every_turn(columns):
    mine = ("WD", "DS", "SW")
    state = played(*zip(mine, columns, strict=True), ruleset="waving-hands")
    assert decide(Situation(state, ME, Worth("waving-hands")), "PARALYZE", FOE) == "RH"


@pytest.mark.parametrize("ruleset", ("firetop-standard", "waving-hands", "spellcast", "warlocks"))
def test_a_hand_is_not_held_where_that_casts_paralysis_in_every_turn(ruleset):
    """The right hand has begun a Finger Of Death, P W P F S S S D. Held, it plays P, P, P instead; the left one would
    continue with F (FM-PARA-3, FM-PARA-6, FM-PARA-7)."""
    state = played(("WD", "FP"), ("DS", "FW"), ruleset=ruleset)
    assert decide(Situation(state, ME, Worth(ruleset)), "PARALYZE", FOE) == "RH"


@pytest.mark.parametrize("ruleset", ("firetop-standard", "waving-hands", "spellcast", "warlocks"))
def test_a_counter_spell_is_not_cast_together_with_what_it_stops(ruleset):
    state = played(("WW", "WD"), ("WW", "DS"), ruleset=ruleset)
    for seed in range(12):
        orders = choose_orders(state, mage=ME, strength="Warder", seed=seed)
        assert not {"LH S", "RH P"} <= set(orders) and not {"LH P", "RH S"} <= set(orders), orders


def test_two_missiles_are_not_thrown_at_the_same_goblin():
    state = played(("WS", "WD"), ("SS", "DW"))
    state.monsters["RedGoblin"] = Monster("RedGoblin", "Goblin", FOE, ME)
    both = moves_of(state, ME)["DD"]
    assert [both.get("TARGET LH"), both.get("TARGET RH")].count("RedGoblin") == 1


def melee():
    """A melee of three in which Ayla has a missile ready and an idle ogre."""
    state = new_duel("firetop-standard", (ME, FOE, "Dara"), dice=KeyedDice("melee"))
    sheets = {mage: Sheet({"LH": "S", "RH": "W"}) for mage in state.mages}
    state = advance(state, sheets, KeyedDice("melee", 1)).state
    state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", ME, FOE)
    return state


@pytest.mark.parametrize("mark", ("invisible", "shielded"))
def test_creatures_and_missiles_go_where_they_can_hurt(mark):
    state = melee()
    state.wizards["Dara"].hp = 9  # Crom leads
    assert moves_of(state, ME)["DW"].get("TARGET LH") == FOE
    assert "TARGET RedOgre" not in dict(moves_of(state, ME)["DW"])
    state.wizards[FOE].marks[mark] = 2
    orders = moves_of(state, ME)["DW"]
    assert orders.get("TARGET RedOgre") == "Dara"
    assert mark == "shielded" or orders.get("TARGET LH") == "Dara"


def test_a_paralysis_in_every_turn_is_worth_less_than_one_in_three():
    books = [RULESETS[name].book for name in ("warlocks", "warlocks-parafdf")]
    slow, often = [prior.worths_of(book)["Paralysis"] for book in books]
    assert often < slow
    assert prior.worths_of(books[1])["Disease"] == prior.SPELL_WORTH["Disease"]
    state = played(("FW", "WD"), ("DW", "PS"), ("FS", "DW"), ruleset="warlocks-parafdf")
    orders = [choose_orders(state, mage=ME, strength="Warder", seed=seed) for seed in range(8)]
    assert sum("LH D" in each for each in orders) < 4


def repeated(left, right, turns, *, ruleset="waving-hands"):
    """A duel in which both mages have repeated these gestures for so many turns."""
    state = new_duel(ruleset, (ME, FOE), dice=KeyedDice("repeated"))
    for wizard in state.wizards.values():
        wizard.left, wizard.right = ("B" + (each * turns)[:turns] for each in (left, right))
        wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    return state


@pytest.mark.parametrize(("turns", "goes_on"), [(5, True), (8, False)])
def test_two_mages_who_hold_each_others_hands_stop_at_last(turns, goes_on):
    """F completes Paralysis turn after turn; the other hand is held, and repeats itself whatever is ordered."""
    state = repeated("F", "P", turns)
    for wizard in state.wizards.values():
        wizard.marks["paralysed"], wizard.stuck = 1, {"RH": SEEN_HELD}
    best = Moves(Worth("waving-hands")).find(state, ME, 1)[0]
    assert (best.sheet.left == "F") is goes_on


def test_nobody_stabs_at_a_mage_who_plays_a_shield_in_every_turn():
    """Both have one point left, and shields save both from daggers: only other harm wins."""
    state = repeated("P>", ">P", 6)
    for wizard in state.wizards.values():
        wizard.hp = 1
    state.monsters["RedGoblin"] = Monster("RedGoblin", "Goblin", FOE, ME)
    moves = Moves(Worth("waving-hands")).find(state, ME, 2)
    assert all(">" not in move.sheet.column for move in moves), [move.sheet.column for move in moves]
    state.wizards[FOE].left = state.wizards[FOE].right = "BWSDWSD"
    assert ">" in Moves(Worth("waving-hands")).find(state, ME, 1)[0].sheet.column
