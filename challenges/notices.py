"""Who is told what about a challenge: one notice for each user, however many of the user's mages it concerns (7.14).

Facts are names and numbers that anybody may read on the challenge's page. A notice's key holds the challenge's
revision, which rises with every change and belongs to one change alone, so that what happened once is told once.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from accounts.models import Mage, User
from accounts.services import write_notice
from challenges.models import Challenge
from challenges.seating import Place, Seating


def tell_challenged(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell the users of the mages named that they are challenged."""
    _tell("challenged", challenge, seating.invited, besides=seating.challenger_user_id, now=now)


def tell_accepted(challenge: Challenge, seating: Seating, mage: Mage, *, now: datetime) -> None:
    """Tell everybody who joined or still has to answer that this mage joined and the challenge goes on."""
    _tell(
        "challenge_accepted",
        challenge,
        (*seating.joined, *seating.invited),
        besides=mage.user_id,
        now=now,
        mage=mage.name,
        waiting_for=[place.mage for place in seating.invited],
    )


def tell_declined(challenge: Challenge, seating: Seating, mage: Mage, *, now: datetime) -> None:
    """Tell those who remain that this mage will not come; `alone` when that is the challenger, and nobody may join."""
    remaining = (*seating.joined, *seating.invited)
    _tell(
        "challenge_declined",
        challenge,
        remaining,
        besides=mage.user_id,
        now=now,
        mage=mage.name,
        waiting_for=[place.mage for place in seating.invited],
        alone=len(remaining) == 1 and not seating.is_open_to_all,
    )


def tell_withdrawn(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell everybody who joined or was invited that there will be no battle."""
    everybody = (*seating.joined, *seating.invited)
    _tell("challenge_withdrawn", challenge, everybody, besides=seating.challenger_user_id, now=now)


def tell_left_out(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell users whose invited mages had not answered that the battle started, unless they play in it themselves."""
    players = {place.user_id for place in seating.joined}
    others = [place for place in seating.invited if place.user_id not in players]
    _tell("challenge_excluded", challenge, others, besides=None, now=now)


def _tell(
    kind: str, challenge: Challenge, places: Iterable[Place], *, besides: int | None, now: datetime, **facts: Any
) -> None:
    mages_of: dict[int, list[str]] = {}
    for place in places:
        if place.user_id != besides:
            mages_of.setdefault(place.user_id, []).append(place.mage)
    users = User.objects.in_bulk(list(mages_of))
    for user_id, mages in sorted(mages_of.items()):
        write_notice(
            key=f"{kind}:{challenge.number}:{challenge.revision}:{user_id}",
            user=users[user_id],
            kind=kind,
            facts={"number": challenge.number, "challenger": challenge.challenger.name, "mages": mages, **facts},
            now=now,
        )
