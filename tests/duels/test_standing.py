"""Where a battle stands: keys, labels, TURN, and which stage a mail that came at that time is for."""

from datetime import timedelta

import pytest

from duels.errors import BattleNotFound, UnknownTurn
from duels.keys import StageKey
from duels.models import Stage, Turn
from duels.selectors import describe_standing, find_battle, find_stage_key, find_stage_open_at, names_waited_for
from tests.duels.fights import NOW


def test_a_number_without_a_battle_is_named(db):
    with pytest.raises(BattleNotFound, match="no battle 77"):
        find_battle(number=77)


def test_turn_names_the_stage_that_is_open(duel):
    duel.turn("P/D", "F/F")
    assert find_stage_key(battle=duel.battle, turn="2") == StageKey(2, 0, 0)
    assert find_stage_key(battle=duel.battle, turn=" 1 ") == StageKey(1, 0, 0)


@pytest.mark.parametrize("text", ["9", "", "1/2", "1/x", "first", "1/99999999999999999999"])
def test_a_turn_that_there_was_not_is_refused_with_the_standing(duel, text):
    with pytest.raises(UnknownTurn, match=r"Duel .* is in turn 1"):
        find_stage_key(battle=duel.battle, turn=text)


def test_a_label_that_occurs_twice_wants_its_place(duel):
    duel.turn("P/D", "F/F")
    Turn.objects.filter(battle=duel.battle).update(label="1T")
    with pytest.raises(UnknownTurn) as caught:
        find_stage_key(battle=duel.battle, turn="1t")
    assert caught.value.choices == ("1T/1", "1T/2")
    assert find_stage_key(battle=duel.battle, turn="1T/2") == StageKey(2, 0, 0)


def test_a_mail_counts_for_the_stage_that_was_open_when_it_came(duel):
    duel.turn("P/D", "F/F")
    later = NOW + timedelta(hours=1)
    Stage.objects.filter(turn__seq=1).update(closed_at=later)
    Stage.objects.filter(turn__seq=2).update(opened_at=later)
    assert find_stage_open_at(battle=duel.battle, at=NOW) == StageKey(1, 0, 0)
    assert find_stage_open_at(battle=duel.battle, at=later) == StageKey(2, 0, 0)
    assert find_stage_open_at(battle=duel.battle, at=NOW - timedelta(seconds=1)) is None


def test_no_stage_is_open_after_the_end(duel):
    duel.turn("P/P", "F/F")
    assert find_stage_open_at(battle=duel.battle, at=NOW + timedelta(days=1)) is None
    assert describe_standing(duel.battle).sentence() == f"Duel {duel.number} is over."


def test_the_battle_waits_for_those_who_are_not_ready(melee):
    melee.order("Borin", "P/D")
    assert names_waited_for(melee.battle) == ("Ayla", "Cormac")
