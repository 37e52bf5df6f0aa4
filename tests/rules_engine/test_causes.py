"""Why: causes are earlier events, and each viewer learns only causes that they may know."""

import random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from rules_engine import (
    Done,
    Event,
    KeyedDice,
    Memory,
    Viewer,
    advance,
    explain_event,
    explain_spell,
    explain_turn,
    read_state,
    summarize,
    write_state,
)
from rules_engine.events import EVENTS_PER_TURN, event_key
from rules_engine.explanations import find_root_cast
from rules_engine.records import build_record, complete_record, parse_record, play_record, write_record
from tests.rules_engine.knowledge import Knowledge, explain_everything
from tests.rules_engine.random_play import choose_sheet, choose_sheets, new_battle, play_battle, some_battles
from tests.rules_engine.recorded_battles import store_battle

seeds = st.integers(0, 2**32)
RULESETS_TRIED = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks", "warlocks-maladroit")
NOBODY_ORDERED_IT = {"turn_begins", "says", "gestures", "new_choice", "directs", "holds_back", "wishes_in_vain"}


# -- causes are earlier events ---------------------------------------------------------------------------------------


@given(seeds, st.sampled_from(RULESETS_TRIED))
def test_every_cause_is_an_earlier_event_of_the_battle(seed, ruleset):
    keys = set()
    places = {}
    for before, stage in play_battle(seed, ruleset):
        for told in stage.events:
            place = places.get(before.seq, 0)
            places[before.seq] = place + 1
            key = event_key(before.seq, place)
            assert len(set(told.cause)) == len(told.cause)
            for cause in told.cause:
                assert cause in keys, (told, cause)
                assert cause < key
            keys.add(key)


@given(seeds, st.sampled_from(RULESETS_TRIED))
def test_every_spell_and_blow_has_a_cause_if_recorded_from_the_first_turn(seed, ruleset):
    for _, stage in play_battle(seed - seed % 4, ruleset):
        for told in stage.events:
            if told.kind in ("spell", "reflected", "hurt", "healed", "absorbed", "unharmed", "drops_dead", "sickens"):
                assert told.cause, told
            if told.kind in ("mage_dies", "monster_dies", "mage_leaves", "battle_ends", "struck_blind", "disappears"):
                assert told.cause, told


def test_every_event_has_a_clause_and_every_turn_has_keys_enough():
    events = [told for _, stage in some_battles() for told in stage.events]
    assert len(events) > 10_000
    assert all(told.clause for told in events)
    assert max(len(stage.events) for _, stage in some_battles()) < EVENTS_PER_TURN / 2
    caused = {told.kind for told in events if told.cause}
    assert len(caused) > 30
    assert not caused & NOBODY_ORDERED_IT


@given(seeds)
def test_a_record_replays_to_the_same_causes(seed):
    stored = store_battle(seed % 50)
    record = parse_record(write_record(build_record(stored)))
    played = play_record(record)
    told = [tuple(e.cause for stage in turn.stages for e in stage.events) for turn in stored.turns]
    assert [tuple(e.cause for e in turn.events) for turn in played.turns] == told
    again = play_record(complete_record(record))
    assert [turn.events for turn in again.turns] == [turn.events for turn in played.turns]


@given(seeds)
def test_a_battle_stored_between_all_stages_has_the_same_causes(seed):
    rng, state = random.Random(seed), new_battle(seed)
    stored = state
    for _ in range(8):
        sheets = choose_sheets(state, rng)
        one = advance(state, sheets, KeyedDice("x", state.seq))
        other = advance(stored, sheets, KeyedDice("x", state.seq))
        assert [e.cause for e in one.events] == [e.cause for e in other.events]
        state, stored = one.state, read_state(write_state(other.state))
        if state.over:
            return


# -- what a viewer learns of them ------------------------------------------------------------------------------------


def retell(memory: Memory, stages, twist):
    for before, stage in stages:
        memory.learn(before.seq, before.label, [twist(e) for e in stage.events])
    return memory


def another_secret(hidden: Event, rng: random.Random) -> Event:
    """Another event with the same audience, but other facts and causes."""
    facts = {"who": "Zed", "spell": "Fireball", "outcome": "hits", "target": "Zed"}
    return Event("spell", facts, hidden.audience, "FM-FIREBALL-2", hidden.cause[: rng.randrange(2)])


@given(seeds, st.sampled_from(RULESETS_TRIED))
def test_hidden_facts_change_no_byte_of_any_explanation(seed, ruleset):
    rng = random.Random(seed)
    stages = list(play_battle(seed, ruleset, turns=7))
    for mage in (*stages[0][0].mages, None):
        viewer = Viewer.of(mage) if mage else Viewer.spectator()

        def twist(e: Event, viewer: Viewer = viewer) -> Event:
            return e if viewer.sees(e) else another_secret(e, rng)

        plain = retell(Memory(viewer), stages, lambda e: e)
        twisted = retell(Memory(viewer), stages, twist)
        assert explain_everything(plain, mage) == explain_everything(twisted, mage)


