"""The filters of the list: read from the URL, or as the viewer last left them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.parse import parse_qsl

from django.utils.functional import lazy
from django.utils.http import urlencode
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from challenges.selectors.lists import ChallengeFilter
from duels.terms import SPELLS, list_rulesets, name_ruleset

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

COOKIE = "challenges"
LIFE_OF_COOKIE = 365 * 24 * 3600
LONGEST_COOKIE = 300

# The filters by their names in the URL: each value with its label.
ANY = "any"
CHOICES: "Mapping[str, Mapping[str, StrOrPromise]]" = {
    "joinable": {"yes": _("I can join")},
    "size": {"duel": _("Duels"), "melee": _("Melees")},
    "terms": {"ladder": _("Ladder"), "friendly": _("Friendly")},
    "spells": {name: SPELLS.get(name) or lazy(name_ruleset, str)(name) for name, _ in list_rulesets()},
}
PILLS = ("joinable", "size", "terms")


class Pill(NamedTuple):
    """A filter that a link toggles: its label, whether it is on, and the URL that toggles it."""

    words: str
    is_on: bool
    address: str


@dataclass(frozen=True)
class Filters:
    """The active filters. `chosen_now`: the URL set them, so they are remembered."""

    values: Mapping[str, str]
    chosen_now: bool = False
    known: bool = False

    @classmethod
    def of(cls, asked: Mapping[str, str], kept: str, *, known: bool) -> Self:
        """Read the filters of a URL, or the remembered ones if it names none. Unknown values are ignored.

        `known`: the viewer is logged in. Visitors cannot join anything, so they are not offered that filter.
        """
        chosen = any(name in asked for name in CHOICES)
        given = asked if chosen else dict(parse_qsl(kept[:LONGEST_COOKIE]))
        values = {
            name: given[name]
            for name, choices in CHOICES.items()
            if given.get(name) in choices and (known or name != "joinable")
        }
        return cls(values, chosen, known)

    @property
    def wanted(self) -> ChallengeFilter:
        size, terms = self.values.get("size"), self.values.get("terms")
        return ChallengeFilter(
            ruleset=self.values.get("spells"),
            is_duel=None if size is None else size == "duel",
            has_scores_at_stake=None if terms is None else terms == "ladder",
            joinable="joinable" in self.values,
        )

    @property
    def query(self) -> str:
        return self._write(self.values)

    @property
    def pills(self) -> list[Pill]:
        """Return "All", and a link for every filter that is not a drop-down."""
        return [Pill(pgettext("filter", "All"), not self.values, f"?{self._write({})}"), *self._switches()]

    @property
    def spells(self) -> list[tuple[str, str, bool]]:
        """Return the options for spells: value, label, whether it is chosen."""
        chosen = self.values.get("spells", ANY)
        choices = {ANY: gettext("Any spells"), **CHOICES["spells"]}
        return [(value, str(words), value == chosen) for value, words in choices.items()]

    @property
    def besides_spells(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.values.items() if name != "spells"]

    def _switches(self) -> list[Pill]:
        return [
            Pill(str(words), self.values.get(name) == value, f"?{self._switch(name, value)}")
            for name in PILLS
            if self.known or name != "joinable"
            for value, words in CHOICES[name].items()
        ]

    def _switch(self, name: str, value: str) -> str:
        rest = {key: kept for key, kept in self.values.items() if key != name}
        return self._write(rest if self.values.get(name) == value else {**rest, name: value})

    @staticmethod
    def _write(values: Mapping[str, str]) -> str:
        # A URL without any filter would show the remembered ones.
        return urlencode([(name, values[name]) for name in CHOICES if name in values] or [("size", ANY)])
