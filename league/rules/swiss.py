"""The rules of a Swiss evening, as plain values without a database: who meets whom, and the table.

In each round players with equal points meet. What may give way, from the last to the first: nobody has a second bye,
nobody meets the same opponent again, the bye falls to the lowest (by points, then by rating), and pairs differ in
points as little as possible. All pairings are compared, which is quick for sixteen players.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import Literal

ROUNDS = 4
MOST_ENTRANTS = 16
# A win is one point, and so is a bye; a draw is half.
WIN, DRAW = 1.0, 0.5

Outcome = Literal["won", "drew", "lost", "bye"]


@dataclass(frozen=True)
class Game:
    """One round of one player: the opponent (None for a bye) and how it ended."""

    opponent: int | None
    outcome: Outcome

    @property
    def points(self) -> float:
        return {"won": WIN, "bye": WIN, "drew": DRAW, "lost": 0.0}[self.outcome]


@dataclass(frozen=True)
class Player:
    """A player of the evening: `seed` 1 is the highest rating and `signed_up` 1 the first to sign up."""

    seed: int
    signed_up: int = 0
    games: tuple[Game, ...] = field(default=())

    @property
    def points(self) -> float:
        return sum(game.points for game in self.games)

    @property
    def opponents(self) -> frozenset[int]:
        return frozenset(game.opponent for game in self.games if game.opponent is not None)

    @property
    def had_bye(self) -> bool:
        return any(game.outcome == "bye" for game in self.games)


Pair = tuple[int, int | None]
"""The seeds of two who meet, the one with more points first; None is a bye."""


def pair_round(players: Sequence[Player], *, rounds_left: int = 0) -> list[Pair]:
    """Return the boards of the next round, the best first and a bye last. Everybody in `players` is there once.

    `rounds_left` is how many rounds follow. If the best pairing would leave only rematches for the next one, as it can
    among six, the next best is chosen.
    """
    if len(players) > MOST_ENTRANTS:
        raise ValueError(f"Only {MOST_ENTRANTS} players can be paired, not {len(players)}.")
    best = _pair(players)
    if rounds_left and not _repeats(players, best) and _leaves_only_repeats(players, best):
        ways = [_pair(players, without=pair) for pair in best.pairs]
        ways = [way for way in ways if not _repeats(players, way) and not _leaves_only_repeats(players, way)]
        best = min(ways, key=lambda way: way.cost, default=best)
    return sorted(best.pairs, key=lambda pair: pair[1] is None)


@dataclass(frozen=True)
class _Pairing:
    cost: float
    pairs: tuple[Pair, ...]


def _pair(players: Sequence[Player], *, without: Pair | None = None) -> _Pairing:
    """Return the pairing of least cost that does not contain the pair `without`."""
    order = sorted(players, key=lambda each: (-each.points, each.seed))
    costs = _list_costs(order)
    seeds: list[int | None] = [each.seed for each in order]
    seeds += [None] * (len(seeds) % 2)

    @cache
    def choose(waiting: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        """Return the least cost of pairing those in the bit set `waiting`, and their pairs."""
        if not waiting:
            return 0, ()
        one = (waiting & -waiting).bit_length() - 1
        rest = waiting ^ (1 << one)
        best: tuple[float, tuple[tuple[int, int], ...]] = (inf, ())
        for other in range(one + 1, len(seeds)):
            if rest >> other & 1 and (seeds[one], seeds[other]) != without:
                cost, pairs = choose(rest ^ (1 << other))
                best = min(best, (cost + costs[one][other], ((one, other), *pairs)))
        return best

    cost, pairs = choose((1 << len(seeds)) - 1)
    return _Pairing(cost, tuple((order[one].seed, seeds[other]) for one, other in pairs))


def _repeats(players: Sequence[Player], pairing: _Pairing) -> bool:
    """Whether someone meets the same opponent again or has a second bye."""
    known = {each.seed: each for each in players}
    return any(
        known[first].had_bye if second is None else second in known[first].opponents for first, second in pairing.pairs
    )


def _leaves_only_repeats(players: Sequence[Player], pairing: _Pairing) -> bool:
    met: dict[int, int | None] = dict(pairing.pairs)
    met |= {second: first for first, second in pairing.pairs if second is not None}
    later = [
        replace(each, games=(*each.games, Game(met[each.seed], "bye" if met[each.seed] is None else "drew")))
        for each in players
    ]
    return _repeats(later, _pair(later))


def _list_costs(order: Sequence[Player]) -> list[list[int]]:
    """Return what it costs to let each two in the `order` meet; the position after the last is the bye.

    A cost is one number, in which each kind of fault outweighs all lesser ones together. From the least:
    within a score group the upper half meets the lower half, in order; no single pair differs by much; all pairs
    together differ by little.
    """
    groups: dict[float, list[int]] = {}
    for at, player in enumerate(order):
        groups.setdefault(player.points, []).append(at)
    place = {at: (spot, len(group)) for group in groups.values() for spot, at in enumerate(group)}

    def weigh(one: int, other: int) -> int:
        first = order[one]
        if other == len(order):
            return _weigh(second_bye=first.had_bye, height=len(order) - one)
        second = order[other]
        halves = abs(round(2 * (first.points - second.points)))
        (spot, size), (other_spot, _) = place[one], place[other]
        fold = 0 if halves else abs(other_spot - spot - size // 2)
        return _weigh(rematch=second.seed in first.opponents, distance=halves, square=halves**2, fold=fold**2)

    return [[weigh(one, other) if other > one else 0 for other in range(len(order) + 1)] for one in range(len(order))]


def _weigh(
    *,
    second_bye: bool = False,
    rematch: bool = False,
    height: int = 0,
    distance: int = 0,
    square: int = 0,
    fold: int = 0,
) -> int:
    """Return one number for the faults of a pair. No sum over eight pairs reaches the next kind of fault."""
    cost = 0
    for fault, most in ((second_bye, 1), (rematch, 1), (height, 16), (distance, 8), (square, 64), (fold, 225)):
        cost = cost * (8 * most + 1) + fault
    return cost


@dataclass(frozen=True)
class Row:
    """One line of the table. `strength` is the points of all opponents, `beaten` those of the opponents beaten and half
    of those drawn with (Buchholz and Sonneborn-Berger)."""

    seed: int
    points: float
    strength: float
    beaten: float
    signed_up: int

    @property
    def key(self) -> tuple[float, ...]:
        return (-self.points, -self.strength, -self.beaten, self.signed_up)


def make_table(players: Sequence[Player]) -> list[Row]:
    """Return the table, best first: by points, the points of all opponents, those of the opponents beaten, and then who
    signed up first."""
    points = {player.seed: player.points for player in players}
    return sorted((_make_row(player, points) for player in players), key=lambda row: row.key)


def _make_row(player: Player, points: dict[int, float]) -> Row:
    met = [(points.get(game.opponent, 0.0), game) for game in player.games if game.opponent is not None]
    return Row(
        seed=player.seed,
        points=player.points,
        strength=sum(theirs for theirs, _ in met),
        beaten=sum(theirs * game.points for theirs, game in met),
        signed_up=player.signed_up,
    )
