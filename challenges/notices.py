"""Who is told what about a challenge: one notice for each user, however many of the user's mages it concerns (7.14).

Facts are names, numbers and differences that anybody may read on the challenge's page. A notice's key holds the
challenge's revision, which rises with every order and belongs to it alone, and the number of the change it is about, so
that what happened once is told once. Whoever gave the order (`besides`) has its answer instead.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from accounts.models import Mage, User
from challenges.changes import Difference
from challenges.models import Challenge
from challenges.rules import Place, Seating
from fm_site.notifications.services import write_notices


def tell_challenged(challenge: Challenge, seating: Seating, *, everyone: bool = False, now: datetime) -> None:
    """Tell the users of the mages named that they are challenged; `everyone` when all that were free are."""
    besides = seating.challenger_user_id
    _tell("challenged", challenge, seating.invited, besides=besides, now=now, everyone=everyone)


def tell_invited(challenge: Challenge, seating: Seating, invited: Collection[int], *, now: datetime) -> None:
    """Tell the users of the mages that a change added that they are challenged."""
    places = [place for place in seating.invited if place.mage_id in invited]
    _tell("challenged", challenge, places, besides=None, now=now, everyone=False)


def tell_accepted(challenge: Challenge, seating: Seating, mage: Mage, *, now: datetime) -> None:
    """Tell everybody who joined or still has to answer that this mage joined and the challenge goes on."""
    _tell(
        "challenge_accepted",
        challenge,
        _everybody(seating),
        besides=mage.user_id,
        now=now,
        mage=mage.name,
        waiting_for=[place.mage for place in seating.invited],
    )


def tell_declined(challenge: Challenge, seating: Seating, mage: Mage, *, now: datetime) -> None:
    """Tell those who remain that this mage will not come; `alone` when that is the challenger, and nobody may join."""
    remaining = _everybody(seating)
    _tell(
        "challenge_declined",
        challenge,
        remaining,
        besides=mage.user_id,
        now=now,
        mage=mage.name,
        waiting_for=[place.mage for place in seating.invited],
        alone=len(remaining) == 1 and not seating.is_open_to_all and not seating.has_live_link,
    )


def tell_withdrawn(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell everybody who joined or was invited that there will be no battle."""
    _tell("challenge_withdrawn", challenge, _everybody(seating), besides=seating.challenger_user_id, now=now)


def tell_prodded(challenge: Challenge, seating: Seating, *, days: int, closes_at: datetime, now: datetime) -> None:
    """Remind the challenger of a challenge in which nothing happens for so many days, and say when it is closed."""
    own = [place for place in seating.joined if place.mage_id == challenge.challenger_id]
    when = f"challenge_prodded:{challenge.number}:{now.isoformat()}"
    _tell(
        "challenge_prodded", challenge, own, besides=None, now=now, key=when, days=days, closes_at=closes_at.isoformat()
    )


def tell_closed(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell everybody who joined or was invited that the challenge is closed, as nothing happened in it."""
    _tell("challenge_closed", challenge, _everybody(seating), besides=None, now=now)


def tell_left_out(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Tell users whose invited mages had not answered that the battle started, unless they play in it themselves."""
    players = {place.user_id for place in seating.joined}
    others = [place for place in seating.invited if place.user_id not in players]
    _tell("challenge_excluded", challenge, others, besides=None, now=now)


def tell_uninvited(challenge: Challenge, places: Sequence[Place], *, now: datetime) -> None:
    """Tell users that these mages of theirs, which were invited or had a seat, are so no longer."""
    _tell("challenge_uninvited", challenge, places, besides=None, now=now)


def tell_proposed(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    lapses_at: datetime,
    besides: User,
    now: datetime,
) -> None:
    """Ask everybody else who joined for a vote (FM-ORDCHG-13)."""
    facts = _about(number, proposer, differences) | {"lapses_at": lapses_at.isoformat()}
    _tell("change_proposed", challenge, seating.joined, besides=besides.pk, now=now, **facts)


def tell_adopted(
    challenge: Challenge,
    seating: Seating,
    number: int | None,
    proposer: str,
    differences: Sequence[Difference],
    *,
    besides: User | None,
    told: Collection[int],
    now: datetime,
) -> None:
    """Tell everybody that the challenge has changed, but for the mages just invited, which are `told` of it as it is
    now. `number` is None for a change that nobody voted on."""
    places = [place for place in _everybody(seating) if place.mage_id not in told]
    facts = _about(number, proposer, differences)
    _tell("change_adopted", challenge, places, besides=besides.pk if besides else None, now=now, **facts)


def tell_rejected(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    besides: User | None,
    now: datetime,
) -> None:
    """Tell those who joined that a change has been voted down."""
    facts = _about(number, proposer, differences)
    _tell("change_rejected", challenge, seating.joined, besides=besides.pk if besides else None, now=now, **facts)


def tell_taken_back(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    besides: User,
    now: datetime,
) -> None:
    """Tell those who joined that there is nothing to vote on any more."""
    facts = _about(number, proposer, differences)
    _tell("change_taken_back", challenge, seating.joined, besides=besides.pk, now=now, **facts)


def tell_lapsed(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    reason: str,
    besides: User | None,
    now: datetime,
) -> None:
    """Tell those who joined that a change is off: its time is over ("time"), or nothing is left to change ("moot")."""
    facts = _about(number, proposer, differences) | {"reason": reason}
    _tell("change_lapsed", challenge, seating.joined, besides=besides.pk if besides else None, now=now, **facts)


def _everybody(seating: Seating) -> tuple[Place, ...]:
    return (*seating.joined, *seating.invited)


def _about(number: int | None, proposer: str, differences: Sequence[Difference]) -> dict[str, Any]:
    return {"change": number, "proposer": proposer, "differences": [each.to_json() for each in differences]}


def _tell(
    kind: str,
    challenge: Challenge,
    places: Iterable[Place],
    *,
    besides: int | None,
    now: datetime,
    key: str = "",
    **facts: Any,
) -> None:
    mages_of: dict[int, list[str]] = {}
    for place in places:
        if place.user_id != besides:
            mages_of.setdefault(place.user_id, []).append(place.mage)
    if not mages_of:
        return
    users = User.objects.in_bulk(list(mages_of))
    parts = (kind, challenge.number, challenge.revision, facts.get("change") or 0)
    what = key or ":".join(str(part) for part in parts)
    about = {"number": challenge.number, "challenger": challenge.challenger.name}
    told = [
        (f"{what}:{user_id}", users[user_id], {**about, "mages": mages, **facts})
        for user_id, mages in sorted(mages_of.items())
    ]
    write_notices(kind=kind, told=told, now=now)
