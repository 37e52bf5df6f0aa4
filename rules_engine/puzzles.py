"""Positions with a proof: a turn that wins against every answer, two turns that do, a turn that survives them all.

A proof tries all relevant orders of both mages. The opponent answers last and knows everything. A position in which a
roll could matter is no puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from rules_engine.audience import look
from rules_engine.battle import Asks, Done, advance
from rules_engine.dice import KeyedDice
from rules_engine.events import Event, Viewer
from rules_engine.gestures import BOTH, GESTURES, HANDS, LEFT, NOTHING, RIGHT, STAB, SURRENDER, UNSEEN
from rules_engine.orders import Sheet
from rules_engine.questions import MAKES_CREATURE, Question, open_questions, rehearse
from rules_engine.state import State, opponent

WIN, WIN_IN_TWO, SURVIVE = "win", "two", "survive"
KINDS: Final = (WIN, WIN_IN_TWO, SURVIVE)
SEED: Final = "puzzle"
MOST_ORDERS: Final = 900
"""A position in which a mage has more ways to order the turn is not examined."""
MOST_COLUMNS: Final = 16
"""A position that more pairs of gestures solve is no puzzle."""
MOST_STAGES: Final = 6

IDLE: Final = Sheet({LEFT: NOTHING, RIGHT: NOTHING})
CLAP: Final = Sheet({LEFT: "C", RIGHT: "C"})
SHIELD: Final = Sheet({LEFT: "P", RIGHT: NOTHING})
CALM: Final = frozenset({"cold_resistant", "heat_resistant", "sick", "poisoned", "shielded", "afraid"})
HELD: Final = frozenset({"paralysed", "maladroit"})
"""The marks that a mage may have in a puzzle: CALM ones change no gesture, HELD ones change it without chance."""
_NOT_ASKED: Final = ("gesture", "say", "suicide", "permanent", "delay")


class Unprovable(Exception):
    """There are too many lines, or chance decides."""


@dataclass(frozen=True, slots=True)
class PuzzleProof:
    """`solutions` are all orders of the mage that reach the goal; each other order is defeated by one of `answers`.

    `reply` is, for a win in two turns, the answer to the first turn that leaves the fewest ways to win. `columns` is
    how many pairs of gestures solve it, out of `all_columns`.
    """

    solutions: tuple[Sheet, ...]
    answers: tuple[Sheet, ...]
    columns: int
    all_columns: int
    reply: Sheet | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A turn played to its end. `unsure`: with other dice or other answers to its questions, it might have
    ended differently."""

    state: State
    events: tuple[Event, ...]
    unsure: bool


def is_plain(state: State) -> bool:
    """Return whether a position may be a puzzle: a duel before a normal turn, everything in sight, all gestures
    free."""
    if state.over or state.stage or state.extra or state.doubled or len(state.wizards) != 2 or len(state.owing) != 2:
        return False
    for wizard in state.wizards.values():
        if (
            not (CALM | HELD).issuperset(wizard.marks)
            or wizard.bank is not None
            or UNSEEN in wizard.left + wizard.right
        ):
            return False
    views = [look(state, Viewer.of(name)) for name in state.wizards]
    hidden = any(view.blind or UNSEEN in mage.left + mage.right for view in views for mage in view.mages)
    return not hidden and not any(monster.marks for monster in state.monsters.values())


def play(state: State, sheets: Mapping[str, Sheet]) -> Played:
    """Play a turn of complete sheets to its end; its questions get the first valid answer."""
    events: list[Event] = []
    unsure = False
    current = sheets
    for _ in range(MOST_STAGES):
        dice = KeyedDice(SEED, state.seq, state.stage)
        done = advance(state, current, dice)
        events += done.events
        unsure = unsure or bool(dice.rolls) or isinstance(done, Asks)
        state = done.state
        current = {name: complete_sheet(state, name, Sheet()) for name in state.owing}
        if not isinstance(done, Asks):
            assert isinstance(done, Done)
            return Played(state, tuple(events), unsure)
    raise Unprovable("the turn never stops asking")


def complete_sheet(state: State, mage: str, sheet: Sheet) -> Sheet:
    """Return the sheet with the first allowed answer to each required question that it leaves open."""
    for _ in range(MOST_STAGES):
        missing = [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]
        if not missing:
            break
        for question in missing:
            value = next(option.value for option in question.options if option.allowed)
            sheet = sheet.merged(Sheet({question.id: value}))
    return sheet


