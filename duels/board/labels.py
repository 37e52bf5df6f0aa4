"""What the rules ask, in the words that pages and emails share."""

from __future__ import annotations

from duels.board.signs import HAND_WORDS, is_second, plain
from rules_engine import Question

LABELS = {
    "target": "{about} at",
    "paralyze": "Hand of {about} to paralyse",
    "charm": "Hand of {about} to direct next turn",
    "retarget": "{about}, who is fast, attacks the second time",
    "elemental": "Which elemental {about} summons",
    "direct": "Gesture for {about}, who is charmed",
    "permanent": "Make permanent the spell from",
    "delay": "Hold back the spell from",
    "fire": "Release the held {about}",
    "suicide": "End your own life this turn",
}
CREATURE_OF = {"LH": "left hand summons", "RH": "right hand summons", "BH": "hands summon"}


def label_question(question: Question) -> str:
    """Return what a question asks, without its choices: a few words to stand before them."""
    about = question.about
    if question.kind == "gesture":
        return name_hand(question.id)
    if question.kind == "choose":
        hand = plain(about)
        words = "Both hands together cast" if hand == "BH" else f"{HAND_WORDS[hand]} hand casts"
        return f"{words} the second time" if is_second(about) else words
    if question.kind == "monster":
        hand, colon, _ = about.partition(":")
        return f"What your {CREATURE_OF[plain(hand)]} attacks" if colon else f"{about} attacks"
    if question.kind == "elemental" and ":" in about:  # one of several by the same mage
        hand, _, mage = about.partition(":")
        about = (
            f"{mage}'s {HAND_WORDS[plain(hand)].lower()} hand" if plain(hand) in HAND_WORDS else f"{mage}'s held spell"
        )
    return LABELS.get(question.kind, "{about}").format(about=about)


def name_hand(hand: str) -> str:
    """Return a hand in words, and that it plays a second time where it does."""
    return f"{HAND_WORDS[plain(hand)]} hand" + (", the second time" if is_second(hand) else "")
