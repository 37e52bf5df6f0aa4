"""What is wrong with a challenge before it is made, all at once."""

import unicodedata
from collections.abc import Collection, Iterator, Sequence

from accounts.hidden_signs import mark_hidden
from accounts.models import Mage
from challenges.errors import Problem
from challenges.seating import FEWEST_SEATS, MOST_SEATS
from challenges.standing import get_hindrance
from challenges.words import PROBLEMS, REFUSALS

COMMENT_LENGTH = 300
# A user's challenges that look for mages at the same time; more would fill the list that everybody reads.
MOST_OPEN_CHALLENGES = 5


def tidy_comment(text: str) -> str:
    """One line of text in which nothing hides: runs of blanks and controls become one blank (FM-ORDNEW-18)."""
    line = " ".join("".join(" " if unicodedata.category(sign) == "Cc" else sign for sign in text).split())
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
    most_seats: int = MOST_SEATS,
) -> list[Problem]:
    """Every reason why this challenge cannot be made. `mages_per_user` is None when only those invited may join.

    `most_seats` is what the rules leave room for, `open_challenges` how many the challenger's user has already, `apart`
    the users who do not meet that user.
    """
    return [
        *about_standing("mage", challenger, waking=True),
        *_about_number_of_challenges(open_challenges),
        *_about_invited(challenger, invited, mages_per_user, by_link=by_link, apart=apart, most_seats=most_seats),
        *_about_excluded(challenger, invited, excluded, mages_per_user),
        *about_limit(limit, most_seats),
        *about_mages_per_user(mages_per_user),
        *about_comment(comment),
    ]


def make_problem(place: str, code: str, **slots: object) -> Problem:
    return Problem(place, code, PROBLEMS[code].format(**slots))


def about_standing(place: str, mage: Mage, *, waking: bool = False) -> Iterator[Problem]:
    hindrance = get_hindrance(mage, waking=waking)
    if hindrance is not None:
        words = REFUSALS[hindrance.code].format(mage=mage.name, engaged=hindrance.engaged)
        yield Problem(place, hindrance.code, words)


def about_limit(limit: int | None, most_seats: int) -> Iterator[Problem]:
    if limit is not None and limit < FEWEST_SEATS:
        yield make_problem("limit", "limit_too_low")
    if limit is not None and limit > most_seats:
        yield make_problem("limit", "limit_too_high", most=most_seats)


def about_mages_per_user(mages_per_user: int | None) -> Iterator[Problem]:
    if mages_per_user is not None and not 0 <= mages_per_user <= MOST_SEATS:
        yield make_problem("mages_per_user", "mages_per_user")


def about_comment(comment: str) -> Iterator[Problem]:
    if len(comment) > COMMENT_LENGTH:
        yield make_problem("comment", "comment_too_long", length=len(comment), most=COMMENT_LENGTH)


def about_guest(place: str, mage: Mage, apart: Collection[int]) -> Iterator[Problem]:
    """Why this mage cannot be invited by a user who does not meet those `apart`."""
    if mage.user_id in apart:
        yield make_problem(place, "apart", mage=mage.name)
    else:
        yield from about_standing(place, mage)


def _about_number_of_challenges(open_challenges: int) -> Iterator[Problem]:
    if open_challenges >= MOST_OPEN_CHALLENGES:
        yield make_problem("mage", "too_many_challenges", count=open_challenges, most=MOST_OPEN_CHALLENGES)


def _about_invited(
    challenger: Mage,
    invited: Sequence[Mage],
    mages_per_user: int | None,
    *,
    by_link: bool,
    apart: Collection[int],
    most_seats: int,
) -> Iterator[Problem]:
    if not invited and mages_per_user is None and not by_link:
        yield make_problem("against", "nobody_invited")
    # An open challenge may call on more than can come; a closed one waits for all.
    if len(invited) >= most_seats and mages_per_user is None:
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
            yield from about_guest("against", mage, apart)
        seen.add(mage.pk)


def _about_excluded(
    challenger: Mage, invited: Sequence[Mage], excluded: Sequence[Mage], mages_per_user: int | None
) -> Iterator[Problem]:
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
