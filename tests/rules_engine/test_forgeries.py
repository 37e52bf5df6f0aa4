"""No single fact of a record can be changed without `verify` finding it, and saying where."""

import os
import random

import pytest

from rules_engine.records import InvalidRecord, complete_record, parse_record, verify_record, write_record
from tests.rules_engine.forging import forge, write_true_record

# By hand: FM_TEST_LONG=1 for the five hundred of the promise.
FORGERIES = 500 if os.environ.get("FM_TEST_LONG") == "1" else 40


def find(text):
    try:
        return verify_record(parse_record(text))
    except InvalidRecord as refused:
        return refused.problems


@pytest.mark.parametrize("seed", range(FORGERIES))
def test_a_forgery_is_found(seed):
    rng = random.Random(seed)
    true = write_true_record(rng)
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
def test_what_was_forged_is_named(was, now, named):
    true = write_record(complete_record(parse_record(DRAFT, free_orders=True)))
    assert was in true and find(true) == ()
    assert any(str(each).startswith(named) for each in find(true.replace(was, now, 1)))
