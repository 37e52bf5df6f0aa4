"""What computer opponents say, in one table: whole sentences with named slots, so that they can be translated."""

from __future__ import annotations

from collections.abc import Callable, Mapping

TEXTS: dict[str, str] = {
    # What a move is called: its gestures, and the spells that they complete.
    "move": "%(gestures)s",
    "move with spells": "%(gestures)s (%(spells)s)",
    "no gestures": "no gestures",
    # Two sentences on a move that was made: what was expected and feared, and what was not played.
    "expected": "%(bot)s expected %(foe)s to make %(expected)s; the worst answer to %(move)s was %(worst)s.",
    "expected nobody": "%(bot)s had nobody to expect anything of, and made %(move)s.",
    "rejected": "It did not play %(rejected)s, which loses to %(refutation)s.",
    "rejected as worse": "It did not play %(rejected)s, which does worse against %(refutation)s.",
    "rejected by chance": "It could as well have played %(rejected)s, and chance decided.",
    "nothing rejected": "It saw no other move worth playing.",
    # A hint.
    "hint": "%(move)s.",
    "threatens": "It threatens %(spells)s.",
    "threatens nothing": "It threatens nothing at once.",
    "risks": "The risk is %(answer)s by %(foe)s.",
    "risks nothing": "There is no answer to fear.",
}

Translate = Callable[[str], str]
"""What gives a sentence of the table in a reader's language, slots left in."""


def in_english(text: str) -> str:
    """The sentences as they are."""
    return text


def say(key: str, slots: Mapping[str, str], translate: Translate = in_english) -> str:
    """A sentence of the table, filled."""
    return translate(TEXTS[key]) % slots
