"""The blow that killed a mage: found by its causes among the events of the turn, and the gestures that made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules_engine.events import EVENTS_PER_TURN, HURTING, Event
from rules_engine.gestures import BOTH, RIGHT, WAITED
from rules_engine.schools import STAB
from rules_engine.spells import Book


class Blow(NamedTuple):
    """What killed `victim`: `by` is a spell, a creature's name or STAB.

    `who` is the mage who cast or stabbed, with `hand`; both are "" for a creature, and where nobody did it in that
    turn. `points` is the damage, 0 for what kills at any number of hit points.
    """

    victim: str
    by: str
    who: str
    hand: str
    points: int
    is_creature: bool = False


class Step(NamedTuple):
    """One gesture of a spell that was cast: its letter, and its column."""

    letter: str
    column: int


def find_blow(events: Sequence[Event], victim: str) -> Blow | None:
    """Return the blow that killed `victim` in a turn of which `events` are all, in order; None if they did not die."""
    death = next((event for event in events if event.kind == "mage_dies" and event.facts["who"] == victim), None)
    if death is None:
        return None
    causes = list(_trace(events, death))
    hurt = next((each for each in causes if each.facts.get(HURTING.get(each.kind, "")) == victim), None)
    cast = next((each for each in causes if each.kind == "casts"), None)
    points = int(str(hurt.facts["points"] or 0)) if hurt is not None else 0
    if hurt is not None and hurt.kind == "strikes":
        return Blow(victim, str(hurt.facts["who"]), "", "", points, is_creature=True)
    stab = next((each for each in causes if each.kind == "stabs" and each.facts["target"] == victim), None)
    if hurt is not None and stab is not None and (hurt.kind == "stabs" or hurt.facts["by"] == STAB):
        return Blow(victim, STAB, str(stab.facts["who"]), "", points)
    if cast is not None:
        who, hand = str(cast.facts["who"]), "" if cast.facts["fired"] else str(cast.facts["hand"] or "")
        return Blow(victim, str(cast.facts["spell"]), who, hand, points)
    if hurt is not None:
        return Blow(victim, str(hurt.facts["by"] or ""), "", "", points)
    spell = next((str(each.facts["spell"]) for each in causes if each.facts.get("spell")), "")
    return Blow(victim, spell, "", "", 0) if spell else None


def _trace(events: Sequence[Event], event: Event) -> Iterator[Event]:
    """Yield what led to an event in the same turn, the nearest causes first."""
    waiting, known = list(event.cause), set()
    seqs = {key // EVENTS_PER_TURN for each in events for key in each.cause}
    latest = max(seqs, default=0)
    while waiting:
        key = waiting.pop(0)
        place = key % EVENTS_PER_TURN
        if key in known or key // EVENTS_PER_TURN != latest or place >= len(events):
            continue
        known.add(key)
        yield events[place]
        waiting += events[place].cause


def list_steps(book: Book, spell: str, hand: str, left: str, right: str) -> tuple[Step, ...]:
    """Return the gestures with which `hand` has just completed `spell`, from both strings of its mage; none if it
    completed no series of that spell."""
    own, other = (right, left) if hand.startswith(RIGHT) else (left, right)
    found: list[tuple[Step, ...]] = []
    for main, side in ((own, other), (other, own)) if hand.startswith(BOTH) else ((own, other),):
        columns = [place for place, letter in enumerate(main) if letter != WAITED]
        for series in book.series:
            last = columns[-len(series.text) :]
            if series.spell == spell and _fits(
                series.text, [main[each] for each in last], [side[each] for each in last]
            ):
                found.append(tuple(Step(main[each], each) for each in last))
    return max(found, key=len, default=())


def _fits(series: str, main: Sequence[str], side: Sequence[str]) -> bool:
    if len(main) != len(series):
        return False
    return all(
        mine == wanted.upper() and (wanted.isupper() or theirs == mine)
        for wanted, mine, theirs in zip(series, main, side, strict=True)
    )
