"""Rebuilds a battle from a table or a page, which shows gestures, spells and hit points, but no orders and no rolls.

Each turn is played with orders and rolls that could have led to the shown result; if none do, the nearest turn is
taken, and a doubt lists the differences.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

from rules_engine.battle import Done, advance, new_duel
from rules_engine.beings import ORDERS
from rules_engine.dice import KeyedDice
from rules_engine.errors import Problem
from rules_engine.gestures import HANDS, LEFT, RIGHT
from rules_engine.orders import Sheet
from rules_engine.questions import Question, open_questions
from rules_engine.records.chronicle import Chronicle, PlayedTurn, find_result
from rules_engine.records.foreign.seen_turns import (
    GESTURE_COST,
    HIDDEN,
    SeenTurn,
    count_cost,
    count_misfits,
    list_doubts,
)
from rules_engine.records.record import Record
from rules_engine.records.recorder import write_down
from rules_engine.rules import Ruleset
from rules_engine.state import State
from rules_engine.store import write_state
from rules_engine.text import say

SEEDS, MOST_TRIES, MOST_ANSWERS, MOST_STAGES = 40, 160, 12, 12
# The limits of the search for alternatives: how far back, how many at a time, and how many turns in all.
BACK, WIDTH, MOST_PLAYED = (1, 2, 4, 7), 8, 1500


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A record of the battle as far as the rules can play it, and its differences from the text."""

    record: Record
    doubts: tuple[Problem, ...]
    differs: int


def rebuild(mages: Sequence[str], turns: Sequence[SeenTurn], ruleset: Ruleset, *, deep: bool = True) -> Rebuilt:
    """Return the battle by one ruleset. Raises ValueError for mages or turns that it cannot begin with.

    `deep`: where a turn does not fit, look for other ways to play the turns before it that the text allows too.
    """
    line = _Line(_Step(new_duel(ruleset, list(mages), dice=KeyedDice("rebuilt", 0)), {}), turns, deep)
    steps = line.play()
    if not steps:
        raise ValueError(say("The first turn cannot be played by the rules of {ruleset}.", ruleset=ruleset.title))
    doubts = [doubt for step in steps for doubt in list_doubts(step.seen, step.made.turn)]
    differs = sum(step.made.cost for step in steps)
    end = steps[-1].made.turn.after
    if len(steps) < len(turns):
        rest = turns[len(steps)]
        words = say("By these rules, the battle ends before this turn or goes differently, so it stops here.")
        doubts.append(Problem(rest.line, f"turn {rest.label}", "over", words))
        differs += GESTURE_COST * (len(turns) - len(steps))
    chronicle = Chronicle(tuple(mages), tuple(step.made.turn for step in steps), end.outcome)
    return Rebuilt(write_down(chronicle, [step.made.orders for step in steps]), tuple(doubts), differs)


@dataclass(frozen=True, slots=True)
class _Step:
    """The state before a turn and the rules' names of creatures there."""

    state: State
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Made:
    """A turn that was played: as in the text, as played, and the state after it."""

    seen: SeenTurn
    made: _Try
    after: _Step


class _Line:
    """The turns that are played one after another."""

    def __init__(self, start: _Step, turns: Sequence[SeenTurn], deep: bool) -> None:
        self.start, self.turns, self.deep = start, turns, deep
        self.budget = MOST_PLAYED
        self.steps: list[_Made] = []

    def play(self) -> list[_Made]:
        """Return the turns as far as the battle lasts."""
        while len(self.steps) < len(self.turns):
            here = self._before(len(self.steps))
            if here.state.over:
                if not (self.deep and self._go_back(len(self.steps) - 1)):
                    break
                continue
            best = self._expand(here, len(self.steps), all_ways=False)[0]
            self.steps.append(best)
            if best.made.cost and self.deep and self.budget > 0:
                self._go_back(len(self.steps) - 1)
            if self.steps[-1].made.cost >= GESTURE_COST:
                self.steps.pop()
                break
        return self.steps

    def _before(self, place: int) -> _Step:
        return self.steps[place - 1].after if place else self.start

    def _expand(self, here: _Step, place: int, *, all_ways: bool) -> list[_Made]:
        """Return the ways to play a turn, the nearest to the text first."""
        seen = _rename(self.turns[place], here.names)
        tries = _find_ways(here.state, seen, all_ways)
        self.budget -= len(tries)
        found: dict[str, _Made] = {}
        for each in sorted(tries, key=lambda each: each.cost):
            after = each.turn.after
            mark = json.dumps(write_state(after), sort_keys=True, default=str)
            if mark not in found:
                names = {**here.names, **_name_newborn(seen, here.state, after)}
                found[mark] = _Made(seen, each, _Step(after, names))
            if len(found) == WIDTH:
                break
        return list(found.values())

    def _go_back(self, last: int) -> bool:
        """Play the turns up to `last` in another way that costs less; return whether there is one."""
        for back in BACK:
            first = max(0, last - back)
            old = sum(step.made.cost for step in self.steps[first : last + 1])
            old += GESTURE_COST * (self.steps[last].after.state.over and last + 1 < len(self.turns))
            ways: list[tuple[int, list[_Made]]] = [(0, [])]
            for place in range(first, last + 1):
                more: list[tuple[int, list[_Made]]] = []
                for cost, steps in ways:
                    here = steps[-1].after if steps else self._before(first)
                    if here.state.over or self.budget <= 0:
                        continue
                    for made in self._expand(here, place, all_ways=True):
                        over = made.after.state.over and place + 1 < len(self.turns)
                        more.append((cost + made.made.cost + GESTURE_COST * over, [*steps, made]))
                ways = sorted(more, key=lambda each: each[0])[:WIDTH]
            if ways and ways[0][0] < old:
                self.steps[first : last + 1] = ways[0][1]
                if not ways[0][0]:
                    return True
            if not first or self.budget <= 0:
                break
        return False


