"""Records: written and read without loss, and replayed to the same battle, event for event."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import RULESETS, Outcome, get_ruleset, write_event, write_state
from rules_engine.gestures import GESTURES
from rules_engine.records import (
    Creature,
    InvalidRecord,
    Record,
    RecordDeparts,
    RecordedCast,
    RecordedTurn,
    Result,
    build_record,
    parse_record,
    play_record,
    rebuild_chronicle,
    verify_record,
    write_record,
)
from rules_engine.records.input_digest import add_digests
from rules_engine.records.lines import is_canonical
from rules_engine.sentences import ENDINGS
from tests.rules_engine.recorded_battles import store_battle

PRINTABLE = st.characters(codec="utf-8", exclude_categories=("C", "Z"))
WORDS = st.text(PRINTABLE, min_size=1)
HAND, GESTURE = st.sampled_from(("LH", "RH")), st.sampled_from(GESTURES)
COLUMNS = st.text((*GESTURES, ".", "#"), min_size=1)
SPELL = st.sampled_from(get_ruleset("firetop-standard").order)
JSON = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers(), max_size=2)
SPEECH = st.lists(WORDS, min_size=1).map(" ".join)
LINES = st.one_of(
    st.builds("{} {}".format, HAND, GESTURE),
    st.builds("CHOOSE {} {}".format, HAND, SPELL),
    st.builds("TARGET {} {}".format, WORDS, WORDS),
    st.builds("PARALYZE {} {}".format, HAND, WORDS),
    st.builds("DIRECT {} {} {}".format, HAND, GESTURE, WORDS),
    st.sampled_from(("PERMANENT LH", "DELAY BH", "FIRE")),
    SPEECH.map("SAY {}".format),
)
THROWS = st.none() | st.lists(
    st.fixed_dictionaries({"purpose": st.text(), "who": st.text(), "picked": JSON}), max_size=3
).map(tuple)
SMALL = st.integers(0, 9999)


def by_mage(mages, values):
    return st.dictionaries(st.sampled_from(mages), values, max_size=len(mages))


def results(mages):
    mage = st.sampled_from(mages)
    hands = st.sampled_from(("LH", "RH", "BH", "FIRE"))
    return st.builds(
        Result,
        gestures=by_mage(mages, st.tuples(COLUMNS, COLUMNS)),
        hp=by_mage(mages, st.integers(-99, 99)),
        casts=st.lists(st.builds(RecordedCast, mage, hands, SPELL, st.none() | WORDS), max_size=3).map(tuple),
        creatures=st.lists(st.builds(Creature, WORDS, SMALL, WORDS, WORDS), max_size=2).map(tuple),
        told=st.none() | st.tuples(SMALL, st.text("0123456789abcdef", min_size=1)),
        given=st.none() | st.text("0123456789abcdef", min_size=1),
    )


def turns(mages):
    return st.builds(
        RecordedTurn,
        label=WORDS,
        seq=SMALL,
        stages=st.lists(by_mage(mages, st.lists(LINES, max_size=3).map(tuple)), min_size=1, max_size=3).map(tuple),
        throws=THROWS,
        attempt=SMALL,
        result=st.none() | results(mages),
    )


def records(mages):
    names = st.lists(st.sampled_from(mages), max_size=2).map(tuple)
    return st.builds(
        Record,
        ruleset=WORDS,
        edition=SMALL,
        mages=st.just(mages),
        turns=st.lists(turns(mages), max_size=2).map(tuple),
        number=st.none() | SMALL,
        users=by_mage(mages, WORDS),
        seed=st.none() | st.text(),
        opening=THROWS,
        start=st.none() | st.dictionaries(st.text(), JSON, max_size=2),
        outcome=st.none()
        | st.builds(Outcome, st.sampled_from(("duel", "melee")), names, st.sampled_from(sorted(ENDINGS)), names, names),
    )


ANY_RECORD = st.lists(WORDS, min_size=2, max_size=4, unique=True).map(tuple).flatmap(records)


@given(ANY_RECORD)
def test_a_record_is_read_as_it_was_written(record):
    assert parse_record(write_record(record)) == record


@given(ANY_RECORD)
def test_line_ends_and_indents_may_change_in_an_email(record):
    text = write_record(record)
    assert parse_record(text.replace("\n", "\r\n")) == record
    assert parse_record("\n\n".join(line.strip() for line in text.split("\n"))) == record


@given(
    st.text()
    | st.lists(st.sampled_from(("record 1", "turn 1", "orders A", "LH Q", "hp", "mage A", "x"))).map("\n".join)
)
def test_a_text_that_is_not_a_record_is_rejected_with_its_lines(text):
    with pytest.raises(InvalidRecord) as refused:
        parse_record(text)
    assert all(0 < problem.line <= text.count("\n") + 1 for problem in refused.value.problems)


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("seed", range(12))
def test_a_stored_battle_becomes_a_record_that_plays_to_the_same_states_and_events(ruleset, seed):
    stored = store_battle(seed, ruleset)
    record = build_record(stored)
    assert parse_record(write_record(record)) == record
    assert verify_record(record) == ()
    played, kept = play_record(record), rebuild_chronicle(stored)
    assert [list(map(write_event, t.events)) for t in played.turns] == [
        [write_event(event) for stage in turn.stages for event in stage.events] for turn in stored.turns
    ]
    assert json.loads(json.dumps(write_state(played.turns[-1].after))) == stored.after
    assert (played.outcome, played.mages, played.users) == (kept.outcome, kept.mages, kept.users)


def test_a_record_with_a_seed_plays_like_one_with_its_rolls():
    stored = store_battle(2)
    by_throws = build_record(stored)
    by_seed = add_digests(
        dataclasses.replace(
            by_throws,
            seed="2",
            opening=None,
            turns=tuple(dataclasses.replace(turn, throws=None) for turn in by_throws.turns),
        )
    )
    assert by_throws.start is None and verify_record(by_seed) == ()


@given(st.integers(0, 200), st.randoms(use_true_random=False))
def test_a_changed_record_is_rejected_or_differs_and_never_crashes(seed, chance):
    lines = write_record(build_record(store_battle(seed % 12, turns=4))).split("\n")
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(lines))
        words = lines[place].split(" ")
        change = chance.choice(("drop", "copy", "swap", "cut"))
        if change == "drop":
            del lines[place]
        elif change == "copy":
            lines.insert(place, chance.choice(lines))
        elif change == "swap":
            words[-1] = chance.choice(("Zork", "Ayla", "LH:Crom", "7", "P", "nobody", "{}", "[" * 9999))
            lines[place] = " ".join(words)
        else:
            lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
    try:
        record = parse_record("\n".join(lines))
    except InvalidRecord as refused:
        assert refused.problems
    else:
        assert all(str(mismatch) for mismatch in verify_record(record))


# -- what differs is named --------------------------------------------------------------------------------------------

TEXT = """\
record 1
ruleset firetop-standard 1
mage Ayla
mage Crom
seed "a seed"

