"""The rules of a round robin of bots: groups of four to eight by rating, in which every pair meets once.

The best are in group 1. All functions take the number of those who began: their seeds from 1, the best rating first.
"""

from league.rules.groups import plan_sizes
from league.rules.round_robin import list_pairs

MOST_ENTRANTS = 64


def list_groups(entrants: int) -> list[range]:
    """Return the seeds of each group, group 1 first. Fewer than four, left of more, are one group."""
    groups, first = [], 1
    for size in plan_sizes(entrants) or [entrants]:
        groups.append(range(first, first + size))
        first += size
    return groups


def find_group(seed: int, entrants: int) -> range:
    """Return the seeds of the group in which `seed` is."""
    return next(group for group in list_groups(entrants) if seed in group)


def count_rounds(entrants: int) -> int:
    """Return after how many rounds every pair of every group has met."""
    return max(_count_slots(group) for group in list_groups(entrants)) - 1


def list_round(entrants: int, round_number: int) -> list[tuple[int, int]]:
    """Return the pairs of seeds of a round, group 1 first. In a group of an odd number one has a bye, which is no
    pair; a smaller group may be done already."""
    pairs = []
    for group in list_groups(entrants):
        slots = _count_slots(group)
        if round_number < slots:
            in_group = (
                (group[0] + one - 1, group[0] + other - 1) for one, other in list_pairs(round_number, slots=slots)
            )
            pairs += [pair for pair in in_group if pair[1] in group]
    return pairs


def _count_slots(group: range) -> int:
    return len(group) + len(group) % 2
