"""How good a position is for each mage: a weight for what each hand has begun, and weights for the rest.

The sum of a mage's weights is their strength; the chance to win is their share of e to the strength (with two mages,
the logistic function of the difference). The weights of a book are a data file, made by `fitting`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules_engine.beings import ELEMENTALS, FIRE_ELEMENTAL, JUST_PERMANENT, MONSTER_HP, Wizard
from rules_engine.bots import prior
from rules_engine.outcome import Outcome
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import FOE, Book, Standing
from rules_engine.state import State

FOLDER = Path(__file__).parent / "weights"
MOST_POINTS = 16


def key_of_state(book: Book, state: int) -> str:
    """A hand's state in words that stay true when the automaton is numbered anew: the beginnings it stands in."""
    return " ".join(sorted({series.text[:made] for series, made in book.begun(state)}))


class Weights:
    """The weights of one book, by the names of features: ``hand:<beginnings>``, ``hp:<points>``, ``mark:...``.

    `about` is what the file says of itself: what was fitted, and the match that accepted it.
    """

    __slots__ = ("about", "values")

    def __init__(self, values: Mapping[str, float], about: Mapping[str, Any] | None = None) -> None:
        self.values = dict(values)
        self.about = dict(about or {})

    @classmethod
    def of_book(cls, book: Book) -> Weights:
        """The weights that nobody has fitted."""
        hands = {f"hand:{key_of_state(book, state)}": prior.worth_of_state(book, state) for state in range(book.size)}
        return cls({**hands, **prior.list_features()})

    @classmethod
    def read(cls, path: Path) -> Weights:
        """The weights of a data file."""
        data = json.loads(path.read_text())
        return cls(data["weights"], data["about"])

    def over(self, base: Weights) -> Weights:
        """These weights, and those of `base` for what they do not name."""
        values = {name: self.values.get(name, value) for name, value in base.values.items()}
        return Weights(values, self.about)

    def write(self, path: Path) -> None:
        """Write the data file, one weight a line."""
        rounded = {name: round(value, 3) for name, value in sorted(self.values.items())}
        path.write_text(json.dumps({"about": self.about, "weights": rounded}, indent=1) + "\n")


def find_file(ruleset: str) -> Path | None:
    """The data file of a ruleset's weights; a ruleset with choices may go by the file of its family."""
    rules = get_ruleset(ruleset)
    names = (rules.name, f"{rules.family}" or rules.name, rules.name.replace("-server", "-standard", 1))
    tried = [*names, rules.name.replace("-server", ""), "firetop-standard"]
    return next((path for name in tried if (path := FOLDER / f"{name}.json").is_file()), None)


@cache
def load_weights(ruleset: str) -> Weights:
    """The weights that a ruleset is played by: those of the data file, and the prior's for what it does not name."""
    book = get_ruleset(ruleset).book
    base = Weights.of_book(book)
    path = find_file(ruleset)
    if path is None:
        return base
    found = Weights.read(path)
    return found.over(base)


class Worth:
    """An evaluation: weights made ready for one ruleset's automaton."""

    __slots__ = ("_breaking", "_breaks", "_hands", "_hp", "_marks", "_missing", "_packs", "_prey", "_values", "weights")

    def __init__(self, ruleset: str, weights: Weights | None = None) -> None:
        book = get_ruleset(ruleset).book
        self.weights = weights.over(Weights.of_book(book)) if weights else load_weights(ruleset)
        values = self._values = self.weights.values
        self._hands = [values.get(f"hand:{key_of_state(book, state)}", 0.0) for state in range(book.size)]
        self._hp = [0.0, *(values[f"hp:{points}"] for points in range(1, MOST_POINTS + 1))]
        self._packs, self._prey = (
            [0.0, *(values[f"{kind}:{strength}"] for strength in range(1, prior.LARGEST_PACK + 1))]
            for kind in ("pack", "prey")
        )
        self._breaking = [prior.missing_to_break(book, state) for state in range(book.size)]
        self._breaks = [0.0, *(values[f"breaker:{missing}"] for missing in range(1, len(prior.BREAKS)))]
        self._missing = _count_missing(book)
        self._marks: dict[tuple[str, int], float] = {}
        for name, value in values.items():
            kind, _, rest = name.partition(":")
            if kind == "mark":
                mark, _, turns = rest.partition(":")
                self._marks[mark, int(turns)] = value
                if turns == "-1":
                    self._marks[mark, JUST_PERMANENT] = value

    def hands(self, standing: Standing) -> float:
        """What both hands have begun."""
        hands = self._hands
        return hands[standing.left] + hands[standing.right]

    def hand(self, state: int) -> float:
        """What one hand has begun."""
        return self._hands[state]

    def points(self, hp: int) -> float:
        """So many hit points."""
        return self._hp[min(max(hp, 0), MOST_POINTS)]

    def mark(self, mark: str, turns: int) -> float:
        """An enchantment."""
        return self._marks.get((mark, min(turns, prior.LONGEST_MARK)), 0.0)

    def value(self, feature: str) -> float:
        """The weight of a feature by its name."""
        return self._values.get(feature, 0.0)

    def strengths(self, state: State) -> dict[str, float]:
        """Every mage's strength who is still in."""
        hands, hps, weights, out = self._hands, self._hp, self._marks, state.out
        found = {}
        for name, wizard in state.wizards.items():
            if name in out:
                continue
            begun, hp = wizard.begun, wizard.hp
            strength = hands[begun.left] + hands[begun.right] + hps[hp if 0 < hp < MOST_POINTS else MOST_POINTS]
            marks = wizard.marks
            if marks:
                for mark, turns in marks.items():
                    strength += weights.get((mark, turns), 0.0)
                if "sick" in marks or "poisoned" in marks:
                    strength += self.remedy(marks, begun)
            if wizard.bank is not None:
                strength += self._values[_bank(state, wizard)]
            found[name] = strength
        if state.extra:
            for name in state.movers:
                if name in found:
                    found[name] += self._values["extra"]
        if state.monsters:
            self._add_monsters(state, found)
        return found

    def remedy(self, marks: Mapping[str, int], begun: Standing) -> float:
        """Whether hands that stand so can end an illness before it kills."""
        feature = _remedy(marks, begun, self._missing)
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
        for name in found if packs else ():
            begun = state.wizards[name].begun
            missing = _nearest(self._breaking[begun.left], self._breaking[begun.right])
            if missing:
                found[name] += self._breaks[missing]
            if name in packs:
                found[name] += self.pack(packs[name])
            if name in prey:
                found[name] += self._prey[min(prey[name], prior.LARGEST_PACK)]

    def pack(self, strength: int) -> float:
        """What creatures of so many points together are worth to their master."""
        return self._packs[min(strength, prior.LARGEST_PACK)]

    def chances(self, state: State) -> list[float]:
        """Every mage's chance to win, in their order; who is out has none."""
        if state.outcome is not None:
            return shares_of(state.outcome, state.mages)
        strengths = self.strengths(state)
        if len(state.wizards) == 2 and len(strengths) == 2:
            one, other = strengths.values()
            first = 1.0 / (1.0 + math.exp(min(max(other - one, -30.0), 30.0)))
            return [first, 1.0 - first]
        most = max(strengths.values())
        shares = {name: math.exp(max(strength - most, -30.0)) for name, strength in strengths.items()}
        total = sum(shares.values())
        return [shares[name] / total if name in shares else 0.0 for name in state.wizards]


