"""A step that is skipped without its occasion would have had nothing to do."""

import pytest

from rules_engine import RULESETS, KeyedDice, advance, get_ruleset, write_event, write_state
from rules_engine.commands.random_orders import make_game
from rules_engine.occasions import EVERYTHING, NONE, SPELLS
from rules_engine.steps import taking_orders


def play(game):
    state, story = game.start, []
    for sheets in game.stages:
        step = advance(state, sheets, KeyedDice(game.seed, state.seq))
        state = step.state
        story.append((write_state(state), [write_event(event) for event in step.events]))
    return story


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("mages", (2, 3))
def test_turns_with_all_steps_and_with_the_needed_ones_are_the_same(ruleset, mages, monkeypatch):
    games = [make_game(get_ruleset(ruleset), mages, f"steps {n}", turns=25, purpose=n / 4) for n in range(4)]
    stories = [play(game) for game in games]
    monkeypatch.setattr(taking_orders, "NONE", EVERYTHING)
    assert [play(game) for game in games] == stories


def test_an_empty_turn_has_two_steps():
    plans = get_ruleset("firetop-standard").plans[""]
    names = {found: [step.__name__ for step in plans[found]] for found in (NONE, SPELLS, EVERYTHING)}
    assert names[NONE] == ["open_turn", "show_gestures"]
    assert [name for name in names[EVERYTHING] if name not in names[SPELLS]] == [
        "substitute_gestures",
        "speak",
        "wear_off_minds",
        "order_monsters",
        "notice_surrenders",
    ]
