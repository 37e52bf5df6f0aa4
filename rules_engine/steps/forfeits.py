"""Mages who ran out of time die before the others' orders count (FM-SLOW-5, FM-SLOW-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_engine import outcome as reasons
from rules_engine.beings import DEAD, ORDERS, OWING, Wizard
from rules_engine.gestures import NOTHING
from rules_engine.orders import Sheet
from rules_engine.steps.ending import end_battle, leave
from rules_engine.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping


def drop_forfeiters(turn: Turn, sheets: Mapping[str, Sheet]) -> bool:
    """Let every mage die whose sheet is a forfeit; with fewer than two others left, the battle ends.

    True if it has ended. That needs nobody's orders: a single mage left wins at once, and if none is left nobody wins.
    """
    for sheet in sheets.values():
        if sheet.forfeits:
            break
    else:
        return False
    state = turn.state
    late = [w for w in state.wizards.values() if w.phase in OWING and w.name in sheets and sheets[w.name].forfeits]
    for wizard in late:
        turn.announce("times_out", "FM-SLOW-6", who=wizard.name)
    for wizard in late:
        _fall(turn, wizard)
    left = state.still_in
    turn.drop_movers([] if len(left) < 2 else left)
    if not left:
        end_battle(turn, (), reasons.ALL_FORFEIT)
    elif len(left) == 1:
        end_battle(turn, (left[0],), reasons.FORFEIT)
    return len(left) < 2


def _fall(turn: Turn, wizard: Wizard) -> None:
    if wizard.phase == ORDERS:  # the others add a column, and every string has the same length
        wizard.left += NOTHING
        wizard.right += NOTHING
    wizard.again = None
    wizard.forget_orders()
    wizard.hp = 0
    leave(turn, wizard, DEAD)
