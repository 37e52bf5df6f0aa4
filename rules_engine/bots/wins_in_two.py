"""Moves that win a duel within two turns for certain: proved against every order of the other mage and every roll.

A search of likely moves sees that such a move is good, but not that it is better than all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import Final

from rules_engine.beings import ORDERS
from rules_engine.bots.aims import Situation
from rules_engine.bots.answer_questions import find_extras
from rules_engine.bots.deadly_turns import list_aims, may_die, only_shield
from rules_engine.bots.moves import COLUMNS, Move, list_choices, say_choice
from rules_engine.bots.search import Search, SearchResult
from rules_engine.bots.sure_moves import keep_only, play_every_roll
from rules_engine.bots.worth import Worth, shares_of
from rules_engine.gestures import FRIGHTENED, LEFT, RIGHT, STAB, SURRENDER
from rules_engine.orders import Sheet
from rules_engine.state import State

PROMISING: Final = 0.05
"""With a smaller chance by the search, a mage looks for no sure win: nearly always there is none."""
MOST_PLAYED: Final = 6_000
"""How many turns the proofs of one decision play."""
MOST_ORDERS: Final = 150
LITERAL: Final = frozenset({"paralysed", "maladroit", "confused", "charmed"})
"""Marks with which the very gestures matter, not only what they complete."""
_UNKNOWN: Final = frozenset({"banked", "fast", "time_stopped", "permanency", "delay", "invisible", "blind"})
"""Marks with which more may happen than is listed here."""


def find_win_in_two(search: Search, state: State, mage: str, result: SearchResult) -> SearchResult:
    """Return a search of this turn with only a move that is sure to win within two turns, if one is found."""
    me = result.place(mage)
    if len(result.names) != 2 or not PROMISING <= result.value < 1.0 or not _is_listed(state):
        return result
    index, moves = list(state.wizards).index(mage), result.moves[me]
    best = sorted(range(len(moves)), key=lambda place: -result.chance_of(me, place, index))
    proof = TwoTurns(state, mage, search.worth)
    others = (Move(sheet, 0.0) for sheet in list_orders(state, mage, search.worth, last=False))
    for move in chain((moves[place] for place in best), others):
        if proof.wins(move.sheet):
            return keep_only(search, state, result, me, [move])
        if proof.played > MOST_PLAYED:
            break
    return result


class TwoTurns:
    """What one mage's moves are proved to win within two turns."""

    def __init__(self, state: State, mage: str, worth: Worth, most: int = MOST_PLAYED) -> None:
        self.most = most
        self.state, self.mage, self.worth = state, mage, worth
        self.other = next(name for name in state.still_in if name != mage)
        self.place = state.mages.index(mage)
        self.answers = list(list_orders(state, self.other, worth, last=False))
        self.played = 0
        self._won_by: Sheet | None = None  # what won after the last answer may win after the next
        self._refuted_by: Sheet | None = None

    def wins(self, sheet: Sheet) -> bool:
        """Return whether the mage has won after this turn or can force it in the next, whatever the other plays."""
        for at, answer in enumerate(self.answers):
            for after in self._play(self.state, sheet, answer):
                if self.played > self.most or not (self._has_won(after) or self._wins_next(after)):
                    self.answers.insert(0, self.answers.pop(at))  # what refutes one move often refutes the next
                    return False
        return True

    def _wins_next(self, after: State) -> bool:
        if after.outcome is not None or after.extra or len(after.owing) != 2 or not _is_listed(after):
            return False
        if not may_die(after, self.other):
            return False
        answers = list(list_orders(after, self.other, self.worth, last=True))
        if self._refuted_by in answers:
            answers.insert(0, answers.pop(answers.index(self._refuted_by)))
        mine = list(list_orders(after, self.mage, self.worth, last=True))
        if self._won_by in mine:
            mine.insert(0, mine.pop(mine.index(self._won_by)))
        return any(self._wins_now(after, sheet, answers) for sheet in mine)

    def _wins_now(self, state: State, sheet: Sheet, answers: list[Sheet]) -> bool:
        for at, answer in enumerate(answers):
            for after in self._play(state, sheet, answer):
                if self.played > self.most or not self._has_won(after):
                    self._refuted_by = answer
                    answers.insert(0, answers.pop(at))
                    return False
        self._won_by = sheet
        return True

    def _play(self, state: State, sheet: Sheet, answer: Sheet) -> Iterator[State]:
        for after in play_every_roll(state, {self.mage: sheet, self.other: answer}, self.worth):
            self.played += 1
            yield after

    def _has_won(self, after: State) -> bool:
        return after.outcome is not None and shares_of(after.outcome, after.mages)[self.place] == 1.0


def _is_listed(state: State) -> bool:
    """Return whether `list_orders` lists all that both mages can do to each other."""
    return not state.doubled and all(
        wizard.phase == ORDERS and wizard.bank is None and _UNKNOWN.isdisjoint(wizard.marks)
        for wizard in [state.wizards[name] for name in state.still_in]
    )


def list_orders(state: State, name: str, worth: Worth, *, last: bool) -> Iterator[Sheet]:
    """Yield the orders of a mage, but only one of those that make no difference; in a `last` turn, what the hands have
    begun afterwards makes none."""
    wizard = state.wizards[name]
    literal = not LITERAL.isdisjoint(wizard.marks)
    afraid = "afraid" in wizard.marks
    extras = find_extras(Situation(state, name, worth))
    known = set[object]()
    for column in (*COLUMNS, SURRENDER):
        if afraid and not FRIGHTENED.isdisjoint(column):
            continue
        reached = wizard.begun.lead_to(column)
        offers = reached.later if wizard.short_bolt_used else reached.first
        if column == SURRENDER and only_shield(offers):
            continue
        choices: Iterator[Mapping[str, str]] | list[Mapping[str, str]]
        choices = [offers.settled] if offers.settled is not None else list_choices(offers)
        for cast in choices:
            slots = {} if offers.settled is not None else say_choice(offers, cast)
            sheet = Sheet({LEFT: column[0], RIGHT: column[1], **slots})
            aims = list_aims(state, name, sheet)
            for values in product(*aims.values()):
                more = {**extras, **slots, **dict(zip(aims, values, strict=True))}
                key = (
                    column if literal else column.find(STAB),
                    () if last else reached,
                    *cast.items(),
                    *sorted(more.items()),
                )
                if key not in known and len(known) < MOST_ORDERS:
                    known.add(key)
                    yield Sheet({LEFT: column[0], RIGHT: column[1], **more})


__all__ = ["TwoTurns", "find_win_in_two", "list_orders"]
