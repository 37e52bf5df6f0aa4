"""The places that the sentences of the replay point at: hit points counted from event to event end as the turn
ended."""

import pytest

from duels.selectors.touches import WHOLE, Touch, find_touch
from rules_engine import Event, read_state
from tests.rules_engine.recorded_battles import store_battle

RULESETS = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks")


def list_turns(ruleset):
    for seed in range(30):
        stored = store_battle(seed, ruleset)
        states = [read_state(turn.before) for turn in stored.turns] + [read_state(stored.after)]
        for turn, before, after in zip(stored.turns, states, states[1:], strict=False):
            yield before, after, [event for stage in turn.stages for event in stage.events]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_hit_points_counted_from_event_to_event_end_where_the_turn_ended(ruleset):
    counted = 0
    for before, after, events in list_turns(ruleset):
        touches = [touch for touch in map(find_touch, events) if touch]
        fallen = {touch.being for touch in touches if touch.falls}
        for name, wizard in before.wizards.items():
            if name in fallen:
                continue
            points = wizard.hp + sum(touch.points for touch in touches if touch.being == name)
            assert points == after.wizards[name].hp, [each for each in events if name in map(str, each.facts.values())]
            counted += points != wizard.hp
    assert counted > 10


def test_a_stab_of_stopped_time_takes_its_points_in_the_event_after_it():
    facts = {"who": "Ayla", "target": "Crom", "points": None}
    assert find_touch(Event("stabs", facts, ("Ayla", "Crom"), "FM-STAB-2")) == Touch("Crom", WHOLE)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_sentence_points_at_a_mage_or_a_creature(ruleset):
    for before, after, events in list_turns(ruleset):
        known = {*before.wizards, *before.monsters, *after.monsters, *after.tombstone, *before.tombstone}
        for event in events:
            touch = find_touch(event)
            if touch and event.kind in ("hurt", "healed", "strikes", "stabs", "casts", "mage_dies", "monster_dies"):
                assert touch.being in known, event
