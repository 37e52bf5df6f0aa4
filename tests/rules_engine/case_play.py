"""Plays a rule case in one ruleset and checks its claims."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine import (
    Asks,
    Done,
    Event,
    KeyedDice,
    Question,
    Sheet,
    advance,
    get_ruleset,
    is_complete,
    new_duel,
    open_questions,
    read_orders,
)
from rules_engine.state import State
from tests.conformance.recorded_dice import StartingDice
from tests.rules_engine.case_facts import Happened, check_fact
from tests.rules_engine.case_files import Case, Line, ThenStep, TurnStep
from tests.rules_engine.knowledge import Knowledge

MOST_STAGES = 12
IDLE = "LH -\nRH -"


class CaseFailed(AssertionError):
    """A claim of a case is false; the message begins with its file and line."""

    def __init__(self, line: Line, ruleset: str, problem: str) -> None:
        super().__init__(f"{line.place} under {ruleset}: {line.text!r}: {problem}")


class CaseDice:
    """Rolls that the case names; any others are arbitrary."""

    def __init__(self, turn: TurnStep, seq: int) -> None:
        self._answers: dict[tuple[str, str], Any] = {
            **{("paralysed hand", mage): hand for mage, hand in turn.held.items()},
            **{("confused monster", monster): target for monster, target in turn.monster_targets.items()},
            **{("random foe", hand): victim for hand, victim in turn.foes.items()},
            **{("confused hand", mage): hand for mage, (hand, _) in turn.confused.items()},
            **{("confused gesture", mage): gesture for mage, (_, gesture) in turn.confused.items()},
        }
        self._others = KeyedDice("case", seq, 0)
        self.rolls: list[dict[str, Any]] = []

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        picked = self._answers.get((purpose, who))
        if picked is None:
            picked = self._others.pick(purpose, who, options)
        assert picked in options, f"{purpose} of {who}: {picked} is none of {options}"
        self.rolls.append({"purpose": purpose, "who": who, "picked": picked})
        return picked


def play_case(case: Case, ruleset: str, edition: int | None = None) -> None:
    """Play a whole case, by the newest edition if none is named. Raises CaseFailed at the first false claim."""
    state = new_duel(get_ruleset(ruleset, edition), case.mages, dice=StartingDice(0))
    heard = Knowledge(state)
    state = _play_before(case, state, ruleset, heard)
    for mage, points in case.hit_points.items():
        state = state.copy()
        state.wizards[mage].hp = points
    happened: Happened | None = None
    for step in case.steps:
        if isinstance(step, TurnStep):
            happened = _play_turn(step, state, ruleset, heard)
            state = happened.done.state
        elif isinstance(step, ThenStep) and step.ruleset in (None, ruleset):
            _check(step, state, happened, ruleset)


def _check(step: ThenStep, state: State, happened: Happened | None, ruleset: str) -> None:
    for fact in step.facts:
        problem = check_fact(fact, state, happened)
        if problem:
            raise CaseFailed(fact, ruleset, problem)


def _play_before(case: Case, state: State, ruleset: str, heard: Knowledge) -> State:
    """Play the earlier gestures: real turns in which every spell is aimed at nobody."""
    length = max((max(len(left), len(right)) for left, right in case.before.values()), default=0)
    strings = {mage: tuple(hand.rjust(length, "-") for hand in case.before.get(mage, ("", ""))) for mage in case.mages}
    for column in range(length):
        sheets = {
            mage: _aim_nowhere(state, mage, left[column], right[column]) for mage, (left, right) in strings.items()
        }
        state = _finish(case.line, state, sheets, KeyedDice("before", state.seq, 0), {}, ruleset, heard)[0].state
    return state


def _aim_nowhere(state: State, mage: str, left: str, right: str) -> Sheet:
    lines = [f"LH {left}", f"RH {right}", *(f"TARGET {hand} nobody" for hand in ("LH", "RH", "BH"))]
    sheet = Sheet.from_lines(lines)
    for question in _unanswered(state, mage, sheet, "choose"):
        if any(q.id == question.id for q in _unanswered(state, mage, sheet, "choose")):
            option = next(option for option in question.options if option.allowed)
            sheet = sheet.merged(Sheet.from_lines([question.line(option.value)]))
    return sheet


def _unanswered(state: State, mage: str, sheet: Sheet, kind: str) -> list[Question]:
    return [q for q in open_questions(state, mage, sheet) if q.kind == kind and q.answered is None]


def _play_turn(step: TurnStep, state: State, ruleset: str, heard: Knowledge) -> Happened:
    if step.label is not None and state.label != step.label:
        raise CaseFailed(step.line, ruleset, f"this is turn {state.label}")
    for line, mage, text in step.refusals:
        read = read_orders(state, mage, text + "\nEND")
        # A single gesture is valid, but the turn still needs the other one.
        if not read.problems and is_complete(state, mage, read.sheet):
            raise CaseFailed(line, ruleset, "this orderset was accepted")
    sheets = {}
    for mage in state.owing:
        text = step.orders.get(mage, "")
        if "LH " not in text and any(q.kind == "gesture" for q in open_questions(state, mage, Sheet.from_lines([]))):
            text = f"{IDLE}\n{text}"
        sheets[mage] = _read(step.line, state, mage, text, ruleset)
    sheets |= dict.fromkeys(step.late, Sheet.of_forfeit())
    for mage in (*step.orders, *step.late):
        if mage not in state.owing:
            raise CaseFailed(step.line, ruleset, f"{mage} owes no orders")
    answers: dict[str, list[str]] = {}
    for mage, text in step.answers:
        answers.setdefault(mage, []).append(text)
    done, asked, events = _finish(step.line, state, sheets, CaseDice(step, state.seq), answers, ruleset, heard)
    if any(answers.values()):
        raise CaseFailed(step.line, ruleset, f"nobody asked for {answers}")
    return Happened(state, done, asked, events, heard.memories)


def _read(line: Line, state: State, mage: str, text: str, ruleset: str) -> Sheet:
    read = read_orders(state, mage, text + "\nEND")
    if read.problems:
        raise CaseFailed(line, ruleset, f"orders of {mage} refused: {'; '.join(p.message for p in read.problems)}")
    return read.sheet


def _finish(
    line: Line,
    state: State,
    sheets: Mapping[str, Sheet],
    dice: Any,
    answers: dict[str, list[str]],
    ruleset: str,
    heard: Knowledge,
) -> tuple[Done, list[Question], list[Event]]:
    """Advance to the end of the turn; mages who are asked give their next answer, or just END."""
    asked: list[Question] = []
    events: list[Event] = []
    for _ in range(MOST_STAGES):
        result = advance(state, sheets, dice)
        heard.learn(state, result)
        events += result.events
        if isinstance(result, Done):
            return result, asked, events
        assert isinstance(result, Asks)
        state = result.state
        asked += result.questions
        sheets = {mage: _answer(line, state, mage, answers, ruleset) for mage in state.owing}
    raise CaseFailed(line, ruleset, f"still asking after {MOST_STAGES} stages")


def _answer(line: Line, state: State, mage: str, answers: dict[str, list[str]], ruleset: str) -> Sheet:
    texts = answers.get(mage)
    return _read(line, state, mage, texts.pop(0) if texts else "", ruleset)
