"""Positions set up by hand: read from a few lines, and checked for whether a battle can reach them (`possible`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches

from rules_engine.battle import advance, new_duel
from rules_engine.beings import (
    ELEMENTALS,
    MONSTER_HP,
    NO_MASTER,
    NOBODY,
    ORDERS,
    PERMANENT,
    WIZARD_HP,
    Being,
    Monster,
    Wizard,
)
from rules_engine.dice import KeyedDice
from rules_engine.errors import InvalidRecord, Problem, RulesError
from rules_engine.gestures import GESTURES, HANDS, LEFT, NOTHING, RIGHT
from rules_engine.glossary import ENCHANTMENTS
from rules_engine.orders import Sheet
from rules_engine.possible import begin_turn, fill_strings, find_possible, find_usual_target
from rules_engine.questions import open_questions
from rules_engine.rules import Ruleset
from rules_engine.rulesets import RULESETS, get_ruleset
from rules_engine.state import State
from rules_engine.store import read_state, write_state
from rules_engine.summoning import monster_name
from rules_engine.text import say

MOST_GESTURES, MOST_MAGES, MOST_CREATURES, LONGEST_NAME = 60, 6, 12, 30
_MIND = ("forgetful", "paralysed", "afraid", "confused", "charmed", "maladroit")
_BY_SOMEBODY = ("paralysed", "charmed")
_LINES = {
    "ruleset": (r"(\S+)", "ruleset firetop-standard"),
    "mage": (r"(\S+)(?: (-?\d{1,4}))?", "mage Ayla 12"),
    "left": (r"(\S*)", "left WPF"),
    "right": (r"(\S*)", "right SSD"),
    "has": (r"([a-z ]+?)(?: (\d{1,4}|permanent))?(?: by (\S+))?", "has blind 2"),
    "banked": (r"([A-Za-z ]+?)(?: at (\S+))?", "banked Fireball at Crom"),
    "creature": (r"(\S+)(?: (-?\d{1,4}))?(?: of (\S+))?(?: at (\S+))?", "creature Goblin 1 of Ayla at Crom"),
}


@dataclass
class _Mark:
    line: int
    text: str
    name: str
    turns: str
    by: str


@dataclass
class _Being:
    line: int
    text: str
    name: str
    hp: str
    hands: dict[str, str] = field(default_factory=dict)
    owner: str = ""
    target: str = ""
    marks: list[_Mark] = field(default_factory=list)
    banked: tuple[_Mark, str] | None = None
    """The banked spell and its line, and its target."""


@dataclass
class _Draft:
    ruleset: Ruleset | None = None
    mages: list[_Being] = field(default_factory=list)
    creatures: list[_Being] = field(default_factory=list)
    last: _Being | None = None
    problems: list[Problem] = field(default_factory=list)

    def reject(self, line: int, text: str, code: str, message: str, nearest: str | None = None) -> None:
        self.problems.append(Problem(line, text, code, message, nearest))


def set_up(text: str) -> State:
    """Return the position that the lines describe, before a normal turn.

    Raises InvalidRecord with every problem: its line, what is written there, and the nearest valid form.
    """
    draft = _Draft()
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        words = line.strip()
        if words and not words.startswith("#"):
            _read_line(draft, number, words)
    _check(draft)
    if draft.problems or draft.ruleset is None:
        raise InvalidRecord(tuple(draft.problems))
    state = _build(draft, draft.ruleset)
    if draft.problems:
        raise InvalidRecord(tuple(draft.problems))
    _rehearse(state)
    return state


def _read_line(draft: _Draft, number: int, line: str) -> None:
    key, _, rest = line.partition(" ")
    if key not in _LINES:
        near = get_close_matches(key.casefold(), _LINES, n=1)
        words = say("No line of a position begins with {word}.", word=key[:40])
        draft.reject(number, line, "unknown_key", words, _LINES[near[0]][1] if near else "mage Ayla 12")
        return
    pattern, form = _LINES[key]
    match = re.fullmatch(pattern, rest.strip())
    if match is None:
        draft.reject(number, line, "malformed", say("We cannot read this {word} line.", word=key), form)
    elif key == "ruleset":
        _read_ruleset(draft, number, line, match[1])
    elif key in ("mage", "creature"):
        some = draft.mages if key == "mage" else draft.creatures
        draft.last = _Being(number, line, match[1], match[2] or "")
        if key == "creature":
            draft.last.owner, draft.last.target = match[3] or "", match[4] or ""
        some.append(draft.last)
    elif draft.last is None or (key != "has" and draft.last not in draft.mages):
        draft.reject(number, line, "too_early", say("Put {word} below its mage.", word=key), "mage Ayla 12")
    elif key == "has":
        draft.last.marks.append(_Mark(number, line, match[1], match[2] or "", match[3] or ""))
    elif key == "banked":
        if draft.last.banked is not None:
            draft.reject(number, line, "banked_twice", say("A mage can bank only one spell."))
        draft.last.banked = (_Mark(number, line, match[1], "", ""), match[2] or "")
    else:
        draft.last.hands[LEFT if key == "left" else RIGHT] = match[1]
        wrong = next((letter for letter in match[1] if letter not in GESTURES), None)
        if wrong is not None:
            likely = wrong.upper() if wrong.upper() in GESTURES else NOTHING
            words = say("{letter} is not a gesture. Use one of {letters}.", letter=wrong, letters=" ".join(GESTURES))
            draft.reject(number, line, "gesture", words, likely)


def _read_ruleset(draft: _Draft, number: int, line: str, name: str) -> None:
    if name in RULESETS:
        draft.ruleset = get_ruleset(name)
        return
    near = get_close_matches(name, RULESETS, n=1)
    words = say("There is no ruleset {name}.", name=name[:40])
    draft.reject(number, line, "ruleset", words, f"ruleset {near[0]}" if near else None)


# -- what can be ------------------------------------------------------------------------------------------------------


def _check(draft: _Draft) -> None:
    rules = draft.ruleset
    if rules is None:
        if not any(problem.code == "ruleset" for problem in draft.problems):
            draft.reject(1, "", "no_ruleset", say("Name the ruleset first."), "ruleset firetop-standard")
        return
    most = min(MOST_MAGES, rules.most_mages or MOST_MAGES)
    if not 2 <= len(draft.mages) <= most:
        draft.reject(1, "", "mages", say("A position has 2 to {most} mages.", most=most), "mage Ayla 15")
    if len(draft.creatures) > MOST_CREATURES:
        draft.reject(1, "", "creatures", say("A position has at most {most} creatures.", most=MOST_CREATURES))
    names: set[str] = set()
    for mage in draft.mages:
        _check_mage(draft, mage, rules, names)
    lengths = {len(mage.hands.get(hand, "")) for mage in draft.mages for hand in HANDS}
    if len(lengths) > 1:
        numbers = ", ".join(map(str, sorted(lengths)))
        words = say("All hands need the same number of gestures. These have {numbers}.", numbers=numbers)
        draft.reject(draft.mages[0].line, draft.mages[0].text, "lengths", words)
    elif lengths and max(lengths) > MOST_GESTURES:
        draft.reject(1, "", "too_long", say("A string has at most {most} gestures.", most=MOST_GESTURES))
    for creature in draft.creatures:
        _check_creature(draft, creature, rules)
    kinds = {creature.name for creature in draft.creatures if creature.name in ELEMENTALS}
    if len(kinds) > 1 or sum(creature.name in ELEMENTALS for creature in draft.creatures) > len(kinds):
        words = say("Two elementals of one kind become one, and two of different kinds destroy each other.")
        draft.reject(draft.creatures[0].line, draft.creatures[0].text, "elementals", words)


def _check_mage(draft: _Draft, mage: _Being, rules: Ruleset, names: set[str]) -> None:
    if not mage.name.replace("_", "").isalnum() or len(mage.name) > LONGEST_NAME:
        words = say("A mage's name has up to {most} letters and digits.", most=LONGEST_NAME)
        draft.reject(mage.line, mage.text, "name", words, "mage Ayla 12")
    if mage.name.casefold() in names:
        words = say("There are two mages called {mage}.", mage=mage.name)
        draft.reject(mage.line, mage.text, "mage_twice", words)
    names.add(mage.name.casefold())
    _check_points(draft, mage, WIZARD_HP + rules.rules.hit_point_surplus)
    hands = [mage.hands.get(hand, "") for hand in HANDS]
    for turn, (left, right) in enumerate(zip(*hands, strict=False), start=1):
        if left == right == "P":
            words = say("{mage} surrenders with two palms in turn {turn}.", mage=mage.name, turn=turn)
            draft.reject(mage.line, mage.text, "surrender", words)
        if left == right == ">":
            words = say("{mage} stabs with both hands in turn {turn}, but has one dagger.", mage=mage.name, turn=turn)
            draft.reject(mage.line, mage.text, "two_daggers", words)
    _check_marks(draft, mage, rules, "mage")
    _check_bank(draft, mage, rules)


def _check_points(draft: _Draft, being: _Being, most: int) -> None:
    if being.hp and not 1 <= int(being.hp) <= most:
        nearest = str(min(max(int(being.hp), 1), most))
        words = say("{who} can have 1 to {most} hit points here.", who=being.name, most=most)
        draft.reject(being.line, being.text, "points", words, being.text.replace(being.hp, nearest, 1))


def _check_creature(draft: _Draft, creature: _Being, rules: Ruleset) -> None:
    kinds = find_possible(rules).kinds
    if creature.name not in kinds:
        near = get_close_matches(creature.name.capitalize(), kinds, n=1)
        words = say(
            "No spell of {ruleset} creates a creature called {kind}.", ruleset=rules.title, kind=creature.name[:40]
        )
        draft.reject(creature.line, creature.text, "kind", words, near[0] if near else ", ".join(sorted(kinds)) or None)
        return
    _check_points(draft, creature, MONSTER_HP[creature.name] + rules.rules.hit_point_surplus)
    known = {mage.name for mage in draft.mages}
    if creature.name in ELEMENTALS:
        if creature.owner or creature.target:
            words = say("An elemental obeys nobody and attacks everyone.")
            draft.reject(creature.line, creature.text, "elemental", words, f"creature {creature.name}")
    elif creature.owner not in known:
        words = say("A creature obeys one of the mages.")
        near = get_close_matches(creature.owner, known, n=1) or sorted(known)[:1]
        draft.reject(creature.line, creature.text, "owner", words, f"of {near[0]}" if near else None)
    if creature.target and creature.target != NOBODY and creature.target not in known:
        near = get_close_matches(creature.target, known, n=1)
        words = say("There is no mage {mage} to attack.", mage=creature.target[:40])
        draft.reject(creature.line, creature.text, "target", words, f"at {near[0]}" if near else "at nobody")
    _check_marks(draft, creature, rules, "creature")


def _check_marks(draft: _Draft, being: _Being, rules: Ruleset, whose: str) -> None:
    possible = find_possible(rules).marks[whose]
    words_of = {ENCHANTMENTS[mark]: mark for mark in possible if mark in ENCHANTMENTS}
    seen: set[str] = set()
    for mark in being.marks:
        key = words_of.get(mark.name)
        if key is None:
            near = get_close_matches(mark.name, words_of, n=1)
            words = (
                say("By these rules, no mage can be {mark} between turns.", mark=mark.name[:40])
                if whose == "mage"
                else say("By these rules, no creature can be {mark} between turns.", mark=mark.name[:40])
            )
            nearest = f"has {near[0]}" if near else "has " + ", ".join(sorted(words_of))
            draft.reject(mark.line, mark.text, "enchantment", words, nearest)
            continue
        if key in seen:
            words = say("{who} is already {mark}.", who=being.name, mark=mark.name)
            draft.reject(mark.line, mark.text, "twice", words)
        seen.add(key)
        _check_turns(draft, mark, possible[key], lasts=key in find_possible(rules).lasting[whose])
        if key in _BY_SOMEBODY and mark.by not in {mage.name for mage in draft.mages} - {being.name}:
            others = [mage.name for mage in draft.mages if mage.name != being.name]
            example: str | None = f"has {mark.name} 1 by {others[0]}" if others else None
            draft.reject(mark.line, mark.text, "by", say("Name the other mage whose spell it is."), example)
    both = [mark for mark in _MIND if mark in seen]
    if len(both) > 1:
        names = ", ".join(ENCHANTMENTS[mark] for mark in both)
        words = say("{who} is {marks}, but two mind spells cancel each other.", who=being.name, marks=names)
        draft.reject(being.line, being.text, "minds", words)


def _check_turns(draft: _Draft, mark: _Mark, turns: int, *, lasts: bool) -> None:
    by = f" by {mark.by}" if mark.by else ""
    if turns < 0:
        if mark.turns not in ("", "permanent"):
            words = say("This is permanent. Leave out the number.")
            draft.reject(mark.line, mark.text, "turns", words, f"has {mark.name}")
    elif mark.turns == "permanent":
        if not lasts:
            words = say("By these rules, Permanency does not work on this. Enter how many turns are left.")
            draft.reject(mark.line, mark.text, "turns", words, f"has {mark.name} {turns}{by}")
    elif mark.turns and not 1 <= int(mark.turns) <= turns:
        words = say("It can have 1 to {turns} turns left.", turns=turns)
        nearest = f"has {mark.name} {min(max(int(mark.turns), 1), turns)}{by}"
        draft.reject(mark.line, mark.text, "turns", words, nearest)


def _check_bank(draft: _Draft, mage: _Being, rules: Ruleset) -> None:
    if mage.banked is None:
        return
    word, target = mage.banked
    possible = find_possible(rules).banked
    spell = next((each for each in possible if each.casefold() == word.name.casefold()), None)
    if spell is None:
        near = get_close_matches(word.name.title(), possible, n=1)
        words = say("By these rules, {spell} cannot be banked.", spell=word.name[:40])
        draft.reject(word.line, word.text, "banked", words, f"banked {near[0]}" if near else None)
        return
    word.name = spell
    known = [*(each.name for each in draft.mages), NOBODY] if possible[spell] else []
    if target and target not in known:
        near = get_close_matches(target, known, n=1)
        words = (
            say("There is no mage {mage} to cast it on.", mage=target[:40])
            if known
            else say("{spell} has no target.", spell=spell)
        )
        nearest = f"banked {spell}{f' at {near[0]}' if near else ''}"
        draft.reject(word.line, word.text, "banked_at", words, nearest)


# -- the state --------------------------------------------------------------------------------------------------------


def _build(draft: _Draft, rules: Ruleset) -> State:
    state = new_duel(rules, [mage.name for mage in draft.mages], dice=KeyedDice("set up by hand", 0))
    fill_strings(state, {mage.name: (mage.hands.get(LEFT, ""), mage.hands.get(RIGHT, "")) for mage in draft.mages})
    for mage in draft.mages:
        wizard = state.wizards[mage.name]
        wizard.hp = int(mage.hp or WIZARD_HP)
        _mark(wizard, mage, rules, "mage")
        for mark in mage.marks:
            if ENCHANTMENTS["paralysed"] == mark.name:
                wizard.paralyser = mark.by
            if ENCHANTMENTS["charmed"] == mark.name:
                wizard.controller = mark.by
        if mage.banked is not None:
            word, target = mage.banked
            wizard.bank = (word.name, target or find_usual_target(state, mage.name, word.name))
    for creature in draft.creatures:
        kind = creature.name
        owner = NO_MASTER if kind in ELEMENTALS else creature.owner
        target = NO_MASTER if kind in ELEMENTALS else creature.target or NOBODY
        name = kind if kind in ELEMENTALS else monster_name(state, kind)
        monster = state.monsters[name] = Monster(name, kind, owner, target)
        state.created += 1
        monster.hp = int(creature.hp or MONSTER_HP[kind])
        _mark(monster, creature, rules, "creature")
    begin_turn(state)
    return state


def _mark(being: Being, written: _Being, rules: Ruleset, whose: str) -> None:
    possible = find_possible(rules).marks[whose]
    keys = {ENCHANTMENTS[mark]: mark for mark in possible}
    for mark in written.marks:
        most = possible[keys[mark.name]]
        turns = int(mark.turns) if mark.turns.isdecimal() and most > 0 else most
        being.marks[keys[mark.name]] = PERMANENT if mark.turns == "permanent" else turns


def _rehearse(state: State) -> None:
    """Play a turn without any orders: a position that fails even that is impossible."""
    try:
        kept = read_state(write_state(state))
        sheets = {mage: _do_nothing(kept.wizards[mage]) for mage in kept.owing}
        advance(kept, sheets, KeyedDice("set up by hand", kept.seq))
        for mage in kept.owing:
            open_questions(kept, mage)
    except (RulesError, KeyError, ValueError, IndexError) as error:
        words = say("No battle can continue from this position: {error}.", error=error)
        raise InvalidRecord((Problem(1, "", "impossible", words),)) from error


def _do_nothing(wizard: Wizard) -> Sheet:
    hands = [half.hand(hand) for half in wizard.halves for hand in HANDS]
    return Sheet(dict.fromkeys(hands, NOTHING) if wizard.phase == ORDERS else {})


__all__ = ["MOST_GESTURES", "set_up"]
