"""Fits the weights of a book: games of the bots against themselves, and logistic regression on who won.

A position is an example for every pair of mages still in: the difference of their features, and which of the two did
better. If a search has evaluated the position, its result counts more than who won: it depends far less on chance, so a
few hundred games are enough. Weights are pulled towards those used in the games, so that rare features hardly change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from rules_engine.bots.chance import Chance
from rules_engine.bots.features import list_features
from rules_engine.bots.worth import Weights
from rules_engine.state import State

Example = tuple[dict[str, float], float, float]
"""(differences of features, the result for the first of the pair from 0 to 1, how much it counts)."""

EPOCHS = 6
RATE, LAST_RATE = 0.08, 0.005
PULL = 20.0
"""How strongly weights are pulled towards the old ones, as a number of examples."""
FADING = 0.985
"""The factor by which a position counts less for each turn before the end: early ones say little about the result."""
LEAST = 0.35
LEAST_POINT = 0.04
"""The minimum worth of one more hit point."""
SEARCHED = 0.85
"""The share of an example that comes from a search's evaluation; the rest is who won."""
UNSEARCHED = 0.5
"""The weight of a position without an evaluation, if others have one."""


def list_examples(
    states: Sequence[State], shares: dict[str, float], thought: Mapping[int, Sequence[float]] | None = None
) -> list[Example]:
    """Return the examples from one game: a position before each turn, and everyone's final share.

    `thought`: index into `states` → everyone's chances, as evaluated by a search.
    """
    examples: list[Example] = []
    for place, state in enumerate(states):
        counts = max(FADING ** (len(states) - place), LEAST)
        chances = dict(zip(state.mages, thought[place], strict=True)) if thought and place in thought else None
        if thought:
            counts = UNSEARCHED * counts if chances is None else 1.0
        left = state.still_in
        features = {mage: list_features(state, mage) for mage in left}
        pairs = [(one, other) for at, one in enumerate(left) for other in left[at + 1 :]]
        for one, other in pairs:
            result = _compare(shares, one, other)
            if chances is not None:
                searched = _compare(chances, one, other)
                if searched is not None:
                    result = searched if result is None else SEARCHED * searched + (1.0 - SEARCHED) * result
            if result is None:
                continue
            difference = dict(features[one])
            for name, count in features[other].items():
                difference[name] = difference.get(name, 0.0) - count
            kept = {name: count for name, count in difference.items() if count}
            examples.append((kept, result, counts / len(pairs)))
    return examples


def _compare(shares: Mapping[str, float], one: str, other: str) -> float | None:
    """Return one mage's share of the total of two; None if both have nothing."""
    total = shares[one] + shares[other]
    return shares[one] / total if total > 0.0 else None


def fit(examples: list[Example], start: Weights, chance: Chance) -> Weights:
    """Return weights that predict the examples better (stochastic gradient descent with AdaGrad's steps)."""
    values = dict(start.values)
    squares = dict.fromkeys(values, 1e-3)
    seen = dict.fromkeys(values, 0.0)
    for difference, _, counts in examples:
        for name, count in difference.items():
            if name in seen:
                seen[name] += abs(count) * counts
    order = list(range(len(examples)))
    for epoch in range(EPOCHS):
        rate = RATE * (1.0 - epoch / EPOCHS) + LAST_RATE
        for place in range(len(order) - 1, 0, -1):
            other = int(chance.random() * (place + 1))
            order[place], order[other] = order[other], order[place]
        for number in order:
            difference, result, counts = examples[number]
            logit = sum(values.get(name, 0.0) * count for name, count in difference.items())
            error = counts * (_sigmoid(logit) - result)
            for name, count in difference.items():
                if name in values:
                    pull = PULL * (values[name] - start.values[name]) / seen[name]
                    gradient = error * count + counts * abs(count) * pull
                    squares[name] += gradient * gradient
                    values[name] -= rate * gradient / math.sqrt(squares[name])
    most = -math.inf
    for points in range(1, 17):  # more hit points are never worth less
        most = values[f"hp:{points}"] = max(values[f"hp:{points}"], most + LEAST_POINT)
    return Weights(values, start.about)


def _sigmoid(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(logit, 30.0), -30.0)))


def loss(examples: Sequence[Example], weights: Weights) -> float:
    """Return the mean log loss of the weights' predictions."""
    total = counted = 0.0
    for difference, result, counts in examples:
        logit = sum(weights.values.get(name, 0.0) * count for name, count in difference.items())
        chance = min(max(_sigmoid(logit), 1e-9), 1 - 1e-9)
        total -= counts * (result * math.log(chance) + (1 - result) * math.log(1 - chance))
        counted += counts
    return total / counted if counted else 0.0
