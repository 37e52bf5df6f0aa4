"""Dice of a study: the battle's own results where the same roll was made, otherwise from the study's seed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules_engine import KeyedDice


class StudyDice:
    """Dice that repeat the rolls of a played turn where they fit, and roll new ones where they don't.

    The battle's seed is never used: it would reveal future rolls if a janitor reopened the battle.
    """

    def __init__(self, seed: str, seq: int, played: Iterable[Mapping[str, Any]]) -> None:
        self._spare = KeyedDice(seed, seq)
        self.rolls = self._spare.rolls
        self._played: dict[tuple[str, str], list[Any]] = {}
        for roll in played:
            self._played.setdefault((roll["purpose"], roll["who"]), []).append(roll["picked"])

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Return one of `options`, the same for the same orders in the same study."""
        recorded = self._played.get((purpose, who), [])
        if recorded and recorded[0] in options:
            return recorded.pop(0)
        return self._spare.pick(purpose, who, options)
