"""Events as one viewer learns them. Every event that leaves this app goes through here."""

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, TypeVar

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.utils.translation import get_language

from duels.models import Battle, Turn, TurnEvent
from duels.rules_release import current_rules_release
from duels.selectors.battle_rows import read_state_of
from duels.selectors.battle_view import Casts, Results, ShownTurn, StoryLine, TurnStory
from duels.selectors.touches import find_touch
from operations.database.prepared_query import PreparedQuery
from operations.immutable_cache import ImmutableCache
from rules_engine import (
    Event,
    Learnt,
    Memory,
    View,
    Viewer,
    explain_event,
    look,
    narrate,
    narrate_all,
    read_event,
    sum_up_spell,
    summarize,
)
from rules_engine.bots import PastTurn
from rules_engine.events import EVENTS_PER_TURN, seq_of
from rules_engine.glossary import use_pronouns

# Increment this when the shape of NarratedTurn or anything in it changes.
SCHEMA = 6
FIELDS = ("turn_id", "n", "kind", "facts", "audience", "clause", "cause")


@dataclass(frozen=True)
class SeenEvent:
    """An event the viewer sees, with its number for that viewer."""

    turn: ShownTurn
    learnt: Learnt

    @property
    def number(self) -> int:
        return self.learnt.number

    @property
    def event(self) -> Event:
        return self.learnt.event


@dataclass(frozen=True)
class SeenEvents:
    """The events a viewer may know, in order, and the viewer's memory, which knows their causes."""

    events: tuple[SeenEvent, ...]
    memory: Memory


@dataclass(frozen=True)
class NarratedTurn:
    """One turn for a viewer: its story, the spells completed (mage → seq → hand → spell) and what came of them, and why
    hands were not free (mage → seq → hand → one word)."""

    story: TurnStory | None
    casts: Casts
    results: Results
    causes: Casts


@dataclass(frozen=True)
class Sights:
    """What a viewer saw as a turn began and when it was over; None if that is not known."""

    before: View | None = None
    after: View | None = None


narrated: ImmutableCache[NarratedTurn] = ImmutableCache()


def list_turns(battle: Battle) -> tuple[ShownTurn, ...]:
    """Return the turns that count and have events, oldest first."""
    return tuple(ShownTurn(*row) for row in _read_turns(battle=battle.pk))


@PreparedQuery
def _read_turns(battle: int) -> "QuerySet[Turn, tuple[Any, ...]]":
    # Only the turn in play is not resolved: its events alone are looked for.
    has_events = Exists(TurnEvent.objects.filter(turn=OuterRef("pk")))
    has_story = Case(When(resolved_at__isnull=False, then=Value(True)), default=has_events)
    turns = Turn.objects.filter(has_story, battle=battle, taken_back_by=None).order_by("seq", "attempt")
    return turns.values_list(*ShownTurn._fields)


def recall_events(battle: Battle, viewer: Viewer) -> SeenEvents:
    """Return the events `viewer` may know, numbered from 1 for that viewer.

    Events of turns that were taken back are left out, but their numbers are not reused: a reader who continues from
    their last number misses nothing.
    """
    turns = list_turns(battle)
    return recall_turns(battle, viewer, turns, turns)


def recall_turns(
    battle: Battle, viewer: Viewer, turns: Sequence[ShownTurn], wanted: Collection[ShownTurn]
) -> SeenEvents:
    """Return the events of the turns `wanted` that `viewer` may know, with their numbers; `turns` are all turns.

    The memory contains these turns and those that the causes of their events lead back to.
    """
    stored = _read_with_causes(battle, viewer, turns, wanted)
    hidden = _list_hidden(battle.number, viewer)
    memory = Memory(viewer)
    for turn in turns:
        events = stored.get(turn.seq)
        if events:
            first = events[0][0]
            memory.continue_after(first - 1 - bisect_left(hidden, first))
            memory.learn(turn.seq, turn.label, [event for _, event in events])
    by_seq = {turn.seq: turn for turn in wanted}
    return SeenEvents(tuple(SeenEvent(by_seq[each.seq], each) for each in memory if each.seq in by_seq), memory)


Stored = dict[int, list[tuple[int, Event]]]


def _read_with_causes(
    battle: Battle, viewer: Viewer, turns: Sequence[ShownTurn], wanted: Collection[ShownTurn]
) -> Stored:
    """Return the events of these turns, and of every turn that their causes lead back to, by the turn's `seq`."""
    known = {turn.seq: turn for turn in turns}
    stored: Stored = {}
    missing = {turn.seq for turn in wanted}
    keys: list[int] = []
    followed: set[int] = set()
    while missing:
        stored |= _read_events(battle, [known[seq] for seq in missing])
        if not followed and not keys:
            keys = [
                key for seq in missing for _, event in stored.get(seq, ()) if viewer.sees(event) for key in event.cause
            ]
        waiting, missing = keys, set()
        keys = []
        while waiting:
            key = waiting.pop()
            seq = seq_of(key)
            if key in followed or seq not in known:
                continue
            if seq not in stored:
                missing.add(seq)
                keys.append(key)
                continue
            followed.add(key)
            events, place = stored[seq], key % EVENTS_PER_TURN
            if place < len(events) and viewer.sees(events[place][1]):
                waiting.extend(events[place][1].cause)
    return stored


