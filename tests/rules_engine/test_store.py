"""States, events and outcomes as JSON and back: nothing is lost, even in mid-turn."""

import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules_engine import (
    Asks,
    Done,
    KeyedDice,
    Memory,
    UnknownRuleset,
    UnknownState,
    Viewer,
    advance,
    get_ruleset,
    look,
    open_questions,
    read_event,
    read_outcome,
    read_state,
    write_event,
    write_outcome,
    write_state,
)
from rules_engine.store import SCHEMA
from tests.rules_engine.random_play import choose_sheets, new_battle, play_battle, some_battles, stir


def through_json(state):
    return read_state(json.loads(json.dumps(write_state(state))))


def everything(wizard):
    """All slots of a wizard, including those computed on reading."""
    names = [name for kind in type(wizard).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(wizard, name) for name in names}


@given(st.integers(0, 2**32))
def test_states_survive_being_stored_even_in_mid_turn(seed):
    for _, stage in play_battle(seed, turns=5):
        state, again = stage.state, through_json(stage.state)
        assert write_state(again) == write_state(state)
        assert [look(again, Viewer.of(m)) for m in state.mages] == [look(state, Viewer.of(m)) for m in state.mages]
        for mage in state.owing:
            assert open_questions(again, mage) == open_questions(state, mage)
        if not state.over:
            assert [everything(w) for w in again.wizards.values()] == [everything(w) for w in state.wizards.values()]
            assert [
                (m.name, m.kind, m.hp, m.controller, m.target, m.marks, m.origins) for m in again.monsters.values()
            ] == [(m.name, m.kind, m.hp, m.controller, m.target, m.marks, m.origins) for m in state.monsters.values()]


@given(st.integers(0, 2**32))
def test_storing_a_battle_between_all_stages_changes_nothing(seed):
    rng, plain = random.Random(seed), new_battle(seed)
    stored = through_json(plain)
    for _ in range(8):
        sheets = choose_sheets(plain, rng)
        one = advance(plain, sheets, KeyedDice("x", plain.seq))
        other = advance(stored, sheets, KeyedDice("x", plain.seq))
        assert one.events == other.events
        assert isinstance(one, Done) == isinstance(other, Done)
        plain, stored = one.state, through_json(other.state)
        if plain.over:
            return


def test_events_and_outcomes_survive_being_stored():
    asked = ended = 0
    for _, stage in some_battles():
        for event in stage.events:
            again = read_event(json.loads(json.dumps(write_event(event))))
            assert again == event
        asked += isinstance(stage, Asks)
        outcome = stage.state.outcome
        assert read_outcome(json.loads(json.dumps(write_outcome(outcome)))) == outcome
        ended += outcome is not None
    assert asked and ended


def test_a_state_names_its_schema_and_an_unknown_one_is_rejected():
    data = write_state(new_battle(1))
    assert data["schema"] == SCHEMA
    for schema in (SCHEMA + 1, 0, None, "1"):
        with pytest.raises(UnknownState, match="this version reads"):
            read_state({**data, "schema": schema})
    with pytest.raises(UnknownRuleset):
        read_state({**data, "edition": 99})


def test_a_stored_duel_is_small():
    sizes = [len(json.dumps(write_state(stage.state))) for before, stage in some_battles() if len(before.mages) == 2]
    assert max(sizes) < 8000


# -- what earlier versions stored ------------------------------------------------------------------------------------


def as_schema_1(state):
    """The state as it was written before marks remembered their events."""
    data = json.loads(json.dumps(write_state(state)))
    data["schema"] = 1
    del data["told"]
    for being in (*data["wizards"], *data["monsters"]):
        being.pop("laid", None)
    return data


@given(st.integers(0, 2**32))
def test_a_battle_stored_before_causes_continues_with_the_same_events_and_no_false_causes(seed):
    rng, state = random.Random(seed), new_battle(seed)
    memory = Memory(Viewer.all_seeing())
    old = None
    for number in range(10):
        if number == 5:
            old, memory = as_schema_1(state), Memory(Viewer.all_seeing())
            old = read_state(old)
        sheets = choose_sheets(state, rng)
        stage = advance(state, sheets, KeyedDice("old", state.seq))
        if old is not None:
            again = advance(old, sheets, KeyedDice("old", state.seq))
            assert [e._replace(cause=()) for e in again.events] == [e._replace(cause=()) for e in stage.events]
            memory.learn(old.seq, old.label, again.events)
            for each in memory:
                assert not memory.trace(each).unseen
                assert all(cause.number < each.number for cause in memory.trace(each).learnt)
            old = again.state
        state = stage.state
        if state.over:
            return


def test_an_event_stored_before_causes_has_none():
    data = {"kind": "hurt", "facts": {}, "audience": None, "clause": "FM-FIREBALL-2"}
    assert read_event(data).cause == read_event({**data, "cause": []}).cause == ()


def test_a_mage_of_two_pairs_is_stored_the_same_after_a_shield_on_the_first():
    """Marks of both halves are written once."""
    for _, stage in play_battle(659, "waving-hands", turns=44):
        written = write_state(stage.state)
        assert write_state(read_state(written)) == written


def in_database_order(value):
    """The same JSON with its keys in the order in which PostgreSQL gives them back."""
    if isinstance(value, dict):
        return {key: in_database_order(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [in_database_order(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("ruleset", ["firetop-standard", "warlocks", "waving-hands", "spellcast"])
@given(seed=st.integers(0, 2**32))
@example(seed=192)
def test_a_database_that_orders_keys_its_own_way_changes_nothing(ruleset, seed):
    rng = random.Random(seed)
    plain = quicken(stir(new_battle(seed, ruleset), rng), rng)
    stored = read_state(in_database_order(write_state(plain)))
    for _ in range(9):
        sheets = choose_sheets(plain, rng)
        one = advance(plain, sheets, KeyedDice("x", plain.seq))
        other = advance(stored, sheets, KeyedDice("x", plain.seq))
        assert one.events == other.events
        plain, stored = one.state, read_state(in_database_order(write_state(other.state)))
        for mage in plain.owing:
            assert open_questions(stored, mage) == open_questions(plain, mage)
        if plain.over:
            return


@pytest.mark.parametrize("ruleset", ["waving-hands", "spellcast"])
@given(seed=st.integers(0, 2**32))
@example(seed=9)
@example(seed=20)
def test_the_second_pair_of_gestures_keeps_what_holds_confuses_and_directs_it(ruleset, seed):
    rng = random.Random(seed)
    state = quicken(stir(new_battle(seed, ruleset), rng), rng)
    for _ in range(9):
        state = advance(state, choose_sheets(state, rng), KeyedDice("x", state.seq)).state
        if state.over:
            return
        stored = through_json(state)
        assert write_state(stored) == write_state(state)
        for name, wizard in state.wizards.items():
            again, kept = wizard.again, stored.wizards[name].again
            if again is not None:
                assert everything(kept) == everything(again)


def quicken(state, rng):
    """The same battle, in which some mages are about to play two pairs of gestures where the rules have that."""
    for wizard in state.wizards.values():
        if rng.random() < 0.6:
            wizard.marks["fast"] = 3
    return state


def test_hands_found_from_a_shorter_history_are_those_of_the_whole_history():
    book = get_ruleset("firetop-standard").book
    dice = random.Random(7)
    signs = "PFSWDC>-"
    for _ in range(200):
        left = right = ""
        for _ in range(12):
            left, right = left + dice.choice(signs), right + dice.choice(signs)
            found = book.states_of(left, right)
            assert (found.left, found.right) == (book.state_of(left, right), book.state_of(right, left))
            assert book.states_of(left, right) is found
