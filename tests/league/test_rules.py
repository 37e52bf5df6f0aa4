"""The rules of the league that need no database: groups, rounds, and tables."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rules.groups import Earlier, Entrant, draw_groups, find_movements, plan_sizes
from league.rules.round_robin import FILLED, ROUNDS, SLOTS, find_opponent, list_pairs
from league.rules.tables import DRAW, FIRST, NONE, SECOND, Member, Result, loses_results, make_table
from tests.scenes import HOUR, NOW

A, B, C, D = 1, 2, 3, 4


def test_everybody_meets_everybody_once_and_one_opponent_each_round():
    pairs = [pair for number in range(1, ROUNDS + 1) for pair in list_pairs(number)]
    assert sorted(pairs) == list(combinations(range(1, SLOTS + 1), 2))
    for number in range(1, ROUNDS + 1):
        assert sorted(slot for pair in list_pairs(number) for slot in pair) == list(range(1, SLOTS + 1))
        assert all(find_opponent(find_opponent(slot, number), number) == slot for slot in range(1, SLOTS + 1))


@pytest.mark.parametrize("size", range(4, 9))
def test_small_groups_begin_with_as_many_duels_as_they_can(size):
    taken = FILLED[:size]
    assert sum(one in taken and other in taken for one, other in list_pairs(1)) == size // 2
    assert sorted(FILLED) == list(range(1, SLOTS + 1))


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [(3, []), (4, [4]), (8, [8]), (9, [5, 4]), (16, [8, 8]), (17, [6, 6, 5]), (25, [7, 6, 6, 6]), (41, [7] * 5 + [6])],
)
def test_there_are_as_few_groups_as_possible_and_they_are_as_equal_as_possible(entrants, sizes):
    assert plan_sizes(entrants) == sizes


def make_entrants(count, **more):
    return [Entrant(key, 1500 + key, NOW, **more) for key in range(count)]


def test_the_first_season_is_drawn_by_rating_and_equal_ratings_by_sign_up():
    entrants = [Entrant(key, 1500, NOW - key * HOUR) for key in range(9)] + [Entrant(9, 1600, NOW)]
    assert [[each.key for each in group] for group in draw_groups(entrants)] == [[9, 8, 7, 6, 5], [4, 3, 2, 1, 0]]


def play_season(groups, left=()):
    """Return where everyone who stays is after a season whose tables end in the order of the groups."""
    earlier = {}
    for tier, group in enumerate(groups, 1):
        keys = [each.key for each in group]
        gone = [key for key in keys if key in left]
        movements = find_movements(keys, gone, size=len(keys), tier=tier, tiers=len(groups))
        ranks = {key: rank for rank, key in enumerate(keys, 1)}
        earlier |= {key: Earlier(tier, ranks[key], movement) for key, movement in movements.items()}
    return earlier


def test_two_go_up_and_two_go_down_and_newcomers_begin_in_the_lowest_league():
    groups = draw_groups(make_entrants(24))
    earlier = play_season(groups)
    returning = [Entrant(key, 0, NOW, where) for key, where in earlier.items()]
    top, middle, low = ([each.key for each in group] for group in groups)
    drawn = draw_groups([*returning, Entrant(99, 3000, NOW)])
    new_top, new_middle, *rest = [{each.key for each in group} for group in drawn]
    # 25 entrants make groups of 7, 6, 6 and 6, so that fewer stay than before; all who should go up do.
    assert new_top == {*top[:5], *middle[:2]}
    assert new_middle == {top[5], *top[6:], middle[2], *low[:2]}
    assert 99 in rest[-1]
    unchanged = [{each.key for each in group} for group in draw_groups(returning)]
    assert unchanged == [
        {*top[:6], *middle[:2]},
        {*top[6:], *middle[2:6], *low[:2]},
        {*middle[6:], *low[2:]},
    ]


def test_those_who_left_come_first_among_those_who_go_down():
    ranking = [1, 2, 3, 4, 5, 6, 7]
    assert find_movements(ranking, [8], size=8, tier=2, tiers=3) == {1: -1, 2: -1, 3: 0, 4: 0, 5: 0, 6: 0, 7: 1}
    # The second has left, so the third goes up.
    assert find_movements(ranking, [2], size=7, tier=2, tiers=3) == {1: -1, 3: -1, 4: 0, 5: 0, 6: 0, 7: 1}
    assert 1 not in find_movements(ranking, [2, 8, 9], size=8, tier=2, tiers=3).values()
    assert find_movements([1, 2, 3, 4], [], size=4, tier=2, tiers=3) == {1: -1, 2: 0, 3: 0, 4: 1}
    assert find_movements([1, 2, 3, 4], [], size=4, tier=1, tiers=1) == dict.fromkeys([1, 2, 3, 4], 0)
    assert find_movements([], [1, 2, 3, 4], size=4, tier=2, tiers=3) == {}


@given(st.integers(4, 90), st.data())
def test_drawing_season_after_season_places_everyone_once_and_respects_who_goes_up(count, data):
    groups = draw_groups(make_entrants(count))
    fresh = count
    for _season in range(3):
        keys = [each.key for group in groups for each in group]
        left = data.draw(st.sets(st.sampled_from(keys), max_size=len(keys) - 1)) if keys else set()
        earlier = play_season(groups, left)
        newcomers = data.draw(st.integers(0, 12))
        entrants = [Entrant(key, 0, NOW, where) for key, where in earlier.items()]
        entrants += [Entrant(key, key, NOW) for key in range(fresh, fresh + newcomers)]
        fresh += newcomers
        groups = draw_groups(entrants)
        placed = [each.key for group in groups for each in group]
        if len(entrants) < 4:
            assert groups == []
            return
        assert sorted(placed) == sorted(each.key for each in entrants)
        assert [len(group) for group in groups] == plan_sizes(len(entrants))
        assert {4, 5, 6, 7, 8} >= {len(group) for group in groups}
        tiers = {each.key: tier for tier, group in enumerate(groups, 1) for each in group}
        for key, where in earlier.items():
            assert where.movement >= 0 or tiers[key] < where.tier
        for one, other in combinations(earlier, 2):
            if earlier[one].tier == earlier[other].tier and earlier[one].rank < earlier[other].rank:
                assert tiers[one] <= tiers[other]
        lowest = max((tiers[key] for key in earlier), default=0)
        assert all(tiers[each.key] >= lowest for each in entrants if each.earlier is None)


def rank(members, results):
    return [row.key for row in make_table(members, results)]


def test_ties_are_decided_in_this_order():
    members = [Member(key, NOW + key * HOUR) for key in (A, B, C, D)]
    # Points first.
    assert rank(members, [Result(1, B, A, FIRST)]) == [B, A, C, D]
    # Head to head: D beat A, and both have one point.
    assert rank(members, [Result(1, D, A, FIRST), Result(2, A, B, FIRST), Result(3, C, B, DRAW)])[:2] == [D, A]
    # Sonneborn-Berger: A beat B with no points, D beat C with half a point; A and D have not met.
    results = [Result(1, A, B, FIRST), Result(1, D, C, FIRST), Result(2, C, B, DRAW), Result(3, A, C, SECOND)]
    rows = {row.key: row for row in make_table(members, results)}
    assert rows[D].points == rows[A].points == 1
    assert rows[D].sonneborn_berger > rows[A].sonneborn_berger
    assert rank(members, results) == [C, D, A, B]
    # Fewest late turns, and then the earlier sign-up.
    drawn = [Result(1, A, B, DRAW, first_late=2, second_late=1), Result(2, C, D, DRAW)]
    assert rank(members, drawn) == [C, D, B, A]
    assert rank(members, []) == [A, B, C, D]


def test_results_of_those_who_left_before_half_count_for_nobody():
    members = [Member(A, NOW), Member(B, NOW), Member(C, NOW, is_void=True)]
    table = make_table(members, [Result(1, C, A, FIRST), Result(2, C, B, SECOND), Result(3, A, B, DRAW)])
    assert [(row.key, row.rank, row.points, row.played) for row in table] == [
        (A, 1, Fraction(1, 2), 1),
        (B, 2, Fraction(1, 2), 1),
        (C, None, 0, 0),
    ]
    assert (loses_results(3, 7), loses_results(4, 7), loses_results(3, 6)) == (True, False, False)


def test_a_duel_that_both_lost_is_played_and_gives_no_point():
    first, second = make_table([Member(A, NOW), Member(B, NOW)], [Result(1, A, B, NONE)])
    assert (first.points, second.points, first.form, first.played) == (0, 0, ["lost"], 1)


def test_the_form_is_the_last_five_results():
    results = [Result(number, A, number + 1, FIRST if number < 7 else SECOND) for number in range(7, 0, -1)]
    row = make_table([Member(key, NOW) for key in range(1, 9)], results)[0]
    assert (row.key, row.form, row.count("won")) == (A, ["won", "won", "won", "won", "lost"], 6)
