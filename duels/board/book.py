"""What janitors did to the battle, beside its story, and what they ask the player."""

from __future__ import annotations

from typing import Any

from django.urls import reverse


def make_book(view: Any) -> list[dict[str, Any]]:
    """The entries, the newest first."""
    return [
        {
            "number": entry.number,
            "turn": entry.label,
            "text": entry.text,
            "reason": entry.reason,
            "by": entry.by,
            "at": entry.made_at,
            "undone": {"by": entry.undone_by, "at": entry.undone_at, "reason": entry.undone_reason}
            if entry.undone_at
            else None,
        }
        for entry in reversed(view.journal)
    ]


def make_consent(view: Any) -> dict[str, Any] | None:
    """What the player is asked: whether a turn may be played again, and what he has said to it."""
    if view.question is None:
        return None
    question = view.question
    return {
        "number": question.number,
        "turn": question.turn,
        "by": question.by,
        "reason": question.reason,
        "agrees": question.agrees,
        "url": reverse("consent", args=[view.battle.number]),
    }
