"""Keyed chance: a roll depends on its purpose, never on how many rolls came before it.

Every roll is recorded, so a battle can be retold, replayed and checked (DESIGN: commitment 1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rules_engine.errors import RollNotFromSeed, UnrecordedRoll
from rules_engine.native import mypyc_attr

Roll = dict[str, Any]
"""One recorded roll: ``{"purpose": ..., "who": ..., "picked": ...}``."""


class Dice(Protocol):
    """Decides chance. `rolls` lists every roll, in the order of asking."""

    rolls: list[Roll]

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Pick one of `options` (JSON values, not empty), the same for the same key, and record the roll."""


def roll(seed: str, seq: int, attempt: int, purpose: str, who: str, options: Sequence[Any]) -> Any:
    """Return what the seed picks from `options`."""
    digest = hashlib.sha256(f"{seed}|{seq}|{attempt}|{purpose}|{who}".encode()).digest()
    return options[int.from_bytes(digest, "big") % len(options)]


@mypyc_attr(acyclic=True, free_list_len=1)
class KeyedDice:
    """Dice whose rolls depend on (seed, turn, attempt, purpose, who) alone."""

    __slots__ = ("_key", "rolls")

    def __init__(self, seed: str, seq: int = 0, attempt: int = 0) -> None:
        self._key = (seed, seq, attempt)
        self.rolls: list[Roll] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Pick uniformly from `options` (with 256 bits and a handful of options the bias is negligible)."""
        picked = roll(*self._key, purpose, who, options)
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


class ScriptedDice:
    """Dice that answer from a record.

    `rolls` are recorded rolls in any order; two rolls for the same purpose and being come in their recorded order.
    Raises UnrecordedRoll if the record has no such roll, or one that the rules do not offer.
    """

    def __init__(self, rolls: Iterable[Mapping[str, Any]]) -> None:
        self._script: dict[tuple[str, str], list[Any]] = {}
        for roll in rolls:
            self._script.setdefault((roll["purpose"], roll["who"]), []).append(roll["picked"])
        self.rolls: list[Roll] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Return the recorded roll."""
        recorded = self._script.get((purpose, who))
        if not recorded:
            raise UnrecordedRoll(f"no roll recorded: {purpose} for {who}")
        picked = recorded.pop(0)
        if picked not in options:
            raise UnrecordedRoll(f"recorded roll {picked!r} is not possible: {purpose} for {who}")
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


class RepeatingDice:
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
        """Return one of `options`, the same for the same seed and the same rolls."""
        recorded = self._played.get((purpose, who), [])
        if recorded and recorded[0] in options:
            return recorded.pop(0)
        return self._spare.pick(purpose, who, options)


class ProvenDice(ScriptedDice):
    """Dice that answer from a record, and check that each roll is the one that a seed gives.

    `keys` are (seed, turn, attempt), with every seed the battle has had: only one, unless it ended and was reopened.
    `former_names` maps a being's name to the one it had before, under which it may have rolled. Also raises
    RollNotFromSeed.
    """

    def __init__(
        self,
        rolls: Iterable[Mapping[str, Any]],
        keys: Sequence[tuple[str, int, int]],
        former_names: Mapping[str, str],
    ) -> None:
        super().__init__(rolls)
        self._keys = keys
        self._former_names = former_names

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Return the recorded roll."""
        picked = super().pick(purpose, who, options)
        names = dict.fromkeys((who, self._former_names.get(who, who)))
        proven = [roll(*key, purpose, name, options) for key in self._keys for name in names]
        if picked not in proven:
            what = f"roll of {purpose} for {who}" if who else f"roll of {purpose}"
            raise RollNotFromSeed(what, str(picked), str(proven[0]))
        return picked
