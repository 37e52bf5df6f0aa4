"""Take and vacate seats of a claimed challenge."""

from datetime import datetime

from django.db.models import F

from accounts.models import Mage
from accounts.selectors.ties import find_users_apart_from
from accounts.services.mages import note_joining, release_mage, wake_mage
from challenges.bot_accounts import why_bot_may_not_join
from challenges.models import Challenge, Seat, Vote
from challenges.selectors.state import read_seating
from challenges.services.claim import engage_for_challenge, refuse
from duels.terms import Terms


def take_seat(
    challenge: Challenge, mage: Mage, now: datetime, *, by_link: bool = False, lets_guests: bool = False
) -> None:
    """Give this mage a seat, and end their retirement. Raises ChallengeRefused."""
    seating = read_seating(challenge, guests=[mage.pk])
    apart = find_users_apart_from([mage.user_id])
    refuse(seating, mage, seating.why_not_join(mage.pk, mage.user_id, apart=apart, by_link=by_link))
    if mage.user.is_bot_account:
        terms = Terms.from_json(challenge.terms)
        refuse(seating, mage, why_bot_may_not_join(terms, seating, mage, by_link=by_link))
    # Before the engagement: creating a challenge locks these rows in the same order.
    note_joining(mage=mage, now=now)
    engage_for_challenge(challenge, seating, mage, lets_guests=lets_guests)
    wake_mage(mage=mage)
    seat = Seat.objects.filter(challenge=challenge, mage=mage)
    if not seat.update(state=Seat.State.JOINED, answered_at=now):
        Seat.objects.create(challenge=challenge, mage=mage, state=Seat.State.JOINED, asked_at=now, answered_at=now)
    Challenge.objects.filter(pk=challenge.pk).update(seats_taken=F("seats_taken") + 1)


def take_bot_seat(challenge: Challenge, mage: Mage, now: datetime) -> None:
    """Give a bot's mage a seat. They are not engaged: they play any number of battles at once."""
    Seat.objects.update_or_create(
        challenge=challenge,
        mage=mage,
        defaults={"state": Seat.State.JOINED, "answered_at": now},
        create_defaults={"state": Seat.State.JOINED, "asked_at": now, "answered_at": now},
    )
    Challenge.objects.filter(pk=challenge.pk).update(seats_taken=F("seats_taken") + 1)


def vacate_seat(challenge: Challenge, mage_id: int, state: Seat.State, now: datetime, *, reason: str = "") -> None:
    """Set a joined or invited mage to `state`, and note their `reason` to decline.

    A joined mage is released, and their votes are deleted.
    """
    seat = Seat.objects.select_related("mage").get(challenge=challenge, mage=mage_id)
    if seat.state == Seat.State.JOINED:
        Challenge.objects.filter(pk=challenge.pk).update(seats_taken=F("seats_taken") - 1)
        Vote.objects.filter(proposal__challenge=challenge, proposal__state="pending", mage=mage_id).delete()
        release_mage(mage=seat.mage, kind="challenge", number=challenge.number)
    Seat.objects.filter(pk=seat.pk).update(state=state, answered_at=now, accepts_everything=False, reason=reason)
