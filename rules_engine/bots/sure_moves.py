"""Moves that are sure to win a turn of a duel, or to save a life in it: proved against every answer and every roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rules_engine.bots.chance import ScriptedDice
from rules_engine.bots.deadly_turns import list_every_move, may_die, may_end
from rules_engine.bots.moves import Move, Moves
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.search import Search, SearchResult, list_cells
from rules_engine.bots.worth import Worth, shares_of
from rules_engine.orders import Sheet
from rules_engine.state import State

MOST_ROLLS: Final = 64
MOST_PLAYED: Final = 4_000
"""How many turns the proofs of one kind play; what is not proved then counts as not sure."""
FEWEST_SAVING: Final = 6
"""How many moves that save a mage's life are weighed, if there are so many."""


def play_every_roll(state: State, sheets: dict[str, Sheet], worth: Worth) -> Iterator[State]:
    """Yield the position after these orders for every way in which the dice may fall, up to `MOST_ROLLS`."""
    script: list[int] = []
    for _ in range(MOST_ROLLS):
        dice = ScriptedDice(script)
        yield play_turn(state, sheets, worth, dice)
        script += [0] * (len(dice.sizes) - len(script))
        while script and script[-1] == dice.sizes[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


class Proof:
    """What one mage's moves are proved to do in this turn of a duel, against every move of the other and every roll.

    `states` are positions that look alike to the mage: what holds must hold in all of them.
    """

    def __init__(self, finder: Moves, states: Sequence[State], mage: str) -> None:
        self.worth, self.states, self.mage = finder.worth, states, mage
        self.other = next(name for name in states[0].still_in if name != mage)
        self.moves = list_every_move(finder, states[0], mage)
        self.played = 0
        self.answers = [
            [move.sheet for move in list_every_move(finder, state, self.other, late=True)]
            if self.other in state.owing
            else [Sheet()]
            for state in states
        ]

    def wins(self, sheet: Sheet) -> bool:
        """Return whether the other mage is sure to lose this turn."""
        return self._holds(sheet, won=True)

    def lives(self, sheet: Sheet) -> bool:
        """Return whether the mage is sure not to lose this turn."""
        return self._holds(sheet, won=False)

    def find(self, holds: Callable[[Sheet], bool], tried: Sequence[Move], fewest: int) -> list[Move]:
        """Return the tried moves for which this holds and, if they are fewer, others up to so many, the best first."""
        found = [move for move in tried if holds(move.sheet)]
        known = {move.sheet for move in tried}
        for move in self.moves:
            if len(found) >= fewest:
                break
            if move.sheet not in known and holds(move.sheet):
                found.append(move)
        return found

    def _holds(self, sheet: Sheet, *, won: bool) -> bool:
        return all(
            self._holds_in(state, answers, sheet, won=won)
            for state, answers in zip(self.states, self.answers, strict=True)
        )

    def _holds_in(self, state: State, answers: list[Sheet], sheet: Sheet, *, won: bool) -> bool:
        for place, answer in enumerate(answers):
            for after in play_every_roll(state, {self.mage: sheet, self.other: answer}, self.worth):
                self.played += 1
                if self.played > self._most or not (self._has_won(after) if won else self._is_alive(after)):
                    answers.insert(0, answers.pop(place))  # what refutes one move often refutes the next
                    return False
        return True

    def _has_won(self, after: State) -> bool:
        return after.outcome is not None and shares_of(after.outcome, after.mages)[self._place] == 1.0

    def _is_alive(self, after: State) -> bool:
        return self.mage not in after.out

    @property
    def _most(self) -> int:
        return MOST_PLAYED * len(self.states)

    @property
    def _place(self) -> int:
        return self.states[0].mages.index(self.mage)


def find_sure(
    search: Search,
    state: State,
    mage: str,
    result: SearchResult,
    alike: Sequence[State] = (),
    doubted: Sequence[State] = (),
    fewest: int = FEWEST_SAVING,
) -> SearchResult:
    """Return a search of this turn in which the mage has only the moves that are sure to win it, if there are any, else
    only those that are sure to save the mage's life where others are not.

    Others that save it are added until there are the `fewest`. `alike` and `doubted` are other positions that look like
    this one to the mage, the worst of those doubted first: what is sure in all of them comes before what is sure
    without the worst, and that before what is sure in this position.
    """
    me = result.place(mage)
    worlds = [[state, *alike, *doubted[place:]] for place in range(len(doubted))] or [[state, *alike]]
    for states in [*worlds, [state]] if len(worlds[0]) > 1 else worlds:
        sure = _list_sure(search.finder, states, mage, result.moves[me], fewest)
        if sure:
            return keep_only(search, state, result, me, sure)
    return result


def _list_sure(finder: Moves, states: Sequence[State], mage: str, tried: Sequence[Move], fewest: int) -> list[Move]:
    """Return the moves that are sure to win, or else those that save the mage's life; none if all tried ones do."""
    if not any(map(may_end, states)):
        return []
    proof = Proof(finder, states, mage)
    if all(may_die(state, proof.other) for state in states):
        winning = proof.find(proof.wins, tried, 1)
        if winning:
            return winning
    if not any(may_die(state, mage) for state in states):
        return []
    proof.played = 0
    saving = proof.find(proof.lives, tried, fewest)
    return [] if all(move in saving for move in tried) else saving


def keep_only(search: Search, state: State, result: SearchResult, me: int, sure: Sequence[Move]) -> SearchResult:
    """Solve the turn again with only these moves of one mage."""
    moves: list[list[Move]] = list(result.moves)
    table: dict[tuple[int, ...], Sequence[float]] = {}
    moves[me] = list(sure)
    before = {move.sheet: place for place, move in enumerate(result.moves[me])}
    for cell in list_cells(moves):
        known = before.get(moves[me][cell[me]].sheet, -1)
        old = (*cell[:me], known, *cell[me + 1 :])
        table[cell] = result.table.get(old) or search.play(state, result.names, moves, cell)
    return search.solve_table(state, result.names[me], result.names, tuple(moves), table)
