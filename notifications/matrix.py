"""The matrix of what users are told, and where: one table for the page, emailed orders and the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from notifications.preferences import AT_ONCE, DIGEST, NEVER, PREFERENCES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PAGE, EMAIL, PUSH, HOOK = "page", "mail", "push", "hook"
CHANNELS: dict[str, StrOrPromise] = {PAGE: _("Page"), EMAIL: _("Email"), PUSH: _("Push"), HOOK: _("Hooks")}


@dataclass(frozen=True)
class Subject:
    """Something that users are told. In a channel in `always` nothing turns it off; in another one it has a preference,
    `mail_turns` for "turns" by email, or it is not offered there."""

    name: str
    title: StrOrPromise
    hint: StrOrPromise = ""
    always: tuple[str, ...] = ()

    def key(self, channel: str) -> str:
        """Return its preference for this channel, "" if there is none."""
        key = f"{channel}_{self.name}"
        return key if key in PREFERENCES else ""

    def offers(self, channel: str, value: str) -> bool:
        key = self.key(channel)
        return bool(key) and (value != DIGEST or (channel == EMAIL and self.may_be_daily))

    @property
    def may_be_daily(self) -> bool:
        key = self.key(EMAIL)
        return bool(key) and DIGEST in dict(PREFERENCES[key].values)


GROUPS: tuple[tuple[StrOrPromise, tuple[Subject, ...]], ...] = (
    (
        _("Battles"),
        (
            Subject("turns", _("Your move"), _("and battles you follow"), always=(PAGE,)),
            Subject("deadlines", _("Deadline soon"), always=(PAGE, EMAIL, PUSH)),
            Subject("ends", _("Battle begins or ends"), always=(PAGE,)),
        ),
    ),
    (
        _("People"),
        (
            Subject("messages", _("Message to you"), always=(PAGE,)),
            Subject("challenges", _("Challenge to you"), always=(PAGE,)),
            Subject("seeks", _("Someone looks for a duel"), _("who is about as strong as you")),
            Subject("talk", _("Talk in the lobby"), _("you can answer from there")),
            Subject("seats", _("Your challenge"), _("who joins, leaves or ends it"), always=(PAGE,)),
            Subject("changes", _("Change to a challenge"), _("proposals and votes"), always=(PAGE,)),
        ),
    ),
    (
        _("Events"),
        (
            Subject("league", _("League and cups"), _("rounds, places, the end"), always=(PAGE,)),
            Subject("follows", _("Users you follow"), _("results, live battles, studies")),
            Subject("daily", _("Puzzle of the day")),
            Subject("streaks", _("Puzzle streak ends today"), _("with no rest day left")),
            Subject("puzzles", _("A puzzle from your own battles"), _("once a week")),
            Subject("reminders", _("End of your vacation"), always=(PAGE,)),
            Subject("news", _("News of the site")),
        ),
    ),
)
SUBJECTS = {subject.name: subject for _title, subjects in GROUPS for subject in subjects}


def list_keys() -> Iterator[str]:
    for subject in SUBJECTS.values():
        yield from filter(None, map(subject.key, CHANNELS))


def _fill(value: str | None, **others: str) -> dict[str, str]:
    """Return a choice for each preference in the matrix: `value`, by default its usual one, or that in `others`."""
    return {key: others.get(key, value or PREFERENCES[key].default) for key in list_keys()}


# Choices that a user makes at once.
PRESETS: dict[str, dict[str, str]] = {
    "quiet": _fill(NEVER, mail_turns=AT_ONCE, push_turns=AT_ONCE, hook_turns=AT_ONCE),
    "usual": _fill(None),
    "all": _fill(AT_ONCE),
}


def find_preset(chosen: Mapping[str, str]) -> str:
    """Return the name of the preset that these choices are, "" if they are the user's own mix. An email that comes once
    a day counts as one that comes at once."""
    kept = {key: AT_ONCE if chosen[key] == DIGEST else chosen[key] for key in list_keys()}
    return next((name for name, preset in PRESETS.items() if preset == kept), "")


def choose_preset(name: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the choices of a preset; emails that came once a day still do. Raises KeyError."""
    return {
        key: DIGEST if value == AT_ONCE and chosen[key] == DIGEST else value for key, value in PRESETS[name].items()
    }