def _rename(seen: SeenTurn, names: Mapping[str, str]) -> SeenTurn:
    """Return the turn with the rules' names of creatures."""
    if not names:
        return seen
    return replace(
        seen,
        casts=tuple(replace(cast, target=names.get(cast.target, cast.target)) for cast in seen.casts),
        creature_targets={names.get(one, one): names.get(other, other) for one, other in seen.creature_targets.items()},
    )


def _name_newborn(seen: SeenTurn, before: State, after: State) -> dict[str, str]:
    """Return the text's name of each new creature, and the rules' name of it: the first new one of its kind."""
    new = {name: monster.kind for name, monster in after.monsters.items() if name not in before.monsters}
    found = {}
    for shown, kind in seen.newborn:
        name = next((name for name, is_a in new.items() if is_a == kind), None)
        if name is not None:
            found[shown] = name
            del new[name]
    return found


@dataclass(frozen=True, slots=True)
class _Try:
    cost: int
    turn: PlayedTurn
    orders: list[dict[str, tuple[str, ...]]]
    open: Mapping[tuple[str, str], tuple[str, ...]]
    """(mage, slot) → answers that the text does not decide"""


_Answered: TypeAlias = "dict[object, tuple[Sheet, dict[tuple[str, str], tuple[str, ...]]]]"


def _find_ways(state: State, seen: SeenTurn, all_ways: bool) -> list[_Try]:
    """Return the ways to play the turn: the plain one, then with one undecided answer or the rolls changed at a time.

    Without `all_ways` it stops at the first that matches the text exactly.
    """
    chosen: dict[tuple[str, str], str] = {}
    play = partial(_play, state, seen, {})
    tries = [play(chosen, 0)]
    for mage, slot, target in _missing_targets(seen, tries[0].turn):
        chosen[mage, slot] = target
    if chosen:
        tries.append(play(chosen, 0))
    best, seed = min(tries, key=lambda each: each.cost), 0
    for _round in range(2):
        if (not best.cost and not all_ways) or len(tries) > MOST_TRIES:
            break
        for number in range(1, SEEDS if best.turn.throws else 0):
            if not best.cost:
                break
            tries.append(play(chosen, number))
            if tries[-1].cost < best.cost:
                best, seed = tries[-1], number
        for key, values in dict(best.open).items():
            for value in values:
                if (not best.cost and not all_ways) or len(tries) > MOST_TRIES:
                    break
                tries.append(play({**chosen, key: value}, seed))
                if tries[-1].cost < best.cost:
                    best = tries[-1]
                    chosen[key] = value
    if all_ways:
        for one, other in combinations(best.open, 2):
            for values in product(best.open[one], best.open[other]):
                if len(tries) > 2 * MOST_TRIES:
                    return tries
                tries.append(play({**chosen, one: values[0], other: values[1]}, seed))
    return tries


def _play(state: State, seen: SeenTurn, answered: _Answered, chosen: Mapping[tuple[str, str], str], seed: int) -> _Try:
    dice = KeyedDice(f"rebuilt {seed}", state.seq)
    before, events, orders = state, [], list[dict[str, tuple[str, ...]]]()
    free: dict[tuple[str, str], tuple[str, ...]] = {}
    for stage in range(MOST_STAGES):
        answer = _answer if stage else partial(_recall, answered)
        sheets = {mage: answer(state, seen, mage, chosen, free) for mage in state.owing}
        orders.append({mage: tuple(sheet.lines()) for mage, sheet in sheets.items()})
        step = advance(state, sheets, dice)
        events.append(tuple(step.events))
        state = step.state
        if isinstance(step, Done):
            break
    turn = PlayedTurn(before.label, before.seq, before, state, tuple(events), tuple(dice.rolls))
    return _Try(count_cost(seen, find_result(turn)), turn, orders, free)


def _recall(
    answered: _Answered,
    state: State,
    seen: SeenTurn,
    mage: str,
    chosen: Mapping[tuple[str, str], str],
    free: dict[tuple[str, str], tuple[str, ...]],
) -> Sheet:
    """`_answer` for the first stage, which all ways to play a turn begin with: each changes one mage's answers."""
    key = (mage, *sorted(each for each in chosen.items() if each[0][0] == mage))
    if key not in answered:
        left: dict[tuple[str, str], tuple[str, ...]] = {}
        answered[key] = _answer(state, seen, mage, chosen, left), left
    sheet, left = answered[key]
    free.update(left)
    return sheet


