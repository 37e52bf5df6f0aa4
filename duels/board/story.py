"""The story column: the last turn open, older ones folded, each with its headline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from duels.board.signs import SYMBOLS, shown

FOLDED = 2
SPEECH = "says"
RULE = "The rule"
# The page says these by its headings and by the letters under them.
SAID_OTHERWISE = ("turn_begins", "gestures", "gestures_again")


def make_story(view: Any, made: dict[int, list[dict[str, Any]]], place_of: Callable[[str], str]) -> dict[str, Any]:
    """``latest``, ``older`` (newest first) and ``oldest``, which are folded once more. ``place_of`` finds a clause."""
    turns = [_turn(story, made.get(story.seq, []), place_of) for story in view.stories]
    turns.reverse()
    latest, older, oldest = turns[:1], turns[1 : FOLDED + 1], turns[FOLDED + 1 :]
    if len(oldest) == 1:  # nothing to fold twice
        older, oldest = [*older, *oldest], []
    return {
        "latest": latest[0] if latest else None,
        "older": older,
        "oldest": oldest,
        "oldest_words": f"Turns {oldest[-1]['label']} to {oldest[0]['label']}" if oldest else "",
    }


def turn_key(story: Any) -> str:
    """The anchor of a turn; unlike its label it is unique."""
    return f"{story.seq}" if not story.attempt else f"{story.seq}-{story.attempt}"


def _turn(story: Any, made: list[dict[str, Any]], place_of: Callable[[str], str]) -> dict[str, Any]:
    return {
        "key": turn_key(story),
        "label": story.label,
        "headline": story.headline,
        "made": made,
        "lines": [
            {
                "text": line.text,
                "look": "said" if line.kind == SPEECH else "",
                "why": [] if line.kind == SPEECH else _why(line, place_of),
            }
            for line in story.lines
            if line.text and line.kind not in SAID_OTHERWISE
        ],
    }


def _why(line: Any, place_of: Callable[[str], str]) -> list[dict[str, str]]:
    """The chain behind a line, each link with the place of its rule; for a line with no story behind it the rule."""
    reasons = [(each.text, each.clause) for each in line.reasons]
    told = reasons if any(clause == line.clause for _, clause in reasons[:1]) else [("", line.clause), *reasons]
    return [{**_around(text, clause), "clause": clause, "url": place_of(clause)} for text, clause in told]


def _around(text: str, clause: str) -> dict[str, str]:
    """The clause stands where the sentence names it, else after it."""
    before, _, after = text.partition(f"({clause})") if clause else (text, "", "")
    return {"before": before.strip() or RULE, "after": after}


def made_by(mages: Sequence[Any], index: int, me: str | None) -> list[dict[str, Any]]:
    """What each mage showed in one column, as far as it was seen; `me` is the mage that the reader plays here."""
    rows = []
    for mage in mages:
        letters = [hand[index] for hand in (mage.left, mage.right) if index < len(hand) and hand[index] in SYMBOLS]
        if letters:
            rows.append({"name": "You" if mage.name == me else mage.name, "letters": [shown(c) for c in letters]})
    return rows
