"""What is wrong with a challenge before it is made, all at once."""

from collections.abc import Iterator, Sequence

from accounts.models import Mage
from challenges.errors import Problem
from challenges.seating import FEWEST_SEATS, MOST_SEATS
from challenges.standing import get_hindrance
from challenges.words import PROBLEMS, REFUSALS

COMMENT_LENGTH = 300


def tidy_comment(text: str) -> str:
    """One line of printable text: runs of blanks, line ends and control characters become one blank (FM-ORDNEW-18)."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def find_problems(
    *,
    challenger: Mage,
    invited: Sequence[Mage],
    mages_per_user: int | None,
    limit: int | None,
    comment: str,
    most_seats: int = MOST_SEATS,
) -> list[Problem]:
    """Every reason why this challenge cannot be made.

    `mages_per_user` is None when only those invited may join; `most_seats` is what the rules leave room for.
    """
    return [
        *_about_standing("mage", challenger),
        *_about_invited(challenger, invited, mages_per_user, most_seats),
        *_about_numbers(mages_per_user, limit, most_seats),
        *_about_comment(comment),
    ]


def _problem(place: str, code: str, **slots: object) -> Problem:
    return Problem(place, code, PROBLEMS[code].format(**slots))


def _about_standing(place: str, mage: Mage) -> Iterator[Problem]:
    hindrance = get_hindrance(mage)
    if hindrance is not None:
        words = REFUSALS[hindrance.code].format(mage=mage.name, engaged=hindrance.engaged)
        yield Problem(place, hindrance.code, words)


def _about_invited(
    challenger: Mage, invited: Sequence[Mage], mages_per_user: int | None, most_seats: int
) -> Iterator[Problem]:
    if not invited and mages_per_user is None:
        yield _problem("against", "nobody_invited")
    if len(invited) >= most_seats:
        yield _problem("against", "too_many", most=most_seats)
    seen: set[int] = set()
    for mage in invited:
        if mage.pk == challenger.pk:
            yield _problem("against", "yourself", mage=mage.name)
        elif mage.pk in seen:
            yield _problem("against", "twice", mage=mage.name)
        elif mage.user_id == challenger.user_id and mages_per_user == 1:
            yield _problem("against", "yours", mage=mage.name, mages_per_user=mages_per_user)
        else:
            yield from _about_standing("against", mage)
        seen.add(mage.pk)


def _about_numbers(mages_per_user: int | None, limit: int | None, most_seats: int) -> Iterator[Problem]:
    if limit is not None and limit < FEWEST_SEATS:
        yield _problem("limit", "limit_too_low")
    if limit is not None and limit > most_seats:
        yield _problem("limit", "limit_too_high", most=most_seats)
    if mages_per_user is not None and not 0 <= mages_per_user <= MOST_SEATS:
        yield _problem("mages_per_user", "mages_per_user")


def _about_comment(comment: str) -> Iterator[Problem]:
    if len(comment) > COMMENT_LENGTH:
        yield _problem("comment", "comment_too_long", length=len(comment), most=COMMENT_LENGTH)
