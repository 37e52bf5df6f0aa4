"""Begins battles and plays their turns: `advance` is a function of state, sheets and dice (commitment 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.beings import COLOURS, WIZARD_HP, Wizard
from rules_engine.dice import Dice
from rules_engine.errors import BattleOver
from rules_engine.events import Event
from rules_engine.native import mypyc_attr
from rules_engine.occasions import Step
from rules_engine.orders import Sheet
from rules_engine.outcome import Outcome
from rules_engine.questions import Question, open_questions
from rules_engine.rules import Ruleset
from rules_engine.rulesets import get_ruleset
from rules_engine.silent_turn import SilentTurn
from rules_engine.spells import Cast
from rules_engine.state import State
from rules_engine.steps import drop_late_mages, join_pairs, set_up_next_turn, take_orders
from rules_engine.turn import Turn


class TurnRecord:
    """The effects of a turn besides its events, for callers that check, count or record it. Do not change it.

    `gestures`: mage → (left, right) as really played, two letters each for two pairs; `casts` in the order they took
    effect; `attacks` and `collisions` of mind spells as they happened; `newborn`: (mage, hand) → creature.
    Computed when read, from the turn and the state after it: callers read the record of few turns.
    """

    __slots__ = ("_column", "_turn")

    def __init__(self, turn: Turn, column: int) -> None:
        self._turn = turn
        self._column = column  # of the first gestures of the turn, in the histories

    @property
    def gestures(self) -> Mapping[str, tuple[str, str]]:
        return {wizard.name: self._made_by(wizard) for wizard in self._turn.moving}

    def _made_by(self, wizard: Wizard) -> tuple[str, str]:
        made = slice(self._column, self._column + (2 if wizard.name in self._turn.paired else 1))
        return wizard.left[made], wizard.right[made]

    @property
    def casts(self) -> tuple[Cast, ...]:
        return self._turn.worked

    @property
    def attacks(self) -> tuple[Mapping[str, Any], ...]:
        return self._turn.attacks

    @property
    def collisions(self) -> tuple[Mapping[str, Any], ...]:
        return self._turn.collisions

    @property
    def newborn(self) -> Mapping[tuple[str, str], str]:
        return self._turn.newborn

    @property
    def flags(self) -> Mapping[str, bool]:
        """Which storms, elementals and Dispel Magic took effect."""
        turn = self._turn
        return {
            "dispel": turn.dispelled,
            "firestorm": turn.fire_storm,
            "icestorm": turn.ice_storm,
            "elemexpl": turn.elementals_clashed,
            "stormexpl": turn.storms_clashed,
            "fireball_absorbed": turn.fireball_absorbed,
        }


@mypyc_attr(acyclic=True, free_list_len=1)
class Asks:
    """The turn has stopped: `questions` are open, and `state` keeps everything already decided and rolled."""

    __slots__ = ("events", "state")

    state: State
    events: tuple[Event, ...]

    def __init__(self, state: State, events: tuple[Event, ...]) -> None:
        self.state = state
        self.events = events

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions to everyone who owes an answer, computed from the state when read."""
        return tuple(q for name in self.state.owing for q in open_questions(self.state, name))

    @property
    def told(self) -> tuple[Event, ...]:
        """The name of `events` up to version 0.2, for programs that use it."""
        return self.events


@mypyc_attr(acyclic=True, free_list_len=1)
class Done:
    """The turn is over. `outcome` is None while the battle runs; `penalties`: who loses a point for surrendering."""

    __slots__ = ("_column", "_turn", "events", "outcome", "penalties", "state")

    state: State
    events: tuple[Event, ...]
    outcome: Outcome | None
    penalties: tuple[str, ...]

    def __init__(self, turn: Turn, column: int) -> None:
        self.state = turn.state
        self.events = turn.collect_events()
        self.outcome = turn.state.outcome
        self.penalties = turn.penalties
        self._turn = turn
        self._column = column

    @property
    def record(self) -> TurnRecord:
        """What the turn did besides its events."""
        return TurnRecord(self._turn, self._column)

    @property
    def told(self) -> tuple[Event, ...]:
        """The name of `events` up to version 0.2, for programs that use it."""
        return self.events


