"""Evaluation of a position for each mage: a weight for the series that each hand has begun, and weights for the rest.

A mage's strength is the sum of their weights; their chance to win is their share of e to the strength (with two mages,
the logistic function of the difference, which a network may correct). The weights of a book are in a data file, made by
`python -m rules_engine.bots train`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rules_engine.beings import ELEMENTALS, FIRE_ELEMENTAL, JUST_PERMANENT, MONSTER_HP
from rules_engine.bots import prior
from rules_engine.bots.features import (
    MOST_POINTS,
    bank_of,
    begun_of,
    key_of_state,
    nearest,
    points_to_kill,
    remedy_of,
    tables_of,
    turns_to_live,
)
from rules_engine.bots.network import Network, Units
from rules_engine.outcome import Outcome
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Book, HandStates
from rules_engine.state import State

FOLDER = Path(__file__).parent / "weights"
STANDARD = "firetop-standard"


class Weights:
    """The weights of one book, by the names of features: ``hand:<beginnings>``, ``hp:<points>``, ``mark:...``.

    `about` describes the file: the fit, the match that accepted it, and matches that accepted it in other rulesets.
    `units` is the network that corrects them in duels, if there is one.
    """

    __slots__ = ("about", "units", "values")

    def __init__(
        self, values: Mapping[str, float], about: Mapping[str, Any] | None = None, units: Units | None = None
    ) -> None:
        self.values = dict(values)
        self.about = dict(about or {})
        self.units = units

    @classmethod
    def of_book(cls, book: Book) -> Weights:
        """Return the weights before any fitting."""
        keys = [key_of_state(book, state) for state in range(book.size)]
        hands = {f"hand:{key}": prior.worth_of_state(book, state) for state, key in enumerate(keys)}
        corrected = {f"{kind}:{key}": 0.0 for kind in ("held", "unseen") for key in keys}
        return cls({**hands, **corrected, **prior.list_features()})

    @classmethod
    def read(cls, path: Path) -> Weights:
        data = json.loads(path.read_text(encoding="utf-8"))
        units = data.get("network")
        return cls(
            data["weights"],
            data["about"],
            Units(units["rulesets"], units["biases"], units["outputs"], units["rows"]) if units else None,
        )

    def over(self, base: Weights) -> Weights:
        """Return these weights, with those of `base` for features they do not name."""
        values = {name: self.values.get(name, value) for name, value in base.values.items()}
        return Weights(values, self.about, self.units)

    def write(self, path: Path) -> None:
        """Write the data file, one weight or row of the network a line."""
        rounded = {name: round(value, 3) for name, value in sorted(self.values.items())}
        data: dict[str, Any] = {"about": self.about, "weights": rounded}
        text = json.dumps(data, indent=1, ensure_ascii=False)
        if self.units is not None:
            text = f'{text[:-2]},\n "network": {_write_units(self.units)}\n}}'
        path.write_text(f"{text}\n", encoding="utf-8")


def _write_units(units: Units) -> str:
    rows = ",\n".join(f"   {json.dumps(name)}: {json.dumps(_round(row))}" for name, row in sorted(units.rows.items()))
    parts = {
        "rulesets": json.dumps(units.rulesets),
        "biases": json.dumps(_round(units.biases)),
        "outputs": json.dumps(_round(units.outputs)),
        "rows": f"{{\n{rows}\n  }}",
    }
    return "{\n" + ",\n".join(f'  "{name}": {part}' for name, part in parts.items()) + "\n }"


def _round(numbers: Sequence[float]) -> list[float]:
    return [round(number, 3) for number in numbers]


def find_file(ruleset: str) -> Path:
    """Return the data file of a ruleset's weights: its own, one that has won a match in it, alone or with its network,
    or the standard one."""
    name = get_ruleset(ruleset).name
    own = FOLDER / f"{name}.json"
    if own.exists():
        return own
    for path in sorted(FOLDER.glob("*.json")):
        about = Weights.read(path).about
        if name in {*about.get("also accepted in", ()), *about.get("network also accepted in", ())}:
            return path
    return FOLDER / f"{STANDARD}.json"


@cache
def load_weights(ruleset: str) -> Weights:
    """Return the weights for a ruleset: those of the data file, and the prior's for features it does not name."""
    book = get_ruleset(ruleset).book
    base = Weights.of_book(book)
    return Weights.read(find_file(ruleset)).over(base)


