"""What can exist between two turns: the enchantments, creatures and banked spells that a ruleset's spells leave behind.

None of it is listed here: each spell of the ruleset is cast once, as it is, made permanent and banked, and whatever it
leaves behind is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rules_engine.battle import Done, advance, new_duel
from rules_engine.beings import ELEMENTALS, JUST_PERMANENT, NOBODY, PERMANENT, Being, Monster
from rules_engine.dice import KeyedDice
from rules_engine.gestures import BOTH, LEFT, NOTHING, RIGHT
from rules_engine.glossary import ENCHANTMENTS
from rules_engine.orders import Sheet
from rules_engine.questions import open_questions
from rules_engine.rules import HasteKind, Ruleset
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import FOE, SELF
from rules_engine.state import State, opponent
from rules_engine.steps.next_turn import blank_minds
from rules_engine.turn import Turn

# Between two turns these have already taken effect.
_GONE_BY_THEN = frozenset({"time_stopped", "countering", "reflecting"})
_POWER = 3


@dataclass(frozen=True)
class Possible:
    """Everything that the spells of a ruleset leave behind: enchantments and their turns (-1: permanent), those that
    can be made permanent, creatures, and the spells that can be in the bank, with whether they have a target."""

    marks: Mapping[str, Mapping[str, int]]
    lasting: Mapping[str, frozenset[str]]
    kinds: frozenset[str]
    banked: Mapping[str, bool]


def find_possible(rules: Ruleset) -> Possible:
    return _find_possible(rules.name, rules.edition)


@cache
def _find_possible(name: str, edition: int) -> Possible:
    """Cast each spell at a mage and at a creature, and collect whatever remains before the next turn."""
    rules = get_ruleset(name, edition)
    marks: dict[str, dict[str, int]] = {"mage": {}, "creature": {}}
    lasting: dict[str, set[str]] = {"mage": set(), "creature": set()}
    kinds: set[str] = set()
    banked: dict[str, bool] = {}
    for series, spell in rules.series.items():
        for target in ("Crom", "goblin", "Ayla"):
            state = _cast(rules, series, target)
            for whose, mark, turns in _list_marks(state):
                marks[whose][mark] = -1 if turns < 0 else max(turns, marks[whose].get(mark, 0))
            if state is not None:
                kinds |= {monster.kind for monster in state.monsters.values() if monster.name != "goblin"}
            if "Permanency" in rules.spells:
                for whose, mark, turns in _list_marks(_cast(rules, series, target, "permanency")):
                    if turns in (PERMANENT, JUST_PERMANENT):
                        lasting[whose].add(mark)
        if "Delay Effect" in rules.spells:
            state = _cast(rules, series, "Crom", "delay")
            if state is not None and state.wizards["Ayla"].bank is not None:
                known = rules.spells[spell]
                banked[spell] = known.targeted or known.may_be_aimed
    if any(spell.decision == "ELEMENTAL" for spell in rules.spells.values()):
        kinds |= set(ELEMENTALS)  # their caster says which
    for whose, known_marks in marks.items():
        lasting[whose] &= {mark for mark, turns in known_marks.items() if turns > 0}
    return Possible(marks, {whose: frozenset(each) for whose, each in lasting.items()}, frozenset(kinds), banked)


def _list_marks(state: State | None) -> list[tuple[str, str, int]]:
    if state is None:
        return []
    beings: list[tuple[str, Being]] = [("mage", wizard) for wizard in state.wizards.values()]
    beings += [("creature", monster) for monster in state.monsters.values()]
    return [
        (whose, mark, turns)
        for whose, being in beings
        for mark, turns in being.marks.items()
        if mark in ENCHANTMENTS and mark not in _GONE_BY_THEN
    ]


def _cast(rules: Ruleset, series: str, target: str, power: str = "") -> State | None:
    """Return the state before the turn after one in which Ayla completes a series, and uses a power over the spell if
    she has one; None if that ends the battle."""
    state = new_duel(rules, ["Ayla", "Crom"], dice=KeyedDice("lab", 0))
    begun, last = series[:-1].upper(), series[-1]
    other = "".join(letter.upper() if letter.islower() else NOTHING for letter in series[:-1])
    fill_strings(state, {"Ayla": (begun, other), "Crom": (NOTHING * len(begun), NOTHING * len(begun))})
    state.monsters["goblin"] = Monster("goblin", "Goblin", "Crom", NOBODY)
    if power:
        state.wizards["Ayla"].marks[power] = _POWER
    right = last.upper() if last.islower() else NOTHING
    wanted = rules.series[series]
    for _stage in range(6):
        sheets = {}
        for mage in state.owing:
            sheet = Sheet()
            if mage == "Ayla" and state.stage == 0:
                sheet = Sheet({LEFT: last.upper(), RIGHT: right})
            elif state.stage == 0:
                sheet = Sheet({LEFT: NOTHING, RIGHT: NOTHING})
            sheets[mage] = _answer_all(state, mage, sheet, (wanted, target, BOTH if last.islower() else LEFT))
        step = advance(state, sheets, KeyedDice("lab", state.seq))
        state = step.state
        if isinstance(step, Done):
            break
    return None if state.over else state


def _answer_all(state: State, mage: str, sheet: Sheet, liked: Sequence[str]) -> Sheet:
    """Answer the required questions and use the powers, with the preferred options where possible."""
    for _question in range(8):
        asked = [q for q in open_questions(state, mage, sheet) if q.answered is None]
        asked = [q for q in asked if q.required or q.kind in ("choose", "target", "permanent", "delay")]
        if not asked:
            break
        question = min(asked, key=lambda q: q.kind not in ("choose", "target"))
        allowed = [option.value for option in question.options if option.allowed]
        answer = next((each for each in liked if each in allowed), allowed[0])
        sheet = sheet.merged(Sheet({question.id: answer}))
    return sheet


def fill_strings(state: State, strings: Mapping[str, tuple[str, str]]) -> None:
    """Give everyone their gestures, as if they had been played in normal turns that all mages saw."""
    length = max(len(left) for left, _right in strings.values())
    for name, (left, right) in strings.items():
        wizard = state.wizards[name]
        wizard.left, wizard.right = wizard.left + left, wizard.right + right
        wizard.blind_columns = wizard.unseen_columns = "0" * (length + 1)
        wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    state.columns = [str(number) for number in range(length + 1)]
    state.turn = state.seq = length + 1


def begin_turn(state: State) -> None:
    """Let the enchantments take effect that decide who plays what in this turn."""
    if state.ruleset.rules.haste is HasteKind.TWO_PAIRS:
        for wizard in state.wizards.values():
            if "fast" in wizard.marks:
                wizard.go_again()
                state.doubled = True
    blank_minds(Turn(state, KeyedDice("set up by hand", state.seq)))


def find_usual_target(state: State, mage: str, spell: str) -> str:
    """Return the target that a banked spell of this mage has without an order."""
    known = state.ruleset.spells[spell]
    if known.default == FOE:
        return opponent(state, mage)
    return mage if known.default == SELF or known.needs_subject else NOBODY


__all__ = ["Possible", "begin_turn", "fill_strings", "find_possible", "find_usual_target"]
