"""Events before anything takes effect: speech, enchanted hands, gestures (spec: engine 3, steps 6-10)."""

from __future__ import annotations

from typing import Final

from rules_engine.beings import JUST_PERMANENT, PERMANENT, SEEN_HELD, Wizard
from rules_engine.gestures import HANDS, SEEN_TOGETHER
from rules_engine.occasions import LASTING, WORDS, needs, silent_variant
from rules_engine.state import add_column
from rules_engine.turn import Keys, Turn

# Only the first of these that a mage has is reported.
REMARKED: Final[tuple[str, ...]] = ("forgetful", "afraid", "confused", "maladroit", "paralysed", "charmed")
WEARING: Final[tuple[str, ...]] = ("afraid", "charmed", "paralysed", "forgetful", "confused", "maladroit")
UNFORCED: Final = ("", False)
LONG: Final = 500
_ZEROS: Final = ["0" * length for length in range(LONG + 1)]


def begin_column(turn: Turn) -> None:
    """Add this column to the finished ones, seen or not (spec: engine 1.4)."""
    state = turn.state
    label = state.label
    record_sight(turn)
    if state.doubled:
        record_sight(turn)
        state.columns = [*state.columns, label, f"{label}H"]
    else:
        state.columns = add_column(state.columns, label)


@silent_variant(begin_column)
def open_turn(turn: Turn) -> None:
    """The battle continues."""
    turn.announce_facts("turn_begins", "FM-TURN-2", {"turn": turn.state.label, "extra": turn.extra})
    begin_column(turn)


def _add_zero(columns: str) -> str:
    """Return `columns` with one more that was seen: a string that is there already, if everything was seen so far."""
    length = len(columns)
    return _ZEROS[length + 1] if length < LONG and columns == _ZEROS[length] else columns + "0"


def record_sight(turn: Turn) -> None:
    """Note who sees whom in the last column."""
    if not turn.murky:
        before = after = ""
        for wizard in turn.mages:  # mostly, all these strings are the same
            if wizard.blind_columns != before:
                before = wizard.blind_columns
                after = _add_zero(before)
            wizard.unseen_columns = after if wizard.unseen_columns == before else _add_zero(wizard.unseen_columns)
            wizard.blind_columns = after
        return
    for wizard in turn.mages:
        wizard.blind_columns += "1" if "blind" in wizard.marks else "0"
        unseen = "invisible" in wizard.marks or turn.is_outside_time(wizard.name)
        together = turn.rules.stopped_see_each_other and turn.is_outside_time(wizard.name)
        wizard.unseen_columns += SEEN_TOGETHER if together else "1" if unseen else "0"


@needs(WORDS)
def speak(turn: Turn) -> None:
    """Report speech: everyone hears it, even from the unseen and when blind (FM-ORDMOVE-32)."""
    for wizard in turn.moving:
        if wizard.says:
            turn.announce("says", "FM-ORDMOVE-32", who=wizard.name, text=wizard.says)
            wizard.says = ""


@needs(LASTING)
def join_second_pairs(turn: Turn) -> None:
    """Apply each mage's enchantments to the second pair of gestures too (WH-ENCH-26)."""
    if turn.state.doubled:
        for wizard in turn.moving:
            if wizard.again is not None and "forgetful" not in wizard.marks:
                wizard.again.bear(wizard)


@silent_variant(join_second_pairs)
def show_gestures(turn: Turn) -> None:
    """For each mage who moves, report the enchantment on their hands, then both gestures."""
    for wizard in turn.moving:
        if turn.extra:
            remark_in_extra_turn(turn, wizard)
        elif wizard.marks:
            remark(turn, wizard)
        name, left, right = wizard.name, wizard.left[-1], wizard.right[-1]
        turn.report_facts(name, "gestures", "FM-TURN-5", {"who": name, "left": left, "right": right})
        if wizard.again is not None:
            show_second_pair(turn, wizard, wizard.again)


def show_second_pair(turn: Turn, wizard: Wizard, again: Wizard) -> None:
    """Show the second pair to everyone who sees the first (WH-ENCH-26)."""
    if "forgetful" not in wizard.marks:  # already reported
        again.bear(wizard)
        remark(turn, again)
    left, right = again.gestures
    because = wizard.origins.get("fast", ())
    turn.report_about(
        wizard.name, "gestures_again", "WH-ENCH-26", because=because, who=wizard.name, left=left, right=right
    )