@given(seeds, st.sampled_from(RULESETS_TRIED), st.sampled_from(("invisible", "others blind")))
def test_unnoticed_acts_of_a_hidden_mage_show_in_no_explanation(seed, ruleset, how):
    """If all others see the same events in two worlds, they also see the same reasons."""
    rng = random.Random(seed)
    one = new_battle(seed, ruleset, 2 + seed % 2).copy()
    for name in one.mages:
        if how == "invisible" and name == "Ayla":
            one.wizards[name].marks["invisible"] = 9
        elif how == "others blind" and name != "Ayla":
            one.wizards[name].marks["blind"] = 9
    other, heard = one, (Knowledge(one), Knowledge(one))
    for _ in range(6):
        if one.over or one.owing != other.owing or "Ayla" not in one.owing:
            break
        sheets = {name: choose_sheet(one, name, rng) for name in one.owing if name != "Ayla"}
        worlds = []
        for world, listeners in zip((one, other), heard, strict=True):
            mine = choose_sheet(world, "Ayla", rng)
            stage = advance(world, {**sheets, "Ayla": mine}, KeyedDice("hidden", world.seq))
            listeners.learn(world, stage)
            worlds.append(stage)
        others = [name for name in (*one.mages, None) if name != "Ayla"]
        alike = [name for name in others if heard[0].known(name) == heard[1].known(name)]
        event(f"{len(alike)} of {len(others)} are told the same")
        for name in alike:
            assert heard[0].explained(name) == heard[1].explained(name)
        if not alike or not all(isinstance(stage, Done) for stage in worlds):
            break
        one, other = (stage.state for stage in worlds)


def test_a_secret_cause_is_something_unseen_and_known_causes_do_not_reveal_how_many():
    hidden = Event("casts", {"who": "Ayla", "spell": "Fireball", "target": "Crom"}, ("Ayla",), "FM-FIREBALL-2")
    felt = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "FM-FIREBALL-2", (event_key(3, 0),))
    both = felt._replace(cause=(event_key(3, 0), event_key(3, 1)))
    gone = felt._replace(cause=(event_key(2, 7),))
    memory = Memory(Viewer.of("Crom"))
    memory.learn(3, "3", [hidden, felt, both, gone])
    first, second, third = memory
    assert (memory.trace(first).learnt, memory.trace(first).unseen) == ((), True)
    assert (memory.trace(second).learnt, memory.trace(second).unseen) == ((first,), False)
    assert (memory.trace(third).learnt, memory.trace(third).unseen) == ((), False)
    assert [each.number for each in memory] == [1, 2, 3]
    assert memory.recall(2) is second


def test_two_turns_with_the_same_label_are_explained_separately():
    shield = Event(
        "casts",
        {"who": "Ayla", "spell": "Shield", "target": "Ayla", "hand": "LH", "fired": False, "permanent": False},
        None,
        "FM-SHIELD-2",
    )
    missile = Event(
        "casts",
        {"who": "Ayla", "spell": "Magic Missile", "target": "Crom", "hand": "LH", "fired": False, "permanent": False},
        None,
        "FM-MISSILE-2",
    )
    memory = Memory(Viewer.of("Ayla"))
    memory.learn(9, "9T", [shield])
    memory.learn(10, "9T", [missile])
    assert len(explain_spell(memory, "9T", "Ayla")) == 2
    (only,) = explain_spell(memory, 10, "Ayla")
    assert "Magic Missile" in only[0].text
    assert len(explain_turn(memory, 9, "Ayla")) == 1


@given(seeds, st.sampled_from(RULESETS_TRIED))
def test_a_turn_lists_what_was_learnt_of_it(seed, ruleset):
    stages = list(play_battle(seed, ruleset, turns=7))
    memory = retell(Memory(Viewer.of(stages[0][0].mages[0])), stages, lambda e: e)
    seqs = sorted({before.seq for before, _ in stages})
    assert [each for seq in seqs for each in memory.list_turn(seq)] == list(memory)
    assert all(each.seq == seq for seq in seqs for each in memory.list_turn(seq))
    assert memory.list_turn(seqs[-1] + 1) == ()


# -- damaged events ---------------------------------------------------------------------------------------------------


def tell_damaged(*causes):
    """A memory of one turn: a casting, and after it a spell for each of these lists of the places of its causes."""
    cast = {"who": "Ayla", "spell": "Shield", "target": "Crom", "hand": "LH", "fired": False, "permanent": False}
    events = [Event("casts", cast, None, "FM-SHIELD-1")]
    for places in causes:
        keys = tuple(event_key(0, place) for place in places)
        facts = {"spell": "Shield", "outcome": "works", "target": "Crom"}
        events.append(Event("spell", facts, None, "FM-SHIELD-2", keys))
    memory = Memory(Viewer.spectator())
    memory.learn(0, "1", events)
    return memory


def test_the_root_of_a_chain_of_causes_is_its_casting():
    memory = tell_damaged([0], [1])
    cast, *spells = memory
    assert [find_root_cast(memory, each) for each in (cast, *spells)] == [cast] * 3


@pytest.mark.parametrize(
    "causes",
    [
        pytest.param([[1]], id="an event is its own cause"),
        pytest.param([[2], [1]], id="two events cause each other"),
        pytest.param([[2], [3], [1]], id="three in a circle"),
        pytest.param([[2], [0]], id="a cause is later"),
        pytest.param([[9]], id="a cause is missing"),
    ],
)
def test_no_damage_to_stored_events_holds_up_what_follows_their_causes(causes):
    """A row of events that is lost, or moved, may make causes run in a circle."""
    memory = tell_damaged(*causes)
    _cast, damaged, *_others = memory
    assert find_root_cast(memory, damaged) is None
    for each in memory:
        assert each not in list(memory.trace_back(each))
        assert isinstance(explain_event(memory, each), tuple)
    assert summarize(memory, 0, None, label="1").lines
