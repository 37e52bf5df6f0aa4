"""Fits a network to training games. The only module of the engine that needs numpy, which no bot needs to play.

What a position is worth is learnt from the search of that position and of all that followed: each later one counts
less, and the result of the game is the last of them (TD(λ)). One game in ten is held back to test the fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rules_engine.beings import PERMANENT
from rules_engine.bots.network import Units
from rules_engine.bots.tools.training_games import TrainingGame

Numbers = NDArray[np.float64]
Indexes = NDArray[np.int64]

HELD_BACK: Final = 10
FADING: Final = 0.5
"""How much what follows a position counts, compared with its own search."""
BATCH: Final = 256
RATE: Final = 0.005
DECAY: Final = 1.0
"""Which part of a step's rate rows lose, so that rare inputs add little."""
RARE: Final = frozenset({f"mark:heat_resistant:{PERMANENT}", f"mark:cold_resistant:{PERMANENT}"})
"""Inputs that nothing is learnt of: a resistance never harms its mage, but too few games show that."""
FIRST_MOMENT: Final = 0.9
SECOND_MOMENT: Final = 0.999


@dataclass(frozen=True, slots=True)
class Plan:
    """How to fit: how many units, and how often all positions are shown."""

    units: int = 16
    epochs: int = 30


class Fitted(NamedTuple):
    """A network, and the mean log loss on the positions held back: of the weights alone, and with the network."""

    units: Units
    positions: int
    before: float
    after: float


