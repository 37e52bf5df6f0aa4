"""Notify users about a challenge: one notice for each user, however many of their mages it concerns (7.14).

Facts are names, numbers and differences that anyone may read on the challenge's page. The key of a notice holds the
challenge's revision, which rises with every action, and the number of the change, so every event is notified once. The
user who acted (`actor`) gets the answer to their action instead.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from accounts.models import Mage, User
from challenges.changes import Difference
from challenges.models import Challenge
from challenges.rules import Place, Seating
from notifications.services.outbox import write_notices


def notify_challenged(challenge: Challenge, seating: Seating, *, everyone: bool = False, now: datetime) -> None:
    """Notify the users of invited mages; `everyone`: every free mage was invited."""
    challenger_user = seating.challenger_user_id
    _notify("challenged", challenge, seating.invited, actor=challenger_user, now=now, everyone=everyone)


def notify_invited(challenge: Challenge, seating: Seating, invited: Collection[int], *, now: datetime) -> None:
    places = [place for place in seating.invited if place.mage_id in invited]
    _notify("challenged", challenge, places, actor=None, now=now, everyone=False)


def notify_accepted(challenge: Challenge, seating: Seating, mage: Mage, *, now: datetime) -> None:
    """Notify everyone who has joined or is invited that this mage joined and the challenge is still open."""
    _notify(
        "challenge_accepted",
        challenge,
        _everybody(seating),
        actor=mage.user_id,
        now=now,
        mage=mage.name,
        waiting_for=[place.mage for place in seating.invited],
    )


def notify_declined(challenge: Challenge, seating: Seating, mage: Mage, *, reason: str = "", now: datetime) -> None:
    """Notify the others that this mage will not play, and why, if they said it.

    `alone`: only the challenger is left, and nobody may join.
    """
    remaining = _everybody(seating)
    _notify(
        "challenge_declined",
        challenge,
        remaining,
        actor=mage.user_id,
        now=now,
        mage=mage.name,
        reason=reason,
        waiting_for=[place.mage for place in seating.invited],
        alone=len(remaining) == 1 and not seating.is_open_to_all and not seating.has_live_link,
    )


def notify_withdrawn(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Notify everyone who joined or was invited that there will be no battle."""
    _notify("challenge_withdrawn", challenge, _everybody(seating), actor=seating.challenger_user_id, now=now)


def remind_challenger(challenge: Challenge, seating: Seating, *, days: int, closes_at: datetime, now: datetime) -> None:
    """Remind the challenger that nothing has happened for this many days, and say when the challenge will be closed."""
    own = [place for place in seating.joined if place.mage_id == challenge.challenger_id]
    when = f"challenge_prodded:{challenge.number}:{now.isoformat()}"
    _notify(
        "challenge_prodded", challenge, own, actor=None, now=now, key=when, days=days, closes_at=closes_at.isoformat()
    )


def notify_closed(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Notify everyone who joined or was invited that the challenge is closed because nothing happened in it."""
    _notify("challenge_closed", challenge, _everybody(seating), actor=None, now=now)


def notify_left_out(challenge: Challenge, seating: Seating, *, now: datetime) -> None:
    """Notify users whose invited mages had not answered that the battle started, unless they play in it."""
    players = {place.user_id for place in seating.joined}
    others = [place for place in seating.invited if place.user_id not in players]
    _notify("challenge_excluded", challenge, others, actor=None, now=now)


def notify_uninvited(challenge: Challenge, places: Sequence[Place], *, now: datetime) -> None:
    """Notify users that these mages of theirs have lost their invitation or seat."""
    _notify("challenge_uninvited", challenge, places, actor=None, now=now)


def notify_proposed(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    expires_at: datetime,
    actor: User,
    now: datetime,
) -> None:
    """Ask everyone else who has joined to vote (FM-ORDCHG-13)."""
    facts = _about(number, proposer, differences) | {"lapses_at": expires_at.isoformat()}
    _notify("change_proposed", challenge, seating.joined, actor=actor.pk, now=now, **facts)


def notify_adopted(
    challenge: Challenge,
    seating: Seating,
    number: int | None,
    proposer: str,
    differences: Sequence[Difference],
    *,
    actor: User | None,
    invited: Collection[int],
    now: datetime,
) -> None:
    """Notify everyone that the challenge has changed, except the mages just `invited`, who see it as it is now.
    `number` is None for a change that needed no vote."""
    places = [place for place in _everybody(seating) if place.mage_id not in invited]
    facts = _about(number, proposer, differences)
    _notify("change_adopted", challenge, places, actor=actor.pk if actor else None, now=now, **facts)


def notify_rejected(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    actor: User | None,
    now: datetime,
) -> None:
    facts = _about(number, proposer, differences)
    _notify("change_rejected", challenge, seating.joined, actor=actor.pk if actor else None, now=now, **facts)


def notify_taken_back(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    actor: User,
    now: datetime,
) -> None:
    """Notify those who have joined that a proposal was withdrawn."""
    facts = _about(number, proposer, differences)
    _notify("change_taken_back", challenge, seating.joined, actor=actor.pk, now=now, **facts)


def notify_of_ended_proposal(
    challenge: Challenge,
    seating: Seating,
    number: int,
    proposer: str,
    differences: Sequence[Difference],
    *,
    reason: str,
    actor: User | None,
    now: datetime,
) -> None:
    """Notify those who have joined that a proposal has ended: it expired ("time"), or has nothing left to change
    ("moot")."""
    facts = _about(number, proposer, differences) | {"reason": reason}
    _notify("change_lapsed", challenge, seating.joined, actor=actor.pk if actor else None, now=now, **facts)


def _everybody(seating: Seating) -> tuple[Place, ...]:
    return (*seating.joined, *seating.invited)


def _about(number: int | None, proposer: str, differences: Sequence[Difference]) -> dict[str, Any]:
    return {"change": number, "proposer": proposer, "differences": [each.to_json() for each in differences]}


def _notify(
    kind: str,
    challenge: Challenge,
    places: Iterable[Place],
    *,
    actor: int | None,
    now: datetime,
    key: str = "",
    **facts: Any,
) -> None:
    mages_of: dict[int, list[str]] = {}
    for place in places:
        if place.user_id != actor and not place.bot:
            mages_of.setdefault(place.user_id, []).append(place.mage)
    if not mages_of:
        return
    users = User.objects.in_bulk(list(mages_of))
    parts = (kind, challenge.number, challenge.revision, facts.get("change") or 0)
    what = key or ":".join(str(part) for part in parts)
    about = {"number": challenge.number, "challenger": challenge.challenger.name}
    entries = [
        (f"{what}:{user_id}", users[user_id], {**about, "mages": mages, **facts})
        for user_id, mages in sorted(mages_of.items())
    ]
    write_notices(kind=kind, entries=entries, about=[actor] if actor else [], now=now)
