"""How the entrants of a season are put into groups: League 1, 2, 3 … of four to eight mages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

MOST = 8
LEAST = 4
# Groups smaller than this send one up and one down, others two.
LARGE = 6


@dataclass(frozen=True)
class Earlier:
    """Where someone was at the end of the last season: their league from 1, their place from 1, and whether they go up
    (-1), stay (0) or go down (1)."""

    tier: int
    rank: int
    movement: int


@dataclass(frozen=True)
class Entrant:
    """Someone who plays in the next season. `earlier` is None for a newcomer."""

    key: int
    rating: float
    signed_up_at: datetime
    earlier: Earlier | None = None


def plan_sizes(entrants: int) -> list[int]:
    """Return the sizes of the groups: as few as possible, as equal as possible, the larger ones first.

    Empty if there are too few entrants for one group.
    """
    if entrants < LEAST:
        return []
    groups = -(-entrants // MOST)
    size, more = divmod(entrants, groups)
    return [size + 1] * more + [size] * (groups - more)


def count_movers(size: int) -> int:
    """Return how many go up from a group of that size, and how many go down."""
    return 2 if size >= LARGE else 1


def draw_groups(entrants: Iterable[Entrant]) -> list[list[Entrant]]:
    """Return the groups from League 1 down; empty if there are too few entrants.

    Those who played last season come in the order of its tables: in each league first those who came down, then those
    who stayed, then those who came up. Newcomers follow, the best rating first, and of equal ratings the earlier
    sign-up. The groups are filled in that order, but nobody who should go up stays where they were: they come before
    the last of those who would have stayed.
    """
    waiting = sorted(entrants, key=_order)
    groups = []
    for tier, size in enumerate(plan_sizes(len(waiting)), 1):
        rising = [each for each in waiting if _is_rising_to(each, tier)][:size]
        others = [each for each in waiting if each not in rising]
        chosen = {each.key for each in (*rising, *others[: size - len(rising)])}
        groups.append([each for each in waiting if each.key in chosen])
        waiting = [each for each in waiting if each.key not in chosen]
    return groups


def _order(entrant: Entrant) -> tuple[bool, int, int, int, float, datetime, int]:
    earlier = entrant.earlier
    if earlier is None:
        return (True, 0, 0, 0, -entrant.rating, entrant.signed_up_at, entrant.key)
    tier = earlier.tier + earlier.movement
    return (False, tier, -earlier.movement, earlier.rank, -entrant.rating, entrant.signed_up_at, entrant.key)


def _is_rising_to(entrant: Entrant, tier: int) -> bool:
    """Return whether the entrant should be in that league or a higher one because they go up."""
    return entrant.earlier is not None and entrant.earlier.movement < 0 and entrant.earlier.tier - 1 <= tier


def find_movements(ranking: Sequence[int], left: Iterable[int], *, size: int, tier: int, tiers: int) -> dict[int, int]:
    """Return who goes up (-1), stays (0) or goes down (1) from a group, by key.

    `ranking` is the final table, `left` are those who no longer play, with or without a rank. They come first among
    those who go down, so that fewer others do. `size` counts everyone who had a place. From League 1 nobody goes up,
    from the last league nobody goes down.
    """
    gone = set(left)
    staying = [key for key in ranking if key not in gone]
    movers = count_movers(size)
    up = staying[:movers] if tier > 1 else []
    others = staying[len(up) :]
    down = others[len(others) - max(movers - len(gone), 0) :] if tier < tiers else []
    return dict.fromkeys(staying, 0) | dict.fromkeys(up, -1) | dict.fromkeys(down, 1)
