"""Claim a challenge and its mages for a transaction, or refuse the act with a reason."""

from datetime import datetime

from django.db.models import F

from accounts.errors import MageUnavailable
from accounts.models import Mage
from accounts.services.mages import engage_mage, release_mage
from challenges.availability import find_hindrance
from challenges.errors import ChallengeNotFound, ChallengeOver, ChallengeRefused
from challenges.models import Challenge
from challenges.rules import Seating
from challenges.selectors.state import read_seating
from challenges.wakeups import wake_watchers_on_commit
from ladder.stakes import BAND


def claim_challenge(number: int, mage: Mage, now: datetime) -> Challenge:
    """Lock the challenge for this transaction and increment its revision. Raises ChallengeNotFound, ChallengeOver."""
    claimed = _claim(number, now)
    challenge = Challenge.objects.select_related("challenger__user").filter(number=number).first()
    if challenge is None:
        raise ChallengeNotFound(number)
    if not claimed:
        raise ChallengeOver(challenge.status, **list_slots(read_seating(challenge), mage))
    return challenge


def claim_if_open(number: int, now: datetime) -> Challenge | None:
    """Claim a challenge for a sweep; return None if it is over."""
    if not _claim(number, now):
        return None
    return Challenge.objects.select_related("challenger__user").get(number=number)


def _claim(number: int, now: datetime) -> int:
    wake_watchers_on_commit(number)
    return Challenge.objects.filter(number=number, status=Challenge.Status.OPEN).update(
        revision=F("revision") + 1, updated_at=now
    )


def refuse(seating: Seating, mage: Mage, code: str | None, **slots: object) -> None:
    """Raise ChallengeRefused with this code, unless that is None."""
    if code is not None:
        raise ChallengeRefused(code, **list_slots(seating, mage), **slots)


def list_slots(seating: Seating, mage: Mage) -> dict[str, object]:
    """Return what any sentence about this mage and this challenge can name."""
    return {
        "mage": mage.name,
        "number": seating.number,
        "challenger": next(place.mage for place in seating.places if place.mage_id == seating.challenger_id),
        "mages_per_user": seating.mages_per_user,
        "band": BAND,
    }


def check_terms(challenge: Challenge, mage: Mage, terms_key: str) -> None:
    """Raise ChallengeRefused if the player has read other terms than these. An empty `terms_key` is not checked."""
    if terms_key and terms_key != challenge.terms_key:
        refuse(read_seating(challenge), mage, "terms_changed")


def read_mage(mage: Mage) -> Mage:
    """Read the mage again: it may have died or joined something since the caller read it."""
    return Mage.objects.select_related("user", "engagement").get(pk=mage.pk)


def engage_for_challenge(challenge: Challenge, seating: Seating, mage: Mage, *, lets_guests: bool = False) -> None:
    """Engage a mage for this challenge. Raises ChallengeRefused, which names what the mage is in, even if they joined
    that a moment ago."""
    hindrance = find_hindrance(read_mage(mage), waking=True, lets_guests=lets_guests)
    if hindrance is not None:
        refuse(seating, mage, hindrance.code, engaged=hindrance.engaged)
    try:
        engage_mage(mage=mage, kind="challenge", number=challenge.number)
    except MageUnavailable as busy:
        raise ChallengeRefused("busy", mage=mage.name) from busy


def release_joined(seating: Seating) -> None:
    """Release every mage who joined, in the order in which mages are always locked."""
    for mage in Mage.objects.filter(pk__in=[place.mage_id for place in seating.joined]).order_by("pk"):
        release_mage(mage=mage, kind="challenge", number=seating.number)