def _read_events(battle: Battle, turns: Sequence[ShownTurn]) -> Stored:
    seq_by_pk = {turn.pk: turn.seq for turn in turns}
    stored: Stored = {turn.seq: [] for turn in turns}
    rows = TurnEvent.objects.filter(battle=battle, turn__in=list(seq_by_pk)).order_by("n")
    for turn, n, kind, facts, audience, clause, cause in rows.values_list(*FIELDS):
        written = {"kind": kind, "facts": facts, "audience": audience, "clause": clause, "cause": cause}
        stored[seq_by_pk[turn]].append((n, read_event(written)))
    return stored


def _list_hidden(number: int, viewer: Viewer) -> list[int]:
    """Return the places (`n`) of the events that `viewer` may not know, in order."""
    if viewer.sees_all:
        return []
    secret = TurnEvent.objects.filter(battle__number=number, audience__isnull=False).order_by("n")
    return [n for n, audience in secret.values_list("n", "audience") if viewer.mages.isdisjoint(audience or ())]


def find_last_number(number: int, viewer: Viewer) -> int:
    """Return the viewer's number of the last event of battle `number` that they may know; 0 if there is none."""
    hidden = _list_hidden(number, viewer)
    unknown = set(hidden)
    events = TurnEvent.objects.filter(battle__number=number, turn__taken_back_by=None)
    kept = events.order_by("-n").values_list("n", flat=True)
    last = next((n for n in kept[: len(unknown) + 1] if n not in unknown), None)
    return 0 if last is None else last - bisect_left(hidden, last)


def read_stored_event(row: TurnEvent) -> Event:
    return read_event(
        {
            "kind": row.kind,
            "facts": row.facts,
            "audience": row.audience,
            "clause": row.clause,
            "cause": row.cause,
        }
    )


def narrate_turns(
    battle: Battle, viewer: Viewer, me: str | None, turns: Sequence[ShownTurn], wanted: Sequence[ShownTurn]
) -> tuple[NarratedTurn, ...]:
    """Return the stories of the turns `wanted` for the viewer, addressed to the mage `me` (None: to a spectator).

    The story of a resolved turn never changes, so it is cached for all viewers with the same knowledge.
    """
    keys = {turn: key for turn in wanted if (key := find_story_key(turn, viewer, me))}
    kept = narrated.recall(keys.values())
    missing = [turn for turn in wanted if keys.get(turn, "") not in kept]
    stories = {turn: kept[key] for turn, key in keys.items() if key in kept}
    if missing:
        sights = _look_at_turns(battle, viewer, turns, missing)
        fresh = narrate_events(recall_turns(battle, viewer, turns, missing), missing, me, battle.pronouns, sights)
        narrated.store({keys[turn]: fresh[turn] for turn in missing if turn in keys})
        stories |= fresh
    return tuple(stories[turn] for turn in wanted)


def _look_at_turns(
    battle: Battle, viewer: Viewer, turns: Sequence[ShownTurn], wanted: Sequence[ShownTurn]
) -> dict[int, Sights]:
    """Return what the viewer saw around those of the turns that are over, by `seq`."""
    finished = [turn for turn in wanted if turn.resolved_at is not None or battle.is_over]
    if not finished:
        return {}
    around = {seq for turn in finished for seq in (turn.seq, turn.seq + 1)}
    positions = Turn.objects.filter(battle=battle, taken_back_by=None, seq__in=around).order_by("attempt")
    written = dict(positions.values_list("seq", "before"))
    # A replay ends with an earlier turn than the battle.
    is_last = battle.is_over and turns[-1].seq == battle.seq
    if turns[-1] in finished and (is_last or turns[-1].seq + 1 not in written):
        written[turns[-1].seq + 1] = battle.state
    seen = {seq: look(read_state_of(battle, state), viewer) for seq, state in written.items()}
    return {turn.seq: Sights(seen.get(turn.seq), seen.get(turn.seq + 1)) for turn in finished}


def list_past_turns(battle: Battle, *, before: int | None = None) -> Iterator[PastTurn]:
    """Yield the turns that were played and count, oldest first; only those before the turn of this `seq`, if given.

    They contain every secret: only `rules_engine.bots.see` takes them, which passes on what its mage may know.
    """
    played = Turn.objects.filter(battle=battle, taken_back_by=None, resolved_at__isnull=False)
    positions = dict(played.values_list("seq", "before"))
    turns = [turn for turn in list_turns(battle) if turn.seq in positions and (before is None or turn.seq < before)]
    stored = _read_events(battle, turns)
    for turn in turns:
        yield PastTurn(read_state_of(battle, positions[turn.seq]), [event for _, event in stored[turn.seq]])