def new_duel(
    ruleset: Ruleset | str, mages: Sequence[str] | int, *, dice: Dice, hit_points: Sequence[int] = ()
) -> State:
    """Return a battle about to begin: all have bowed, all owe orders for turn 1 (FM-GEST-32..35).

    `mages` are two names or more, all different; their order is the order of equal spells for the whole battle. For a
    ruleset that names its mages, their number is enough (SC-START-6). `hit_points` is a handicap: the hit points of
    each mage at the start, in their order; any left out start with WIZARD_HP. Raises ValueError for arguments that
    cannot be played.
    """
    rules = get_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    if isinstance(mages, int):
        if mages > len(rules.mage_names):
            raise ValueError(f"{rules.title} has no names for {mages} mages")
        mages = rules.mage_names[:mages]
    if rules.most_mages is not None and len(mages) > rules.most_mages:
        raise ValueError(f"{rules.title} is for at most {rules.most_mages} mages")
    if len(mages) < 2 or len({name.casefold() for name in mages}) != len(mages):
        raise ValueError("a battle needs two or more different mages")
    if not all(1 <= points <= WIZARD_HP for points in hit_points):
        raise ValueError(f"a mage starts with 1 to {WIZARD_HP} hit points")
    shift = dice.pick("colours", "", tuple(range(7)))
    state = State(rules, tuple(mages), COLOURS[shift:] + COLOURS[:shift])
    for wizard, points in zip(state.wizards.values(), hit_points, strict=False):
        wizard.hp = points
    return state


def advance(state: State, sheets: Mapping[str, Sheet], dice: Dice) -> Asks | Done:
    """Continue the turn as far as the sheets allow.

    Needs a sheet with both gestures from every mage in phase "orders" (raises OrdersMissing) and takes answers from
    every other mage in `state.owing`; it ignores all other sheets. A mage whose sheet is `Sheet.of_forfeit()`
    dies first (FM-SLOW-6), and one whose sheet is `Sheet.of_absence()` or `Sheet.of_claim()` leaves alive before that;
    if fewer than two are left, the battle ends, whatever the others have ordered. Same input, same result; `state` is
    not changed.
    """
    if state.outcome is not None:
        raise BattleOver(f"the battle ended with turn {state.label}")
    orders = sheets if isinstance(sheets, dict) else dict(sheets)
    return _play_on(Turn(state.copy(), dice, orders), orders, state.ruleset.plans[state.extra])


def advance_silently(state: State, sheets: Mapping[str, Sheet], dice: Dice) -> Asks | Done:
    """Do the same as `advance`, for a search: without events, and without remembering in the new states which events
    their marks come from."""
    orders = sheets if isinstance(sheets, dict) else dict(sheets)
    return _play_on(SilentTurn(state.copy(), dice, orders), orders, state.ruleset.silent_plans[state.extra])


def _play_on(turn: Turn, sheets: dict[str, Sheet], plans: tuple[tuple[Step, ...], ...]) -> Asks | Done:
    after = turn.state
    if drop_late_mages(turn, sheets):
        return Done(turn, len(after.columns))
    if take_orders(turn, sheets):
        return _ask(turn)
    steps = plans[turn.occasions]
    for step in steps[after.at :] if after.at else steps:
        if step(turn):
            after.at, after.substituted = after.ruleset.steps(turn.extra).index(step), True
            return _ask(turn)
    column = len(after.columns) - (2 if after.doubled else 1)
    if after.doubled:
        join_pairs(turn)
    if after.outcome is None:
        set_up_next_turn(turn)
    return Done(turn, column)


def _ask(turn: Turn) -> Asks:
    state = turn.state
    state.stage += 1
    state.event_count += len(turn.events)
    return Asks(state, turn.collect_events())
