"""SHOW and DESCRIBE: the table and the story of a battle, and what they hide from every reader while it is running."""

import dataclasses
import random

import pytest

from rules_engine import Done, KeyedDice, Outcome, Sheet, advance, narrate, new_duel, write_state
from rules_engine.beings import Monster
from rules_engine.records import (
    Chronicle,
    PlayedTurn,
    Record,
    RecordedTurn,
    describe_battle,
    play_record,
    rebuild_chronicle,
    show_battle,
)
from rules_engine.records.show import HIDDEN
from tests.rules_engine.random_play import choose_sheets, new_battle, stir
from tests.rules_engine.recorded_battles import store_battle

LAYOUT = """\
Battle 7 between Crom(Sam) and Ayla(Pat)
----------------------------------------

         Ayla                          :    Crom                          : Wild
Turn: LH RH HP Spells  Owned Beasts  : LH RH HP Spells  Owned Beasts  : Beasts
------------------------------------------------------------------------------
"""


def play(*turns, change=lambda state: None, mages=("Crom", "Ayla")):
    """A battle from turns like {"Ayla": "P/W", "Crom": ("S/S", "TARGET LH Ayla")}; mages not named do nothing."""
    state = new_duel("firetop-standard", mages, dice=KeyedDice("scene"))
    change(state)
    recorded = [
        RecordedTurn(f"t{n}", n, ({mage: lines_of(turn.get(mage, "-/-")) for mage in mages},))
        for n, turn in enumerate(turns, start=1)
    ]
    users = dict(zip(mages, ("Sam", "Pat"), strict=False))
    return play_record(
        Record("firetop-standard", 1, mages, tuple(recorded), 7, users, seed="scene", start=write_state(state))
    )


def lines_of(orders):
    gestures, *rest = (orders,) if isinstance(orders, str) else orders
    left, right = gestures.split("/")
    return (f"LH {left}", f"RH {right}", *rest)


def rows(chronicle):
    return show_battle(chronicle).split("\n")[6:-1]


# -- SHOW -------------------------------------------------------------------------------------------------------------


def test_the_table_has_mages_by_name_stars_initials_hit_points_and_beasts():
    """FM-EXAMPLE-14, WH-SHEET-8: a star marks the gesture that completes a spell."""

    def summoned(state):
        state.monsters["BlueishRedOgre"] = Monster("BlueishRedOgre", "Ogre", "Ayla", "Crom")
        state.monsters["BlueishRedOgre"].marks["heat_resistant"] = -1
        state.monsters["FireElemental"] = Monster("FireElemental", "FireElemental", "none", "none")
        state.wizards["Ayla"].marks["heat_resistant"] = -1

    shown = show_battle(play({"Ayla": "P/S"}, {"Ayla": "-/D"}, change=summoned))
    assert shown == LAYOUT + (
        "  1 : P* S  15 S       BRO(2)        : -  -  10                       :  FE(3)\n"
        "  2 : -  D* 15 MM      BRO(2)        : -  -   4                       :  FE(3)\n"
    )


def test_a_spell_of_both_hands_has_two_stars_and_comes_last():
    (row,) = rows(play({"Ayla": "W/W"}, change=begin("Ayla", "BC", "BC")))
    assert row == "  1 : W* W* 15 MM                    : -  -  15                       :"


def begin(mage, left, right):
    """Give a mage a history, and everyone else one of nothing."""

    def change(state):
        for wizard in state.wizards.values():
            own = (left, right) if wizard.name == mage else ("B" + "-" * (len(left) - 1),) * 2
            wizard.left, wizard.right = own
            wizard.blind_columns = wizard.unseen_columns = "0" * len(left)
        state.columns = [str(n) for n in range(len(left))]

    return change


def test_an_anti_spell_adds_a_separate_row():
    scene = begin("Ayla", "BSPF", "B---")
    assert rows(play({"Ayla": ("P/-", "CHOOSE LH Anti Spell")}, change=scene)) == [
        "  1 : P* -  15 AS                    : -  -  15                       :",
        "  1 : .  .  15                       : #  #  15                       :",
    ]


def test_long_cells_continue_in_the_next_line():
    def crowd(state):
        for kind in ("Goblin", "Ogre", "Troll"):
            state.monsters[f"Red{kind}"] = Monster(f"Red{kind}", kind, "Ayla", "nobody")

    first, second = rows(play({"Ayla": "P/P"}, change=crowd))
    assert first == "  1 : P* P* 15 S S     RG(1) RO(2)   : -  -  15                       :"
    assert second == "    :" + " " * 18 + "RT(3)" + " " * 9 + ":" + " " * 32 + ":"


@pytest.mark.parametrize(
    ("marks", "hidden"),
    [
        ({}, []),
        ({"Ayla": "invisible"}, ["Ayla"]),
        ({"Ayla": "blind"}, ["Crom"]),
        ({"Ayla": "blind", "Crom": "blind"}, ["Ayla", "Crom"]),
        ({"Ayla": "invisible", "Crom": "blind"}, ["Ayla"]),
    ],
)
def test_a_running_battle_hides_the_unseen_from_all_readers(marks, hidden):
    def enchant(state):
        for mage, mark in marks.items():
            state.wizards[mage].marks[mark] = 5

    chronicle = play({"Ayla": "S/W", "Crom": "D/F"}, change=enchant)
    (row,) = rows(chronicle)
    seen = {"Ayla": " S  W  15                       :", "Crom": " D  F  15                       :"}
    wild = "  ??" if "blind" in marks.values() else ""
    assert row == "  1 :" + "".join(HIDDEN if m in hidden else seen[m] for m in ("Ayla", "Crom")) + wild
    story = describe_battle(chronicle)
    assert ("Ayla plays" in story, "Crom plays" in story) == ("Ayla" not in hidden, "Crom" not in hidden)


