"""A small network that corrects the evaluation of a duel: what the sum of single weights can't hold.

Each input of a mage, such as a series begun or a number of hit points, has a row of numbers: for every unit, what the
input adds if it is one's own, then what it adds if it is the foe's; and last what it adds to the strength itself. A
unit counts only as far as its sum is positive, which is how it holds conditions ("the foe is poisoned AND I can
paralyse"). The same units look at the duel from both sides, so that the chances of both mages add up to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules_engine.beings import ELEMENTALS, FIRE_ELEMENTAL, JUST_PERMANENT, MONSTER_HP
from rules_engine.bots import prior
from rules_engine.bots.features import (
    HELD_MARKS,
    MOST_POINTS,
    bank_of,
    begun_of,
    key_of_state,
    nearest,
    remedy_of,
    tables_of,
)
from rules_engine.spells import Book
from rules_engine.state import State


class Units:
    """The numbers of a network. `biases` and `outputs` have one for each unit; `rows` has a row for each input.

    `rulesets` names those in which a trial has accepted it.
    """

    __slots__ = ("biases", "outputs", "rows", "rulesets")

    def __init__(
        self,
        rulesets: Sequence[str],
        biases: Sequence[float],
        outputs: Sequence[float],
        rows: Mapping[str, Sequence[float]],
    ) -> None:
        self.rulesets = list(rulesets)
        self.biases, self.outputs = list(biases), list(outputs)
        self.rows = {name: list(row) for name, row in rows.items()}

    def count_for(self, mine: Sequence[str], theirs: Sequence[str]) -> float:
        """Return by how much a mage with these inputs is stronger than the weights say, against a foe with those.

        `Network.lean` computes the same from a position, and faster.
        """
        units, total = len(self.biases), 0.0
        own, foes = ([self.rows[name] for name in names if name in self.rows] for names in (mine, theirs))
        for unit in range(units):
            one = self.biases[unit] + sum(row[unit] for row in own) + sum(row[units + unit] for row in foes)
            other = self.biases[unit] + sum(row[units + unit] for row in own) + sum(row[unit] for row in foes)
            total += self.outputs[unit] * (max(one, 0.0) - max(other, 0.0))
        return total + sum(row[-1] for row in own) - sum(row[-1] for row in foes)


class Network:
    """The units prepared for one book: rows by numbers instead of names."""

    __slots__ = (
        "_biases",
        "_finger",
        "_fingers",
        "_hands",
        "_hp",
        "_marks",
        "_named",
        "_outputs",
        "_packs",
        "_prey",
        "_remedies",
        "_restrained",
    )

    def __init__(self, units: Units, book: Book) -> None:
        nothing = [0.0] * (2 * len(units.biases) + 1)
        rows = self._named = units.rows
        self._biases, self._outputs = units.biases, units.outputs
        keys = [key_of_state(book, state) for state in range(book.size)]
        self._hands = [rows.get(f"hand:{key}", nothing) for key in keys]
        self._restrained = {mark: [rows.get(f"{mark} hand:{key}", nothing) for key in keys] for mark in HELD_MARKS}
        self._hp = [rows.get(f"hp:{points}", nothing) for points in range(MOST_POINTS + 1)]
        self._packs, self._prey = (
            [rows.get(f"{kind}:{strength}", nothing) for strength in range(prior.LARGEST_PACK + 1)]
            for kind in ("pack", "prey")
        )
        self._remedies, self._finger = tables_of(book).remedies, tables_of(book).finger
        self._fingers = {
            mark: [rows.get(f"{mark} finger:{missing}", nothing) for missing in range(prior.LAST_STEPS + 1)]
            for mark in HELD_MARKS
        }
        self._marks: dict[tuple[str, int], list[float]] = {}
        for name, row in rows.items():
            kind, _, rest = name.partition(":")
            if kind == "mark":
                mark, _, turns = rest.partition(":")
                self._marks[mark, int(turns)] = row
                if turns == "-1":
                    self._marks[mark, JUST_PERMANENT] = row

    def lean(self, state: State, name: str, other: str) -> float:
        """Return by how much one mage of a duel is stronger against the other than the weights say."""
        mine, theirs = self._find_rows(state, name), self._find_rows(state, other)
        units = len(self._biases)
        last = 2 * units
        total = 0.0
        for row in mine:
            total += row[last]
        for row in theirs:
            total -= row[last]
        for unit in range(units):
            bias = self._biases[unit]
            for_me: float = bias
            for_them: float = bias
            opposite = units + unit
            for row in mine:
                for_me += row[unit]
                for_them += row[opposite]
            for row in theirs:
                for_me += row[opposite]
                for_them += row[unit]
            if for_me > 0.0:
                total += self._outputs[unit] * for_me
            if for_them > 0.0:
                total -= self._outputs[unit] * for_them
        return total

    def _find_rows(self, state: State, name: str) -> list[list[float]]:
        """Return the rows of a mage's inputs (`features.list_inputs` names them)."""
        wizard = state.wizards[name]
        begun, hp, marks = wizard.begun, wizard.hp, wizard.marks
        if marks and "paralysed" in marks:
            begun = begun_of(state.ruleset, wizard)
        left, right = begun.left, begun.right
        found = [self._hands[left], self._hands[right], self._hp[hp if 0 < hp < MOST_POINTS else MOST_POINTS]]
        if marks:
            for mark, turns in marks.items():
                row = self._marks.get((mark, turns))
                if row is not None:
                    found.append(row)
                restrained = self._restrained.get(mark)
                if restrained is not None:
                    found.append(restrained[left])
                    found.append(restrained[right])
                    finger = nearest(self._finger[left], self._finger[right])
                    if finger:
                        found.append(self._fingers[mark][finger])
            if "sick" in marks or "poisoned" in marks:
                self._add(found, remedy_of(marks, begun, self._remedies))
        if wizard.bank is not None:
            self._add(found, bank_of(state, wizard))
        if state.extra and name in state.movers:
            self._add(found, "extra")
        if state.monsters:
            pack = prey = 0
            for monster in state.monsters.values():
                kind = monster.kind
                if kind in ELEMENTALS:
                    if ("heat_resistant" if kind == FIRE_ELEMENTAL else "cold_resistant") not in marks:
                        self._add(found, f"burnt:{kind}")
                    continue
                if monster.controller == name:
                    pack += MONSTER_HP[kind]
                if monster.target == name and monster.controller != name:
                    prey += MONSTER_HP[kind]
            if pack:
                found.append(self._packs[min(pack, prior.LARGEST_PACK)])
            if prey:
                found.append(self._prey[min(prey, prior.LARGEST_PACK)])
        return found

    def _add(self, found: list[list[float]], name: str) -> None:
        row = self._named.get(name)
        if row is not None:
            found.append(row)


__all__ = ["Network", "Units"]
