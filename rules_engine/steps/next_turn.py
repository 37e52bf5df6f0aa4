"""Sets up the next turn: columns, who moves, Amnesia, and the count of every enchantment.

Spec: engine 1.3-1.6, 5.8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rules_engine.beings import (
    BANKED,
    BORN,
    CHOOSE_SPELL,
    CHOOSE_TARGET,
    EMPTY,
    NO_ORIGINS,
    ORDERS,
    READY,
    Being,
    Wizard,
)
from rules_engine.gestures import BREAK, NOTHING, WAITED
from rules_engine.occasions import LASTING, SPELLS, WORDS
from rules_engine.rules import HasteKind
from rules_engine.steps.opening import tick
from rules_engine.steps.taking_orders import find_spells, follow_first_pair, settle_spells
from rules_engine.turn import Turn

# Marks that run down at the end of a turn.
RUNNING_DOWN: Final = frozenset(
    {"blind", "countering", "fast", "invisible", "permanency", "delay", "reflecting", "shielded"}
)


def join_pairs(turn: Turn) -> None:
    """A turn with two pairs of gestures has two columns; a mage with one pair waits in the second."""
    state = turn.state
    for wizard in state.wizards.values():
        again = wizard.again
        if again is not None:
            turn.paired = {**turn.paired, wizard.name: ("".join(wizard.gestures), "".join(again.gestures))}
            wizard.left, wizard.right = again.left, again.right
            wizard.begun, wizard.reached = again.begun, again.reached
            wizard.again = None
            continue
        wizard.left += WAITED
        wizard.right += WAITED
    state.doubled = False


def set_up_next_turn(turn: Turn) -> None:
    """Set up the next turn, in the battle's state: what spells and lasting effects ask for only if there were any."""
    magic = turn.occasions & (SPELLS | LASTING)
    clear_orders(turn)
    if magic:
        cut_strings(turn)
    pick_next_turn(turn)
    if magic:
        blank_minds(turn)
        run_clocks(turn)


def clear_orders(turn: Turn) -> None:
    """Clear this turn's orders; series that the hands have begun continue."""
    for wizard in turn.moving:
        wizard.begun = wizard.reached
        wizard.targets = EMPTY
    if turn.occasions & (SPELLS | WORDS | LASTING):
        for wizard in turn.mages:
            wizard.forget_orders()
            _free_hands(turn, wizard)


def _free_hands(turn: Turn, wizard: Wizard) -> None:
    """Clear orders for a hand and effects on it, if the ruleset ends them with the turn."""
    rules = turn.rules
    if rules.delay_order_expires:
        wizard.saving = ()
    if rules.charm_is_directed_anew:
        wizard.directed = EMPTY
    if rules.held_hand_is_its_casters and ("paralysed" not in wizard.marks or wizard.paralyser not in turn.movers):
        wizard.stuck = EMPTY


def cut_strings(turn: Turn) -> None:
    """Anti Spell: an extra column, a break for those hit and a pause for the others (FM-ANTI-2)."""
    state = turn.state
    for wizard in turn.mages:
        if wizard.marks and "lost" in wizard.marks:
            break
    else:
        return
    hit = [wizard for wizard in state.wizards.values() if wizard.marks.pop("lost", 0)]
    state.columns = [*state.columns, state.label]
    for wizard in state.wizards.values():
        mark = BREAK if wizard in hit else WAITED
        wizard.left += mark
        wizard.right += mark
        wizard.blind_columns += "0"
        wizard.unseen_columns += "0"
        if wizard in hit:
            wizard.begun = wizard.reached = state.ruleset.book.start


def pick_next_turn(turn: Turn) -> None:
    """Pick the next turn by the ruleset's schedule; mages who do not move wait (spec: engine 1.6).

    If nobody is fast or outside time, a normal turn follows without the schedule.
    """
    state = turn.state
    out = state.out
    quickened = False
    for wizard in turn.mages:
        if out and wizard.name in out:
            wizard.left += NOTHING
            wizard.right += NOTHING
            wizard.begun = wizard.reached = state.ruleset.book.start
            continue
        wizard.phase = ORDERS
        if wizard.marks and ("fast" in wizard.marks or "time_stopped" in wizard.marks):
            quickened = True
    state.seq += 1
    state.stage = state.event_count = state.at = 0
    state.doubled = state.substituted = False
    state.extra = ""
    state.movers = tuple(state.still_in) if out else state.mages
    if quickened:
        _follow_schedule(turn)
    if state.extra != "H" and turn.extra != "T":
        state.turn += 1