def find_story_key(turn: ShownTurn, viewer: Viewer, me: str | None) -> str:
    """Return the key under which the story of a turn is cached; "" while it may still change.

    It contains everything that decides the viewer's text: the turn, the eyes, who is "you", and the language.
    """
    if turn.resolved_at is None or not turn.mark:
        return ""
    eyes = None if viewer.sees_all else sorted(viewer.mages)
    parts = (SCHEMA, current_rules_release(), turn.pk, turn.mark, eyes, me, get_language())
    return f"story:{hashlib.sha256(repr(parts).encode()).hexdigest()}"


def narrate_events(
    seen: SeenEvents,
    turns: Sequence[ShownTurn],
    me: str | None,
    pronouns: Mapping[str, str] | None = None,
    sights: Mapping[int, Sights] | None = None,
) -> dict[ShownTurn, NarratedTurn]:
    """Return the stories of these events, by turn, addressed to the mage `me`. `pronouns` are the battle's.

    `sights` are what the viewer saw around each turn that is over, by `seq`.
    """
    stories = {}
    by_turn = {turn: list(events) for turn, events in groupby(seen.events, key=lambda each: each.turn)}
    for turn in turns:
        learnt = by_turn.get(turn, [])
        with use_pronouns(pronouns):
            story = _write_story(turn, learnt, seen.memory, me, (sights or {}).get(turn.seq)) if learnt else None
            results = collect_results(learnt, seen.memory, me)
        stories[turn] = NarratedTurn(story, collect_casts(learnt), results, collect_causes(learnt))
    return stories


def _write_story(
    turn: ShownTurn, seen: Sequence[SeenEvent], memory: Memory, me: str | None, sights: Sights | None
) -> TurnStory:
    before, after = (None, None) if sights is None else (sights.before, sights.after)
    mages = () if before is None else before.mages
    return TurnStory(
        seq=turn.seq,
        attempt=turn.attempt,
        label=turn.label,
        summary=summarize(memory, turn.seq, me, label=turn.label, before=before, after=after, over=sights is not None),
        lines=tuple(_write_lines(seen, memory, me)),
        resolved_at=turn.resolved_at,
        points={mage.name: mage.hp for mage in mages if mage.hp is not None},
    )


def _write_lines(seen: Sequence[SeenEvent], memory: Memory, me: str | None) -> list[StoryLine]:
    """Return a line for every event; one that says the same as an earlier line leaves it its reasons."""
    lines: list[StoryLine] = []
    for each, text in tell(seen, me):
        event, reasons = each.event, explain_event(memory, each.learnt, me)
        if not text:
            said = narrate(event, me)
            place = next(place for place, line in enumerate(lines) if line.text == said)
            both = tuple(dict.fromkeys((*lines[place].reasons, *reasons)))
            lines[place] = replace(lines[place], reasons=both)
        lines.append(StoryLine(each.number, event.kind, text, event.clause, reasons, find_touch(event)))
    return lines


def tell(seen: Sequence[SeenEvent], me: str | None) -> Iterator[tuple[SeenEvent, str]]:
    """Yield the events of one turn with their sentences; "" if an earlier one has said it."""
    return zip(seen, narrate_all([each.event for each in seen], me), strict=True)


Known = TypeVar("Known")


def join_casts(casts: Iterable[Mapping[str, Mapping[int, Known]]]) -> Mapping[str, Mapping[int, Known]]:
    """Return what is known by mage and `seq`, of several turns, in one mapping."""
    joined: dict[str, dict[int, Known]] = {}
    for mage, by_seq in (pair for each in casts for pair in each.items()):
        joined.setdefault(mage, {}).update(by_seq)
    return joined


def collect_casts(seen: Iterable[SeenEvent]) -> Casts:
    """Return the spells completed: mage → seq → hand → spell."""
    return _by_hand((each, str(each.event.facts["spell"])) for each in _list_cast(seen))


def collect_results(seen: Iterable[SeenEvent], memory: Memory, me: str | None) -> Results:
    """Return what came of the spells completed: mage → seq → hand → result, told to the mage `me`."""
    return _by_hand((each, sum_up_spell(memory, each.learnt, me)) for each in _list_cast(seen))


def _list_cast(seen: Iterable[SeenEvent]) -> list[SeenEvent]:
    """Return the events in which hands complete spells: not those of banked ones."""
    return [each for each in seen if each.event.kind == "casts" and not each.event.facts["fired"]]


def _by_hand(known: Iterable[tuple[SeenEvent, Known]]) -> dict[str, dict[int, dict[str, Known]]]:
    found: dict[str, dict[int, dict[str, Known]]] = {}
    for each, what in known:
        facts = each.event.facts
        found.setdefault(str(facts["who"]), {}).setdefault(each.turn.seq, {})[str(facts["hand"])] = what
    return found


# Events that tell the viewer why a hand did not do as ordered, each with one word for it.
HELD = {
    "repeats": "forgetful",
    "hand_stuck": "paralysed",
    "confused_hands": "confused",
    "paralysed_hand": "paralysed",
    "directed_hand": "charmed",
}


def collect_causes(seen: Iterable[SeenEvent]) -> Casts:
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
