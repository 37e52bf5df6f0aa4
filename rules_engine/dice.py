"""Chance, keyed: a throw depends on what it is for, never on how many throws came before it.

Every throw is recorded, so that a battle can be told, replayed and checked (DESIGN: commitment 1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rules_engine.errors import UnrecordedThrow

Throw = dict[str, Any]
"""One recorded throw: ``{"purpose": ..., "who": ..., "picked": ...}``."""


class Dice(Protocol):
    """Whatever decides chance. `throws` lists what was thrown, in the order it was asked."""

    throws: list[Throw]

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """One of `options` (JSON values, not empty), the same for the same key; records the throw."""


class KeyedDice:
    """Dice whose throws are functions of (seed, turn, attempt, purpose, who)."""

    __slots__ = ("_key", "throws")

    def __init__(self, seed: str, seq: int = 0, attempt: int = 0) -> None:
        self._key = (seed, seq, attempt)
        self.throws: list[Throw] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Uniform over `options` (the bias of 256 bits against a handful of options is nil)."""
        seed, seq, attempt = self._key
        digest = hashlib.sha256(f"{seed}|{seq}|{attempt}|{purpose}|{who}".encode()).digest()
        picked = options[int.from_bytes(digest, "big") % len(options)]
        self.throws.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


class ScriptedDice:
    """Dice that answer from a record.

    `throws` are recorded throws in any order; a purpose and being thrown for twice answers in the recorded order.
    Raises UnrecordedThrow where the record is silent or holds what the rules do not offer.
    """

    def __init__(self, throws: Iterable[Mapping[str, Any]]) -> None:
        self._script: dict[tuple[str, str], list[Any]] = {}
        for throw in throws:
            self._script.setdefault((throw["purpose"], throw["who"]), []).append(throw["picked"])
        self.throws: list[Throw] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """The recorded answer."""
        recorded = self._script.get((purpose, who))
        if not recorded:
            raise UnrecordedThrow(f"no throw recorded: {purpose} for {who}")
        picked = recorded.pop(0)
        if picked not in options:
            raise UnrecordedThrow(f"recorded throw {picked!r} is not possible: {purpose} for {who}")
        self.throws.append({"purpose": purpose, "who": who, "picked": picked})
        return picked