turn 1
orders Ayla
  LH S
  RH W
orders Crom
  LH >
  RH P
result
  gestures Ayla S W
  gestures Crom > P
  hp Ayla 14
  hp Crom 15

turn 2
orders Ayla
  LH D
  RH W
orders Crom
  LH -
  RH -
result
  casts Ayla LH Magic Missile at Crom
  hp Crom 14
"""


def test_a_record_written_by_hand_matches_the_rules():
    assert verify_record(parse_record(TEXT)) == ()


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("hp Ayla 14", "hp Ayla 13", "turn 1: hit points of Ayla: recorded 13, played 14"),
        ("gestures Crom > P", "gestures Crom P P", "turn 1: gestures of Crom: recorded P/P, played >/P"),
        ("turn 2", "turn 2H", "turn 2H: label: recorded 2H, played 2"),
        ("turn 2", "turn 2 seq 9", "turn 2: seq: recorded 9, played 2"),
        ("Missile at Crom", "Missile at Ayla", "turn 2: spells: recorded Ayla LH Magic Missile at Ayla, played none"),
        ("hp Crom 14\n", "hp Crom 14\n  told 1 ab\n", "turn 2: events: recorded 1 (ab), played"),
        ("hp Crom 14\n", "hp Crom 14\n  creature RedOgre 2 Ayla Crom\n", "turn 2: creatures: recorded RedOgre 2 of"),
        ("LH -\n  RH -", "LH -", "turn 2: the rules: recorded play on, played turn 2: no gestures from Crom"),
        ("hp Crom 14\n", "hp Crom 14\noutcome duel kill\nwinner Ayla\n", "turn 2: outcome: recorded {'type': 'duel'"),
        ("  RH -\n", "  RH -\nanswers\norders Crom\n  FIRE\n", "answers that nobody asks for"),
        ('seed "a seed"', 'throw "colours" "" 3', "the record has neither rolls nor a seed"),
    ],
)
def test_a_difference_is_named_with_its_turn(was, now, told):
    assert was in TEXT
    found = verify_record(parse_record(TEXT.replace(was, now, 1)))
    assert told in str(found[0])


def test_an_end_without_a_turn_is_not_a_difference():
    assert verify_record(parse_record(TEXT + "outcome duel forfeit\nwinner Ayla\n")) == ()


def test_a_turn_after_the_end_departs():
    surrender = TEXT.replace("LH D\n  RH W", "LH P\n  RH P").split("result\n  casts")[0]
    record = parse_record(surrender + "turn 3\norders Ayla\n  LH P\n  RH W\n")
    with pytest.raises(RecordDeparts, match="turn 3: the battle has ended before this turn"):
        play_record(record)


@pytest.mark.parametrize(
    "line",
    [
        *("LH", "LH Q", "LH P W", "lh P", "CHOOSE LH", "CHOOSE XH Shield", "TARGET LH", "TARGET LH Red Goblin"),
        *("DIRECT LH Ayla", "PARALYZE BH Ayla", "DELAY", "DELAY XH", "SAY", "SAY ", "FIRE LH", "END", "CLEAR"),
        *("JUMP", "", "FIRE\nFIRE"),
    ],
)
def test_a_record_may_hold_only_canonical_orders(line):
    assert not is_canonical(line)


@pytest.mark.parametrize(
    ("was", "now", "line", "nearest"),
    [
        ("orders Crom", "order Crom", 11, "orders"),
        ("orders Crom", "orders Corm", 11, "Crom"),
        ("orders Crom", "orders Ayla", 11, "answers"),
        ("LH >", "LH Q", 12, "LH P"),
        ("hp Ayla 14", "hp Ayla lots", 17, "hp Ayla 15"),
        ("record 1", "record 2", 1, "record 1"),
        ('seed "a seed"', "seed a", 5, 'seed "abc"'),
        ("ruleset firetop-standard 1\n", "", 1, "ruleset firetop-standard 1"),
        ("mage Crom", "mage Ayla", 4, None),
    ],
)
def test_an_unreadable_line_is_named_with_the_nearest_form(was, now, line, nearest):
    with pytest.raises(InvalidRecord) as refused:
        parse_record(TEXT.replace(was, now, 1))
    assert (line, nearest) in [(problem.line, problem.nearest) for problem in refused.value.problems]


def test_no_record_is_written_that_cannot_be_read_back():
    record = parse_record(TEXT)
    for broken in (
        dataclasses.replace(record, mages=("Ayla", "Crom the Bold")),
        dataclasses.replace(record, turns=(RecordedTurn("1", 1, ({"Ayla": ("SAY one\ntwo",)},)),)),
        dataclasses.replace(record, turns=(RecordedTurn("1", 1, ()),)),
    ):
        with pytest.raises(ValueError):
            write_record(broken)
