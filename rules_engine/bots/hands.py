"""Hands of others: which one to hold, and what it is to play."""

from __future__ import annotations

from rules_engine.beings import Wizard
from rules_engine.bots.aims import Situation
from rules_engine.gestures import LEFT, RIGHT, STAB


def hand_to_hold(situation: Situation, victim: Wizard) -> str:
    """The hand that has begun more: what is held goes to waste."""
    worth, begun = situation.worth, victim.begun
    return LEFT if worth.hand(begun.left) >= worth.hand(begun.right) else RIGHT


def gesture_to_impose(situation: Situation, victim: Wizard, options: list[str]) -> str:
    """Of ``LH P`` and the like, what leaves the victim's hands with least."""
    begun = victim.begun

    def left_over(option: str) -> tuple[float, str]:
        hand, gesture = option.split()
        best = 0.0
        for other in "DFPSW":
            column = gesture + other if hand == LEFT else other + gesture
            reached = begun.after[column]
            done = sum(situation.harm_of(s, situation.me) for spells in reached.first.values() for s in spells)
            best = max(best, situation.worth.hands(reached) + done)
        return best + (0.2 if gesture == STAB else 0.0), option

    return min(options, key=left_over)
