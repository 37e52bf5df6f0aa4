"""Puzzles: every committed one is proved again, and positions that are not puzzles are found out."""

import json
from pathlib import Path

import pytest

from rules_engine import KeyedDice, Sheet, new_duel, read_orders, write_state
from rules_engine.bots.tools.puzzles import find_puzzles
from rules_engine.puzzles import (
    KINDS,
    SURVIVE,
    WIN,
    WIN_IN_TWO,
    Judge,
    has_reached,
    is_plain,
    list_different,
    list_orders,
    normalise,
    play,
    prove,
)

FILE = Path(__file__).parents[2] / "studies" / "puzzles.jsonl"
PUZZLES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
# To prove a win in two turns takes a minute.
SAMPLE = [each for kind in (WIN, SURVIVE) for each in [p for p in PUZZLES if p["kind"] == kind][:2]]
REST = [each for each in PUZZLES if each not in SAMPLE]


def set_up(puzzle):
    mages = tuple(puzzle["turns"][0])
    state = new_duel(puzzle["ruleset"], mages, dice=KeyedDice("puzzle", 0, 0), hit_points=tuple(puzzle["hit_points"]))
    for orders in puzzle["turns"]:
        state = play(state, {mage: read_orders(state, mage, text).sheet for mage, text in orders.items()}).state
    return state


def check(puzzle):
    state = set_up(puzzle)
    proof = prove(state, puzzle["mage"], puzzle["kind"])
    assert proof is not None
    assert [proof.columns, proof.all_columns] == puzzle["columns"]
    told = [read_orders(state, puzzle["mage"], text).sheet for text in puzzle["solutions"]]
    assert told and set(told) <= set(proof.solutions)
    if puzzle["kind"] == WIN_IN_TWO:
        assert set(told) == set(proof.solutions)


def test_there_are_enough_puzzles_of_different_kinds_and_none_twice():
    assert len(PUZZLES) >= 40
    assert {WIN, SURVIVE} <= {puzzle["kind"] for puzzle in PUZZLES}
    assert len({puzzle["key"] for puzzle in PUZZLES}) == len(PUZZLES)
    assert len({json.dumps([puzzle["turns"], puzzle["kind"]]) for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda puzzle: puzzle["key"])
def test_the_proof_of_a_puzzle_holds(puzzle):
    check(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", REST, ids=lambda puzzle: puzzle["key"])
def test_the_proof_of_every_other_puzzle_holds(puzzle):
    check(puzzle)


@pytest.mark.parametrize(
    "puzzle", [each for each in SAMPLE if each["kind"] != WIN_IN_TWO], ids=lambda puzzle: puzzle["key"]
)
def test_a_solution_reaches_the_goal_against_every_answer_and_doing_nothing_does_not(puzzle):
    """Without the judge: every answer is played. A win in two has a second turn, which only the judge can tell."""
    state, mage = set_up(puzzle), puzzle["mage"]
    foe = next(name for name in state.mages if name != mage)
    solution = read_orders(state, mage, puzzle["solutions"][0]).sheet
    answers = list_orders(state, foe)
    assert len(answers) > 50
    for answer in list_different(state, foe, answers):
        assert has_reached(puzzle["kind"], play(state, {mage: solution, foe: answer}).state, mage)
    idle = normalise(state, mage, Sheet({"LH": "-", "RH": "-"}))
    defeat = Judge(state, mage, puzzle["kind"]).refute(idle)
    assert defeat is not None
    assert not has_reached(puzzle["kind"], play(state, {mage: idle, foe: defeat}).state, mage)
    # The answers that are kept with the puzzle are enough to defeat it.
    kept = [read_orders(state, foe, text).sheet for text in puzzle["answers"]]
    assert Judge(state, mage, puzzle["kind"], kept).refute(idle) is not None


def test_the_first_turn_of_a_duel_is_no_puzzle_and_nothing_is_changed_by_looking():
    state = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("puzzle", 0, 0))
    before = write_state(state)
    assert is_plain(state)
    assert [prove(state, "Ayla", kind) for kind in KINDS] == [None, None, None]
    assert write_state(state) == before


def test_a_mage_with_one_hit_point_survives_a_stab_by_a_shield_only():
    state = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("puzzle", 0, 0), hit_points=(1, 9))
    proof = prove(state, "Ayla", SURVIVE)
    assert proof is not None
    assert all("P" in sheet.column and sheet.column != "PP" for sheet in proof.solutions)
    assert proof.columns == 14
    assert all(">" in answer.column for answer in proof.answers)


def test_orders_that_do_the_same_are_equal_when_written_out():
    state = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("puzzle", 0, 0))
    short = read_orders(state, "Ayla", "P/>").sheet
    whole = read_orders(state, "Ayla", "P/>\nTARGET LH Ayla\nTARGET RH Crom\nSAY hello").sheet
    assert short != whole
    assert normalise(state, "Ayla", short) == normalise(state, "Ayla", whole)
    assert normalise(state, "Ayla", short) in list_orders(state, "Ayla")


def test_the_script_makes_the_same_puzzle_again():
    number, made = next((number, made) for number in range(20) if (made := find_puzzles(number, (WIN,))))
    assert find_puzzles(number, (WIN,)) == made
    for puzzle in made:
        check(puzzle)
