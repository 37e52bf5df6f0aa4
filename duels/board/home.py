"""The next card of the home page: the most urgent battle with its last beads and the one button."""

from __future__ import annotations

import datetime
from typing import Any

from duels.board.call import time_left
from duels.board.names import listed
from duels.board.page import column_of_seq
from duels.board.strings import list_shown, make_strings

BEADS = 4


def build_next_card(battle_view: Any, *, now: datetime.datetime) -> dict[str, Any]:
    """What the card shows of a battle that waits for its viewer."""
    view = battle_view
    mine = view.view.mage(view.me)
    placed = column_of_seq(view)
    casts = {placed[seq]: hands for seq, hands in view.casts.get(mine.name, {}).items() if seq in placed}
    strings = make_strings(mine, view.view.columns, list_shown(view.view), casts, {}, None, None, yours=True)
    others = [mage for mage in view.view.mages if mage.name != mine.name]
    points = [f"{mage.name} {'not seen' if mage.hp is None else mage.hp}" for mage in others[:3]]
    return {
        "url": f"/battles/{view.battle.number}/",
        "title": f"{view.battle.kind.capitalize()} {view.battle.number} against {listed([m.name for m in others])}",
        "time": time_left(view.deadline, now, view.zone),
        "since": view.opened_at,
        "turn": view.view.label,
        "pace": view.battle.pace,
        "points": f"you {mine.hp}, {', '.join(points)}",
        "button": f"Play turn {view.view.label}" if not view.stage_key.stage else "Answer",
        "strings": [{"long": s["long"], "beads": s["beads"][-BEADS:]} for s in strings],
    }
