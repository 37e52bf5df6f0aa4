"""The rules of a knock-out cup, as plain values without a database.

Entrants are seeded by rating into a bracket of 8 or 16, in which the first two seeds can meet only in the final. Places
without an entrant are byes, and fall to the highest seeds. A pair who draw meet again, and after a second draw the
higher seed goes on.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

SIZES = (8, 16)
MOST_ENTRANTS = SIZES[-1]
# After so many draws the higher seed goes on.
MOST_DRAWS = 2

Result = Literal["first", "second", "draw", "none"]
"""How one duel ended: `none` is a duel that both lost, because neither was there."""


def choose_size(entrants: int) -> int:
    """Return the size of the smallest bracket for so many entrants. Raises ValueError if there is none."""
    for size in SIZES:
        if entrants <= size:
            return size
    raise ValueError(f"No bracket holds {entrants} entrants.")


def count_rounds(size: int) -> int:
    return size.bit_length() - 1


def order_seeds(size: int) -> tuple[int, ...]:
    """Return the seeds (1 is the highest) from the top of a bracket to its bottom: 1 8 4 5 2 7 3 6.

    Each pair of the first round adds up to `size` + 1, and so do the pairs of the expected winners in each later round.
    """
    seeds = [1]
    while len(seeds) < size:
        total = 2 * len(seeds) + 1
        seeds = [each for seed in seeds for each in (seed, total - seed)]
    return tuple(seeds)


def pair_first_round(seeds: Sequence[int], size: int) -> list[tuple[int | None, int | None]]:
    """Return the pairs of seeds on the boards of the first round, the higher seed first; None is nobody.

    `seeds` are those who are there: 1 to their number, but for anyone who left before the first round.
    """
    there, order = set(seeds), order_seeds(size)
    boards = zip(order[::2], order[1::2], strict=True)
    return [arrange(*(seed if seed in there else None for seed in pair)) for pair in boards]


def arrange(one: int | None, other: int | None) -> tuple[int | None, int | None]:
    """Return the two seeds of a board with the higher one first, and a bye last."""
    there = sorted(seed for seed in (one, other) if seed is not None)
    return (there[0] if there else None, there[1] if len(there) > 1 else None)


def decide_board(first: int | None, second: int | None, results: Iterable[Result]) -> int | Literal["open"] | None:
    """Return the seed that goes on from a board, given the results of its duels so far.

    `first` is the higher seed. "open" means that the board needs another duel (or its first), and None that nobody goes
    on. A result that isn't known yet must not be in `results`.
    """
    if first is None or second is None:
        return first if second is None else second
    draws = 0
    for result in results:
        if result == "draw":
            draws += 1
            continue
        return {"first": first, "second": second, "none": None}[result]
    return first if draws >= MOST_DRAWS else "open"
