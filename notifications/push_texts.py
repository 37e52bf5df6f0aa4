"""Texts of notifications on devices: they name the battle or challenge, and nothing that a mage must not see."""

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


def make_push(notice: Notice) -> Push | None:
    """Return the notification for a notice; None if its kind is not for devices."""
    kind = KINDS.get(notice.kind)
    if kind is None or kind.push is None:
        return None
    facts: dict[str, Any] = notice.facts
    title, text = (_(words) % facts for words in kind.push)
    path, tag = reverse("home"), kind.name
    if "battle" in facts:
        path = reverse("duels:battle", args=[facts["battle"]])
        tag = f"battle-{facts['battle']}"
    elif "number" in facts:
        path = reverse("challenges:detail", args=[facts["number"]])
        tag = f"challenge-{facts['number']}"
    return Push(title, text, path, tag, kind.is_urgent)
