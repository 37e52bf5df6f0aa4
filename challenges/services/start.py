"""From a challenge to its battle."""

from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from accounts.services import touch_activity
from challenges.errors import CannotStart
from challenges.models import Challenge, Seat
from challenges.notices import tell_left_out
from challenges.seating import Seating
from challenges.selectors import read_seating
from challenges.services.claim import claim_challenge, refuse, release_joined
from duels.services import start_battle
from duels.terms import Terms


def start_challenge(*, number: int, mage: Mage, now: datetime) -> Challenge:
    """Start the battle with the mages that joined, two at least, on the word of the mage that made the challenge.

    Raises ChallengeNotFound, ChallengeOver, CannotStart.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(CannotStart, seating, mage, seating.why_not_start(mage.pk))
        touch_activity(user=mage.user, mage=mage, now=now)
        _start(challenge, seating, now)
    return challenge


def start_if_complete(challenge: Challenge, now: datetime) -> bool:
    """Start the battle of a claimed challenge if nobody is waited for any more (3.10); return whether it did."""
    seating = read_seating(challenge)
    if not seating.is_complete():
        return False
    _start(challenge, seating, now)
    return True


def _start(challenge: Challenge, seating: Seating, now: datetime) -> None:
    challenge.status = Challenge.Status.STARTED
    challenge.save(update_fields=["status"])
    Seat.objects.filter(challenge=challenge, state=Seat.State.INVITED).update(state=Seat.State.LEFT_OUT)
    tell_left_out(challenge, seating, now=now)
    release_joined(seating)
    mages = Mage.objects.select_related("user").in_bulk([place.mage_id for place in seating.joined])
    start_battle(
        number=challenge.number,
        terms=Terms.from_json(challenge.terms),
        mages=[mages[place.mage_id] for place in seating.joined],
        now=now,
    )
