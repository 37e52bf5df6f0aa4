"""A mage who runs out of time dies, and the battle continues or ends without their orders (FM-SLOW-5, FM-SLOW-6)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import (
    RULESETS,
    Done,
    KeyedDice,
    OrdersMissing,
    Outcome,
    Sheet,
    Viewer,
    advance,
    look,
    narrate,
    new_duel,
    read_orders,
    read_outcome,
    read_state,
    write_outcome,
    write_state,
)
from rules_engine.records import (
    StoredBattle,
    StoredStage,
    StoredTurn,
    build_record,
    describe_battle,
    find_feats,
    list_first_pairs,
    parse_record,
    rebuild_chronicle,
    show_battle,
    verify_record,
    verify_stored,
    write_record,
)
from tests.rules_engine.random_play import choose_sheet, new_battle, play_turn, stir

LATE, ABSENT, CLAIMED = Sheet.of_forfeit(), Sheet.of_absence(), Sheet.of_claim()


def begin(*mages):
    return new_duel("firetop-standard", mages, dice=KeyedDice("late"))


def test_the_opponent_of_a_late_mage_wins_and_the_late_one_dies():
    """FM-SLOW-5, FM-SLOW-6: whether or not the opponent has sent orders."""
    done = advance(begin("Ayla", "Crom"), {"Crom": LATE}, KeyedDice("late", 1))
    assert isinstance(done, Done)
    assert (done.outcome.winners, done.outcome.reason, done.outcome.dead) == (("Ayla",), "forfeit", ("Crom",))
    assert [(event.kind, event.clause) for event in done.events] == [
        ("times_out", "FM-SLOW-6"),
        ("mage_dies", "FM-WIN-1"),
        ("battle_ends", "FM-SLOW-5"),
    ]
    assert narrate(done.events[0], "Crom") == "You run out of time."
    assert narrate(done.events[2], "Ayla") == "Victory is yours by forfeit."


def test_two_who_are_late_both_die_and_nobody_wins():
    done = advance(begin("Ayla", "Crom"), {"Ayla": LATE, "Crom": LATE}, KeyedDice("late", 1))
    assert done.outcome.winners == ()
    assert set(done.outcome.dead) == {"Ayla", "Crom"}
    assert narrate(done.events[-1]) == "All remaining mages have run out of time. Nobody wins."


def test_a_melee_continues_without_the_late_mage():
    """FM-SLOW-6: and the others' orders are played in the same turn."""
    duel = begin("Ayla", "Crom", "Dara")
    sheets = {name: read_orders(duel, name, "W/S").sheet for name in ("Ayla", "Dara")}
    done = advance(duel, {**sheets, "Crom": LATE}, KeyedDice("late", 1))
    assert done.outcome is None
    assert done.state.owing == ("Ayla", "Dara")
    assert done.state.wizards["Ayla"].left == "BW"
    assert done.state.label == "2"


def test_a_melee_still_needs_the_orders_of_two_who_are_not_late():
    with pytest.raises(OrdersMissing, match="Ayla"):
        advance(begin("Ayla", "Crom", "Dara"), {"Crom": LATE}, KeyedDice("late", 1))


@pytest.mark.parametrize("word", ["FORFEIT", "ABSENT", "CLAIMED"])
def test_nobody_can_order_what_only_the_clock_gives(word):
    read = read_orders(begin("Ayla", "Crom"), "Ayla", word)
    assert read.problems
    assert not read.sheet.is_by_clock


def test_a_duel_with_a_mage_who_never_moved_is_called_off_and_nobody_dies():
    done = advance(begin("Ayla", "Crom"), {"Crom": ABSENT}, KeyedDice("late", 1))
    assert isinstance(done, Done)
    assert done.outcome == Outcome("duel", (), "called_off", (), (), (), ("Crom",))
    assert [event.kind for event in done.events] == ["never_moves", "battle_ends"]
    assert narrate(done.events[0], "Crom") == "You have not moved once and leave the circle."
    assert read_outcome(write_outcome(done.outcome)) == done.outcome
    assert read_state(write_state(done.state)).outcome == done.outcome


