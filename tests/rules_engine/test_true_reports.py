"""Reports of hits, cures and wounds are true: in every ruleset, whatever mages order."""

import os
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine import RULESETS, Done, Event, read_state, write_state
from rules_engine.events import event_key
from rules_engine.state import State
from tests.rules_engine.random_play import new_battle, play_turn, remember, stir

# Spells that hurt, heal and protect.
SPELLS = (
    *("Magic Missile", "Fireball", "Lightning Bolt", "Clap of Lightning", "Finger Of Death", "Raise Dead"),
    *("Cause Light Wounds", "Cause Heavy Wounds", "Cure Light Wounds", "Cure Heavy Wounds", "Shield", "Disease"),
    *("Resist Heat", "Resist Cold", "Ice Storm", "Fire Storm", "Counter Spell", "Remove Enchantment", "Summon Goblin"),
)
# Spells that set hit points directly: their sentences name no points.
OUTRIGHT = dict.fromkeys(("drops_dead", "succumbs", "dispelled_monster", "evaporates", "stops_heart"), "who")
OUTRIGHT_SPELLS = {
    "destroys": "target",
    "undoes": "creature",
    "raises": "target",
    "joins": "creature",
    "creates": "creature",
}
EXAMPLES = 100 if os.environ.get("FM_TEST_LONG") == "1" else 8
STOPPED = ("absorbed", "unharmed", "saved_from_death", "unhealed")
LANDED = ("hurt", "drops_dead")


def battles(seed: int, ruleset: str):
    """Turns in which hands are about to hurt, heal and protect, as (state before, result)."""
    rng = random.Random(seed)
    for each in range(3):
        state = stir(new_battle(seed + each, ruleset), rng)
        for being in (*state.wizards.values(), *state.monsters.values()):
            being.hp = min(being.max_hp, rng.choice((1, 3, 14, 15)))
            if rng.random() < 0.3:
                being.marks["sick"] = rng.choice((1, 2, 4))
        theme = rng.choice((("Finger Of Death", "Raise Dead"), rng.sample(SPELLS, 3), rng.sample(SPELLS, 4), SPELLS))
        wanted = [text for text, spell in state.ruleset.series.items() if spell in theme]
        remember(state, 7, rng, wanted)
        state = read_state(write_state(state))
        before = state
        for stage in play_turn(state, rng, seed, purpose=1.0):
            if isinstance(stage, Done):
                yield before, stage
            before = stage.state


def sum_reported_points(events: list[Event]) -> Counter[str]:
    """Being → reported gains of hit points minus reported losses."""
    change: Counter[str] = Counter()
    for event in events:
        if event.kind == "healed":
            change[str(event.facts["who"])] += event.facts["points"]
        elif event.kind in ("hurt", "stabs", "strikes"):
            change[str(event.facts["who" if event.kind == "hurt" else "target"])] -= event.facts["points"]
    return change


def set_outright(events: list[Event]) -> set[object]:
    """The beings whose hit points something set directly, or that it killed."""
    found = {event.facts[OUTRIGHT[event.kind]] for event in events if event.kind in OUTRIGHT}
    for event in events:
        if event.kind == "spell" and event.facts["outcome"] in OUTRIGHT_SPELLS:
            found.add(event.facts[OUTRIGHT_SPELLS[event.facts["outcome"]]])
    return found


def hit_points(state: State) -> dict[str, int]:
    return {being.name: being.hp for being in (*state.wizards.values(), *state.monsters.values())}


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_reported_points_are_the_points_that_changed(ruleset, seed):
    for before, done in battles(seed, ruleset):
        events = list(done.events)
        told, outright = sum_reported_points(events), set_outright(events)
        old, new = hit_points(before), hit_points(done.state)
        for name in old.keys() & new.keys() - outright:
            assert told[name] == new[name] - old[name], (name, old[name], new[name])
        for event in events:
            if event.kind in ("healed", "hurt", "stabs", "strikes"):
                assert event.facts["points"] > 0
        for name in outright:
            gained = [e for e in events if e.kind == "healed" and e.facts["who"] == name]
            dead = {e.facts["who"] for e in events if e.kind in ("drops_dead", "succumbs")}
            assert not (gained and name in dead), "told of a gain, and dead of no wound"


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@settings(max_examples=EXAMPLES)
@given(seed=st.integers(0, 2**32))
def test_a_stopped_hit_is_not_reported(ruleset, seed):
    for before, done in battles(seed, ruleset):
        told = {event_key(before.seq, before.event_count + at): event for at, event in enumerate(done.events)}
        landed: set[int] = set()
        for event in told.values():
            if event.kind in LANDED:
                landed.update(event.cause)
            if event.kind in STOPPED:
                spell = told.get(event.cause[0])
                assert spell is None or spell.facts.get("outcome") not in ("hits", "heals"), (event, spell)
        for key, event in told.items():
            if event.kind == "spell" and event.facts["outcome"] == "hits":
                gone = done.state.being(str(event.facts["target"])) is None
                assert key in landed or gone, event


def test_the_turns_compared_contain_hits_and_cures():
    kinds, outcomes = Counter(), Counter()
    for seed in range(90):
        for _, done in battles(seed, ("firetop-standard", "waving-hands", "warlocks")[seed % 3]):
            kinds.update(event.kind for event in done.events)
            outcomes.update(event.facts["outcome"] for event in done.events if event.kind == "spell")
    wanted = ("absorbed", "unharmed", "unhealed", "healed", "hurt", "recovers", "drops_dead", "succumbs")
    assert not [kind for kind in wanted if not kinds[kind]]
    assert min(outcomes["hits"], outcomes["reaches"]) > 10