def remark(turn: Turn, wizard: Wizard) -> None:
    """In a normal turn, report what controls the mage's hands."""
    state = next((mark for mark in REMARKED if mark in wizard.marks), None)
    if state is None:
        return
    because = wizard.origins.get(state, ())
    if state == "forgetful":
        turn.report_about(wizard.name, "repeats", "FM-AMNESIA-2", because=because, who=wizard.name)
    elif state == "afraid" and turn.rules.fear_makes is not None:
        hand, _ = _forced_by(wizard, "afraid")
        clause = turn.state.ruleset.spells["Fear"].clause
        turn.report_about(wizard.name, "frightened_hands", clause, because=because, who=wizard.name, hand=hand)
    elif state == "maladroit":
        turn.report_about(wizard.name, "maladroit_hands", "WL-ENCH-5", because=because, who=wizard.name)
    elif state == "confused":
        hand, vain = _forced_by(wizard, "confused")
        _report_hand(turn, wizard, "confused_hands", "FM-CONF-3", hand, vain, because)
    elif state == "paralysed":
        for hand in HANDS:
            if hand in wizard.stuck:
                vain = wizard.forced.get(hand, UNFORCED)[1]
                _report_hand(turn, wizard, "paralysed_hand", "FM-PARA-2", hand, vain, because)
    elif state == "charmed":
        for hand in HANDS:
            if wizard.directed.get(hand):
                vain = wizard.forced.get(hand, UNFORCED)[1]
                _report_hand(turn, wizard, "directed_hand", "FM-CHARMP-4", hand, vain, because)


def _report_hand(
    turn: Turn, wizard: Wizard, kind: str, clause: str, hand: str | None, vain: bool, because: Keys
) -> None:
    hand = None if hand is None else wizard.hand(hand)
    turn.report_about(wizard.name, kind, clause, because=because, who=wizard.name, hand=hand, vain=vain)


def _forced_by(wizard: Wizard, cause: str) -> tuple[str | None, bool]:
    for hand in HANDS:
        by, vain = wizard.forced.get(hand, UNFORCED)
        if by == cause:
            return hand, vain
    return None, False


def remark_in_extra_turn(turn: Turn, wizard: Wizard) -> None:
    """Report the extra gestures whatever mind spell the mage is under: those who cannot see the mage must not learn it.

    Mind spells do not work in extra turns (spec: engine 3).
    """
    because = wizard.origins.get("fast" if turn.extra == "H" else "time_stopped", ())
    if turn.extra == "H":
        turn.announce("sneaks_in", "FM-HASTE-5", because=because, who=wizard.name, extra="H")
    elif turn.rules.stopped_turn_is_announced:
        turn.announce("sneaks_in", "FM-TIMESTOP-3", because=because, who=wizard.name, extra="T")
    else:
        turn.report_about(wizard.name, "sneaks_in", "FM-TIMESTOP-3", because=because, who=wizard.name, extra="T")
    state = next((mark for mark in REMARKED if mark in wizard.marks), None)
    if turn.extra == "H" and not turn.rules.minds_sleep_in_haste:
        remark(turn, wizard)
    elif state is not None:
        clause = "FM-HASTE-2" if turn.extra == "H" else "FM-TIMESTOP-2"
        because = wizard.origins.get(state, ())
        turn.report_about(
            wizard.name, "mind_sleeps", clause, because=because, who=wizard.name, state=state, extra=turn.extra
        )


@needs(LASTING)
def wear_off_minds(turn: Turn) -> None:
    """End the mind spells of earlier turns before this turn's spells work (spec: engine 3, step 10)."""
    for wizard in turn.mages:
        if wizard.stuck:
            _note_held_hand(wizard)
        if not wizard.marks or wizard.name in turn.state.out:
            continue
        for mark in WEARING:
            tick(wizard.marks, mark)
        if "charmed" not in wizard.marks:
            wizard.controller = wizard.name


def _note_held_hand(wizard: Wizard) -> None:
    """Note that the turn has shown which hand is held, before a new Paralysis may hold another one."""
    for hand, (by, _) in wizard.forced.items():
        if by == "paralysed" and hand in wizard.stuck:
            wizard.stuck = {**wizard.stuck, hand: SEEN_HELD}


def tick(marks: dict[str, int], mark: str) -> None:
    """Count down one turn: 999 becomes permanent, permanent stays."""
    count = marks.get(mark, 0)
    if count == JUST_PERMANENT:
        marks[mark] = PERMANENT
    elif count == 1:
        del marks[mark]
    elif count > 1:
        marks[mark] = count - 1
