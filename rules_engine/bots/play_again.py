"""Plays a turn again that was played, with other orders: what would have happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules_engine.battle import Done, advance
from rules_engine.beings import NOBODY
from rules_engine.bots.aims import BAD_MARKS, Situation
from rules_engine.bots.moves import answer
from rules_engine.bots.play_turn import MOST_STAGES
from rules_engine.bots.worth import Worth
from rules_engine.dice import Dice, RepeatingDice
from rules_engine.events import Event
from rules_engine.gestures import BOTH, FIRE, LEFT, NOTHING, RIGHT, SECOND
from rules_engine.orders import Sheet
from rules_engine.records.chronicle import PlayedTurn
from rules_engine.state import State

_HANDS_OF: Mapping[str, tuple[str, ...]] = {
    **{hand: (hand,) for pair in ((LEFT, RIGHT), (SECOND[LEFT], SECOND[RIGHT])) for hand in pair},
    BOTH: (LEFT, RIGHT),
    SECOND[BOTH]: (SECOND[LEFT], SECOND[RIGHT]),
}

_POWERS = frozenset({"permanency", "delay"})
_HARMFUL = (*BAD_MARKS, "struck_blind")


class Replayed(NamedTuple):
    """The end of a turn that was played again, its events, and every mage's orders, with the answers to what it
    asked."""

    after: State
    events: tuple[Event, ...]
    orders: Mapping[str, Sheet]

    def casts(self, mage: str, hand: str) -> bool:
        """Return whether the mage casts a spell with this hand, at somebody."""
        return any(
            event.kind == "casts"
            and (event.facts["who"], event.facts["hand"]) == (mage, hand)
            and (event.facts["target"] != NOBODY or event.facts["spell"] == "Dispel Magic")
            for event in self.events
        )


class WeighedRoll(NamedTuple):
    """A roll of a turn, and how much chance it gave each mage, in the order of the mages."""

    purpose: str
    who: str
    picked: Any
    gave: tuple[float, ...]


class LoadedDice:
    """Dice that repeat the rolls of a turn, except for one that falls as it is told. `offered` lists every roll with
    its options."""

    # It holds repeating dice rather than being some: no class that is not compiled can inherit from one that is.
    def __init__(self, turn: PlayedTurn, loaded: tuple[str, str] | None = None, falls: Any = None) -> None:
        self._repeating = RepeatingDice("what if", turn.seq, turn.throws)
        self.rolls = self._repeating.rolls
        self.offered: dict[tuple[str, str], Sequence[Any]] = {}
        self._loaded, self._falls = loaded, falls

    def pick(self, purpose: str, who: str, options: Sequence[Any]) -> Any:
        """Return what the roll is told to be, if it is on offer; otherwise the roll of the turn."""
        self.offered.setdefault((purpose, who), options)
        picked = self._repeating.pick(purpose, who, options)
        return self._falls if (purpose, who) == self._loaded and self._falls in options else picked


def weigh_rolls(turn: PlayedTurn, sheets: Mapping[str, Sheet], worth: Worth) -> list[WeighedRoll]:
    """Return every roll of the turn with what it changed: the chances as it fell, less their mean over all ways in
    which it could fall."""
    dice = LoadedDice(turn)
    played = worth.chances(_play_on(turn, sheets, worth, dice).after)
    fell = {(roll["purpose"], roll["who"]): roll["picked"] for roll in reversed(turn.throws)}
    found = []
    for key, options in dice.offered.items():
        if key not in fell or len(options) < 2:
            continue
        each = [worth.chances(_play_on(turn, sheets, worth, LoadedDice(turn, key, falls)).after) for falls in options]
        fair = [sum(chances) / len(each) for chances in zip(*each, strict=True)]
        found.append(WeighedRoll(*key, fell[key], tuple(now - mean for now, mean in zip(played, fair, strict=True))))
    return found


def play_again(turn: PlayedTurn, sheets: Mapping[str, Sheet], worth: Worth) -> Replayed:
    """Play the turn with these orders, and the same rolls where they fit; rules of thumb answer its questions."""
    return _play_on(turn, sheets, worth, RepeatingDice("what if", turn.seq, turn.throws))


def _play_on(turn: PlayedTurn, sheets: Mapping[str, Sheet], worth: Worth, dice: Dice) -> Replayed:
    done = advance(turn.before, sheets, dice)
    told, orders = done.events, dict(sheets)
    for _ in range(MOST_STAGES):
        if isinstance(done, Done):
            return Replayed(done.state, told, orders)
        state = done.state
        answers = {name: answer(Situation(state, name, worth), state.wizards[name], {}) for name in state.owing}
        orders |= {name: orders.get(name, Sheet()).merged(given) for name, given in answers.items()}
        done = advance(state, answers, dice)
        told += done.events
    raise RuntimeError(f"turn {turn.label} never stops asking")


def play_without(
    turn: PlayedTurn, sheets: Mapping[str, Sheet], worth: Worth, *, mage: str, hand: str
) -> Replayed | None:
    """Play the turn without the spell that a hand (or the bank) cast; None if no order of the mage can prevent it.

    The spell goes to nobody; one that needs no target is not cast, because its hands do nothing.
    """
    for changed in _prevent(sheets[mage], hand):
        replayed = play_again(turn, {**sheets, mage: changed}, worth)
        if not replayed.casts(mage, hand):
            return replayed
    return None


def _prevent(sheet: Sheet, hand: str) -> tuple[Sheet, ...]:
    if hand == FIRE:
        return (sheet.without(FIRE),)
    idle = sheet.merged(Sheet(dict.fromkeys(_HANDS_OF[hand], NOTHING)))
    return (sheet.merged(Sheet({f"TARGET {hand}": NOBODY})), idle)


def list_left(state: State, spender: str) -> dict[str, Any]:
    """Return what a turn has left of every mage and creature, without what a spell has cost its caster (`spender`):
    the bank, a power, and gestures."""
    found: dict[str, Any] = {}
    for name, wizard in state.wizards.items():
        marks, more = dict(wizard.marks), (wizard.bank, wizard.begun.left, wizard.begun.right)
        if name == spender:
            marks, more = {mark: turns for mark, turns in marks.items() if mark not in _POWERS}, (None, 0, 0)
        found[name] = (wizard.hp, marks, wizard.stuck, wizard.controller, name in state.out, *more)
    for name, monster in state.monsters.items():
        found[name] = (monster.hp, dict(monster.marks), monster.controller, monster.target)
    return found


def is_worse_off(mage: str, after: State, otherwise: State) -> bool:
    """Return whether a mage, or a creature of theirs, is worse off after a turn than after another."""
    mine, better = after.wizards[mage], otherwise.wizards[mage]
    creatures = [each for each in otherwise.monsters.values() if each.controller == mage]
    return (
        (mage in after.out and mage not in otherwise.out)
        or mine.hp < better.hp
        or any(mark in mine.marks and mark not in better.marks for mark in _HARMFUL)
        or (mine.begun.left, mine.begun.right) != (better.begun.left, better.begun.right)
        or any(
            each.name not in after.monsters
            or after.monsters[each.name].hp < each.hp
            or after.monsters[each.name].controller != mage
            for each in creatures
        )
    )
