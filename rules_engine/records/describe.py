"""DESCRIBE: a battle as a story, in the third person (spec: engine 9.5).

While the battle is running, it tells only what every mage has learnt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from rules_engine.causes import Memory
from rules_engine.events import Event, visible_events
from rules_engine.explanations import Reason, explain_event
from rules_engine.narration import narrate, narrate_all
from rules_engine.outcome import Outcome
from rules_engine.records.chronicle import Chronicle, PlayedTurn
from rules_engine.records.verify import OUTSIDE_THE_RULES
from rules_engine.text import DEFAULT_LANGUAGE, use_language

# The heading already contains the first; the second is repeated with the gestures.
Reasons = Mapping[int, Sequence[str]]
_LEFT_OUT = frozenset({"turn_begins", "mind_blank"})


@use_language(DEFAULT_LANGUAGE)
def describe_battle(chronicle: Chronicle, *, why: bool = False) -> str:
    """Return the story: a heading, the end if there is one, and a paragraph for each turn. Always in English.

    With `why`, each sentence is followed by the rules and events behind it.
    """
    parts = [_heading(chronicle)]
    reasons = _explain(chronicle) if why else {}
    for turn in chronicle.turns:
        parts += _paragraphs(chronicle, turn, reasons)
    if chronicle.outcome is not None and chronicle.outcome.reason in OUTSIDE_THE_RULES and not _has_end(chronicle):
        at = [f"In Round {chronicle.outcome.turn}:"] if chronicle.outcome.turn else []
        parts.append([*at, narrate(_ending(chronicle.outcome))])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _has_end(chronicle: Chronicle) -> bool:
    """Return whether the events of the last turn include the end."""
    return bool(chronicle.turns) and chronicle.turns[-1].after.outcome is not None


def _heading(chronicle: Chronicle) -> list[str]:
    lines = [chronicle.title, "-" * len(chronicle.title)]
    if chronicle.outcome is not None:
        winners = chronicle.outcome.winners
        if chronicle.turns:
            lines.append(f"Last turn: {chronicle.turns[-1].label}")
        lines.append(("Winners: " if len(winners) > 1 else "Winner: ") + (" and ".join(winners) or "none"))
    return lines


def _explain(chronicle: Chronicle) -> Reasons:
    """Return for each event its clause and what led to it, for the reader of the story."""
    memory = Memory(chronicle.reader)
    for turn in chronicle.turns:
        memory.learn(turn.seq, turn.label, turn.events)
    return {id(each.event): _write_reasons(each.event, explain_event(memory, each)) for each in memory}


def _write_reasons(event: Event, reasons: tuple[Reason, ...]) -> list[str]:
    lines = [
        f"    {r.text}" + (f" [{r.clause}]" if r.clause and f"({r.clause})" not in r.text else "") for r in reasons
    ]
    return [f"    Rule {event.clause}.", *lines]


def _paragraphs(chronicle: Chronicle, turn: PlayedTurn, reasons: Reasons) -> Iterator[list[str]]:
    """Yield one for the turn, and one for each stop in it with any other events."""
    last = len(turn.stage_events) - 1
    for number, stage in enumerate(turn.stage_events):
        events = visible_events(stage, chronicle.reader)
        if number == last or len(events) > 1:
            told = zip(events, narrate_all(events), strict=True)
            lines = [[text, *reasons.get(id(e), ())] for e, text in told if text and e.kind not in _LEFT_OUT]
            yield [f"In Round {turn.label}:", *chain.from_iterable(lines)]


def _ending(outcome: Outcome) -> Event:
    winners = ", ".join(outcome.winners)
    facts = {"reason": outcome.reason, "winners": winners, **({"who": outcome.by} if outcome.by else {})}
    return Event("battle_ends", facts, None, "FM-WIN-2")