class Worth:
    """An evaluation: weights prepared for one ruleset's automaton."""

    __slots__ = (
        "_breaks",
        "_due",
        "_fingers",
        "_finish",
        "_gripped",
        "_hands",
        "_held",
        "_hp",
        "_marks",
        "_network",
        "_packs",
        "_prey",
        "_tables",
        "_unseen",
        "_values",
        "spells",
        "weights",
    )

    def __init__(self, ruleset: str, weights: Weights | None = None) -> None:
        name, book = get_ruleset(ruleset).name, get_ruleset(ruleset).book
        self.weights = weights.over(Weights.of_book(book)) if weights else load_weights(ruleset)
        self.spells = prior.worths_of(book)
        values = self._values = self.weights.values
        units = self.weights.units
        self._network = Network(units, book) if units is not None and name in units.rulesets else None
        self._tables = tables_of(book)
        self._hands, self._held, self._unseen = (
            [values.get(f"{kind}:{key_of_state(book, state)}", 0.0) for state in range(book.size)]
            for kind in ("hand", "held", "unseen")
        )
        self._hp = [0.0, *(values[f"hp:{points}"] for points in range(1, MOST_POINTS + 1))]
        self._packs, self._prey = (
            [0.0, *(values[f"{kind}:{strength}"] for strength in range(1, prior.LARGEST_PACK + 1))]
            for kind in ("pack", "prey")
        )
        self._breaks = [0.0, *(values[f"breaker:{missing}"] for missing in range(1, len(prior.BREAKS)))]
        self._finish = [0.0, *(values[f"finish:{missing}"] for missing in range(1, len(prior.FINISHES)))]
        self._due = [0.0, *(values[f"due:{turns}"] for turns in range(1, len(prior.DUE)))]
        self._gripped = values["gripped"]
        stops = range(1, prior.STOPS_IN + 1)
        self._fingers = [
            [0.0, *(values.get(f"finger:{missing}:{stop}", 0.0) for stop in stops)]
            for missing in range(prior.LAST_STEPS + 1)
        ]
        self._marks: dict[tuple[str, int], float] = {}
        for name, value in values.items():
            kind, _, rest = name.partition(":")
            if kind == "mark":
                mark, _, turns = rest.partition(":")
                self._marks[mark, int(turns)] = value
                if turns == "-1":
                    self._marks[mark, JUST_PERMANENT] = value

    def hands(self, states: HandStates) -> float:
        """Return the worth of the series that both hands have begun."""
        hands = self._hands
        return hands[states.left] + hands[states.right]

    def hand(self, state: int) -> float:
        return self._hands[state]

    def points(self, hp: int) -> float:
        return self._hp[min(max(hp, 0), MOST_POINTS)]

    def mark(self, mark: str, turns: int) -> float:
        return self._marks.get((mark, min(turns, prior.LONGEST_MARK)), 0.0)

    def value(self, feature: str) -> float:
        return self._values.get(feature, 0.0)

    def strengths(self, state: State) -> dict[str, float]:
        """Return the strength of every mage who is still in."""
        hands, hps, weights, out = self._hands, self._hp, self._marks, state.out
        found = {}
        for name, wizard in state.wizards.items():
            if name in out:
                continue
            begun, hp = wizard.begun, wizard.hp
            if wizard.marks and "paralysed" in wizard.marks:
                begun = begun_of(state.ruleset, wizard)
            strength = hands[begun.left] + hands[begun.right] + hps[hp if 0 < hp < MOST_POINTS else MOST_POINTS]
            marks = wizard.marks
            if marks:
                for mark, turns in marks.items():
                    strength += weights.get((mark, turns), 0.0)
                if "sick" in marks or "poisoned" in marks:
                    strength += self.remedy(marks, begun)
            if wizard.bank is not None:
                strength += self._values[bank_of(state, wizard)]
            found[name] = strength
        if state.extra:
            for name in state.movers:
                if name in found:
                    found[name] += self._values["extra"]
        if state.monsters:
            self._add_monsters(state, found)
        if len(found) > 1:
            self._add_contests(state, found)
        return found

    def remedy(self, marks: Mapping[str, int], begun: HandStates) -> float:
        """Return the worth of the hands' ability to end an illness before it kills."""
        feature = remedy_of(marks, begun, self._tables.remedies)
        return self._values[feature] if feature else 0.0

    def _add_monsters(self, state: State, found: dict[str, float]) -> None:
        packs: dict[str, int] = {}
        prey: dict[str, int] = {}
        for monster in state.monsters.values():
            kind = monster.kind
            if kind in ELEMENTALS:
                safe = "heat_resistant" if kind == FIRE_ELEMENTAL else "cold_resistant"
                for name in found:
                    if safe not in state.wizards[name].marks:
                        found[name] += self._values[f"burnt:{kind}"]
                continue
            strength = MONSTER_HP[kind]
            packs[monster.controller] = packs.get(monster.controller, 0) + strength
            if monster.target != monster.controller:
                prey[monster.target] = prey.get(monster.target, 0) + strength
        breaking = self._tables.breaking
        for name in found if packs else ():
            wizard = state.wizards[name]
            begun = begun_of(state.ruleset, wizard)
            missing = nearest(breaking[begun.left], breaking[begun.right])
            if missing:
                found[name] += self._breaks[missing]
            if name in packs:
                found[name] += self.pack(packs[name])
            if name in prey:
                turns = turns_to_live(wizard, prey[name])
                due = self._due[turns] if 0 <= turns < len(self._due) else 0.0
                found[name] += self._prey[min(prey[name], prior.LARGEST_PACK)] + due

    def _add_contests(self, state: State, found: dict[str, float]) -> None:
        """Add the features of what mages can soon do to each other."""
        wizards, tables = state.wizards, self._tables
        stopping, fingers, grips = tables.stopping, tables.finger, tables.grip
        for name in found:
            wizard = wizards[name]
            begun, marks = wizard.begun, wizard.marks
            if marks and "paralysed" in marks:
                begun = begun_of(state.ruleset, wizard)
            left, right = begun.left, begun.right
            finger = nearest(fingers[left], fingers[right])
            weakest, stop, hidden = MOST_POINTS, prior.STOPS_IN, True
            for other in found:
                if other == name:
                    continue
                foe = wizards[other]
                if foe.hp <= prior.WEAK:
                    weakest = min(weakest, points_to_kill(foe))
                if hidden and "invisible" not in foe.marks:
                    hidden = False
                if finger:
                    stop = min(stop, stopping[foe.begun.left], stopping[foe.begun.right])
            more = self._fingers[finger][stop] if finger else 0.0
            if weakest <= prior.WEAK:
                harm = tables.harm[weakest]
                more += self._finish[nearest(harm[left], harm[right])]
            if marks:
                if not prior.HELD.isdisjoint(marks):
                    more += self._held[left] + self._held[right]
                    if "paralysed" in marks:
                        for other in found:
                            states = wizards[other].begun
                            if other != name and (grips[states.left] or grips[states.right]):
                                more += self._gripped
                                break
                hidden = hidden or "blind" in marks
            if hidden:
                more += self._unseen[left] + self._unseen[right]
            if more:
                found[name] += more

    def pack(self, strength: int) -> float:
        """Return the worth of creatures with this total strength to their master."""
        return self._packs[min(strength, prior.LARGEST_PACK)]

    def chances(self, state: State) -> list[float]:
        """Return every mage's chance to win, in their order; zero for mages who are out."""
        if state.outcome is not None:
            return shares_of(state.outcome, state.mages)
        strengths = self.strengths(state)
        if len(strengths) == 2:
            one, other = strengths.values()
            behind = other - one
            if self._network is not None:
                names = list(strengths)
                behind -= self._network.lean(state, names[0], names[1])
            first = 1.0 / (1.0 + math.exp(min(max(behind, -30.0), 30.0)))
            if len(state.wizards) == 2:
                return [first, 1.0 - first]
            left = dict(zip(strengths, (first, 1.0 - first), strict=True))
            return [left.get(name, 0.0) for name in state.wizards]
        most = max(strengths.values())
        shares = {name: math.exp(max(strength - most, -30.0)) for name, strength in strengths.items()}
        scale = 1.0 / sum(shares.values())
        return [scale * shares[name] if name in shares else 0.0 for name in state.wizards]


def shares_of(outcome: Outcome, mages: tuple[str, ...]) -> list[float]:
    """Return the worth of a finished battle to each mage: a draw is worth an equal share."""
    best = outcome.winners or outcome.sharing
    if best:
        return [1.0 / len(best) if name in best else 0.0 for name in mages]
    return [1.0 / len(mages)] * len(mages)