def _follow_schedule(turn: Turn) -> None:
    state = turn.state
    extra, movers, twice = _SCHEDULES[turn.rules.haste](turn)
    if extra:
        _make_others_wait(turn, movers)
        _report_who_moves(turn, extra, movers)
    for name in twice:
        state.wizards[name].go_again()
        _report_blur(turn, name, movers, "WH-ENCH-26")
    state.doubled = bool(twice)
    state.movers, state.extra = tuple(movers), extra


class Schedule(NamedTuple):
    """The next turn: "" normal, "H" hastened or "T" stopped; who moves; who of them plays two pairs of gestures."""

    extra: str
    movers: list[str]
    twice: tuple[str, ...] = ()


def let_haste_follow(turn: Turn) -> Schedule:
    """Haste after a normal turn, then stopped time, or else a normal turn (FM-HASTE-2; spec: engine 1.6)."""
    still_in = turn.state.still_in
    fast, stopped = _bearing(turn, still_in, "fast"), _bearing(turn, still_in, "time_stopped")
    if fast and not turn.extra:
        return Schedule("H", fast)
    return Schedule("T", stopped) if stopped else Schedule("", still_in)


def let_haste_double(turn: Turn) -> Schedule:
    """Stopped time at once, or else a normal turn, in which the fast play two pairs of gestures (WH-ENCH-26)."""
    still_in = turn.state.still_in
    stopped = _bearing(turn, still_in, "time_stopped")
    if stopped:
        return Schedule("T", stopped)
    fast = _bearing(turn, still_in, "fast")
    return Schedule("", still_in, tuple(name for name in fast if _stays_fast(turn, name)))


def _bearing(turn: Turn, names: list[str], mark: str) -> list[str]:
    wizards = turn.state.wizards
    return [name for name in names if wizards[name].marks and mark in wizards[name].marks]


def _stays_fast(turn: Turn, name: str) -> bool:
    """Return whether Haste remains after this turn's count; a stopped turn does not count."""
    return turn.extra == "T" or turn.state.wizards[name].marks["fast"] != 1


_SCHEDULES: dict[HasteKind, Callable[[Turn], Schedule]] = {
    HasteKind.EXTRA_TURN: let_haste_follow,
    HasteKind.TWO_PAIRS: let_haste_double,
}


def _make_others_wait(turn: Turn, movers: list[str]) -> None:
    for name in turn.state.still_in:
        if name not in movers:
            wizard = turn.state.wizards[name]
            wizard.phase = READY
            wizard.left += WAITED
            wizard.right += WAITED


def _report_who_moves(turn: Turn, extra: str, movers: list[str]) -> None:
    for mover in movers:
        if extra == "H":
            others = [name for name in turn.state.still_in if name not in movers]
            _report_blur(turn, mover, others, "FM-HASTE-5")
            continue
        because = turn.find_origins(mover, "time_stopped")
        if turn.rules.stopped_turn_is_announced:
            turn.report_about(mover, "slips_outside_time", "FM-TIMESTOP-2", because=because, who=mover)
        else:
            turn.confide(mover, "slips_outside_time", "FM-TIMESTOP-2", because=because, who=mover)


def _report_blur(turn: Turn, fast: str, others: list[str], clause: str) -> None:
    because = turn.find_origins(fast, "fast")
    for name in others:
        if name != fast:
            turn.report_about(name, "watches_blur", clause, because=because, who=name, fast=fast)