def test_acts_of_an_unseen_mage_do_not_change_table_or_story():
    def vanish(state):
        state.wizards["Ayla"].marks["invisible"] = 5

    told = {
        (show_battle(battle), describe_battle(battle))
        for battle in (play({"Ayla": pair}, change=vanish) for pair in ("S/W", "D/F", "-/-", "W/S"))
    }
    assert len(told) == 1


def test_quiet_gestures_of_the_unseen_leave_no_trace_in_any_battle():
    compared = 0
    for seed in range(40):
        told = list(tell_quiet_turns(seed))
        assert all(texts == told[0] for texts in told), seed
        compared += len(told) > 1
    assert compared > 20


def tell_quiet_turns(seed):
    """Describe a turn of a random battle for several pairs of gestures that unseen Ayla could play without effect."""
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    hider = state.wizards["Ayla"]
    hider.marks["invisible"] = 3
    for mark in ("confused", "paralysed", "charmed", "afraid", "forgetful"):
        hider.marks.pop(mark, None)
    sheets = choose_sheets(state, rng)
    for left, right in ("SW", "DF", "-W", "FF"):
        orders = {**sheets, "Ayla": Sheet({"LH": left, "RH": right})}
        step = advance(state, orders, KeyedDice(str(seed), state.seq))
        if isinstance(step, Done) and not any(cast.summoner == "Ayla" for cast in step.record.casts):
            chronicle = Chronicle(state.mages, (PlayedTurn(state.label, state.seq, state, step.state, (step.events,)),))
            yield show_battle(chronicle), describe_battle(chronicle)


def test_nothing_is_hidden_after_the_end_nor_from_a_janitor():
    def vanish(state):
        state.wizards["Ayla"].marks["invisible"] = 5

    chronicle = play({"Ayla": "S/W"}, change=vanish)
    for open_one in (
        dataclasses.replace(chronicle, open_to_all=True),
        dataclasses.replace(chronicle, outcome=Outcome("duel", ("Ayla",), "forfeit", (), ("Crom",))),
    ):
        assert "S  W  15" in show_battle(open_one) and "??" not in show_battle(open_one)
        assert "Ayla plays snap" in describe_battle(open_one)


# -- DESCRIBE ---------------------------------------------------------------------------------------------------------


def test_the_story_has_a_heading_and_a_paragraph_for_each_turn_in_the_third_person():
    assert describe_battle(play({"Ayla": ("S/W", "SAY Good luck")}, {"Crom": ">/-"})) == (
        "Battle 7 between Crom(Sam) and Ayla(Pat)\n"
        "----------------------------------------\n"
        "\n"
        "In Round 1:\n"
        "Ayla says: Good luck\n"
        "Crom plays nothing (left hand) and nothing (right hand).\n"
        "Ayla plays snap (left hand) and wave (right hand).\n"
        "\n"
        "In Round 2:\n"
        "Crom plays stab (left hand) and nothing (right hand).\n"
        "Ayla plays nothing (left hand) and nothing (right hand).\n"
        "Crom stabs Ayla: 1 hit point.\n"
    )


@pytest.mark.parametrize(
    ("turn", "ending"),
    [
        ({"Ayla": "P/P"}, "Last turn: 1\nWinner: Crom\n"),
        ({"Ayla": "P/P", "Crom": "P/P"}, "Last turn: 1\nWinner: none\n"),
    ],
)
def test_the_story_of_a_battle_that_is_over_says_who_won(turn, ending):
    assert ending in describe_battle(play(turn))


def test_several_winners_share_a_line_and_a_forfeit_adds_one():
    chronicle = play({}, mages=("Crom", "Ayla", "Dara"))
    both = Outcome("melee", ("Crom", "Ayla"), "forfeit", (), ("Dara",))
    story = describe_battle(dataclasses.replace(chronicle, outcome=both))
    assert "\nWinners: Crom and Ayla\n" in story
    assert story.endswith("Victory to Crom and Ayla by forfeit.\n")


@pytest.mark.parametrize("seed", range(16))
def test_the_story_of_a_running_battle_has_only_what_everyone_learnt(seed):
    kept = rebuild_chronicle(store_battle(seed))
    chronicle = dataclasses.replace(kept, outcome=None)
    story = describe_battle(chronicle).split("\n")
    common = {narrate(event) for turn in chronicle.turns for event in turn.events if event.audience is None}
    told = [line for line in story[3:] if line and not line.startswith("In Round")]
    assert told and set(told) <= common


@pytest.mark.parametrize("seed", range(16))
def test_every_row_of_every_battle_is_as_wide_as_its_heading(seed):
    chronicle = rebuild_chronicle(store_battle(seed))
    opened = dataclasses.replace(chronicle, open_to_all=True)
    table = show_battle(opened).split("\n")
    place = len("Turn:") + 33 * len(chronicle.mages)
    assert all(line[place - 1] == ":" for line in table[6:-1])
    assert len([line for line in table[6:-1] if line[:3].strip()]) >= len(chronicle.turns)


def test_a_battle_without_a_turn_has_only_a_title():
    empty = Chronicle(("Ayla", "Crom"), (), None, 9)
    assert describe_battle(empty) == "Battle 9 between Ayla and Crom\n------------------------------\n"
    assert show_battle(empty).startswith("Battle 9 between Ayla and Crom\n")