def normalise(state: State, mage: str, sheet: Sheet) -> Sheet:
    """Return the sheet with every default written out and without SAY: equal for orders with the same effect."""
    slots = {slot: value for slot, value in complete_sheet(state, mage, sheet) if slot != "SAY"}
    for question in open_questions(state, mage, Sheet(slots)):
        if question.answered is None and question.default is not None and question.kind not in _NOT_ASKED:
            slots[question.id] = question.default
    asked = {question.id for question in open_questions(state, mage, Sheet(slots))}
    return Sheet({slot: value for slot, value in slots.items() if slot in asked})


def list_orders(state: State, mage: str) -> tuple[Sheet, ...]:
    """Return all orders that a mage can give for this turn, with every default written out. Raises Unprovable for too
    many."""
    forms = _list_forms(state)
    wizard = state.wizards[mage]
    found: list[Sheet] = []
    known: dict[object, list[dict[str, str]]] = {}
    first = {
        q.id: [o.value for o in q.options if o.allowed] for q in open_questions(state, mage) if q.kind == "gesture"
    }
    if set(first) != set(HANDS):
        raise Unprovable(f"{wizard.name} does not choose two gestures")
    for left, right in product(first[LEFT], first[RIGHT]):
        if left == right == STAB:
            continue
        gestures = {LEFT: left, RIGHT: right}
        hands = wizard.begun.lead_to(left + right)
        offers = hands.later if wizard.short_bolt_used else hands.first
        key = (tuple(sorted(offers.items())), left == STAB, right == STAB)
        if key not in known:
            known[key] = [
                {slot: value for slot, value in sheet if slot not in HANDS}
                for sheet in _expand(state, mage, Sheet(gestures), forms)
            ]
        found += [Sheet({**gestures, **more}) for more in known[key]]
        if len(found) > MOST_ORDERS:
            raise Unprovable(f"{mage} can order too much")
    return tuple(found)


def _expand(state: State, mage: str, sheet: Sheet, forms: frozenset[str]) -> Iterator[Sheet]:
    """Yield every way to answer what these gestures leave open."""
    question = _next_question(state, mage, sheet)
    if question is None:
        yield sheet
        return
    values = [o.value for o in question.options if o.allowed and (":" not in o.value or o.value in forms)]
    for value in values:
        yield from _expand(state, mage, sheet.merged(Sheet({question.id: value})), forms)


def _next_question(state: State, mage: str, sheet: Sheet) -> Question | None:
    asked = open_questions(state, mage, sheet)
    for question in asked:
        if question.kind == "choose" and question.answered is None:
            both = question.about == BOTH or any(slot == f"CHOOSE {BOTH}" for slot in sheet.slots)
            if question.required or (not both and not sheet.choices):
                return question
    return next((q for q in asked if q.kind not in _NOT_ASKED and q.kind != "choose" and q.answered is None), None)


def _list_forms(state: State) -> frozenset[str]:
    """Return the creatures that hands may create in this turn, by the words that orders have for them."""
    found = set()
    for name in state.still_in:
        for hands in (state.wizards[name].begun.lead_to(a + b) for a, b in product(GESTURES, repeat=2)):
            for hand, spells in hands.first.items():
                if any(state.ruleset.spells[spell].category == MAKES_CREATURE for spell in spells):
                    found.add(f"{hand}:{name}")
    return frozenset(found)


def list_different(state: State, mage: str, sheets: Sequence[Sheet]) -> tuple[Sheet, ...]:
    """Return the first of all sheets with the same effect in this turn: gestures that complete nothing are alike."""
    wizard = state.wizards[mage]
    if not HELD.isdisjoint(wizard.marks):
        return tuple(sheets)
    found: dict[object, Sheet] = {}
    for sheet in sheets:
        trial = rehearse(state, wizard, sheet)
        stabs = tuple(gesture == STAB for gesture in sheet.gestures)
        slots = tuple((slot, value) for slot, value in sheet if slot not in HANDS)
        key = (tuple(sorted(trial.spells.items())), slots, stabs, sheet.column == SURRENDER)
        found.setdefault(key, sheet)
    return tuple(found.values())


def has_reached(kind: str, state: State, mage: str) -> bool:
    """Return whether the mage has reached their goal: to win the battle, or to survive."""
    if kind == SURVIVE:
        return mage not in state.out
    return state.outcome is not None and state.outcome.winners == (mage,)


