"""DESCRIBE: a battle as a story, in the third person (spec: engine 9.5).

While the battle goes on, it tells only what every mage has learnt.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.events import Event, visible_events
from rules_engine.narration import narrate
from rules_engine.outcome import FORFEIT, Outcome
from rules_engine.records.chronicle import Chronicle, PlayedTurn

# The heading says the first already; the second is told again when the gestures are repeated.
_LEFT_OUT = frozenset({"turn_begins", "mind_blank"})


def describe_battle(chronicle: Chronicle) -> str:
    """The story: a heading, the end if there is one, and a paragraph for each turn."""
    parts = [_heading(chronicle)]
    for turn in chronicle.turns:
        parts += _paragraphs(chronicle, turn)
    if chronicle.outcome is not None and chronicle.outcome.reason == FORFEIT:
        parts.append([narrate(_ending(chronicle.outcome))])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _heading(chronicle: Chronicle) -> list[str]:
    lines = [chronicle.title, "-" * len(chronicle.title)]
    if chronicle.outcome is not None:
        winners = chronicle.outcome.winners
        if chronicle.turns:
            lines.append(f"Last turn: {chronicle.turns[-1].label}")
        lines.append(("Winners: " if len(winners) > 1 else "Winner: ") + (" and ".join(winners) or "none"))
    return lines


def _paragraphs(chronicle: Chronicle, turn: PlayedTurn) -> Iterator[list[str]]:
    """One for the turn, and one for each stop in it that had more to tell than that it stopped."""
    last = len(turn.told) - 1
    for number, told in enumerate(turn.told):
        events = visible_events(told, chronicle.reader)
        if number == last or len(events) > 1:
            yield [f"In Round {turn.label}:", *(narrate(event) for event in events if event.kind not in _LEFT_OUT)]


def _ending(outcome: Outcome) -> Event:
    winners = ", ".join(outcome.winners)
    return Event("battle_ends", {"reason": outcome.reason, "winners": winners}, None, "FM-WIN-2")
