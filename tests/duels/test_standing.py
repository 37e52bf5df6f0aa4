"""The state of a battle: keys, labels, TURN, and the stage that an email at a certain time is for."""

from datetime import timedelta

import pytest

from accounts.services.vacations import start_vacation
from duels.errors import BattleNotFound, DuelsError, UnknownTurn
from duels.keys import StageKey
from duels.models import Turn
from duels.selectors.stage_keys import (
    describe_current_stage,
    find_stage_key,
    find_stage_open_at,
    names_waited_for,
    take_stage_mark,
)
from duels.selectors.viewer import find_battle
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.extra_time import give_time
from duels.services.clocks.pauses import ask_pause
from duels.services.clocks.seat_offers import offer_seat
from duels.services.clocks.sweep import sweep_deadlines
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage

MUCH_LATER = NOW + timedelta(days=16)


def test_a_number_without_a_battle_is_named(db):
    with pytest.raises(BattleNotFound, match="no battle 77"):
        find_battle(number=77)


def test_turn_names_the_stage_that_is_open(duel):
    duel.turn("P/D", "F/F")
    assert find_stage_key(battle=duel.battle, turn="2") == StageKey(2, 0, 0)
    assert find_stage_key(battle=duel.battle, turn=" 1 ") == StageKey(1, 0, 0)


@pytest.mark.parametrize("text", ["9", "", "1/2", "1/x", "first", "1/99999999999999999999"])
def test_a_nonexistent_turn_is_rejected_with_the_state_of_the_battle(duel, text):
    with pytest.raises(UnknownTurn, match=r"Duel .* is in turn 1"):
        find_stage_key(battle=duel.battle, turn=text)


def test_a_label_that_occurs_twice_needs_its_place(duel):
    duel.turn("P/D", "F/F")
    Turn.objects.filter(battle=duel.battle).update(label="1T")
    with pytest.raises(UnknownTurn) as caught:
        find_stage_key(battle=duel.battle, turn="1t")
    assert caught.value.choices == ("1T/1", "1T/2")
    assert find_stage_key(battle=duel.battle, turn="1T/2") == StageKey(2, 0, 0)


def test_a_mail_counts_for_the_stage_that_was_open_when_it_came(duel):
    in_turn_1 = take_stage_mark()
    duel.turn("P/D", "F/F")
    in_turn_2 = take_stage_mark()
    start_fight(make_mage("Ayla"), make_mage("Borin")).turn("P/D", "F/F")
    for mark, seq in ((in_turn_1, 1), (in_turn_2, 2), (take_stage_mark(), 2)):
        assert find_stage_open_at(battle=duel.battle, mark=mark) == StageKey(seq, 0, 0)


def test_no_stage_is_open_before_the_start(db):
    before = take_stage_mark()
    assert before == 0
    fight = start_fight(make_mage("Ayla"), make_mage("Borin"))
    assert find_stage_open_at(battle=fight.battle, mark=before) is None


def test_after_the_end_the_last_stage_is_current(duel):
    duel.turn("P/P", "F/F")
    assert find_stage_open_at(battle=duel.battle, mark=take_stage_mark()) == StageKey(1, 0, 0)
    assert describe_current_stage(duel.battle).sentence() == f"Duel {duel.number} is over."


def test_the_battle_waits_for_those_who_are_not_ready(melee):
    melee.order("Borin", "P/D")
    assert names_waited_for(melee.battle) == ("Ayla", "Cormac")


ASKS = {
    "pause": lambda fight, mage: ask_pause(combatant=mage, days=1, now=MUCH_LATER),
    "call off": lambda fight, mage: call_off_battle(combatant=mage, now=MUCH_LATER),
    "offer a seat": lambda fight, mage: offer_seat(combatant=mage, now=MUCH_LATER),
    "give time": lambda fight, mage: give_time(giver=mage, mage_name="Crom", now=MUCH_LATER),
}


@pytest.mark.parametrize("act", ASKS)
def test_a_mage_who_surrendered_before_their_click_arrived_decides_nothing(db, act):
    """The page read the mage before the battle was locked; their surrender was played in between."""
    fight = start_fight(*map(make_mage, ("Ayla", "Bung", "Crom")), stakes="friendly")
    ayla = fight.combatant("Ayla")
    fight.turn("P/P", "S/S", "S/S")
    fight.order("Bung", "S/S")
    start_vacation(user=fight.user("Crom"), days=35, now=NOW)
    sweep_deadlines(now=NOW + timedelta(hours=1))
    with pytest.raises(DuelsError):
        ASKS[act](fight, ayla)
    ASKS[act](fight, fight.combatant("Bung"))
