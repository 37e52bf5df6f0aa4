"""Texts of notifications on devices: they name the battle or challenge, and nothing that a mage must not see.

What happened in a turn is written by `duels`, which registers a writer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from notifications.kinds import KINDS
from notifications.models import Notice


@dataclass(frozen=True)
class Push:
    """A notification in the active language: `path` is the page that a click opens. A later one with the same `tag`
    replaces it."""

    title: str
    text: str
    path: str
    tag: str
    is_urgent: bool

    def to_json(self) -> dict[str, str]:
        return {"title": self.title, "text": self.text, "path": self.path, "tag": self.tag}


# The user is the one that gets the notification.
WriteText = Callable[[Mapping[str, Any], Any], str]
WRITERS: dict[str, WriteText] = {}


def writes_push(*kinds: str) -> Callable[[WriteText], WriteText]:
    """Register a function that returns the text for these kinds from a notice's facts and its user; "" keeps the usual
    text. It may say only what that user may know. Raises KeyError for a kind that is not for devices."""

    def register(writer: WriteText) -> WriteText:
        for name in kinds:
            if KINDS[name].push is None:
                raise KeyError(name)
            WRITERS[name] = writer
        return writer

    return register


def make_push(notice: Notice) -> Push | None:
    """Return the notification for a notice; None if its kind is not for devices."""
    kind = KINDS.get(notice.kind)
    if kind is None or kind.push is None:
        return None
    facts: dict[str, Any] = notice.facts
    title, text = (_(words) % facts for words in kind.push)
    if kind.name in WRITERS and notice.user is not None:
        text = WRITERS[kind.name](facts, notice.user) or text
    path, tag = reverse("home"), kind.name
    if "battle" in facts:
        path = reverse("duels:battle", args=[facts["battle"]])
        tag = f"battle-{facts['battle']}"
    elif "number" in facts:
        path = reverse("challenges:detail", args=[facts["number"]])
        tag = f"challenge-{facts['number']}"
    elif "tier" in facts:
        path, tag = reverse("league:group", args=[facts["season"], facts["tier"]]), "league"
    elif "message" in facts:
        path = reverse("thread", args=[facts["user"]])
    elif "cup" in facts:
        path, tag = reverse("league:cup", args=[facts["cup"]]), f"cup-{facts['cup']}"
    elif "puzzle" in facts:
        path = reverse("studies:puzzle", args=[facts["puzzle"]])
    return Push(title, text, path, tag, kind.is_urgent)
