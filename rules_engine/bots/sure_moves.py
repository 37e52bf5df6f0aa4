"""Moves that are sure to win a turn of a duel, or to save a life in it: proved against every answer and every roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rules_engine.bots.chance import ScriptedDice
from rules_engine.bots.deadly_turns import MOVED_HANDS, list_every_move, list_palms, may_die, may_end
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

    `states` are positions that look alike to the mage: what holds must hold in all those that are asked about. What has
    been proved of a move in one of them is kept.
    """

    def __init__(self, finder: Moves, states: Sequence[State], mage: str) -> None:
        self.worth, self.states, self.mage = finder.worth, states, mage
        self.other = next(name for name in states[0].still_in if name != mage)
        self.moves = list_every_move(finder, states[0], mage)
        moved = not MOVED_HANDS.isdisjoint(states[0].wizards[mage].marks)
        if moved or states[0].ruleset.rules.last_to_surrender_wins:
            self.moves += list_palms(finder, states[0], mage)
        self.answers = [self._list_answers(finder, state) for state in states]
        self._place = states[0].mages.index(mage)
        self._known: dict[tuple[int, Sheet, bool], bool] = {}
        self._left = 0

    def _list_answers(self, finder: Moves, state: State) -> list[Sheet]:
        """Return the orders of the other mage that may matter: even a mage who surrenders may kill with both palms."""
        if self.other not in state.owing:
            return [Sheet()]
        moves = list_every_move(finder, state, self.other, late=True)
        return [move.sheet for move in [*moves, *list_palms(finder, state, self.other, late=True)]]

    def find(self, places: Sequence[int], tried: Sequence[Move], fewest: int) -> list[Move]:
        """Return the moves that are sure to win in the positions at these places, or else those that save the mage's
        life; none if all tried ones do."""
        states = [self.states[place] for place in places]
        if not any(map(may_end, states)):
            return []
        if all(may_die(state, self.other) for state in states):
            winning = self._find(places, tried, 1, won=True)
            if winning:
                return winning
        if not any(may_die(state, self.mage) for state in states):
            return []
        saving = self._find(places, tried, fewest, won=False)
        return [] if all(move in saving for move in tried) else saving

    def _find(self, places: Sequence[int], tried: Sequence[Move], fewest: int, *, won: bool) -> list[Move]:
        """Return the tried moves for which this holds and, if they are fewer, others up to so many, the best first."""
        self._left = MOST_PLAYED * len(places)
        found = [move for move in tried if self._holds(places, move.sheet, won)]
        known = {move.sheet for move in tried}
        for move in self.moves:
            if len(found) >= fewest:
                break
            if move.sheet not in known and self._holds(places, move.sheet, won):
                found.append(move)
        return found

    def _holds(self, places: Sequence[int], sheet: Sheet, won: bool) -> bool:
        for place in places:
            holds = self._known.get((place, sheet, won))
            if holds is None:
                holds = self._prove(place, sheet, won)
                if self._left >= 0:
                    self._known[place, sheet, won] = holds
            if not holds:
                return False
        return True

    def _prove(self, place: int, sheet: Sheet, won: bool) -> bool:
        state, answers = self.states[place], self.answers[place]
        for at, answer in enumerate(answers):
            for after in play_every_roll(state, {self.mage: sheet, self.other: answer}, self.worth):
                self._left -= 1
                if self._left < 0 or not (self._has_won(after) if won else self._is_alive(after)):
                    answers.insert(0, answers.pop(at))  # what refutes one move often refutes the next
                    return False
        return True

    def _has_won(self, after: State) -> bool:
        return after.outcome is not None and shares_of(after.outcome, after.mages)[self._place] == 1.0

    def _is_alive(self, after: State) -> bool:
        return self.mage not in after.out


def find_sure(
    search: Search,
    states: Sequence[State],
    mage: str,
    results: Sequence[SearchResult],
    doubted: Sequence[State] = (),
    fewest: int = FEWEST_SAVING,
) -> list[SearchResult]:
    """Return searches of this turn in which the mage has only the moves that are sure to win it, if there are any, else
    only those that are sure to save the mage's life where others are not.

    Others that save it are added until there are the `fewest`. `states` are positions that look alike to the mage, the
    first of them those of the `results`; `doubted` are others, the worst first: what is sure in all of them comes
    before what is sure without the worst, and that before what is sure in the position of one result.
    """
    every = [*states, *doubted]
    if not any(map(may_end, every)):
        return list(results)
    me = results[0].place(mage)
    tried = list({move.sheet: move for result in results for move in result.moves[me]}.values())
    proof = Proof(search.finder, every, mage)
    for left_out in range(max(len(doubted), 1)):
        # The worst first: they refute most moves at once.
        places = [*range(len(states) + left_out, len(every)), *range(len(states))]
        if sure := proof.find(places, tried, fewest):
            return [keep_only(search, *each, me, sure) for each in zip(states, results, strict=False)]
    found = list(results)
    for place, result in enumerate(results if len(every) > 1 else ()):
        if sure := proof.find([place], result.moves[me], fewest):
            found[place] = keep_only(search, states[place], result, me, sure)
    return found


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