class Judge:
    """Judges orders of one mage in one position. Raises Unprovable for anything that cannot be judged."""

    __slots__ = ("answers", "foe", "kind", "mage", "state", "unsure")

    def __init__(self, state: State, mage: str, kind: str, answers: Sequence[Sheet] = ()) -> None:
        """If there are `answers`, only these are tried, not all that the opponent has."""
        self.state, self.mage, self.kind = state, mage, kind
        self.foe = opponent(state, mage)
        if not answers:
            answers = list_orders(state, self.foe)
            if kind != WIN_IN_TWO:
                answers = list_different(state, self.foe, answers)
        self.answers = list(answers)
        self.unsure = False

    def refute(self, sheet: Sheet) -> Sheet | None:
        """Return an answer that defeats these orders; None if there is none. Answers that defeated others come
        first."""
        unsure = False
        for place, answer in enumerate(self.answers):
            played = play(self.state, {self.mage: sheet, self.foe: answer})
            unsure = unsure or played.unsure
            if not self._reaches_goal(played.state):
                if place:
                    self.answers.insert(0, self.answers.pop(place))
                return answer
        self.unsure = self.unsure or unsure
        return None

    def _reaches_goal(self, state: State) -> bool:
        """Return whether the mage still reaches the goal after this turn."""
        if self.kind != WIN_IN_TWO or state.over:
            return has_reached(self.kind, state, self.mage)
        return next(list_wins(state, self.mage), None) is not None


def list_wins(state: State, mage: str) -> Iterator[Sheet]:
    """Yield the orders that win this turn against every answer, one for each effect."""
    if not is_plain(state):
        return
    foe = opponent(state, mage)
    mine = list_different(state, mage, list_orders(state, mage))
    mine = tuple(each for each in mine if has_reached(WIN, play(state, {mage: each, foe: IDLE}).state, mage))
    judge = Judge(state, mage, WIN) if mine else None
    for sheet in mine:
        assert judge is not None
        judge.unsure = False
        if judge.refute(sheet) is None and not judge.unsure:
            yield sheet


def prove(state: State, mage: str, kind: str) -> PuzzleProof | None:
    """Return the proof that this position is such a puzzle for this mage; None if it is not, or cannot be proved.

    All orders were tried: each except the solutions is defeated by one of the proof's answers.
    """
    try:
        return _prove(state, mage, kind)
    except Unprovable:
        return None


def _prove(state: State, mage: str, kind: str) -> PuzzleProof | None:
    if not is_plain(state):
        return None
    if not _is_promising(state, mage, kind):
        return None
    if kind == WIN_IN_TWO and next(list_wins(state, mage), None) is not None:
        return None
    judge = Judge(state, mage, kind)
    mine = list_orders(state, mage)
    solutions: list[Sheet] = []
    answers: dict[Sheet, None] = {}
    for sheet in mine:
        answer = judge.refute(sheet)
        if answer is not None:
            answers[answer] = None
            continue
        solutions.append(sheet)
        if judge.unsure or len({each.column for each in solutions}) > MOST_COLUMNS:
            return None
    if not solutions or not answers:
        return None
    columns = len({sheet.column for sheet in solutions})
    all_columns = len({sheet.column for sheet in mine})
    reply = _find_toughest(state, mage, solutions[0], judge) if kind == WIN_IN_TWO else None
    return PuzzleProof(tuple(solutions), tuple(answers), columns, all_columns, reply)


def _is_promising(state: State, mage: str, kind: str) -> bool:
    """Return whether the position may be a puzzle, judging by a few answers, to skip most proofs that would fail."""
    foe = opponent(state, mage)
    mine = list_orders(state, mage)
    if kind == WIN:
        different = list_different(state, mage, mine)
        return any(has_reached(WIN, play(state, {mage: each, foe: IDLE}).state, mage) for each in different)
    plain = list({sheet.column: sheet for sheet in reversed(mine)}.values())
    if kind == WIN_IN_TWO:
        judge = Judge(state, mage, kind, [IDLE, CLAP, SHIELD])
        return any(judge.refute(each) is None for each in plain)
    answers = list_different(state, foe, list_orders(state, foe))
    deadly = [each for each in answers if mage in play(state, {mage: IDLE, foe: each}).state.out]
    judge = Judge(state, mage, kind, deadly)
    return bool(deadly) and 0 < sum(judge.refute(each) is None for each in plain) <= 2 * MOST_COLUMNS


def _find_toughest(state: State, mage: str, sheet: Sheet, judge: Judge) -> Sheet:
    """Return the answer after which the fewest orders win; never one that ends the battle, if there is another."""
    best, fewest = judge.answers[0], 1_000_000
    for answer in list_different(state, judge.foe, judge.answers):
        after = play(state, {mage: sheet, judge.foe: answer}).state
        ways = 999_999 if after.over else sum(1 for _ in list_wins(after, mage))
        if ways < fewest:
            best, fewest = answer, ways
    return best


__all__ = [
    "KINDS",
    "SURVIVE",
    "WIN",
    "WIN_IN_TWO",
    "Judge",
    "Played",
    "PuzzleProof",
    "Unprovable",
    "complete_sheet",
    "has_reached",
    "is_plain",
    "list_different",
    "list_orders",
    "list_wins",
    "normalise",
    "play",
    "prove",
]
