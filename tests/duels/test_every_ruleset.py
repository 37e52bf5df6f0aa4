"""Every ruleset is played through the services, including stops for decisions."""

import pytest

from duels.board.pads import make_question
from duels.models import TurnEvent
from duels.terms import list_rulesets
from rules_engine import RULESETS, open_questions, read_state
from studies.services.replay_checks import replay_battle
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
OFFERED = [name for name, _ in list_rulesets()]


def start(ruleset: str) -> Fight:
    return start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset=ruleset)


def answer(fight: Fight, name: str, text: str) -> None:
    assert fight.battle.stage == 1, "the turn did not stop"
    assert fight.order(name, text).outcome == "resolved"


def test_only_complete_rulesets_are_offered():
    assert {
        "firetop-standard",
        "firetop-classic",
        "warlocks",
        "warlocks-parafdf-maladroit",
        "waving-hands",
        "spellcast",
    } <= set(OFFERED)
    assert set(OFFERED) == {name for name, ruleset in RULESETS.items() if ruleset.offered}


@pytest.mark.parametrize("ruleset", OFFERED)
def test_a_missile_is_stopped_by_a_shield_and_the_next_one_hits(ruleset):
    fight = start(ruleset)
    for seq, orders in enumerate((("S/-", "-/-"), ("D/-", "P/-"), ("S/-", "W/-"), ("D/-", "-/-")), start=1):
        fight.turn(*orders)
        while fight.key() == (seq, 0, 1):
            for name in read_state(fight.battle.state).owing:
                fight.order(name, "END")
        assert fight.key() == (seq + 1, 0, 0)
    assert fight.battle.state["wizards"][1]["hp"] == 14


@pytest.mark.parametrize("ruleset", ["waving-hands", "spellcast"])
def test_the_hand_of_a_paralysis_is_asked_for_when_the_gestures_are_shown(ruleset):
    """FM-CHAL-6: only Froodal has an order to give then, and the turn continues with it."""
    fight = start(ruleset)
    fight.turns([("F/-", "-/-"), ("F/-", "-/-")])
    fight.turn("F/-", "C/S")
    answer(fight, "Froodal", "PARALYZE RH Bung")
    fight.turn("-/-", "P/P")
    assert fight.battle.state["wizards"][1]["right"].endswith("D")


def test_the_subject_of_an_elemental_says_which_it_is():
    fight = start("waving-hands")
    fight.turns([("C/C", "-/-"), ("S/-", "-/-"), ("W/-", "-/-"), ("W/-", "-/-")])
    fight.turn("S/-\nCHOOSE LH Summon Elemental\nTARGET LH Bung", "-/-")
    answer(fight, "Bung", "ELEMENTAL ice Froodal")
    assert [monster["kind"] for monster in fight.battle.state["monsters"]] == ["IceElemental"]


def test_of_two_elementals_each_is_asked_for_by_its_hand():
    fight = start("spellcast")
    fight.turns([("C/C", "-/-"), ("S/S", "-/-"), ("W/W", "-/-"), ("W/W", "-/-")])
    fight.turn("S/S\nCHOOSE LH Summon Elemental\nCHOOSE RH Summon Elemental", "-/-")
    assert fight.order("Froodal", "TARGET LH Bung\nTARGET RH Bung\nEND").outcome == "resolved"
    asked = [make_question(q, why="", targets={}).about for q in open_questions(read_state(fight.battle.state), "Bung")]
    assert asked == [f"Which elemental Froodal's {hand} hand summons" for hand in ("left", "right")]
    assert fight.order("Bung", "ELEMENTAL fire LH:Froodal\nELEMENTAL ice RH:Froodal").outcome == "resolved"
    assert fight.key() == (6, 0, 0)
    assert replay_battle(battle=fight.battle, now=NOW) == ()


def test_events_before_the_decision_are_not_repeated():
    fight = start("waving-hands")
    fight.turns([("F/-", "-/-"), ("F/-", "-/-")])
    fight.turn("F/-", "C/S")
    answer(fight, "Froodal", "PARALYZE RH Bung")
    told = list(TurnEvent.objects.filter(turn__seq=3).values_list("kind", flat=True))
    assert told.count("turn_begins") == 1
    assert told.count("gestures") == 2


@pytest.mark.parametrize("ruleset", [name for name in OFFERED if name.startswith("warlocks")])
def test_warlocks_are_never_asked_in_mid_turn(ruleset):
    fight = start(ruleset)
    fight.turns([("W/-", "-/-"), ("F/-", "-/-")])
    fight.turn("P/-", "-/-")
    assert fight.key() == (4, 0, 0)
    assert fight.battle.state["wizards"][1]["hp"] == 13
