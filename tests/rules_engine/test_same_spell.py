"""One spell several times in a turn, at any being, oneself included: no orders freeze a battle."""

import os
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine import RULESETS, Done, Viewer, look, narrate, visible_events
from tests.rules_engine.random_play import assert_keeps_limits
from tests.rules_engine.same_spell import craft_position, play_same_spell

# For all rulesets together 300 positions, or 20,000 in the long run.
POSITIONS = 20_000 if os.environ.get("FM_TEST_LONG") == "1" else 300
TURNS = 3


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@settings(max_examples=-(-POSITIONS // len(RULESETS)))
@given(seed=st.integers(0, 2**32))
def test_the_same_spell_by_both_hands_at_any_being_freezes_no_battle(ruleset, seed):
    state, series, rng = craft_position(ruleset, seed)
    for before, stage in play_same_spell(state, series, rng, turns=TURNS):
        assert_keeps_limits(before, stage)
        for reader in before.mages:
            assert look(stage.state, Viewer.of(reader)).mages
            for event in visible_events(stage.events, Viewer.of(reader)):
                assert narrate(event, reader)


def test_these_positions_contain_every_way_to_cast_a_spell_twice():
    """The property above is worth only as much as these positions contain."""
    targets, hands, extras = Counter(), Counter(), Counter()
    for ruleset in ("firetop-standard", "waving-hands", "spellcast", "warlocks"):
        for seed in range(40):
            state, series, rng = craft_position(ruleset, seed)
            for before, stage in play_same_spell(state, series, rng, turns=TURNS):
                if not isinstance(stage, Done):
                    continue
                extras[before.extra] += 1
                casts = Counter((cast.spell.name, cast.summoner, cast.target) for cast in stage.record.casts)
                for (_, mage, target), times in casts.items():
                    if times > 1:
                        kind = "mage" if target in before.wizards else "nobody" if target == "nobody" else "creature"
                        targets["oneself" if target == mage else kind] += 1
                hands.update(cast.hand for cast in stage.record.casts)
    assert min(targets[target] for target in ("oneself", "mage", "creature")) > 10
    assert min(hands[hand] for hand in ("LH", "RH", "BH", "FIRE", "LH2", "RH2")) > 10
    assert min(extras[extra] for extra in ("", "H", "T")) > 5
