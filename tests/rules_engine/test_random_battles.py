"""Whatever legal orders mages give: battles continue, limits hold, and the same orders give the same battle."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import (
    RULESETS,
    Asks,
    Done,
    KeyedDice,
    Sheet,
    Viewer,
    advance,
    get_ruleset,
    new_duel,
    visible_events,
    write_state,
)
from rules_engine.errors import BattleOver, OrdersMissing, StepLimit
from rules_engine.events import OpenEvents
from rules_engine.summoning import monster_name
from rules_engine.turn import STEP_LIMIT, Turn
from tests.rules_engine.random_play import (
    assert_keeps_limits,
    choose_sheets,
    new_battle,
    play_battle,
    some_battles,
    stir,
)

seeds = st.integers(0, 2**32)
rulesets = st.sampled_from(sorted(RULESETS))


@given(seeds, rulesets)
def test_battles_of_any_ruleset_keep_their_limits(seed, ruleset):
    for before, stage in play_battle(seed, ruleset):
        assert_keeps_limits(before, stage)


@given(seeds)
def test_nobody_who_has_left_can_act(seed):
    for before, stage in play_battle(seed, turns=7):
        if isinstance(stage, Done):
            acting = {cast.summoner for cast in stage.record.casts} | set(stage.record.gestures)
            acting |= {str(note["attacker"]) for note in stage.record.attacks} & set(before.mages)
            assert not acting & set(before.out)
        for event in stage.events:
            if event.kind in ("gestures", "casts", "stabs", "says", "directs"):
                assert event.facts["who"] not in before.out


@given(seeds, rulesets)
def test_the_same_orders_and_rolls_give_the_same_battle_and_do_not_change_the_state(seed, ruleset):
    rng = random.Random(seed)
    state = stir(new_battle(seed, ruleset), rng)
    for _ in range(6):
        sheets, before = choose_sheets(state, rng), write_state(state)
        one = advance(state, sheets, KeyedDice("same", state.seq))
        assert write_state(state) == before, "advance has changed the state it was given"
        other = advance(state, dict(reversed(sheets.items())), KeyedDice("same", state.seq))
        assert (one.events, write_state(one.state)) == (other.events, write_state(other.state))
        state = one.state
        if state.over:
            return


@given(seeds)
def test_a_spectator_learns_what_every_mage_learns_and_nothing_else(seed):
    for before, stage in play_battle(seed, turns=7):
        if isinstance(stage.events, OpenEvents):
            assert all(event.audience is None for event in stage.events), "said to be for everybody, and is not"
        for mage in before.mages:
            mine = Viewer.of(mage)
            assert visible_events(stage.events, mine) == [event for event in stage.events if mine.sees(event)]
        for event in stage.events:
            told = [mage for mage in before.mages if Viewer.of(mage).sees(event)]
            assert Viewer.spectator().sees(event) == (len(told) == len(before.mages))
            assert Viewer.of(*before.mages).sees(event) == bool(told)
            assert Viewer.all_seeing().sees(event)


def test_the_random_battles_contain_everything():
    """The properties above are worth only as much as these battles contain."""
    kinds, spells, labels, hands = Counter(), Counter(), Counter(), Counter()
    for _, stage in some_battles():
        labels[stage.state.extra] += 1
        kinds.update("asked" if isinstance(stage, Asks) else event.kind for event in stage.events)
        if isinstance(stage, Done):
            spells.update(cast.spell.name for cast in stage.record.casts)
            hands.update(cast.hand for cast in stage.record.casts)
            kinds["ended"] += stage.outcome is not None
    wanted = {"asked", "ended", "hand_stuck", "reflected", "banks", "stabs", "strikes", "mage_dies", "directs"}
    assert not wanted - set(kinds)
    assert min(labels[extra] for extra in ("", "H", "T")) > 3
    assert len(spells) > 30
    assert min(hands[hand] for hand in ("LH", "RH", "BH", "FIRE", "LH2", "RH2")) > 3


def test_a_mage_who_owes_gestures_must_give_both():
    duel = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("x"))
    with pytest.raises(OrdersMissing) as refusal:
        advance(duel, {"Ayla": Sheet({"LH": "P", "RH": "D"}), "Crom": Sheet({"LH": "P"})}, KeyedDice("x"))
    assert refusal.value.mages == ("Crom",)


def test_a_finished_battle_cannot_be_continued():
    duel = new_duel("firetop-standard", ["Ayla", "Crom"], dice=KeyedDice("x"))
    give_up, stand = Sheet({"LH": "P", "RH": "P"}), Sheet({"LH": "-", "RH": "-"})
    done = advance(duel, {"Ayla": give_up, "Crom": stand}, KeyedDice("x"))
    assert (done.outcome.winners, done.outcome.reason, done.state.owing) == (("Crom",), "surrender", ())
    with pytest.raises(BattleOver):
        advance(done.state, {"Crom": stand}, KeyedDice("x"))


@pytest.mark.parametrize("mages", [(), ("Ayla",), ("Ayla", "AYLA")])
def test_a_battle_needs_two_different_mages(mages):
    with pytest.raises(ValueError, match="two or more"):
        new_duel("firetop-standard", mages, dice=KeyedDice("x"))


def test_no_turn_takes_endless_steps():
    turn = Turn(new_battle(1), KeyedDice("x"))
    for _ in range(STEP_LIMIT):
        turn.count_step()
    with pytest.raises(StepLimit, match="turn 1 "):
        turn.count_step()


def test_every_spell_of_a_turn_counts_as_a_step():
    state = new_duel(get_ruleset("firetop-standard"), ["Ayla", "Crom"], dice=KeyedDice("x"))
    turn_limits = []
    original = Turn.count_step
    Turn.count_step = lambda self: (turn_limits.append(1), original(self))[1]
    try:
        advance(state, dict.fromkeys(state.mages, Sheet({"LH": "P", "RH": "-"})), KeyedDice("x"))
    finally:
        Turn.count_step = original
    assert len(turn_limits) == 2


def test_every_creature_has_a_unique_name_of_colours_and_its_kind():
    """FM-MON-9."""
    state = new_battle(1)
    names = []
    for state.created in range(400):
        names.append(monster_name(state, "Goblin"))
    colours = "|".join(state.colours)
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(f"(?:(?:{colours})ish)*(?:{colours})Goblin", name)] == []
    assert re.fullmatch(f"(?:{colours})Goblin", names[7]) and "ish" in names[8]
