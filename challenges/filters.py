"""What somebody wants to see of the list: read from the address, or as it was left the last time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self
from urllib.parse import parse_qsl

from django.utils.http import urlencode

from challenges.selectors import Wanted
from challenges.words import describe_spells
from duels.terms import list_rulesets

COOKIE = "challenges"
LIFE_OF_COOKIE = 365 * 24 * 3600
LONGEST_COOKIE = 300

# The filters by the name they have in the address: each value with its words.
ANY = "any"
CHOICES: Mapping[str, Mapping[str, str]] = {
    "joinable": {"yes": "I may join"},
    "size": {"duel": "Duels", "melee": "Melees"},
    "terms": {"ladder": "Ladder", "friendly": "Friendly"},
    "spells": {name: describe_spells(name, title) for name, title in list_rulesets()},
}
PILLS = ("joinable", "size", "terms")


class Pill(NamedTuple):
    """A filter to be switched by a link: its words, whether it is on, and the address that switches it."""

    words: str
    is_on: bool
    address: str


@dataclass(frozen=True)
class Filters:
    """The filters that hold. `chosen_now` says that the address named them, so that they are to be kept."""

    values: Mapping[str, str]
    chosen_now: bool = False
    known: bool = False

    @classmethod
    def of(cls, asked: Mapping[str, str], kept: str, *, known: bool) -> Self:
        """Read the filters of an address, or those kept if it names none. What is no filter is passed over.

        `known` says whether somebody is logged in: for a stranger nothing is joinable, and he is not asked.
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
    def wanted(self) -> Wanted:
        size, terms = self.values.get("size"), self.values.get("terms")
        return Wanted(
            ruleset=self.values.get("spells"),
            is_duel=None if size is None else size == "duel",
            has_scores_at_stake=None if terms is None else terms == "ladder",
            joinable="joinable" in self.values,
        )

    @property
    def query(self) -> str:
        """The filters as an address has them."""
        return self._write(self.values)

    @property
    def pills(self) -> list[Pill]:
        """ "All", and a link for every filter that is not a list of its own."""
        return [Pill("All", not self.values, f"?{self._write({})}"), *self._switches()]

    @property
    def spells(self) -> list[tuple[str, str, bool]]:
        """The choice of spells: value, words, whether it is chosen."""
        chosen = self.values.get("spells", ANY)
        choices = {ANY: "Any spells", **CHOICES["spells"]}
        return [(value, words, value == chosen) for value, words in choices.items()]

    @property
    def besides_spells(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.values.items() if name != "spells"]

    def _switches(self) -> list[Pill]:
        return [
            Pill(words, self.values.get(name) == value, f"?{self._switch(name, value)}")
            for name in PILLS
            if self.known or name != "joinable"
            for value, words in CHOICES[name].items()
        ]

    def _switch(self, name: str, value: str) -> str:
        rest = {key: kept for key, kept in self.values.items() if key != name}
        return self._write(rest if self.values.get(name) == value else {**rest, name: value})

    @staticmethod
    def _write(values: Mapping[str, str]) -> str:
        # An address without a filter would show those kept.
        return urlencode([(name, values[name]) for name in CHOICES if name in values] or [("size", ANY)])
