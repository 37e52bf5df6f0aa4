"""The changes that orders would make to a mage's sheet, before anything is stored, in that mage's own view."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from duels.commitments import Sealed, seal_orders
from duels.keys import StageKey
from duels.terms import Terms
from rules_engine import (
    ALL_HANDS,
    IllegalOrders,
    InvalidOrders,
    Problem,
    Question,
    Read,
    Sheet,
    State,
    complete_surrender,
    open_questions,
)
from rules_engine.records import Place

# The code of read_orders for problems with the rules; all its other codes are about the wording.
NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True)
class SheetChange:
    """A sheet before and after orders. With `asks_only`, they order nothing and only ask for the status."""

    before: Sheet
    after: Sheet
    becomes_ready: bool
    missing: tuple[Question, ...]
    asks_only: bool = False

    @property
    def is_nothing(self) -> bool:
        return self.before.lines() == self.after.lines()


def compute_sheet_change(
    state: State,
    mage: str,
    before: Sheet,
    read: Read,
    *,
    was_ready: bool,
    ready: bool | None = None,
    replace: bool = False,
    terms: Terms,
) -> SheetChange:
    """Return the change that the orders would make. Raises InvalidOrders or IllegalOrders with every problem."""
    refuse_if_not_understood(read.problems)
    after = read.sheet if replace else read.change(before)
    if read.end if ready is None else ready:
        after = complete_surrender(state, mage, after)
    questions = open_questions(state, mage, after)
    refuse_if_forbidden(after, questions, terms)
    missing = tuple(question for question in questions if question.required and question.answered is None)
    wanted = read.end if ready is None else ready
    says_nothing = read.is_empty and not replace
    if says_nothing and ready is not False and (missing or not wanted):
        return SheetChange(before, before, was_ready, missing, asks_only=True)
    if wanted:
        _refuse_without_hands(missing)
    keeps_ready = was_ready and ready is None and after.lines() == before.lines()
    return SheetChange(before, after, not missing and (wanted or keeps_ready), missing)


def refuse_if_not_understood(problems: Iterable[Problem]) -> None:
    """Raise InvalidOrders if any of `problems` is about the wording, IllegalOrders if all are about the rules."""
    found = tuple(problems)
    if any(problem.code != NOT_ALLOWED for problem in found):
        raise InvalidOrders(found)
    if found:
        raise IllegalOrders(found)


def refuse_if_forbidden(sheet: Sheet, questions: Iterable[Question], terms: Terms) -> None:
    """Raise IllegalOrders if the sheet has an answer that is not allowed now, or SAY in a battle without chat."""
    problems = find_forbidden(sheet, questions, terms)
    if problems:
        raise IllegalOrders(problems)


def refuse_speech_of_guest(sheet: Sheet) -> None:
    """Raise IllegalOrders if the sheet of a guest has SAY: nobody is accountable for what a guest says to people."""
    said = sheet.get("SAY")
    if said:
        message = _("Guests cannot speak to people. Remove SAY, or press “Keep this mage” to sign up.")
        raise IllegalOrders((Problem(line=0, text=str(said), code="guest_says", message=message),))


def find_forbidden(sheet: Sheet, questions: Iterable[Question], terms: Terms) -> tuple[Problem, ...]:
    """Return the problems `refuse_if_forbidden` would raise."""
    problems = [problem for question in questions for problem in _what_forbids(question, sheet.get(question.id))]
    if not terms.chat and sheet.get("SAY"):
        problems.append(
            Problem(
                line=0, text=str(sheet.get("SAY")), code="no_chat", message=_("This battle has no chat: remove SAY.")
            )
        )
    return tuple(problems)


def _what_forbids(question: Question, given: str | None) -> Iterator[Problem]:
    """Yield each problem with a gesture or spell that is not available, or a forbidden target."""
    if given is None or question.kind not in ("gesture", "choose", "target"):
        return
    allowed = [option.value for option in question.options if option.allowed]
    if given in allowed or (question.kind == "target" and given not in [o.value for o in question.options]):
        return
    reason = next((option.reason for option in question.options if option.value == given), "")
    offered = _("Allowed for %(question)s: %(answers)s.") % {"question": question.id, "answers": ", ".join(allowed)}
    yield Problem(
        line=0,
        text=question.line(given),
        code=NOT_ALLOWED,
        message=f"{reason[:1].upper()}{reason[1:]}. {offered}" if reason else offered,
        nearest=question.line(allowed[0]) if len(allowed) == 1 else None,
    )


def _refuse_without_hands(missing: Iterable[Question]) -> None:
    """Raise IllegalOrders if the gesture of a hand is missing (FM-ORDMOVE-8)."""
    problems = tuple(
        Problem(
            line=0,
            text=question.id,
            code="hand_missing",
            message=_("There is no gesture for %(hand)s.") % {"hand": question.id},
            nearest=f"{question.id} -",
        )
        for question in missing
        if question.id in ALL_HANDS
    )
    if problems:
        raise IllegalOrders(problems)


def seal_change(
    change: SheetChange, sealed: Sealed, battle: int, key: StageKey, position: int, *, was_ready: bool
) -> dict[str, Any]:
    """Return the commitments of the sheet after the change, for a mage at `position` (0 is the first to join)."""
    return seal_orders(
        sealed,
        place=Place(battle, key.seq, key.attempt, key.stage),
        position=position + 1,
        before=change.before.lines(),
        after=change.after.lines(),
        was_ready=was_ready,
        ready=change.becomes_ready,
    )
