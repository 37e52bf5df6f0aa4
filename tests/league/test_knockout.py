"""The bracket of a knock-out: seeds, byes, draws and boards that nobody wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rules.knockout import (
    arrange,
    choose_size,
    count_rounds,
    decide_board,
    order_seeds,
    pair_first_round,
)


def test_seeds_stand_in_the_standard_order():
    assert order_seeds(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert order_seeds(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


@given(entrants=st.integers(min_value=6, max_value=16))
def test_if_the_higher_seed_always_wins_each_seed_goes_as_far_as_its_rank(entrants):
    size = choose_size(entrants)
    pairs = pair_first_round(range(1, entrants + 1), size)
    assert sorted(seed for pair in pairs for seed in pair if seed) == list(range(1, entrants + 1)), "each once"
    byes = [first for first, second in pairs if second is None]
    assert sorted(byes) == list(range(1, size - entrants + 1)), "the highest seeds have the byes"
    for left in range(count_rounds(size) - 1, -1, -1):
        assert len(pairs) == 2**left
        assert all(second is None or first + second == 2 ** (left + 1) + 1 for first, second in pairs)
        winners = [decide_board(first, second, ["first"]) for first, second in pairs]
        assert sorted(winners) == list(range(1, 2**left + 1))
        pairs = [arrange(*pair) for pair in zip(winners[::2], winners[1::2], strict=True)] if left else pairs


def test_a_pair_who_draw_meet_again_and_then_the_higher_seed_goes_on():
    assert decide_board(2, 7, []) == "open"
    assert decide_board(2, 7, ["draw"]) == "open"
    assert decide_board(2, 7, ["draw", "draw"]) == 2
    assert decide_board(2, 7, ["draw", "second"]) == 7


def test_a_board_that_both_lose_is_a_bye_for_the_next_opponent():
    assert decide_board(4, 5, ["none"]) is None
    assert (arrange(1, None), arrange(None, None)) == ((1, None), (None, None))
    assert decide_board(None, None, []) is None
    assert decide_board(1, None, []) == 1


def test_in_a_later_round_the_higher_seed_comes_first():
    assert arrange(8, 4) == (4, 8)


def test_who_left_before_the_first_round_leaves_a_bye():
    assert pair_first_round([1, 2, 3, 4, 6, 7, 8], 8) == [(1, 8), (4, None), (2, 7), (3, 6)]


def test_more_than_sixteen_have_no_bracket():
    assert [choose_size(entrants) for entrants in (6, 8, 9, 16)] == [8, 8, 16, 16]
    with pytest.raises(ValueError, match="17"):
        choose_size(17)
