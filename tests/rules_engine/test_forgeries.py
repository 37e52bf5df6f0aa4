"""No single fact of a record can be changed without `verify` finding it, and saying where."""

import os
import random
import re
from dataclasses import replace

import pytest

from rules_engine.records import (
    InvalidRecord,
    build_record,
    complete_record,
    list_commitments,
    parse_record,
    verify_record,
    write_record,
)
from rules_engine.records.input_digest import add_digests
from tests.rules_engine.forgeries import FORGES, forge, prove, write_true_record
from tests.rules_engine.recorded_battles import store_battle

# By hand: FM_TEST_LONG=1 for the five hundred of the promise.
FORGERIES = 500 if os.environ.get("FM_TEST_LONG") == "1" else 40


def find(text):
    try:
        return verify_record(parse_record(text))
    except InvalidRecord as refused:
        return refused.problems


@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("seed", range(FORGERIES))
def test_a_forgery_is_found(seed, proven):
    rng = random.Random(seed)
    true = write_true_record(rng, proven=proven)
    assert find(true) == ()
    false, what = forge(true, rng)
    assert find(false), what


DRAFT = """record 1
ruleset firetop-standard
mage Ayla
mage Crom
throw "colours" "" 6

turn 1 seq 1
no throws
orders Ayla
  LH S
  RH W
  TARGET LH Crom
orders Crom
  LH P
  RH -

turn 2 seq 2
no throws
orders Ayla
  LH D
  RH F
orders Crom
  LH -
  RH -
"""


@pytest.mark.parametrize(
    ("was", "now", "named"),
    [
        # A target of a hand that cast nothing, and a roll that nothing came of: no rule shows that they are others.
        ("TARGET LH Crom", "TARGET LH Ayla", "turn 1: orders and rolls"),
        ('throw "colours" "" 6', 'throw "colours" "" 5', "turn 1: orders and rolls"),
        ("  LH D\n", "  LH S\n", "turn 2: orders and rolls"),
        ("  hp Crom 14\n", "  hp Crom 15\n", "turn 2: hit points of Crom: recorded 15, played 14"),
        ("  hp Crom 14\n", "", "turn 2: hit points of Crom: recorded nothing, played 14"),
        ("  gestures Crom P -\n", "", "turn 1: gestures of Crom: recorded nothing, played P/-"),
    ],
)
def test_forged_values_are_named(was, now, named):
    true = write_record(complete_record(parse_record(DRAFT, free_orders=True)))
    assert was in true and find(true) == ()
    assert any(str(each).startswith(named) for each in find(true.replace(was, now, 1)))


def digest_again(text):
    """The forger also makes the digests of orders and rolls fit: anyone can compute those."""
    return write_record(add_digests(parse_record(text)))


@pytest.mark.parametrize(
    ("line", "change", "named"),
    [
        (r"throw ", lambda line: f"{line[:-1]}{(int(line[-1]) + 1) % 7}", "turn 1: roll of colours"),
        (r"seed ", lambda line: 'seed "another"', "the beginning: commitment to seed and terms"),
        (r"terms ", lambda line: line.replace("classic", "quick"), "the beginning: commitment to seed and terms"),
        (r"commitment ", lambda line: swap_last(line), "the beginning: commitment to seed and terms"),
        (r"  LH ", lambda line: "  LH D" if line != "  LH D" else "  LH S", "turn 1: orders or their salt of"),
        (r"salt ", lambda line: swap_last(line), "turn 1: orders or their salt of"),
        (r"commit ", lambda line: swap_last(line), "turn 1: "),
        (r"closed ", lambda line: swap_last(line), "turn 1: closing commitment of"),
        (r"  told ", lambda line: swap_last(line), "turn 1: events"),
    ],
)
def test_a_forger_who_computes_the_digests_again_is_caught_by_the_commitments(line, change, named):
    true = write_true_record(random.Random(4), proven=True)
    assert find(true) == ()
    was = next(each for each in true.split("\n") if re.match(line, each))
    false = digest_again(true.replace(was, change(was), 1))
    assert any(str(each).startswith(named) for each in find(false)), find(false)


