"""Texts of notifications on devices: they name the battle or challenge, and nothing that a mage must not see."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from notifications.models import Notice

YOUR_TURN = (gettext_noop("Battle %(battle)d is waiting for your orders"), gettext_noop("The deadline is near."))
# Title and text for each kind of notice that devices show; the slots are filled from its facts.
PUSHED = {
    "battle_started": (gettext_noop("Battle %(battle)d has begun"), gettext_noop("Send your first orders.")),
    "turn_resolved": (gettext_noop("A turn of battle %(battle)d is over"), gettext_noop("See what happened.")),
    "stage_asked": (
        gettext_noop("Battle %(battle)d has a question for you"),
        gettext_noop("It is waiting for your answer."),
    ),
    **dict.fromkeys(("deadline_reminder", "deadline_alarm", "deadline_final"), YOUR_TURN),
    "battle_finished": (gettext_noop("Battle %(battle)d is over"), gettext_noop("See how it ended.")),
    "challenged": (gettext_noop("You have been challenged"), gettext_noop("See the terms of challenge %(number)d.")),
    "challenge_accepted": (
        gettext_noop("A mage has joined your challenge"),
        gettext_noop("See challenge %(number)d."),
    ),
    "change_proposed": (
        gettext_noop("A change to your challenge is waiting for your vote"),
        gettext_noop("See challenge %(number)d."),
    ),
    "message": (gettext_noop("You have a message"), gettext_noop("It is on your home page.")),
}
URGENT = frozenset({"stage_asked", "turn_resolved", "deadline_alarm", "deadline_final", "battle_started"})


@dataclass(frozen=True)
class Push:
    """A notification in the active language: `path` is the page that a click opens. A later one with the same `tag`
    replaces it."""

    title: str
    text: str
    path: str
    tag: str

    def to_json(self) -> dict[str, str]:
        return {"title": self.title, "text": self.text, "path": self.path, "tag": self.tag}


def make_push(notice: Notice) -> Push:
    """Return the notification for a notice whose kind is in PUSHED."""
    facts: dict[str, Any] = notice.facts
    title, text = (_(words) % facts for words in PUSHED[notice.kind])
    path, tag = reverse("home"), notice.kind
    if "battle" in facts:
        path = reverse("duels:battle", args=[facts["battle"]])
        tag = f"battle-{facts['battle']}"
    elif "number" in facts:
        path = reverse("challenges:detail", args=[facts["number"]])
        tag = f"challenge-{facts['number']}"
    return Push(title, text, path, tag)
