"""Secrets by example: what orders, fading and missing events could give away, but do not."""

import pytest

from rules_engine import (
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    known_beings,
    look,
    new_duel,
    open_questions,
    read_orders,
    visible_events,
)
from rules_engine.beings import Monster
from rules_engine.state import State
from tests.rules_engine.knowledge import Knowledge, everything_for, shown_to
from tests.rules_engine.random_play import new_battle

IDLE = Sheet({"LH": "-", "RH": "-"})


def blind_duel(*, goblin_by_ayla: bool) -> tuple[State, dict[str, Sheet]]:
    """Crom is blind and owns an ogre; Ayla's left hand creates a goblin, or does not."""
    state = new_battle(3, mages=2).copy()
    state.wizards["Crom"].marks["blind"] = 2
    state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", "Crom", "Ayla")
    ayla = state.wizards["Ayla"]
    ayla.left, ayla.right, state.columns = "BSF", "B--", ["0", "1", "2"]
    state.wizards["Crom"].left = state.wizards["Crom"].right = "B--"
    for wizard in state.wizards.values():
        wizard.blind_columns = wizard.unseen_columns = "000"
    ayla.begun = state.ruleset.book.states_of("BSF", "B--")
    return state, {"Ayla": Sheet({"LH": "W" if goblin_by_ayla else "F", "RH": "-", "TARGET LH:Ayla": "nobody"})}


@pytest.mark.parametrize(
    "order", ["TARGET RedOgre LH:Ayla", "TARGET LH:Ayla nobody", "TARGET LH LH:Ayla", "TARGET LH:Ayla RH:Ayla"]
)
def test_the_blind_cannot_feel_for_creatures_with_their_orders(order):
    """Neither sending an ogre at it nor stabbing it reveals what Ayla creates."""
    seen = []
    for goblin_by_ayla in (True, False):
        state, sheets = blind_duel(goblin_by_ayla=goblin_by_ayla)
        read = read_orders(state, "Crom", f"LH >\nRH -\n{order}")
        assert not read.problems
        done = advance(state, {**sheets, "Crom": read.sheet}, KeyedDice("x"))
        assert bool(done.record.newborn) is goblin_by_ayla
        seen.append((shown_to(done, "Crom"), everything_for(done.state, "Crom")))
    assert seen[0] == seen[1]


def test_an_unknown_name_gets_the_same_words_whether_it_is_hidden_or_absent():
    state = new_battle(4, mages=2).copy()
    state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", "Ayla", "Crom")
    sighted = read_orders(state, "Crom", "TARGET LH RedOgre")
    assert not sighted.problems
    state.wizards["Crom"].marks["blind"] = 2
    for order in ("TARGET LH {}", "TARGET {} Ayla", "P/D LH {}"):
        hidden, absent = (read_orders(state, "Crom", order.format(name)).problems for name in ("RedOgre", "RedOgrf"))
        assert [p.message for p in hidden] == [p.message.replace("RedOgrf", "RedOgre") for p in absent]
        assert [(p.code, p.nearest) for p in hidden] == [(p.code, p.nearest) for p in absent]


def test_blind_mages_do_not_learn_who_is_fast():
    """Nothing shows them that a mage plays two pairs of gestures now: no option, and no form of a name."""
    state = new_duel("waving-hands", ["Ayla", "Crom"], dice=KeyedDice("haste"))
    for gestures in ("P/-", "W/-", "P/-", "W/-", "W/-", "C/C"):
        left, right = gestures.split("/")
        state = advance(state, {"Ayla": Sheet({"LH": left, "RH": right}), "Crom": IDLE}, KeyedDice("haste")).state
    order = "LH >\nRH -\nTARGET LH LH2:Ayla"
    assert look(state, Viewer.of("Crom")).mage("Ayla").pairs == 2 and not read_orders(state, "Crom", order).problems
    state = state.copy()
    state.wizards["Crom"].marks["blind"] = 2
    assert look(state, Viewer.of("Crom")).mage("Ayla").pairs == 1
    [problem] = read_orders(state, "Crom", order).problems
    assert problem.message == "LH2:Ayla is not the hand of a mage."
    aims = open_questions(state, "Crom", Sheet({"LH": ">", "RH": "-"}))
    assert "LH2:Ayla" not in {option.value for question in aims for option in question.options}


def test_a_blind_mage_can_order_their_own_creatures():
    state = new_battle(4, mages=2).copy()
    state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", "Crom", "Ayla")
    state.wizards["Crom"].marks["blind"] = 2
    assert "RedOgre" in known_beings(state, "Crom")
    assert look(state, Viewer.of("Crom")).monsters == ()
    [question] = [q for q in open_questions(state, "Crom") if q.kind == "monster"]
    assert (question.about, question.default) == ("RedOgre", "Ayla")


