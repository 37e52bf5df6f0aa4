"""The restrictions on bot accounts in challenges: they play each other, and people who allow it, where nothing counts
among people. The site's own bots join by the terms instead."""

from collections.abc import Iterable, Iterator, Sequence

from accounts.models import Mage
from challenges.errors import ChallengeProblem
from challenges.rules import Seating
from challenges.words import PROBLEMS
from duels.terms import Terms
from notifications.selectors.notices import find_choices


def why_bot_may_not_join(
    terms: Terms, seating: Seating, mage: Mage, *, by_link: bool = False, closed: frozenset[int] | None = None
) -> str | None:
    """Return a code for why the mage of a bot account cannot join this challenge, or None. `closed` are the users who
    are closed to bots, if they were read before.

    Bots never play for scores. A bot that was not invited joins people only if the result counts nowhere among them
    and none of them has opted out; the terms can invite all bots.
    """
    if terms.stake.scores:
        return "bot_scores"
    place = seating.get_place(mage.pk)
    if by_link or terms.bots_may_join or (place is not None and place.state == "invited"):
        return None
    people = [place.user_id for place in seating.joined if not place.is_bot]
    if people and not terms.stake.counts:
        unwilling = find_users_closed_to_bots(people) if closed is None else closed.intersection(people)
    else:
        unwilling = frozenset(people)
    return "bot_unasked" if unwilling else None


def find_users_closed_to_bots(users: Iterable[int]) -> frozenset[int]:
    """Return those of these users (ids) who don't want to meet other users' bots unless they ask to."""
    return frozenset(user for user, choice in find_choices(users, "bots_play").items() if choice == "no")


def find_bot_problems(
    *, challenger: Mage, invited: Sequence[Mage], terms: Terms, everyone: bool = False
) -> Iterator[ChallengeProblem]:
    """Yield why this challenge cannot be created, as far as bot accounts are concerned."""
    bots = [mage for mage in (challenger, *invited) if mage.user.is_bot_account]
    if bots and terms.stake.scores:
        yield _make_problem("stakes", "bot_scores", bots[0])
    if not challenger.user.is_bot_account:
        return
    if everyone:
        yield _make_problem("against", "bot_calls_all", challenger)
        return
    people = {mage.user_id: mage for mage in invited if not mage.user.is_bot}
    for user in sorted(find_users_closed_to_bots(people)):
        yield _make_problem("against", "bot_unwanted", people[user])


def find_bot_problems_of_change(
    *, proposer: Mage, added: Sequence[Mage], seating: Seating, terms: Terms, everyone: bool = False
) -> Iterator[ChallengeProblem]:
    """Yield why the terms cannot become these `terms`, or these mages not be invited, as far as bot accounts are
    concerned."""
    joined = [place.mage for place in (*seating.joined, *seating.invited) if place.is_bot_account]
    bots = [*joined, *(mage.name for mage in added if mage.user.is_bot_account)]
    if bots and terms.stake.scores:
        yield ChallengeProblem("stakes", "bot_scores", PROBLEMS["bot_scores"] % {"mage": bots[0]})
    if proposer.user.is_bot_account:
        problems = find_bot_problems(challenger=proposer, invited=added, terms=terms, everyone=everyone)
        # The stakes are checked above, with everyone who has joined.
        yield from (problem for problem in problems if problem.place != "stakes")


def _make_problem(place: str, code: str, mage: Mage) -> ChallengeProblem:
    return ChallengeProblem(place, code, PROBLEMS[code] % {"mage": mage.name})
