"""Sheets: slots and lines, both ways, and what later orders do to earlier ones."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import Asks, Sheet, advance, read_orders, write_orders
from rules_engine.dice import KeyedDice
from tests.rules_engine.random_play import choose_sheets, new_battle, stir

FULL = [
    "LH P",
    "RH >",
    "CHOOSE LH Resist Heat",
    "TARGET LH Crom",
    "TARGET RH LH:Crom",
    "TARGET RedGoblin nobody",
    "TARGET RH:Ayla Crom",
    "PARALYZE LH Crom",
    "DIRECT RH - Dara",
    "PERMANENT BH",
    "DELAY LH",
    "FIRE",
    "SAY Well met: P/P; or not",
]


def test_lines_are_slots_and_slots_are_lines():
    sheet = Sheet.from_lines(FULL)
    assert sheet.lines() == FULL
    assert Sheet.from_lines(reversed(FULL)).lines() == [*FULL[:3], *reversed(FULL[3:7]), *FULL[7:]]
    assert sheet.get("DIRECT Dara") == "RH -"
    assert (sheet.choices, sheet.paralyses) == ({"LH": "Resist Heat"}, {"Crom": "LH"})
    assert (sheet.directions, sheet.says) == ({"Dara": ("RH", "-")}, "Well met: P/P; or not")
    assert sheet.fire and sheet and not Sheet()


@given(st.integers(0, 2**32))
def test_legal_sheets_survive_being_written_and_read(seed):
    rng = random.Random(seed)
    state = stir(new_battle(seed), rng)
    for _ in range(4):
        sheets = choose_sheets(state, rng)
        for mage, sheet in sheets.items():
            assert Sheet.from_lines(sheet.lines()) == sheet
            read = read_orders(state, mage, write_orders(sheet))
            assert read.problems == ()
            assert read.sheet == sheet
            assert read.sheet.lines() == sheet.lines()
        state = advance(state, sheets, KeyedDice("x", state.seq)).state
        if state.over:
            return


def test_answers_in_mid_turn_survive_being_written_and_read():
    asked = 0
    for seed in range(60):
        rng = random.Random(seed)
        state = stir(new_battle(seed), rng)
        result = advance(state, choose_sheets(state, rng), KeyedDice("x", state.seq))
        if isinstance(result, Asks):
            for mage, sheet in choose_sheets(result.state, rng).items():
                asked += 1
                assert read_orders(result.state, mage, write_orders(sheet)).sheet == sheet
    assert asked > 3


@pytest.mark.parametrize(
    ("before", "later", "after"),
    [
        ("LH P|RH D", "RH W", "LH P|RH W"),
        ("LH P|RH D|TARGET RH Crom", "RH D", "LH P|RH D|TARGET RH Crom"),
        ("LH P|RH D|TARGET RH Crom|SAY hi", "RH W", "LH P|RH W|SAY hi"),
        ("LH P|RH D|CHOOSE LH Shield|TARGET LH Crom", "RH W", "LH P|RH W|TARGET LH Crom"),
        ("LH P|RH D|TARGET BH Crom", "LH W|TARGET BH Dara", "LH W|RH D|TARGET BH Dara"),
        ("CHOOSE LH Shield|CHOOSE RH Amnesia", "CHOOSE BH Haste", "CHOOSE BH Haste"),
        ("CHOOSE BH Haste", "CHOOSE RH Amnesia", "CHOOSE RH Amnesia"),
        ("TARGET RedGoblin Crom", "TARGET RedGoblin nobody", "TARGET RedGoblin nobody"),
        ("PERMANENT LH", "PERMANENT RH", "PERMANENT RH"),
        ("SAY one", "SAY two", "SAY two"),
        ("FIRE", "", "FIRE"),
    ],
)
def test_later_orders_replace_earlier_ones(before, later, after):
    first = Sheet.from_lines(before.split("|"))
    merged = first.merged(Sheet.from_lines(later.split("|") if later else []))
    assert merged.lines() == after.split("|")
    assert first.lines() == before.split("|"), "a sheet is a value"


def test_a_slot_can_be_removed():
    assert Sheet.from_lines(["LH P", "FIRE"]).without("FIRE").lines() == ["LH P"]
