"""The groups and rounds of a round robin of bots."""

from collections import Counter
from itertools import combinations

import pytest

from league.rules.bot_groups import MOST_ENTRANTS, count_rounds, find_group, list_groups, list_round


@pytest.mark.parametrize("entrants", range(2, MOST_ENTRANTS + 1))
def test_every_pair_of_a_group_meets_once_and_nobody_has_two_duels_in_a_round(entrants):
    rounds = [list_round(entrants, number) for number in range(1, count_rounds(entrants) + 1)]
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    groups = list_groups(entrants)
    assert met == Counter(frozenset(pair) for group in groups for pair in combinations(group, 2))
    assert all(len({seed for pair in pairs for seed in pair}) == 2 * len(pairs) for pairs in rounds)
    assert [seed for group in groups for seed in group] == list(range(1, entrants + 1))
    assert all(seed in find_group(seed, entrants) for seed in range(1, entrants + 1))
    sizes = [len(group) for group in groups]
    assert max(sizes) <= 8 and (entrants < 4 or min(sizes) >= 4) and max(sizes) - min(sizes) <= 1
