"""What is wrong with a change before it is proposed, all at once (3.6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accounts.models import Mage
from challenges.changes import PARTS, Change, Conditions, change_terms, find_remaining
from challenges.errors import Problem
from challenges.inviting import about_comment, about_guest, about_limit, about_mages_per_user, make_problem
from challenges.seating import FEWEST_SEATS, Seating, find_most_seats
from duels.errors import InvalidTerms
from duels.terms import Terms
from ladder.stakes import STAKES


def find_problems_of_change(
    *,
    change: Change,
    terms: Terms,
    conditions: Conditions,
    seating: Seating,
    added: Sequence[Mage],
    excluded: Sequence[Mage],
    apart: Collection[int],
    called_all: bool = False,
    scores: Mapping[int, int] | None = None,
) -> list[Problem]:
    """Every reason why this change cannot be proposed. `added` and `excluded` are the mages that it names, `apart` the
    users who do not meet somebody who has joined, `called_all` that nobody was named but all that are free, `scores`
    those of the mages that have joined."""
    if not change:
        return [make_problem("change", "nothing_to_change")]
    problems = [
        *_about_parts(change),
        *_about_terms(terms, change),
        *_about_band(change, seating, scores or {}),
        *about_mages_per_user(change.get("mages_per_user")),
        *_about_room(find_most_seats(_most_mages(terms, change)), change, seating),
        *about_comment(change.get("comment", "")),
        *_about_added(added, seating, apart, called_all=called_all, most=find_most_seats(_most_mages(terms, change))),
        *_about_excluded(excluded, added, seating, is_open=_will_be_open(change, conditions)),
        *_about_closing(change, seating, added),
    ]
    if change.get("start") and len(seating.joined) < FEWEST_SEATS:
        problems.append(make_problem("start", "start_too_few"))
    if not problems and not find_remaining(change, conditions, seating):
        problems.append(make_problem("change", "no_difference", number=seating.number))
    return problems


def _will_be_open(change: Mapping[str, Any], conditions: Conditions) -> bool:
    return change.get("mages_per_user", conditions.values["mages_per_user"]) is not None


def _about_parts(change: Mapping[str, Any]) -> Iterator[Problem]:
    for part in change:
        if part not in PARTS:
            yield make_problem("change", "unknown_part", part=part)


def _about_terms(terms: Terms, change: Change) -> Iterator[Problem]:
    try:
        change_terms(terms, change)
    except InvalidTerms as error:
        for sentence in error.problems:
            yield Problem("terms", "terms", sentence)


def _about_band(change: Change, seating: Seating, scores: Mapping[int, int]) -> Iterator[Problem]:
    stake = STAKES.get(change.get("stakes", ""))
    if stake is not None and stake.in_band and not replace(seating, scores=scores).is_near():
        yield make_problem("stakes", "band_too_wide")


def _most_mages(terms: Terms, change: Change) -> int | None:
    """How many the changed terms let play; None as well where there are no such terms."""
    try:
        return change_terms(terms, change).most_mages
    except InvalidTerms:
        return None


def _about_room(most: int, change: Change, seating: Seating) -> Iterator[Problem]:
    """The limit, and what is left of the seats by other rules."""
    limit, joined = change.get("limit"), len(seating.joined)
    kept = seating.limit if "limit" not in change and most < seating.most_seats else limit
    yield from about_limit(kept, most)
    if most < seating.present <= seating.most_seats:
        yield make_problem("terms", "too_many", most=most)
    if limit is not None and FEWEST_SEATS <= limit < joined:
        yield make_problem("limit", "limit_below_joined", joined=joined)


def _about_added(
    added: Sequence[Mage], seating: Seating, apart: Collection[int], *, called_all: bool, most: int
) -> Iterator[Problem]:
    states = {place.mage_id: place.state for place in seating.places}
    if not called_all and len(seating.invited) + len(seating.joined) + len(added) > most and added:
        yield make_problem("add", "too_many", most=most)
    seen: set[int] = set()
    for mage in added:
        if mage.pk in seen:
            yield make_problem("add", "twice", mage=mage.name)
        elif states.get(mage.pk) in ("joined", "invited"):
            yield make_problem("add", f"already_{states[mage.pk]}", mage=mage.name)
        else:
            yield from about_guest("add", mage, apart)
        seen.add(mage.pk)


def _about_excluded(
    excluded: Sequence[Mage], added: Sequence[Mage], seating: Seating, *, is_open: bool
) -> Iterator[Problem]:
    states = {place.mage_id: place.state for place in seating.places}
    named = {mage.pk for mage in added}
    seen: set[int] = set()
    for mage in excluded:
        state = states.get(mage.pk)
        if mage.pk in seen:
            yield make_problem("exclude", "twice", mage=mage.name)
        elif state == "joined":
            yield make_problem("exclude", "exclude_too_late", mage=mage.name)
        elif mage.pk in named:
            yield make_problem("exclude", "invited_and_excluded", mage=mage.name)
        elif state == "excluded":
            yield make_problem("exclude", "excluded_already", mage=mage.name)
        elif not is_open and state != "invited":
            yield make_problem("exclude", "not_challenged", mage=mage.name)
        seen.add(mage.pk)


def _about_closing(change: Change, seating: Seating, added: Sequence[Mage]) -> Iterator[Problem]:
    """A challenge for nobody would stand for ever."""
    closes = "mages_per_user" in change and change["mages_per_user"] is None
    others = len(seating.joined) >= FEWEST_SEATS or seating.invited or seating.has_live_link or added
    if closes and not others:
        yield make_problem("against", "nobody_invited")