def swap_last(line):
    return line[:-1] + ("0" if line[-1] != "0" else "1")


def test_a_forged_roll_that_the_rules_allow_is_named_with_the_seeds_roll():
    for number in range(0, 40, 2):
        record = parse_record(write_record(build_record(prove(store_battle(number), str(number), random.Random(1)))))
        for place, turn in enumerate(record.turns):
            for at, roll in enumerate(turn.throws):
                if roll["picked"] in ("LH", "RH"):
                    other = {**roll, "picked": "RH" if roll["picked"] == "LH" else "LH"}
                    throws = (*turn.throws[:at], other, *turn.throws[at + 1 :])
                    turns = [*record.turns]
                    turns[place] = replace(turn, throws=throws)
                    forged = add_digests(replace(record, turns=tuple(turns)))
                    found = next(each for each in verify_record(forged) if each.what.startswith("roll of "))
                    assert (found.turn, found.recorded, found.played) == (turn.label, other["picked"], roll["picked"])
                    return
    pytest.fail("no battle has a roll for a hand")


@pytest.mark.parametrize("proven", [False, True])
def test_a_false_line_before_the_true_one_is_rejected(proven):
    """Of two lines that answer the same question only the last would be checked."""
    for seed in range(8):
        rng = random.Random(seed)
        lines = write_true_record(rng, proven=proven).split("\n")
        for at, line in enumerate(lines):
            kind = next((kind for kind in FORGES if re.match(kind, line)), None)
            false = rng.choice(FORGES[kind])(lines, at, rng) if kind else ""
            if false and false != line and rng.random() < 0.3:
                assert find("\n".join([*lines[:at], false, *lines[at:]])), (false, line)


@pytest.mark.parametrize("line", ["  told ", "  given ", "result"])
def test_a_result_that_was_taken_out_of_one_turn_is_missed(line):
    true = write_true_record(random.Random(4))
    place = true.index("\n" + line)
    end = true.index("\nturn " if line == "result" else "\n", place + 1)
    assert next(each.recorded for each in find(true[:place] + true[end:])) == "nothing"


@pytest.mark.parametrize("digests", [r"  told .*\n", r"  given .*\n"])
def test_a_proved_record_without_any_digests_is_missed(digests):
    true = write_true_record(random.Random(4), proven=True)
    assert [each.turn for each in find(re.sub(digests, "", true))] == ["1"]


def test_a_proved_record_that_stops_before_the_end_is_named():
    """The seed is opened when the battle ends."""
    true = write_true_record(random.Random(4), proven=True)
    cut = true[: true.rindex("\nturn ")]
    found = find(cut + "\n")
    assert [(each.what, each.recorded) for each in found] == [("outcome", "none")]


def test_turns_of_another_battle_other_places_and_other_letters_are_named():
    rng = random.Random(6)
    true, other = write_true_record(rng, proven=True), write_true_record(random.Random(9), proven=True)
    turns, others = re.split(r"\n(?=turn )", true), re.split(r"\n(?=turn )", other)
    seals = re.findall(r"^closed (?:Ayla) (.*)$", true, re.M)
    # The first letter of the name is Cyrillic in the last forgery but one.
    forgeries = [
        [*turns[:2], others[2], *turns[3:]],
        [turns[0], turns[2], turns[1], *turns[3:]],
        [*turns[:3], *turns[2:]],
        [others[0], *turns[1:]],
        ["\n".join(turns).replace(f"closed Ayla {seals[0]}", f"closed Ayla {seals[1]}")],
        ["\n".join(turns).replace("Ayla", "Аyla")],
        ["\n".join(turns).replace("Ayla", "Ayla\u200b")],
    ]
    for forged in forgeries:
        assert find("\n".join(forged)), forged


def test_a_record_without_its_commitments_holds_and_is_not_said_to_be_proved():
    true = parse_record(write_true_record(random.Random(4), proven=True))
    bare = replace(true, proof=None, turns=tuple(replace(turn, seals=()) for turn in true.turns))
    assert verify_record(bare) == () and list(list_commitments(bare)) == []
    assert verify_record(replace(true, proof=None)) != ()
