"""Fitting the weights of a book: games of the bots with themselves, and logistic regression on who won.

A position is an example for every pair of mages still in: the difference of their features, and which of the two did
better. Weights are pulled towards those that the games were played with, so that what seldom occurs stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rules_engine.bots.chance import Chance
from rules_engine.bots.worth import Weights, list_features
from rules_engine.state import State

Example = tuple[dict[str, float], float, float]
"""(differences of features, the result for the first of the pair from 0 to 1, how much it counts)."""

EPOCHS = 10
RATE = 0.03
PULL = 2.0
"""How many examples' worth of doubt each weight is held by."""
FADING = 0.985
"""How much less a position counts for each turn before the end: early ones decide little."""
LEAST = 0.35
LEAST_POINT = 0.04
"""A hit point more is worth so much at least."""


def list_examples(states: Sequence[State], shares: dict[str, float]) -> list[Example]:
    """The examples of one game: a position before each turn, and what everybody got in the end."""
    found: list[Example] = []
    for place, state in enumerate(states):
        counts = max(FADING ** (len(states) - place), LEAST)
        left = state.still_in
        features = {mage: list_features(state, mage) for mage in left}
        pairs = [(one, other) for at, one in enumerate(left) for other in left[at + 1 :]]
        for one, other in pairs:
            if shares[one] == shares[other] == 0.0:
                continue
            difference = dict(features[one])
            for name, count in features[other].items():
                difference[name] = difference.get(name, 0.0) - count
            total = shares[one] + shares[other]
            kept = {name: count for name, count in difference.items() if count}
            found.append((kept, shares[one] / total, counts / len(pairs)))
    return found


def fit(examples: list[Example], start: Weights, chance: Chance, *, epochs: int = EPOCHS) -> Weights:
    """Weights that tell the results of the examples better (stochastic gradient descent with AdaGrad's steps)."""
    values = dict(start.values)
    squares = dict.fromkeys(values, 1e-4)
    seen = dict.fromkeys(values, 0.0)
    for difference, _, counts in examples:
        for name, count in difference.items():
            if name in seen:
                seen[name] += abs(count) * counts
    order = list(range(len(examples)))
    for _ in range(epochs):
        for place in range(len(order) - 1, 0, -1):
            other = int(chance.random() * (place + 1))
            order[place], order[other] = order[other], order[place]
        for number in order:
            difference, result, counts = examples[number]
            total = sum(values.get(name, 0.0) * count for name, count in difference.items())
            error = counts * (1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0))) - result)
            for name, count in difference.items():
                if name in values:
                    pull = PULL * (values[name] - start.values[name]) / max(seen[name], 1.0)
                    gradient = error * count + counts * abs(count) * pull * 0.01
                    squares[name] += gradient * gradient
                    values[name] -= RATE * gradient / math.sqrt(squares[name])
    return Weights(smooth(values, start, seen), start.about)


def smooth(values: dict[str, float], start: Weights, seen: dict[str, float]) -> dict[str, float]:
    """What the examples hardly know goes back to where it was; more hit points are never worth less."""
    found = {}
    for name, value in values.items():
        trust = seen[name] / (seen[name] + 10.0 * PULL)
        found[name] = trust * value + (1.0 - trust) * start.values[name]
    most = -math.inf
    for points in range(1, 17):
        most = found[f"hp:{points}"] = max(found[f"hp:{points}"], most + LEAST_POINT)
    return found


def loss(examples: Sequence[Example], weights: Weights) -> float:
    """How badly the weights tell the results, on average."""
    total = counted = 0.0
    for difference, result, counts in examples:
        sum_ = sum(weights.values.get(name, 0.0) * count for name, count in difference.items())
        p = min(max(1.0 / (1.0 + math.exp(-max(min(sum_, 30.0), -30.0))), 1e-9), 1 - 1e-9)
        total -= counts * (result * math.log(p) + (1 - result) * math.log(1 - p))
        counted += counts
    return total / counted if counted else 0.0