def test_a_mage_is_seen_fading_but_not_afterwards():
    state = new_battle(5, mages=2).copy()
    crom = state.wizards["Crom"]
    crom.left, crom.right, state.columns = "BPPW", "B--W", ["0", "1", "2", "3"]
    state.wizards["Ayla"].left = state.wizards["Ayla"].right = "B---"
    state.wizards["Ayla"].marks["invisible"] = 3  # the turn before took place in the dark
    for wizard in state.wizards.values():
        wizard.blind_columns = wizard.unseen_columns = "0000"
    crom.begun = state.ruleset.book.states_of(crom.left, crom.right)
    done = advance(state, {"Ayla": IDLE, "Crom": Sheet({"LH": "S", "RH": "S"})}, KeyedDice("x"))
    assert [e.facts["who"] for e in visible_events(done.events, Viewer.of("Ayla")) if e.kind == "disappears"] == [
        "Crom"
    ]
    after = advance(done.state, {"Ayla": IDLE, "Crom": Sheet({"LH": "S", "RH": "-"})}, KeyedDice("x", 2))
    gestures = [e for e in visible_events(after.events, Viewer.of("Ayla")) if e.kind == "gestures"]
    assert [e.facts["who"] for e in gestures] == ["Ayla"]


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands"])
def test_the_uninvolved_do_not_learn_whose_stab_it_was_in_stopped_time(ruleset):
    """FM-TIMESTOP-3"""
    seen = []
    for stabber, other in (("Ayla", "Crom"), ("Crom", "Ayla")):
        state = new_duel(ruleset, ["Ayla", "Crom", "Dara", "Bung"], dice=KeyedDice("x")).copy()
        for name in ("Ayla", "Crom"):
            state.wizards[name].marks["time_stopped"] = 1
        state = advance(state, dict.fromkeys(state.mages, IDLE), KeyedDice("x")).state
        heard = Knowledge(state)
        stab = Sheet({"LH": ">", "RH": "-", "TARGET LH": "Bung"})
        done = advance(state, {stabber: stab, other: IDLE}, KeyedDice("x", state.seq))
        assert done.state.wizards["Bung"].hp == 14
        heard.learn(state, done)
        for reader in ("Dara", None):
            assert heard.summaries[reader][0].text == "Bung loses 1 to a dagger. Bung has 14."
        assert heard.summaries[stabber][0].lines[-1].text == "Bung loses 1 to your dagger. Bung has 14."
        assert heard.summaries["Bung"][0].text == f"You lose 1: {stabber} stabs you. You have 14."
        seen.append([(shown_to(done, reader), heard.explained(reader)) for reader in ("Dara", None)])
    assert seen[0] == seen[1]


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands", "warlocks"])
def test_those_outside_time_learn_what_they_do_to_each_other(ruleset):
    state = new_duel(ruleset, ["Ayla", "Crom", "Dara"], dice=KeyedDice("x")).copy()
    for name in ("Ayla", "Crom"):
        state.wizards[name].marks["time_stopped"] = 1
    state = advance(state, dict.fromkeys(state.mages, IDLE), KeyedDice("x")).state
    heard = Knowledge(state)
    stab = Sheet({"LH": ">", "RH": "-", "TARGET LH": "Crom"})
    done = advance(state, {"Ayla": stab, "Crom": IDLE}, KeyedDice("x", state.seq))
    heard.learn(state, done)
    assert "Crom loses 1 to your dagger. Crom has 14." in [line.text for line in heard.summaries["Ayla"][0].lines]


def test_extra_gestures_are_reported_whatever_mind_spell_a_fast_mage_has():
    """Otherwise the blind would learn from its absence that the mage is enchanted."""
    seen = []
    for mark in (None, "confused"):
        state = new_battle(6, mages=2).copy()
        state.wizards["Crom"].marks["blind"] = 3
        state.wizards["Ayla"].marks["fast"] = 2
        state.extra, state.movers = "H", ("Ayla",)
        for side in ("left", "right"):
            setattr(state.wizards["Crom"], side, "B.")
        state.wizards["Crom"].phase = "ready"
        if mark:
            state.wizards["Ayla"].marks[mark] = 1
        done = advance(state, {"Ayla": Sheet({"LH": "S", "RH": "-"})}, KeyedDice("x"))
        assert any(e.kind == "mind_sleeps" for e in done.events) == bool(mark)
        seen.append(shown_to(done, "Crom"))
    assert seen[0] == seen[1]
