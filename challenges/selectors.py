"""Reading challenges: the list and the page, each for one viewer, with "may I join, and if not why"."""

import difflib
import re
from collections.abc import Iterable, Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Lower

from accounts.models import Mage, User
from challenges.errors import ChallengeNotFound, Problem
from challenges.models import Challenge, Seat
from challenges.presenting import present_challenge
from challenges.rows import ChallengeRow
from challenges.seating import Place, Seating, find_most_seats
from challenges.words import PROBLEMS
from duels.terms import Terms

Viewer = User | AnonymousUser | None


def list_open_challenges(*, viewer: Viewer) -> list[ChallengeRow]:
    """Every challenge that still looks for mages, by number, as this viewer sees it."""
    mages = _mages_of(viewer)
    challenges = _with_seats(Challenge.objects.filter(status=Challenge.Status.OPEN)).order_by("number")
    return [present_challenge(challenge, read_seating(challenge), viewer, mages) for challenge in challenges]


def get_challenge_for_user(*, number: int, user: Viewer) -> ChallengeRow:
    """One challenge as this user sees it, also one that is over. Anybody may see every challenge.

    Raises ChallengeNotFound.
    """
    challenge = _with_seats(Challenge.objects.filter(number=number)).first()
    if challenge is None:
        raise ChallengeNotFound(number)
    return present_challenge(challenge, read_seating(challenge), user, _mages_of(user))


def list_challenges_waiting_for(*, user: User) -> list[ChallengeRow]:
    """The open challenges that name a free mage of this user who has not answered, the oldest first."""
    rows = list_open_challenges(viewer=user)
    return sorted((row for row in rows if row.section == "waiting_for_you"), key=lambda row: row.created_at)


def list_challenges_taken_part_in(*, user: User) -> list[ChallengeRow]:
    """The open challenges in which a mage of this user has a seat, by number."""
    return [row for row in list_open_challenges(viewer=user) if row.section == "taking_part"]


def list_invitations_to_decline(*, mage: Mage | None = None) -> list[tuple[int, Mage]]:
    """Unanswered invitations to closed challenges whose mage cannot come: number and mage, by number.

    It has a seat or a battle elsewhere, is dead, retired or shut out. With `mage`, those of that mage alone.
    """
    cannot_come = (
        Q(mage__engagement__isnull=False)
        | Q(mage__died_at__isnull=False)
        | Q(mage__retired_at__isnull=False)
        | Q(mage__user__is_active=False)
    )
    seats = Seat.objects.filter(
        cannot_come,
        state=Seat.State.INVITED,
        challenge__status=Challenge.Status.OPEN,
        challenge__mages_per_user__isnull=True,
    )
    if mage is not None:
        seats = seats.filter(mage=mage)
    seats = seats.select_related("challenge", "mage__user").order_by("challenge__number", "pk")
    return [(seat.challenge.number, seat.mage) for seat in seats]


def find_mages_to_invite(*, text: str) -> tuple[list[Mage], list[Problem]]:
    """Read names parted by blanks, commas or "and": the mages as named, and a problem for each unknown name."""
    names = [name for name in re.split(r"[\s,]+", text) if name]
    known = {mage.name.lower(): mage for mage in _by_names(names)}
    names = [name for name in names if name.lower() != "and" or "and" in known]
    mages = [known[name.lower()] for name in names if name.lower() in known]
    return mages, [_unknown(name) for name in names if name.lower() not in known]


def read_seating(challenge: Challenge) -> Seating:
    """The challenge and its seats as the rules see them."""
    seats = sorted(challenge.seats.all(), key=_by_time_of_answer)
    return Seating(
        number=challenge.number,
        status=challenge.status,
        challenger_id=challenge.challenger_id,
        challenger_user_id=challenge.challenger.user_id,
        mages_per_user=challenge.mages_per_user,
        limit=challenge.limit,
        most_seats=find_most_seats(Terms.from_json(challenge.terms).most_mages),
        places=tuple(Place(seat.mage_id, seat.mage.name, seat.mage.user_id, seat.state) for seat in seats),
    )


def _by_time_of_answer(seat: Seat) -> tuple[bool, bool, float, int]:
    is_challenger = seat.mage_id == seat.challenge.challenger_id
    answered = seat.answered_at.timestamp() if seat.answered_at else 0.0
    return (not is_challenger, seat.answered_at is None, answered, seat.pk)


def _with_seats(challenges: "QuerySet[Challenge]") -> "QuerySet[Challenge]":
    seats = Seat.objects.select_related("mage__user", "mage__engagement")
    return challenges.select_related("challenger__user").prefetch_related(Prefetch("seats", queryset=seats))


def _mages_of(viewer: Viewer) -> Sequence[Mage]:
    if not isinstance(viewer, User):
        return ()
    mages = Mage.objects.filter(user=viewer, died_at__isnull=True)
    return list(mages.select_related("user", "engagement").order_by("name"))


def _by_names(names: Iterable[str]) -> "QuerySet[Mage]":
    keys = {name.lower() for name in names}
    return Mage.objects.select_related("user", "engagement").alias(key=Lower("name")).filter(key__in=keys)


def _unknown(name: str) -> Problem:
    living = Mage.objects.filter(died_at__isnull=True, name__istartswith=name[:1]).values_list("name", flat=True)[:500]
    nearest = difflib.get_close_matches(name.capitalize(), living, n=1)
    return Problem("against", "unknown", PROBLEMS["unknown"].format(mage=name), nearest[0] if nearest else None)
