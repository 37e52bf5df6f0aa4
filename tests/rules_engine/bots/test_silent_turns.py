"""Silent turns: a search must see the same battle that is played."""

import random

import pytest

from rules_engine import RULESETS, KeyedDice, advance, write_state
from rules_engine.battle import advance_silently
from rules_engine.beings import EMPTY
from tests.rules_engine.bots.bot_games import LONG
from tests.rules_engine.random_play import MOST_STAGES, choose_sheets, new_battle, stir

FORGOTTEN = ("laid", "told")


def bare(data):
    """A written state without what it remembers of events."""
    if isinstance(data, dict):
        return {key: bare(value) for key, value in data.items() if key not in FORGOTTEN}
    return [bare(value) for value in data] if isinstance(data, list) else data


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_silent_turn_leads_to_the_same_state_as_a_turn(ruleset):
    rng = random.Random(ruleset)
    for seed in range(12 if LONG else 6):  # two from the start, four from the middle
        loud = quiet = stir(new_battle(seed, ruleset), rng) if seed % 3 else new_battle(seed, ruleset)
        for _ in range(12 * MOST_STAGES):
            if loud.over:
                break
            sheets = choose_sheets(loud, rng)
            loud = advance(loud, sheets, KeyedDice(str(seed), loud.seq)).state
            done = advance_silently(quiet, sheets, KeyedDice(str(seed), quiet.seq))
            quiet = done.state
            assert done.events == ()
            assert bare(write_state(quiet)) == bare(write_state(loud))
            if loud.seq > 12:
                break


def test_what_everything_without_anything_shares_stays_empty():
    changes = (lambda: EMPTY.update(LH="P"), lambda: EMPTY.setdefault("LH", "P"), lambda: EMPTY.__setitem__("LH", "P"))
    for change in changes:
        with pytest.raises(TypeError, match="shared"):
            change()
    assert EMPTY == {}
