"""Chance for computer opponents: a small generator that gives the same numbers for the same seed everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_MULTIPLIER, _INCREMENT, _MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1
_SCALE = 1.0 / (1 << 53)


class Chance:
    """Random numbers, seeded by values that name their purpose."""

    __slots__ = ("_state",)

    def __init__(self, *seed: object) -> None:
        digest = hashlib.sha256("|".join(map(str, seed)).encode()).digest()
        self._state = int.from_bytes(digest[:8], "big")

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        return (self._state >> 11) * _SCALE

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely."""
        return options[int(self.random() * len(options))]

    def draw(self, weights: Sequence[float]) -> int:
        """Return an index into `weights`, as likely as its weight; weights need not add up to 1."""
        total = 0.0
        for weight in weights:
            total += weight
        left = self.random() * total
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        return len(weights) - 1


class SearchDice:
    """Dice for imagined turns: fast, and without a record."""

    __slots__ = ("_chance", "rolls")

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.rolls: list[dict[str, Any]] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Return one of `options`, all equally likely."""
        return self._chance.choose(options)


class ScriptedDice(SearchDice):
    """Dice that roll what a script says, and the first option after its end; `sizes` counts the options of each."""

    __slots__ = ("_script", "sizes")

    def __init__(self, script: Sequence[int]) -> None:
        super().__init__(Chance())
        self._script = script
        self.sizes: list[int] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        place = len(self.sizes)
        self.sizes.append(len(options))
        return options[self._script[place] if place < len(self._script) else 0]