def _nearest(one: int, other: int) -> int:
    """The smaller of two counts, of which 0 means never."""
    return min(one, other) if one and other else one or other


@cache
def _count_missing(book: Book) -> dict[str, list[int]]:
    """By illness and by a hand's state, how many gestures are missing to the nearest remedy."""
    return {
        mark: [prior.missing_gestures(book, state, spells) for state in range(book.size)]
        for mark, spells in prior.REMEDIES.items()
    }


def _remedy(marks: Mapping[str, int], begun: Standing, missing: Mapping[str, list[int]]) -> str:
    """The feature of an ill mage: how near the remedy is, or that none comes in time."""
    found = ""
    for mark, states in missing.items():
        turns = marks.get(mark, 0)
        if turns > 0:
            nearest = min(states[begun.left], states[begun.right])
            if nearest > turns:
                return "doomed"
            found = f"remedy:{min(nearest, prior.LONGEST_MARK)}"
    return found


def shares_of(outcome: Outcome, mages: tuple[str, ...]) -> list[float]:
    """What an ended battle is worth to each: a draw is worth what chance would give."""
    best = outcome.winners or outcome.sharing
    if best:
        return [1.0 / len(best) if name in best else 0.0 for name in mages]
    return [1.0 / len(mages)] * len(mages)


def _bank(state: State, wizard: Wizard) -> str:
    assert wizard.bank is not None
    return "bank:harm" if state.ruleset.spells[wizard.bank[0]].default == FOE else "bank:help"


def list_features(state: State, mage: str) -> dict[str, float]:
    """The features of one mage's position: a strength is the sum of weight times count."""
    wizard, book = state.wizards[mage], state.ruleset.book
    found: dict[str, float] = {}

    def add(feature: str) -> None:
        found[feature] = found.get(feature, 0.0) + 1.0

    add(f"hand:{key_of_state(book, wizard.begun.left)}")
    add(f"hand:{key_of_state(book, wizard.begun.right)}")
    add(f"hp:{wizard.hp if 0 < wizard.hp < MOST_POINTS else MOST_POINTS}")
    for mark, turns in wizard.marks.items():
        add(f"mark:{mark}:{-1 if turns == JUST_PERMANENT else turns}")
    remedy = _remedy(wizard.marks, wizard.begun, _count_missing(book))
    if remedy:
        add(remedy)
    if wizard.bank is not None:
        add(_bank(state, wizard))
    if state.extra and mage in state.movers:
        add("extra")
    pack = prey = 0
    for monster in state.monsters.values():
        if monster.is_elemental:
            safe = "heat_resistant" if monster.kind == FIRE_ELEMENTAL else "cold_resistant"
            if safe not in wizard.marks:
                add(f"burnt:{monster.kind}")
            continue
        if monster.controller == mage:
            pack += monster.strength
        if monster.target == mage != monster.controller:
            prey += monster.strength
    if any(not monster.is_elemental for monster in state.monsters.values()):
        hands = wizard.begun.left, wizard.begun.right
        missing = _nearest(*(prior.missing_to_break(book, hand) for hand in hands))
        if missing:
            add(f"breaker:{missing}")
    if pack:
        add(f"pack:{min(pack, prior.LARGEST_PACK)}")
    if prey:
        add(f"prey:{min(prey, prior.LARGEST_PACK)}")
    return found
