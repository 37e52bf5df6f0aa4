"""Commitments: salted hashes of secrets, published in advance, and opened when a battle ends.

`proof.js` of the site computes the same hashes in a browser; docs/game-record.md says how.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SALT_BYTES = 16
"""Few pairs of gestures are possible: without a long salt, a hash would be guessed at once."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The commitments to one mage's orders in one stage: one for each set of orders, and the closing commitment.

    Only the last set counts, and only its salt is opened. `closed` commits to the list of all sets.
    """

    closed: str
    closing_salt: str
    sets: tuple[str, ...] = ()
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """The commitments of a battle from its beginning. `terms` is the exact text that was hashed.

    `earlier` are seeds that were opened when the battle ended and was then reopened, with their commitments, oldest
    first. `former_names` are the names under which guests played, by their present name. `void` are the closing
    commitments of turns that no longer count: label, seq, attempt, stage, mage, commitment.
    """

    commitment: str
    terms: str
    earlier: tuple[tuple[str, str], ...] = ()
    former_names: Mapping[str, str] = field(default_factory=dict)
    void: tuple[tuple[str, int, int, int, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One stage of one battle; commitments for different places never match."""

    battle: int
    seq: int
    attempt: int
    stage: int

    def commit_orders(self, position: int, lines: Sequence[str], salt: str) -> str:
        """Return the commitment to a set of orders of the mage at `position` (1 is the first to join)."""
        return _hash(["orders", *self._key, position, list(lines), salt])

    def commit_closing(self, position: int, sets: Sequence[str], salt: str) -> str:
        """Return the commitment to which sets of orders there were when the stage closed."""
        return _hash(["closed", *self._key, position, list(sets), salt])

    @property
    def _key(self) -> tuple[int, int, int, int]:
        return (self.battle, self.seq, self.attempt, self.stage)


def write_terms(terms: Mapping[str, Any]) -> str:
    """Return the text of a battle's terms that its commitment covers."""
    return json.dumps(terms, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def commit_battle(*, number: int, seed: str, ruleset: str, edition: int, terms: str) -> str:
    """Return the commitment to a battle's seed and terms. The seed is random and long enough to need no other salt."""
    return _hash(["battle", number, seed, ruleset, edition, terms])


def _hash(content: list[object]) -> str:
    written = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()
