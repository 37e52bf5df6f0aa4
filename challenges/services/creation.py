"""Making a challenge."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.errors import MageUnavailable
from accounts.models import Mage
from accounts.services import engage_mage, touch_activity
from challenges.errors import InvalidChallenge, Problem
from challenges.inviting import find_problems, tidy_comment
from challenges.models import Challenge, Seat
from challenges.notices import tell_challenged
from challenges.seating import find_most_seats
from challenges.selectors import read_seating
from challenges.services.answers import decline_elsewhere_on_commit
from challenges.services.claim import read_mage
from challenges.words import PROBLEMS
from duels.services import take_number
from duels.terms import Terms


def create_challenge(
    *,
    challenger: Mage,
    terms: Terms,
    invited: Sequence[Mage] = (),
    open_to_all: bool = False,
    mages_per_user: int = 1,
    limit: int | None = None,
    comment: str = "",
    now: datetime,
) -> Challenge:
    """Make a challenge; the challenger has its first seat (FM-CHAL-1, FM-ORDNEW-3 to 14).

    Closed, it is for the mages `invited`, and starts when all have answered; `open_to_all` lets anyone in, up to
    `mages_per_user` of each user (0: any number), and those invited are told of it. `limit` mages start the battle.
    Raises InvalidChallenge with every problem.
    """
    per_user = mages_per_user if open_to_all else None
    comment = tidy_comment(comment)
    with transaction.atomic():
        problems = find_problems(
            challenger=read_mage(challenger),
            invited=[read_mage(mage) for mage in invited],
            mages_per_user=per_user,
            limit=limit,
            comment=comment,
            most_seats=find_most_seats(terms.most_mages),
        )
        if problems:
            raise InvalidChallenge(problems)
        challenge = Challenge.objects.create(
            number=take_number(),
            challenger=challenger,
            terms=terms.to_json(),
            mages_per_user=per_user,
            limit=limit,
            comment=comment,
            seats_taken=1,
            created_at=now,
            updated_at=now,
        )
        _engage_challenger(challenge)
        _place_seats(challenge, invited, now)
        touch_activity(user=challenger.user, mage=challenger, now=now)
        tell_challenged(challenge, read_seating(challenge), now=now)
        decline_elsewhere_on_commit(challenger, now)
    return challenge


def _engage_challenger(challenge: Challenge) -> None:
    mage = challenge.challenger
    try:
        engage_mage(mage=mage, kind="challenge", number=challenge.number)
    except MageUnavailable as busy:
        problem = Problem("mage", "busy", PROBLEMS["just_busy"].format(mage=mage.name))
        raise InvalidChallenge([problem]) from busy


def _place_seats(challenge: Challenge, invited: Sequence[Mage], now: datetime) -> None:
    Seat.objects.create(
        challenge=challenge, mage=challenge.challenger, state=Seat.State.JOINED, asked_at=now, answered_at=now
    )
    Seat.objects.bulk_create(
        Seat(challenge=challenge, mage=mage, state=Seat.State.INVITED, asked_at=now) for mage in invited
    )