def test_a_duel_with_one_who_never_moved_spares_the_other_who_is_late():
    done = advance(begin("Ayla", "Crom"), {"Crom": ABSENT, "Ayla": LATE}, KeyedDice("late", 1))
    assert (done.outcome.reason, done.outcome.dead) == ("called_off", ())


def test_a_melee_continues_without_a_mage_who_never_moved_and_they_live():
    duel = begin("Ayla", "Crom", "Dara")
    sheets = {name: read_orders(duel, name, "W/S").sheet for name in ("Ayla", "Dara")}
    done = advance(duel, {**sheets, "Crom": ABSENT}, KeyedDice("late", 1))
    assert done.outcome is None
    assert done.state.owing == ("Ayla", "Dara")
    assert {mage.name: mage.standing for mage in look(done.state, Viewer.all_seeing()).mages} == {
        "Ayla": "in",
        "Crom": "absent",
        "Dara": "in",
    }
    surrenders = advance(done.state, {name: Sheet({"LH": "P", "RH": "P"}) for name in sheets}, KeyedDice("late", 2))
    assert surrenders.outcome.surrendered == ("Ayla", "Dara")
    assert surrenders.outcome.absent == ("Crom",)


def test_a_melee_that_the_absent_leave_to_one_mage_is_called_off():
    done = advance(begin("Ayla", "Crom", "Dara"), {"Crom": ABSENT, "Dara": ABSENT}, KeyedDice("late", 1))
    assert (done.outcome.reason, done.outcome.winners, done.outcome.dead) == ("called_off", (), ())


def test_a_claimed_duel_is_won_and_the_claimed_mage_has_surrendered():
    """Whether or not the opponent has sent orders."""
    done = advance(begin("Ayla", "Crom"), {"Crom": CLAIMED}, KeyedDice("late", 1))
    assert done.outcome == Outcome("duel", ("Ayla",), "surrender", (), ("Crom",))
    assert [(event.kind, event.clause) for event in done.events] == [
        ("is_claimed", "FM-SLOW-7"),
        ("mage_leaves", "FM-SURR-10"),
        ("battle_ends", "FM-WIN-2"),
    ]
    assert narrate(done.events[0], "Crom") == "You have been away for too long, which now counts as surrender."


def test_a_melee_continues_without_a_claimed_mage():
    duel = begin("Ayla", "Crom", "Dara")
    sheets = {name: read_orders(duel, name, "W/S").sheet for name in ("Ayla", "Dara")}
    done = advance(duel, {**sheets, "Crom": CLAIMED}, KeyedDice("late", 1))
    assert (done.outcome, done.state.owing) == (None, ("Ayla", "Dara"))
    assert done.state.wizards["Crom"].phase == "surrendered"


def test_of_a_late_and_a_claimed_mage_only_the_late_one_dies():
    done = advance(begin("Ayla", "Crom", "Dara"), {"Crom": CLAIMED, "Dara": LATE}, KeyedDice("late", 1))
    assert done.outcome == Outcome("melee", ("Ayla",), "forfeit", ("Dara",), ("Crom",))