def _answer(
    state: State,
    seen: SeenTurn,
    mage: str,
    chosen: Mapping[tuple[str, str], str],
    free: dict[tuple[str, str], tuple[str, ...]],
) -> Sheet:
    """Return a mage's orders according to the text; answers that it leaves open are added to `free`."""
    sheet = Sheet()
    if state.wizards[mage].phase == ORDERS:
        left, right = seen.gestures.get(mage, (HIDDEN, HIDDEN))
        left, right = seen.answers.get((mage, LEFT), left), seen.answers.get((mage, RIGHT), right)
        sheet = Sheet({LEFT: _known(left), RIGHT: _known(right)})
    done: set[str] = set()
    asked = open_questions(state, mage, sheet)
    for _round in range(MOST_ANSWERS):
        question = next((q for q in asked if q.id not in done and q.kind != "gesture"), None)
        if question is None:
            break
        done.add(question.id)
        value = _pick(seen, question, chosen, free)
        if value is not None:
            sheet = sheet.merged(Sheet({question.id: value}))
            asked = open_questions(state, mage, sheet)
    return sheet


def _known(gesture: str) -> str:
    return "-" if gesture in (HIDDEN, " ", ".") else gesture


def _pick(
    seen: SeenTurn,
    question: Question,
    chosen: Mapping[tuple[str, str], str],
    free: dict[tuple[str, str], tuple[str, ...]],
) -> str | None:
    """Return the text's answer to a question, or None."""
    key = (question.mage, question.id)
    allowed = tuple(option.value for option in question.options if option.allowed)
    if seen.answers.get(key) in allowed:
        return seen.answers[key]
    if key in chosen:
        return chosen[key] if chosen[key] in allowed else None
    if question.kind == "choose":
        hand = question.id.split()[-1]
        casts = [each for each in seen.casts if each.mage == question.mage]
        fitting = [value for value in allowed if any(cast.means(value, hand) for cast in casts)]
        if fitting:
            if len(fitting) > 1:
                free[key] = tuple(fitting)
            return fitting[0]
    elif question.kind == "monster":
        name = question.id.split()[-1]
        if seen.creature_targets.get(name) in allowed:
            return seen.creature_targets[name]
        free[key] = allowed
    elif question.kind == "direct":
        made = seen.gestures.get(question.id.split()[-1])
        fitting = [f"{hand} {letter}" for hand, letter in zip(HANDS, made, strict=True)] if made else []
        free[key] = tuple(value for value in fitting if value in allowed) or allowed
        return free[key][0] if free[key] else None
    elif question.kind in ("target", "paralyze", "retarget", "charm", "elemental", "permanent", "delay"):
        free[key] = allowed
    elif question.kind == "fire" and any(cast.hand == "FIRE" for cast in seen.casts if cast.mage == question.mage):
        return allowed[0] if allowed else None
    if not question.required or question.answered is not None:
        return None
    return question.default if question.default in allowed else (allowed[0] if allowed else None)


def _missing_targets(seen: SeenTurn, turn: PlayedTurn) -> Iterator[tuple[str, str, str]]:
    """Yield (mage, slot, target) of the spells with another target than in the text."""
    played = list(find_result(turn).casts)
    for cast in seen.casts:
        match = next((each for each in played if each.mage == cast.mage and cast.means(each.spell, each.hand)), None)
        if match is None:
            continue
        played.remove(match)
        if cast.target and cast.target != match.target:
            yield cast.mage, f"TARGET {match.hand}", cast.target


def rebuild_by_nearest(
    mages: Sequence[str], turns: Sequence[SeenTurn], families: Sequence[Sequence[Ruleset]]
) -> Rebuilt:
    """Return the battle by the ruleset that differs least from the text; the first of equal ones.

    Only rulesets are tried whose series explain the spells of the text best: rolls that are not known can make a wrong
    ruleset look near, but gestures and spells are known. The first of each family shows which family it is; then the
    others of that family are tried. Raises ValueError if no ruleset can begin the battle.
    """
    misfits = {each.name: count_misfits(turns, each.book.series) for family in families for each in family}
    least = min(misfits.values())
    fitting = ([each for each in family if misfits[each.name] == least] for family in families)
    families = [family for family in fitting if family]
    made, tried = list[tuple[Rebuilt, Ruleset]](), set[str]()
    failed = ValueError("no ruleset to try")
    todo = [family[0] for family in families]
    while todo:
        for ruleset in todo:
            tried.add(ruleset.name)
            try:
                made.append((rebuild(mages, turns, ruleset, deep=False), ruleset))
            except ValueError as error:
                failed = error
                continue
            if not made[-1][0].differs:
                return made[-1][0]
        made.sort(key=lambda each: each[0].differs)  # stable: the first of equal ones stays first
        todo = [each for family in families if not made or made[0][1] in family for each in family]
        todo = [each for each in todo if each.name not in tried]
    if not made:
        raise failed
    nearest, ruleset = made[0]
    deep = rebuild(mages, turns, ruleset)
    return deep if deep.differs < nearest.differs else nearest
