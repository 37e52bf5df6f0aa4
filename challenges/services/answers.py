"""Accepting, declining, withdrawing.

A mage that takes a seat declines all other challenges that name it. Those are transactions of their own, after the one
that gave the seat; the mage's engagement is the record from which a sweep does them, should the process die between.
"""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import F

from accounts.models import Mage
from accounts.services import release_mage, touch_activity
from challenges.errors import CannotDecline, CannotJoin, CannotWithdraw, ChallengeRefused
from challenges.models import Challenge, Seat
from challenges.notices import tell_accepted, tell_declined, tell_withdrawn
from challenges.selectors import list_invitations_to_decline, read_seating
from challenges.services.claim import claim_challenge, engage_for_challenge, refuse, release_joined
from challenges.services.start import start_if_complete


def accept_challenge(*, number: int, mage: Mage, now: datetime) -> Challenge:
    """Give this mage a seat (FM-ORDACC-1). Its `status` tells whether that started the battle, under the same number.

    Raises ChallengeNotFound, ChallengeOver, CannotJoin.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(CannotJoin, seating, mage, seating.why_not_join(mage.pk, mage.user_id))
        engage_for_challenge(CannotJoin, challenge, seating, mage)
        _take_seat(challenge, mage, now)
        touch_activity(user=mage.user, mage=mage, now=now)
        if not start_if_complete(challenge, now):
            tell_accepted(challenge, read_seating(challenge), mage, now=now)
        decline_elsewhere_on_commit(mage, now)
    return challenge


def decline_challenge(*, number: int, mage: Mage, now: datetime) -> Challenge:
    """Turn an invitation down, or give a seat back (FM-ORDACC-4 and 5). The last answer may start the battle.

    Raises ChallengeNotFound, ChallengeOver, CannotDecline.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        _give_up_seat(challenge, mage, now)
    return challenge


def withdraw_challenge(*, number: int, mage: Mage, now: datetime) -> Challenge:
    """Call the whole challenge off and free its mages (FM-ORDACC-7); only the mage that made it can.

    Raises ChallengeNotFound, ChallengeOver, CannotWithdraw.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(CannotWithdraw, seating, mage, seating.why_not_withdraw(mage.pk))
        challenge.status = Challenge.Status.WITHDRAWN
        challenge.save(update_fields=["status"])
        release_joined(seating)
        tell_withdrawn(challenge, seating, now=now)
    return challenge


def decline_elsewhere(*, now: datetime, mage: Mage | None = None) -> int:
    """Decline every invitation to a closed challenge whose mage is taken elsewhere, dead or retired; return how many.

    With `mage`, for that mage alone. Each is a transaction of its own; what was answered meanwhile is left alone.
    """
    declined = 0
    for number, invited in list_invitations_to_decline(mage=mage):
        try:
            with transaction.atomic():
                challenge = claim_challenge(number, invited, now)
                if (number, invited) not in list_invitations_to_decline(mage=invited):
                    continue
                _give_up_seat(challenge, invited, now)
        except ChallengeRefused:
            continue
        declined += 1
    return declined


def decline_elsewhere_on_commit(mage: Mage, now: datetime) -> None:
    """Let the mage's other invitations go once this transaction stands. A failure is the sweep's to mend."""
    transaction.on_commit(partial(decline_elsewhere, now=now, mage=mage), robust=True)


def _take_seat(challenge: Challenge, mage: Mage, now: datetime) -> None:
    Seat.objects.update_or_create(
        challenge=challenge,
        mage=mage,
        defaults={"state": Seat.State.JOINED, "answered_at": now},
        create_defaults={"state": Seat.State.JOINED, "asked_at": now, "answered_at": now},
    )
    Challenge.objects.filter(pk=challenge.pk).update(seats_taken=F("seats_taken") + 1)


def _give_up_seat(challenge: Challenge, mage: Mage, now: datetime) -> None:
    seating = read_seating(challenge)
    refuse(CannotDecline, seating, mage, seating.why_not_decline(mage.pk))
    if mage.pk in {place.mage_id for place in seating.joined}:
        Challenge.objects.filter(pk=challenge.pk).update(seats_taken=F("seats_taken") - 1)
        release_mage(mage=mage, kind="challenge", number=challenge.number)
    Seat.objects.filter(challenge=challenge, mage=mage).update(state=Seat.State.DECLINED, answered_at=now)
    tell_declined(challenge, read_seating(challenge), mage, now=now)
    start_if_complete(challenge, now)
