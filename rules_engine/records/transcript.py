"""TRANSCRIPT: all gestures and events of a battle, as an outside observer saw and heard it (SC-UI-23).

The letters after the hit points are those of the ruleset, if it has any (SC-UI-11); a stab is ``k``, as there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.audience import MageView, View, look
from rules_engine.events import Viewer, visible_events
from rules_engine.gestures import STAB, WAITED
from rules_engine.narration import narrate_all
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.text import DEFAULT_LANGUAGE, use_language

KINDS = {"": "", "H": " (Haste)", "T": " (Time Stop)"}
_SHOWN_BY_LETTERS = frozenset({"turn_begins", "gestures", "gestures_again"})


@use_language(DEFAULT_LANGUAGE)
def transcribe_battle(chronicle: Chronicle) -> str:
    """Return the transcript: a heading, then for each turn the gestures and the text. Always in English.

    While the battle is running, it contains only what every mage has learnt.
    """
    parts = [[chronicle.title], *(list(_turn(chronicle, turn)) for turn in chronicle.turns)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _turn(chronicle: Chronicle, turn: PlayedTurn) -> Iterator[str]:
    view = look(turn.after, chronicle.reader)
    yield f"Turn {turn.before.turn}{KINDS[turn.before.extra]}"
    width = max(len(name) for name in chronicle.mages)
    for mage in view.mages:
        yield f"  {mage.name:<{width}}  {_condition(mage):<12}  {_gestures(view, mage, turn.column)}".rstrip()
    events = [e for e in visible_events(turn.events, Viewer.spectator()) if e.kind not in _SHOWN_BY_LETTERS]
    yield from filter(None, narrate_all(events))


def _condition(mage: MageView) -> str:
    return f"{'??' if mage.hp is None else mage.hp} {mage.letters}".strip()


def _gestures(view: View, mage: MageView, first: int) -> str:
    """Return ``P/k``; two pairs if the mage played two, nothing if they waited."""
    columns = range(first, len(view.columns))
    return "  ".join(
        f"{mage.left[at]}/{mage.right[at]}".replace(STAB, "k") for at in columns if mage.left[at] != WAITED
    )
