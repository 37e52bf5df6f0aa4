"""A process that plays for months does not grow: what bots and books keep is bounded, and changes no answer."""

import gc

import pytest

from rules_engine import RULESETS
from rules_engine import spells as books
from rules_engine.bots import choose_orders, moves
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.strengths import Strength
from tests.rules_engine.bots.bot_games import states_of

RULESET = "firetop-standard"


def answers():
    return [
        choose_orders(state, mage=mage, strength=strength, seed="memory")
        for state in states_of(RULESET, 3, "memory", longest=8)
        for mage in state.owing
        for strength in ("Warder", "Magus")
    ]


def count_kept(book):
    return sum(len(states.after) for states in book._pairs.values())


def test_the_caches_stay_below_their_limits_and_forgetting_changes_no_answer(monkeypatch):
    moves._RANKED.clear()
    plenty = answers()
    book = RULESETS[RULESET].book
    assert len(moves._RANKED) > 20 and count_kept(book) > 20
    monkeypatch.setattr(moves, "MOST_RANKED", 20)
    monkeypatch.setattr(books, "MOST_KEPT", 20)
    most = []
    rank = moves.Moves._rank
    monkeypatch.setattr(
        moves.Moves, "_rank", lambda *args: (most.append((len(moves._RANKED), count_kept(book))), rank(*args))[1]
    )
    moves._RANKED.clear()
    for states in book._pairs.values():
        states.after.clear()
    book._kept = 0
    assert answers() == plenty
    assert max(ranked for ranked, _ in most) <= 20
    assert max(kept for _, kept in most) <= 20


TREE = Strength("Archmage", looks_ahead=True, iterations=400)


@pytest.fixture
def uncollected():
    """Without the garbage collector, so that only what nothing refers to is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("mages", (2, 3))
def test_a_tree_leaves_no_garbage_to_collect(mages, uncollected):
    state = list(states_of(RULESET, mages, "garbage", longest=5))[-1]
    choose_orders(state, mage=state.owing[0], strength=TREE, seed="garbage")
    assert gc.collect() < 50
    assert not gc.isenabled()


def test_the_garbage_collector_pauses_during_a_search_and_resumes_even_after_an_error(monkeypatch):
    state = next(iter(states_of(RULESET, 2, "garbage", longest=1)))
    paused = []

    def play_three_turns(*arguments):
        paused.append(not gc.isenabled())
        if len(paused) == 3:
            raise ZeroDivisionError
        return play_turn(*arguments)

    monkeypatch.setattr("rules_engine.bots.tree.play_turn", play_three_turns)
    with pytest.raises(ZeroDivisionError):
        choose_orders(state, mage=state.owing[0], strength=TREE, seed="garbage")
    assert paused == [True] * 3
    assert gc.isenabled()