@pytest.mark.parametrize(("sheet", "fate"), [(ABSENT, "absent"), (CLAIMED, "surrendered")])
def test_a_mage_who_left_without_ordering_it_is_in_the_record_and_replays_the_same(sheet, fate):
    state, turns, rng = new_battle(5, mages=3), [], random.Random(5)
    absent = state.owing[1]
    for seq in (1, 2):
        sheets = {name: choose_sheet(state, name, rng) for name in state.owing if name != absent}
        if seq == 1:
            sheets[absent] = sheet
        else:
            sheets[state.owing[0]] = LATE
        dice = KeyedDice("5", state.seq)
        step = advance(state, sheets, dice)
        lines = {name: each.lines() for name, each in sheets.items()}
        turns.append(StoredTurn(state.seq, write_state(state), [StoredStage(lines, step.events)], dice.rolls))
        state = step.state
    stored = StoredBattle(turns, write_state(state), outcome=state.outcome)
    assert verify_stored(stored) == ()
    written = write_record(build_record(stored))
    assert f"{fate} {absent}" in written
    assert verify_record(parse_record(written)) == ()
    assert list_first_pairs(rebuild_chronicle(stored), absent) == ()


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULESETS)))
def test_the_battle_continues_or_ends_no_matter_who_is_late_at_any_stage(seed, ruleset):
    rng = random.Random(seed)
    state = stir(new_battle(seed, ruleset), rng)
    for _ in range(6):
        for step in [None, *play_turn(state, rng, seed)]:
            before = state if step is None else step.state
            if before.over:
                return
            late = rng.sample(before.owing, rng.randint(1, len(before.owing)))
            check_that_they_fall(before, late, rng, seed)
        state = step.state


def check_that_they_fall(before, late, rng, seed):
    sheets = {name: choose_sheet(before, name, rng) for name in before.owing if name not in late}
    step = advance(before, sheets | dict.fromkeys(late, LATE), KeyedDice(str(seed), before.seq))
    after = step.state
    assert set(late) <= set(after.out)
    assert not set(late) & set(after.owing)
    assert all(after.wizards[name].hp == 0 for name in late)
    left = [name for name in before.still_in if name not in late]
    if len(left) < 2:
        assert after.outcome.winners == tuple(left)
    else:
        assert after.over or after.owing
    assert write_state(read_state(write_state(after))) == write_state(after)
    lengths = {len(wizard.left) for wizard in after.wizards.values() if wizard.name in after.out}
    assert len(lengths) <= 1 or after.over
    if not after.over and after.owing:
        play_turn(after, rng, seed)


def test_a_forfeit_is_in_the_record_and_replays_the_same():
    rng = random.Random(5)
    state = new_battle(5, mages=3)
    turns = []
    for late in (["Crom"], ["Ayla"]):
        sheets = {name: choose_sheet(state, name, rng) for name in state.owing if name not in late}
        dice = KeyedDice("5", state.seq)
        step = advance(state, sheets | dict.fromkeys(late, LATE), dice)
        assert isinstance(step, Done), "with these orders nobody is asked anything"
        lines = {name: sheet.lines() for name, sheet in (sheets | dict.fromkeys(late, LATE)).items()}
        turns.append(StoredTurn(state.seq, write_state(state), [StoredStage(lines, step.events)], dice.rolls))
        state = step.state
    stored = StoredBattle(turns, write_state(state), outcome=state.outcome)
    assert verify_stored(stored) == ()
    record = parse_record(write_record(build_record(stored)))
    assert record.turns[0].stages[0]["Crom"] == ("FORFEIT",)
    assert verify_record(record) == ()
    story = describe_battle(rebuild_chronicle(stored))
    assert story.count("Crom runs out of time.") == 1
    assert story.count("Victory to Dara by forfeit.") == 1
    assert "Crom" in show_battle(rebuild_chronicle(stored))


@pytest.mark.parametrize("sheet", [LATE, ABSENT])
def test_a_battle_in_which_a_mage_never_moved_is_no_opening_and_no_trophy(sheet):
    """A forfeit in the first turn counted as the opening "–/–", and its winner as "Won unhurt"."""
    state = begin("Ayla", "Crom")
    dice = KeyedDice("late", 1)
    sheets = {"Crom": sheet, "Ayla": Sheet()}
    step = advance(state, sheets, dice)
    stage = StoredStage({name: each.lines() for name, each in sheets.items()}, step.events)
    stored = StoredBattle(
        [StoredTurn(1, write_state(state), [stage], dice.rolls)], write_state(step.state), outcome=step.outcome
    )
    chronicle = rebuild_chronicle(stored)
    assert list_first_pairs(chronicle, "Crom") == ()
    assert list_first_pairs(chronicle, "Ayla") == ()
    assert find_feats(chronicle) == ()
