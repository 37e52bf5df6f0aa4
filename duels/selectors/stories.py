"""Events as one viewer learns them. Every event that leaves this app goes through here."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from duels.models import Battle, Turn, TurnEvent
from duels.selectors.battle_view import Casts, StoryLine, TurnStory
from rules_engine import Event, Learnt, Memory, Viewer, explain_event, headline, narrate, read_event


@dataclass(frozen=True)
class SeenEvent:
    """An event the viewer sees, with its number for that viewer."""

    turn: Turn
    learnt: Learnt

    @property
    def number(self) -> int:
        return self.learnt.number

    @property
    def event(self) -> Event:
        return self.learnt.event


@dataclass(frozen=True)
class Seen:
    """The events a viewer may know, in order, and the viewer's memory, which knows their causes."""

    events: tuple[SeenEvent, ...]
    memory: Memory


def recall_events(battle: Battle, viewer: Viewer) -> Seen:
    """Return the events `viewer` may know, numbered from 1 for that viewer.

    Events of turns that were taken back are left out, but their numbers are not reused: a reader who continues from
    their last number misses nothing.
    """
    memory, turns = Memory(viewer), dict[int, Turn]()
    for row in TurnEvent.objects.filter(battle=battle).select_related("turn").order_by("n"):
        event = read_stored_event(row)
        if row.turn.taken_back_by is not None:
            memory.pass_over([event])
            continue
        turns[row.turn.seq] = row.turn
        memory.learn(row.turn.seq, row.turn.label, [event])
    return Seen(tuple(SeenEvent(turns[each.seq], each) for each in memory), memory)


def read_stored_event(row: TurnEvent) -> Event:
    """Return the event of the row."""
    return read_event(
        {
            "kind": row.kind,
            "facts": row.facts,
            "audience": row.audience,
            "clause": row.clause,
            "cause": row.cause,
        }
    )


def tell_stories(seen: Seen, me: str | None) -> tuple[TurnStory, ...]:
    """Return the stories of the turns, oldest first, addressed to the mage `me` (None: to a spectator)."""
    turns = groupby(seen.events, key=lambda each: each.turn)
    return tuple(_tell(turn, list(events), seen.memory, me) for turn, events in turns)


def _tell(turn: Turn, seen: Sequence[SeenEvent], memory: Memory, me: str | None) -> TurnStory:
    return TurnStory(
        seq=turn.seq,
        attempt=turn.attempt,
        label=turn.label,
        headline=headline([each.event for each in seen], me),
        lines=tuple(
            StoryLine(
                each.number,
                each.event.kind,
                narrate(each.event, me),
                each.event.clause,
                explain_event(memory, each.learnt, me),
            )
            for each in seen
        ),
        resolved_at=turn.resolved_at,
    )


def collect_casts(seen: Sequence[SeenEvent]) -> Casts:
    """Return the spells completed: mage → seq → hand → spell."""
    casts: dict[str, dict[int, dict[str, str]]] = {}
    for each in seen:
        facts: Any = each.event.facts
        if each.event.kind == "casts" and not facts["fired"]:
            casts.setdefault(facts["who"], {}).setdefault(each.turn.seq, {})[facts["hand"]] = facts["spell"]
    return casts


# Events that tell the viewer why a hand did not do as ordered, each with one word for it.
HELD = {
    "repeats": "forgetful",
    "hand_stuck": "paralysed",
    "confused_hands": "confused",
    "paralysed_hand": "paralysed",
    "directed_hand": "charmed",
}


def collect_causes(seen: Sequence[SeenEvent]) -> Casts:
    """Return which hands were not free, and why: mage → seq → hand → one word."""
    causes: dict[str, dict[int, dict[str, str]]] = {}
    for each in seen:
        word = HELD.get(each.event.kind)
        if word:
            facts: Any = each.event.facts
            hands = [facts["hand"]] if facts.get("hand") else ["LH", "RH"] if each.event.kind == "repeats" else []
            mine = causes.setdefault(facts["who"], {}).setdefault(each.turn.seq, {})
            mine.update(dict.fromkeys(hands, word))
    return causes
