"""Create a challenge."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.errors import MageUnavailable
from accounts.models import Mage, User
from accounts.selectors.ties import find_users_apart_from
from accounts.services.mages import engage_mage, note_joining, wake_mage
from challenges.errors import InvalidChallenge
from challenges.inactivity import judge_challenge
from challenges.models import Challenge, Seat
from challenges.notices import notify_challenged
from challenges.selectors.mages import list_free_mages
from challenges.selectors.state import read_seating
from challenges.services.answers import decline_elsewhere_on_commit, settle_after_joining
from challenges.services.claim import read_mage
from challenges.validation import find_problems, make_problem, tidy_comment
from challenges.wakeups import wake_lobby_on_commit
from duels.services.start import take_number
from duels.terms import Terms
from operations.selectors import read_policy


def create_challenge(
    *,
    challenger: Mage,
    terms: Terms,
    invited: Sequence[Mage] = (),
    everyone: bool = False,
    excluded: Sequence[Mage] = (),
    open_to_all: bool = False,
    by_link: bool = False,
    mages_per_user: int = 1,
    limit: int | None = None,
    authoritarian: bool = False,
    comment: str = "",
    lets_guests: bool = False,
    now: datetime,
) -> Challenge:
    """Create a challenge; the challenger has its first seat (FM-CHAL-1, FM-ORDNEW-3 to 18).

    A closed challenge is for the mages `invited`, and starts when all have answered. `open_to_all` lets anyone join
    except those `excluded`, up to `mages_per_user` for each user (0: any number); those invited are notified.
    `everyone` invites every free mage instead. `by_link`: a link will be created, so a closed challenge may invite
    nobody. `limit` mages start the battle. If `authoritarian`, the challenger decides every change. `lets_guests`:
    guests' mages may take part. Bots take the seats that the terms keep for them at once, which may start the battle.
    Raises InvalidChallenge with every problem.
    """
    per_user = mages_per_user if open_to_all else None
    comment = tidy_comment(comment)
    with transaction.atomic():
        # One at a time for each user, so that two at the same time cannot exceed the number of challenges.
        User.objects.select_for_update(no_key=True).get(pk=challenger.user_id)
        guests = _call_all(challenger, excluded, per_user) if everyone else [read_mage(mage) for mage in invited]
        problems = find_problems(
            challenger=read_mage(challenger),
            invited=guests,
            excluded=excluded,
            mages_per_user=per_user,
            limit=limit,
            comment=comment,
            by_link=by_link,
            open_challenges=Challenge.objects.filter(
                challenger__user=challenger.user_id, status=Challenge.Status.OPEN
            ).count(),
            apart=find_users_apart_from([challenger.user_id]),
            terms=terms,
            called_all=everyone,
            lets_guests=lets_guests,
        )
        if problems:
            raise InvalidChallenge(problems)
        challenge = Challenge.objects.create(
            number=take_number(),
            challenger=challenger,
            terms=terms.to_json(),
            mages_per_user=per_user,
            limit=limit,
            authoritarian=authoritarian,
            comment=comment,
            seats_taken=1,
            created_at=now,
            updated_at=now,
            stale_check_at=now + judge_challenge(policy=read_policy()).recheck_in,
        )
        _engage_challenger(challenge)
        _place_seats(challenge, guests, excluded, now)
        note_joining(mage=challenger, now=now)
        notify_challenged(challenge, read_seating(challenge), everyone=everyone, now=now)
        decline_elsewhere_on_commit(challenger, now)
        wake_lobby_on_commit()
        if (terms.bots or terms.bots_may_join) and not by_link:
            settle_after_joining(challenge, challenger, now, joined=False)
    return challenge


def _call_all(challenger: Mage, excluded: Sequence[Mage], per_user: int | None) -> list[Mage]:
    """Return every free mage except the challenger, those excluded, and the user's own if they could not join."""
    left_out = {challenger.pk, *(mage.pk for mage in excluded)}
    mages = [mage for mage in list_free_mages(user=challenger.user) if mage.pk not in left_out]
    return [read_mage(mage) for mage in mages if per_user != 1 or mage.user_id != challenger.user_id]


def _engage_challenger(challenge: Challenge) -> None:
    mage = challenge.challenger
    try:
        engage_mage(mage=mage, kind="challenge", number=challenge.number)
    except MageUnavailable as busy:
        raise InvalidChallenge([make_problem("mage", "just_busy", mage=mage.name)]) from busy
    wake_mage(mage=mage)


def _place_seats(challenge: Challenge, invited: Sequence[Mage], excluded: Sequence[Mage], now: datetime) -> None:
    Seat.objects.create(
        challenge=challenge, mage=challenge.challenger, state=Seat.State.JOINED, asked_at=now, answered_at=now
    )
    Seat.objects.bulk_create(
        Seat(challenge=challenge, mage=mage, state=state, asked_at=now)
        for state, mages in ((Seat.State.INVITED, invited), (Seat.State.EXCLUDED, excluded))
        for mage in mages
    )
