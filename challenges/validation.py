"""Every problem with a new challenge or a proposed change, all at once (3.6)."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from accounts.models import Mage
from challenges.availability import find_hindrance
from challenges.bot_accounts import find_bot_problems, find_bot_problems_of_change
from challenges.changes import PARTS, Change, Conditions, change_terms, find_remaining
from challenges.errors import ChallengeProblem
from challenges.rules import FEWEST_SEATS, MOST_SEATS, Seating, find_most_seats
from challenges.words import PROBLEMS, REFUSALS
from duels.errors import InvalidTerms, TermProblem
from duels.terms import Terms, find_offer_problems
from ladder.stakes import BAND, STAKES
from operations.text.invisible_characters import mark_hidden

COMMENT_LENGTH = 300
# How many open challenges a user may have: more would crowd the list for everyone.
MOST_OPEN_CHALLENGES = 5


def tidy_comment(text: str) -> str:
    """Return the comment as one line with no hidden characters: whitespace and controls become one space
    (FM-ORDNEW-18)."""
    line = " ".join("".join(" " if unicodedata.category(char) == "Cc" else char for char in text).split())
    return mark_hidden(line)


def find_problems(
    *,
    challenger: Mage,
    invited: Sequence[Mage],
    mages_per_user: int | None,
    limit: int | None,
    comment: str,
    excluded: Sequence[Mage] = (),
    by_link: bool = False,
    open_challenges: int = 0,
    apart: Collection[int] = (),
    terms: Terms,
    called_all: bool = False,
    lets_guests: bool = False,
) -> list[ChallengeProblem]:
    """Return every reason why this challenge cannot be created. `mages_per_user` is None if only invited mages may
    join.

    `open_challenges` is how many the challenger's user already has, `apart` the users with a block between them and
    that user. `called_all`: it invites every free mage. `lets_guests`: guests' mages may take part.
    """
    most_seats, bots = find_most_seats(terms.most_mages), len(terms.bots)
    return [
        *mage_problems("mage", challenger, waking=True, lets_guests=lets_guests),
        *_open_challenge_problems(open_challenges),
        *_invitation_problems(
            challenger,
            invited,
            mages_per_user,
            by_link=by_link,
            apart=apart,
            most_seats=most_seats,
            bots=bots,
            lets_guests=lets_guests,
        ),
        *_exclusion_problems(challenger, invited, excluded, mages_per_user),
        *limit_problems(limit, most_seats),
        *bot_seat_problems(limit, 1, bots),
        *mages_per_user_problems(mages_per_user),
        *comment_problems(comment),
        *_offer_problems(terms),
        *find_bot_problems(challenger=challenger, invited=invited, terms=terms, everyone=called_all),
    ]


def make_problem(place: str, code: str, **slots: object) -> ChallengeProblem:
    return ChallengeProblem(place, code, PROBLEMS[code] % {"band": BAND, **slots})


def mage_problems(
    place: str, mage: Mage, *, waking: bool = False, lets_guests: bool = False
) -> Iterator[ChallengeProblem]:
    hindrance = find_hindrance(mage, waking=waking, lets_guests=lets_guests)
    if hindrance is not None:
        words = REFUSALS[hindrance.code] % {"mage": mage.name, "engaged": hindrance.engaged}
        yield ChallengeProblem(place, hindrance.code, words)


def limit_problems(limit: int | None, most_seats: int) -> Iterator[ChallengeProblem]:
    if limit is not None and limit < FEWEST_SEATS:
        yield make_problem("limit", "limit_too_low")
    if limit is not None and limit > most_seats:
        yield make_problem("limit", "limit_too_high", most=most_seats)


def bot_seat_problems(limit: int | None, people: int, bots: int) -> Iterator[ChallengeProblem]:
    """Yield the problem of a limit without room for the seats reserved for bots and for this many people."""
    if bots and limit is not None and FEWEST_SEATS <= limit < people + bots:
        yield make_problem("limit", "limit_below_bots", bots=bots, least=people + bots)


def mages_per_user_problems(mages_per_user: int | None) -> Iterator[ChallengeProblem]:
    if mages_per_user is not None and not 0 <= mages_per_user <= MOST_SEATS:
        yield make_problem("mages_per_user", "mages_per_user")


def comment_problems(comment: str) -> Iterator[ChallengeProblem]:
    if len(comment) > COMMENT_LENGTH:
        yield make_problem("comment", "comment_too_long", length=len(comment), most=COMMENT_LENGTH)


def invited_mage_problems(
    place: str, mage: Mage, apart: Collection[int], *, lets_guests: bool = False
) -> Iterator[ChallengeProblem]:
    """Yield why this mage cannot be invited; `apart` are users who must not meet the inviter."""
    if mage.user_id in apart:
        yield make_problem(place, "apart", mage=mage.name)
    else:
        yield from mage_problems(place, mage, lets_guests=lets_guests)


def _offer_problems(terms: Terms) -> Iterator[ChallengeProblem]:
    for sentence in find_offer_problems(terms):
        yield ChallengeProblem("terms", "not_offered", sentence)


def _open_challenge_problems(open_challenges: int) -> Iterator[ChallengeProblem]:
    if open_challenges >= MOST_OPEN_CHALLENGES:
        yield make_problem("mage", "too_many_challenges", count=open_challenges, most=MOST_OPEN_CHALLENGES)


def _invitation_problems(
    challenger: Mage,
    invited: Sequence[Mage],
    mages_per_user: int | None,
    *,
    by_link: bool,
    apart: Collection[int],
    most_seats: int,
    bots: int,
    lets_guests: bool,
) -> Iterator[ChallengeProblem]:
    if not (invited or bots or by_link) and mages_per_user is None:
        yield make_problem("against", "nobody_invited")
    # An open challenge may invite more mages than can join; a closed one waits for all of them.
    if bots >= most_seats or (len(invited) + bots >= most_seats and mages_per_user is None):
        yield make_problem("against", "too_many", most=most_seats)
    seen: set[int] = set()
    for mage in invited:
        if mage.pk == challenger.pk:
            yield make_problem("against", "yourself", mage=mage.name)
        elif mage.pk in seen:
            yield make_problem("against", "twice", mage=mage.name)
        elif mage.user_id == challenger.user_id and mages_per_user == 1:
            yield make_problem("against", "yours", mage=mage.name, mages_per_user=mages_per_user)
        else:
            yield from invited_mage_problems("against", mage, apart, lets_guests=lets_guests)
        seen.add(mage.pk)


def _exclusion_problems(
    challenger: Mage, invited: Sequence[Mage], excluded: Sequence[Mage], mages_per_user: int | None
) -> Iterator[ChallengeProblem]:
    if excluded and mages_per_user is None:
        yield make_problem("exclude", "exclude_needs_open")
    named = {mage.pk for mage in invited}
    seen: set[int] = set()
    for mage in excluded:
        if mage.pk == challenger.pk:
            yield make_problem("exclude", "excludes_yourself", mage=mage.name)
        elif mage.pk in seen:
            yield make_problem("exclude", "twice", mage=mage.name)
        elif mage.pk in named:
            yield make_problem("exclude", "invited_and_excluded", mage=mage.name)
        seen.add(mage.pk)


@dataclass(frozen=True)
class ChallengeState:
    """What a proposed change is checked against: the challenge as it is. `apart` are the users with a block between
    them and someone who has joined, `scores` those of the mages who have joined."""

    terms: Terms
    conditions: Conditions
    seating: Seating
    apart: Collection[int]
    scores: Mapping[int, int]


def find_problems_of_change(
    state: ChallengeState,
    change: Change,
    *,
    proposer: Mage,
    added: Sequence[Mage],
    excluded: Sequence[Mage],
    called_all: bool,
) -> list[ChallengeProblem]:
    """Return every reason why this change cannot be proposed. `added` and `excluded` are the mages it names;
    `called_all`: it invites every free mage."""
    if not change:
        return [make_problem("change", "nothing_to_change")]
    terms, seating = state.terms, state.seating
    most_mages, wrong_terms = None, list[TermProblem]()
    try:
        changed = change_terms(terms, change)
        most_mages = changed.most_mages
        wrong_terms += map(TermProblem, find_offer_problems(changed))
    except InvalidTerms as error:
        wrong_terms += error.details
    most_seats = find_most_seats(most_mages)
    is_open = change.get("mages_per_user", state.conditions.values["mages_per_user"]) is not None
    problems = [
        *(make_problem("change", "unknown_part", part=part) for part in change if part not in PARTS),
        *(ChallengeProblem(each.place or "terms", "terms", each.message, each.nearest) for each in wrong_terms),
        *_band_problems(change, seating, state.scores),
        *mages_per_user_problems(change.get("mages_per_user")),
        *_room_problems(most_seats, change, seating),
        *_bot_problems(terms, change, seating),
        *comment_problems(change.get("comment", "")),
        *_new_invitation_problems(added, seating, state.apart, called_all=called_all, most=most_seats),
        *_new_exclusion_problems(excluded, added, seating, is_open=is_open),
        *_closing_problems(change, seating, added),
        *_start_problems(change, seating),
    ]
    if not problems:
        problems += find_bot_problems_of_change(
            proposer=proposer, added=added, seating=seating, terms=change_terms(terms, change), everyone=called_all
        )
    if not problems and not find_remaining(change, state.conditions, seating):
        problems.append(make_problem("change", "no_difference", number=seating.number))
    return problems


def _band_problems(change: Change, seating: Seating, scores: Mapping[int, int]) -> Iterator[ChallengeProblem]:
    stake = STAKES.get(change.get("stakes", ""))
    if stake is not None and stake.in_band and not replace(seating, scores=scores).is_near():
        yield make_problem("stakes", "band_too_wide")


def _room_problems(most: int, change: Change, seating: Seating) -> Iterator[ChallengeProblem]:
    """Yield the problems of the limit, and of the seats that the new ruleset allows."""
    limit, joined = change.get("limit"), len(seating.joined)
    kept = seating.limit if "limit" not in change and most < seating.most_seats else limit
    yield from limit_problems(kept, most)
    if most < seating.present <= seating.most_seats:
        yield make_problem("terms", "too_many", most=most)
    if limit is not None and FEWEST_SEATS <= limit < joined:
        yield make_problem("limit", "limit_below_joined", joined=joined)


def _bot_problems(terms: Terms, change: Change, seating: Seating) -> Iterator[ChallengeProblem]:
    bots, people = len(change.get("bots", terms.bots)), len(seating.people)
    yield from bot_seat_problems(change.get("limit", seating.limit), people, bots)
    if "bots" in change and people + bots > seating.most_seats:
        yield make_problem("bots", "too_many", most=seating.most_seats)


def _new_invitation_problems(
    added: Sequence[Mage], seating: Seating, apart: Collection[int], *, called_all: bool, most: int
) -> Iterator[ChallengeProblem]:
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
            yield from invited_mage_problems("add", mage, apart)
        seen.add(mage.pk)


def _new_exclusion_problems(
    excluded: Sequence[Mage], added: Sequence[Mage], seating: Seating, *, is_open: bool
) -> Iterator[ChallengeProblem]:
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


def _closing_problems(change: Change, seating: Seating, added: Sequence[Mage]) -> Iterator[ChallengeProblem]:
    """Yield the problem of a closed challenge that nobody may join any more: it would never start."""
    closes = "mages_per_user" in change and change["mages_per_user"] is None
    others = (
        len(seating.joined) >= FEWEST_SEATS or change.get("bots") or seating.invited or seating.has_live_link or added
    )
    if closes and not others:
        yield make_problem("against", "nobody_invited")


def _start_problems(change: Change, seating: Seating) -> Iterator[ChallengeProblem]:
    if change.get("start") and len(seating.joined) < FEWEST_SEATS:
        yield make_problem("start", "start_too_few")