def fit(ruleset: str, games: Sequence[TrainingGame], plan: Plan, seed: int) -> Fitted:
    """Return a network that predicts games better than the weights alone. Same games and seed, same network."""
    names = sorted({name for game in games for each in game.positions for name in (*each.mine, *each.theirs)} - RARE)
    held = _Examples(games[::HELD_BACK], names)
    kept = _Examples([game for place, game in enumerate(games) if place % HELD_BACK], names)
    rng = np.random.default_rng(seed)
    parts = _Parts.draw(rng, len(names), plan.units)
    descent = _Descent(parts, plan.epochs * -(-len(kept) // BATCH))
    for _ in range(plan.epochs):
        order = rng.permutation(len(kept))
        for batch in np.array_split(order, -(-len(order) // BATCH)):
            descent.step(*_find_slopes(parts, kept, batch))
    before, after = _loss(held.ahead, held.wanted), _loss(_predict(parts, held), held.wanted)
    return Fitted(parts.write(ruleset, names), len(kept), before, after)


def list_targets(game: TrainingGame) -> list[float]:
    """Return the first mage's chance in each position, as the searches and the end of the game say."""
    later = game.share
    found = []
    for position in reversed(game.positions):
        later = (1.0 - FADING) * position.value + FADING * later
        found.append(later)
    return found[::-1]


class _Examples:
    """Positions as numbers: the named inputs of both mages by their indexes, filled up with the one after the last."""

    def __init__(self, games: Sequence[TrainingGame], names: Sequence[str]) -> None:
        index = {name: place for place, name in enumerate(names)}
        positions = [each for game in games for each in game.positions]
        most = max((len(inputs) for each in positions for inputs in (each.mine, each.theirs)), default=0)
        self.inputs = len(names)
        self.mine, self.theirs = (np.full((len(positions), most), self.inputs, dtype=np.int64) for _ in range(2))
        for place, each in enumerate(positions):
            for row, inputs in ((self.mine[place], each.mine), (self.theirs[place], each.theirs)):
                known = [index[name] for name in inputs if name in index]
                row[: len(known)] = known
        self.ahead: Numbers = np.array([each.ahead for each in positions])
        self.wanted: Numbers = np.array([each for game in games for each in list_targets(game)])

    def __len__(self) -> int:
        return len(self.ahead)

    def count(self, inputs: Indexes) -> Numbers:
        """Return how often each input occurs, a row for each position."""
        counts = np.zeros((len(inputs), self.inputs + 1))
        np.add.at(counts, (np.arange(len(inputs))[:, None], inputs), 1.0)
        return counts[:, : self.inputs]


@dataclass(slots=True)
class _Parts:
    """The numbers of a network: what inputs add to units as one's own and as the foe's, and to the strength itself."""

    own: Numbers
    foes: Numbers
    direct: Numbers
    biases: Numbers
    outputs: Numbers

    @classmethod
    def draw(cls, rng: np.random.Generator, inputs: int, units: int) -> _Parts:
        def numbers(spread: float, *shape: int) -> Numbers:
            return rng.normal(0.0, spread, shape)

        return cls(
            own=numbers(0.25, inputs, units),
            foes=numbers(0.25, inputs, units),
            direct=np.zeros(inputs),
            biases=np.full(units, 0.1),
            outputs=numbers(0.05, units),
        )

    def list_all(self) -> list[Numbers]:
        return [self.own, self.foes, self.direct, self.biases, self.outputs]

    def write(self, ruleset: str, names: Sequence[str]) -> Units:
        rows = {
            name: [*map(float, self.own[place]), *map(float, self.foes[place]), float(self.direct[place])]
            for place, name in enumerate(names)
        }
        return Units([ruleset], [*map(float, self.biases)], [*map(float, self.outputs)], rows)


def _look(parts: _Parts, mine: Numbers, theirs: Numbers) -> tuple[Numbers, Numbers]:
    """Return what each unit counts from the first mage's side, and from the second's."""
    one = mine @ parts.own + theirs @ parts.foes + parts.biases
    other = theirs @ parts.own + mine @ parts.foes + parts.biases
    return np.maximum(one, 0.0), np.maximum(other, 0.0)


def _find_slopes(parts: _Parts, examples: _Examples, batch: Indexes) -> tuple[Numbers, ...]:
    """Return the slopes of the loss, in the order of `_Parts.list_all`."""
    mine, theirs = examples.count(examples.mine[batch]), examples.count(examples.theirs[batch])
    one, other = _look(parts, mine, theirs)
    logits = examples.ahead[batch] + (one - other) @ parts.outputs + (mine - theirs) @ parts.direct
    errors = (_share(logits) - examples.wanted[batch]) / len(batch)
    for_one = np.where(one > 0.0, errors[:, None] * parts.outputs, 0.0)
    for_other = np.where(other > 0.0, -errors[:, None] * parts.outputs, 0.0)
    return (
        mine.T @ for_one + theirs.T @ for_other,
        theirs.T @ for_one + mine.T @ for_other,
        (mine - theirs).T @ errors,
        (for_one + for_other).sum(axis=0),
        (one - other).T @ errors,
    )


class _Descent:
    """Steps down the slopes: Adam, with a rate that falls to zero over all `steps`."""

    def __init__(self, parts: _Parts, steps: int) -> None:
        self.parts, self.steps, self.done = parts, steps, 0
        self.means = [np.zeros_like(part) for part in parts.list_all()]
        self.squares = [np.zeros_like(part) for part in parts.list_all()]

    def step(self, *slopes: Numbers) -> None:
        rate = RATE * (1.0 - self.done / self.steps)
        self.done += 1
        fading = [1.0 - moment**self.done for moment in (FIRST_MOMENT, SECOND_MOMENT)]
        rows = {id(part) for part in (self.parts.own, self.parts.foes, self.parts.direct)}
        for part, slope, mean, square in zip(self.parts.list_all(), slopes, self.means, self.squares, strict=True):
            mean += (1.0 - FIRST_MOMENT) * (slope - mean)
            square += (1.0 - SECOND_MOMENT) * (slope * slope - square)
            part -= rate * (mean / fading[0]) / (np.sqrt(square / fading[1]) + 1e-7)
            if id(part) in rows:
                part -= rate * DECAY * part


def _predict(parts: _Parts, examples: _Examples) -> Numbers:
    """Return the logits of all examples."""
    found = [np.zeros(0)]
    for batch in _list_batches(len(examples)):
        mine, theirs = examples.count(examples.mine[batch]), examples.count(examples.theirs[batch])
        one, other = _look(parts, mine, theirs)
        found.append(examples.ahead[batch] + (one - other) @ parts.outputs + (mine - theirs) @ parts.direct)
    return np.concatenate(found)


def _list_batches(total: int) -> Iterator[slice]:
    return (slice(start, start + BATCH) for start in range(0, total, BATCH))


def _share(logits: Numbers) -> Numbers:
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))


def _loss(logits: Numbers, wanted: Numbers) -> float:
    shares = np.clip(_share(logits), 1e-6, 1.0 - 1e-6)
    losses = wanted * np.log(shares) + (1.0 - wanted) * np.log(1.0 - shares)
    return -float(losses.mean()) if len(losses) else 0.0


__all__ = ["Fitted", "Plan", "fit", "list_targets"]