def blank_minds(turn: Turn) -> None:
    """Amnesia: repeat the last gestures; only targets and choices are left (FM-AMNESIA-2; engine 5.8)."""
    state = turn.state
    if state.extra and (state.extra == "T" or turn.rules.minds_sleep_in_haste):
        return
    for name in state.movers:
        wizard = state.wizards[name]
        if not wizard.marks or "forgetful" not in wizard.marks:
            continue
        because = wizard.origins.get("forgetful", ())
        turn.report_about(name, "mind_blank", "FM-AMNESIA-2", because=because, who=name)
        left, right = last_gestures(wizard, blanked=turn.rules.anti_spell_blanks_memory)
        wizard.left += left
        wizard.right += right
        settle_spells(wizard, find_spells(wizard))
        if wizard.phase != CHOOSE_SPELL:
            wizard.phase = CHOOSE_TARGET
        if wizard.again is not None:
            _repeat_second_pair(turn, wizard, wizard.again, left + right)


def _repeat_second_pair(turn: Turn, wizard: Wizard, again: Wizard, last: str) -> None:
    """A mage who played two pairs repeats both; one who played one pair plays it twice (rulings)."""
    if turn.paired.get(wizard.name):
        first, last = turn.paired[wizard.name]
        wizard.spells = EMPTY
        wizard.left, wizard.right = wizard.left[:-1] + first[0], wizard.right[:-1] + first[1]
        settle_spells(wizard, find_spells(wizard))
    follow_first_pair(wizard, again)
    again.left, again.right = again.left + last[0], again.right + last[1]
    settle_spells(again, find_spells(again))
    if wizard.phase != CHOOSE_SPELL:
        wizard.phase = again.phase if again.phase == CHOOSE_SPELL else CHOOSE_TARGET


def last_gestures(wizard: Wizard, *, blanked: bool) -> tuple[str, str]:
    """Return the last column in which the mage acted; nothing, if an Anti Spell's cut is `blanked` after it."""
    for left, right in zip(reversed(wizard.left), reversed(wizard.right), strict=True):
        if blanked and left == BREAK:
            break
        if left not in (WAITED, BREAK):
            return left, right
    return NOTHING, NOTHING


def run_clocks(turn: Turn) -> None:
    """Count down everything that lasts for a number of turns (spec: engine 1.3)."""
    state = turn.state
    for being in turn.live_beings():
        marks = being.marks
        if not marks:
            if isinstance(being, Wizard) and state.extra != "H" and turn.extra != "T":
                being.let_go()
            if being.origins:
                _forget_what_is_over(being)
            continue
        if "time_stopped" in marks and state.extra != "H":
            del marks["time_stopped"]
        # Report it before it takes effect: others see a mage fade, and the blind see for the last time.
        if "struck_blind" in marks:
            because = being.origins.get("struck_blind", ())
            turn.report_about(being.name, "struck_blind", "FM-BLIND-2", because=because, who=being.name)
            turn.record_mark(being, "blind", more="blind" in marks)
            marks["blind"] = marks.pop("struck_blind")
            turn.look_around()
        if "disappearing" in marks:
            because = being.origins.get("disappearing", ())
            turn.report_about(being.name, "disappears", "FM-INVIS-2", because=because, who=being.name)
            turn.record_mark(being, "invisible")
            marks["invisible"] = marks.pop("disappearing")
            turn.look_around()
        if not state.extra or (state.extra == "T" and not turn.rules.extra_turns_end_first):
            _tick_lasting(turn, being)
        if being.origins:
            _forget_what_is_over(being)


def _forget_what_is_over(being: Being) -> None:
    """Forget the causes of enchantments that have ended."""
    marks, origins = being.marks, being.origins
    lasting = BORN if not isinstance(being, Wizard) else BANKED if being.bank else ""
    for what in origins:
        if what not in marks and what != lasting:
            left = {what: keys for what, keys in origins.items() if what in marks or what == lasting}
            being.origins = left or NO_ORIGINS
            return


def _tick_lasting(turn: Turn, being: Being) -> None:
    marks = being.marks
    if turn.extra != "T" or turn.rules.extra_turns_end_first:
        for mark in [mark for mark in marks if mark in RUNNING_DOWN]:
            tick(marks, mark)
        if isinstance(being, Wizard):
            if being.directed and "charmed" not in marks:
                being.directed = EMPTY
            if being.stuck and "paralysed" not in marks:
                being.stuck = EMPTY
    elif turn.rules.stopped_turn_uses_up_its_own:
        old = turn.marks_before.get(being.name, {})
        for mark in tuple(marks):
            if mark in RUNNING_DOWN and marks[mark] != old.get(mark):
                tick(marks, mark)
