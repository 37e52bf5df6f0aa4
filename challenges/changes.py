"""Changes of a challenge, as plain values: differences from the current terms, and decisions.

Server rules 3.6 and 3.7; documents FM-ORDCHG-2 to 9 and 14.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypedDict, cast

from challenges.rules import FEWEST_SEATS, Seating
from duels.bot_terms import tidy_bots, tidy_hit_points
from duels.errors import InvalidTerms, TermProblem
from duels.terms import Terms, choose_ruleset


class Change(TypedDict, total=False):
    """The terms to change; those left out stay the same.

    `mages_per_user` None closes the challenge to all but invited mages; `limit` None removes the limit. `add` and
    `exclude` are names of mages. A ruleset is taken in its newest edition. `start` starts the battle when adopted.
    """

    ruleset: str
    pace: str
    stakes: str
    weekends: bool
    nights: bool
    reliable: int
    orders_final: bool
    chat: bool
    hit_points: list[int]
    bots: list[str]
    bots_may_join: bool
    mages_per_user: int | None
    limit: int | None
    authoritarian: bool
    comment: str
    add: list[str]
    exclude: list[str]
    start: bool


NAMES = ("add", "exclude")
TERMS = tuple(each.name for each in fields(Terms) if each.name in Change.__annotations__)
# In the order in which they are shown.
VALUES = ("comment", *TERMS, "mages_per_user", "limit", "authoritarian")
PARTS = (*VALUES, *NAMES, "start")


@dataclass(frozen=True)
class Conditions:
    """The current values of everything that a change can set."""

    values: Mapping[str, Any]

    @classmethod
    def of(
        cls, *, terms: Terms, mages_per_user: int | None, limit: int | None, authoritarian: bool, comment: str
    ) -> "Conditions":
        stored = terms.to_json()
        values = {name: stored[name] for name in TERMS}
        own = {"mages_per_user": mages_per_user, "limit": limit, "authoritarian": authoritarian, "comment": comment}
        return cls({**values, **own})


@dataclass(frozen=True)
class Difference:
    """One part of a change: which, the current value, the new value. For names and the start `before` is None."""

    what: str
    before: Any
    after: Any

    def to_json(self) -> dict[str, Any]:
        return {"what": self.what, "before": self.before, "after": self.after}


DecisionResult = Literal["adopted", "rejected", "moot"]


@dataclass(frozen=True)
class Decision:
    """A decided change. `number` is None for one that took effect without a vote."""

    number: int | None
    proposer: str
    result: DecisionResult
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class ActionOutcome:
    """The challenge after an action: its status, what the action decided, and the number of the proposal it made, if
    that is still open."""

    number: int
    status: str
    decided: tuple[Decision, ...] = ()
    proposed: int | None = None

    @property
    def has_started(self) -> bool:
        return self.status == "started"


def tidy_change(change: Change) -> Change:
    """Return the change with hit points and bots as they are stored: numbers, and strengths as they are written."""
    tidied = change.copy()
    if "hit_points" in tidied:
        tidied["hit_points"] = list(tidy_hit_points(tidied["hit_points"]))
    if "bots" in tidied:
        tidied["bots"] = list(tidy_bots(tidied["bots"]))
    return tidied


def find_remaining(change: Mapping[str, Any], conditions: Conditions, seating: Seating) -> Change:
    """Return the part of a change that still makes a difference and is still possible.

    Parts that already hold are dropped, and so are impossible ones: a limit below the number of mages who have joined,
    a start with fewer than two, inviting or excluding a mage who has joined.
    """
    left = {name: change[name] for name in VALUES if name in change and change[name] != conditions.values[name]}
    if left.get("limit") is not None and left["limit"] < len(seating.joined):
        del left["limit"]
    is_open = left.get("mages_per_user", conditions.values["mages_per_user"]) is not None
    for part, names in (
        ("add", _names_to_add(change.get("add", ()), seating)),
        ("exclude", _names_to_exclude(change.get("exclude", ()), seating, is_open=is_open)),
    ):
        if names:
            left[part] = names
    if change.get("start") and len(seating.joined) >= FEWEST_SEATS:
        left["start"] = True
        # A battle that starts leaves out mages who have not joined (FM-ORDCHG-4).
        left.pop("add", None)
    return cast(Change, left)


def list_differences(change: Mapping[str, Any], conditions: Conditions) -> list[Difference]:
    """Return the parts of a change in the order in which they are shown."""
    return [Difference(name, conditions.values.get(name), change[name]) for name in PARTS if name in change]


def change_terms(terms: Terms, change: Mapping[str, Any]) -> Terms:
    """Return the terms after the change. Raises InvalidTerms with every problem, also for a ruleset not offered for new
    battles."""
    wanted: dict[str, Any] = {name: change[name] for name in TERMS if name in change}
    unknown: tuple[TermProblem, ...] = ()
    if wanted.get("ruleset", terms.ruleset) != terms.ruleset:
        try:
            wanted |= {"ruleset": choose_ruleset(name=wanted["ruleset"]), "edition": 0}
        except InvalidTerms as error:
            unknown = error.details
            del wanted["ruleset"]
    try:
        changed = replace(terms, **wanted)
    except InvalidTerms as error:
        raise InvalidTerms([*unknown, *error.details]) from error
    if unknown:
        raise InvalidTerms(unknown)
    return changed


def _names_to_add(names: "list[str] | tuple[str, ...]", seating: Seating) -> list[str]:
    present = {place.mage for place in (*seating.joined, *seating.invited)}
    return [name for name in dict.fromkeys(names) if name not in present]


def _names_to_exclude(names: "list[str] | tuple[str, ...]", seating: Seating, *, is_open: bool) -> list[str]:
    states = {place.mage: place.state for place in seating.places}
    fixed = {"joined", "excluded"}
    return [
        name
        for name in dict.fromkeys(names)
        if states.get(name) not in fixed and (is_open or states.get(name) == "invited")
    ]


def completes(change: Change, seating: Seating) -> bool:
    """Return whether the battle would start by itself after this change, as in a challenge that it closes."""
    excluded = {name.casefold() for name in change.get("exclude", [])}
    kept = tuple(place for place in seating.places if place.state == "joined" or place.mage.casefold() not in excluded)
    after = replace(
        seating,
        limit=change.get("limit", seating.limit),
        mages_per_user=change.get("mages_per_user", seating.mages_per_user),
        # Those whom the change invites have yet to answer.
        has_live_link=seating.has_live_link or bool(change.get("add")),
        places=kept,
    )
    return after.is_complete()
