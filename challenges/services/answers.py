"""Accept, decline or withdraw a challenge.

A mage who takes a seat declines all their other invitations, each in its own transaction after the one that gave the
seat. If the process dies in between, a sweep finds them by the mage's engagement.
"""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Mage
from challenges.changes import ActionOutcome
from challenges.decline_reasons import REASONS
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, Seat
from challenges.notices import notify_accepted, notify_declined, notify_withdrawn
from challenges.selectors.due import list_invitations_to_decline
from challenges.selectors.state import read_seating
from challenges.services.claim import check_terms, claim_challenge, refuse, release_joined
from challenges.services.seats import take_seat, vacate_seat
from challenges.services.settle import settle_challenge
from challenges.services.start_battle import end_challenge
from challenges.services.votes import vote_for
from duels.services.rematch import lock_battle_of_rematch


def accept_challenge(
    *,
    number: int,
    mage: Mage,
    changes: Collection[int] = (),
    everything: bool = False,
    terms_key: str = "",
    lets_guests: bool = False,
    now: datetime,
) -> ActionOutcome:
    """Give this mage a seat (FM-ORDACC-1), and let them vote for the proposals `changes`, or for `everything`.

    A mage who already has a seat only votes for the changes named. All votes are cast before any is decided, and
    before the new seat can start the battle. `terms_key` is that of the terms the player has seen.
    `lets_guests`: the mage may be a guest's. Raises ChallengeNotFound, ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        has_joined = read_seating(challenge).has_joined(mage.pk)
        joining = not ((everything or changes) and has_joined)
        if joining:
            check_terms(challenge, mage, "" if has_joined else terms_key)
            take_seat(challenge, mage, now, lets_guests=lets_guests)
            decline_elsewhere_on_commit(mage, now)
        vote_for(challenge, mage, changes, everything=everything, now=now)
        return settle_after_joining(challenge, mage, now, joined=joining)


def settle_after_joining(challenge: Challenge, mage: Mage, now: datetime, *, joined: bool = True) -> ActionOutcome:
    """Settle, and notify the others unless the battle has started."""
    decided = settle_challenge(challenge, causer=mage.user, now=now)
    if joined and challenge.status == Challenge.Status.OPEN:
        notify_accepted(challenge, read_seating(challenge), mage, now=now)
    return ActionOutcome(challenge.number, challenge.status, decided)


def decline_challenge(*, number: int, mage: Mage, now: datetime, reason: str = "") -> ActionOutcome:
    """Decline an invitation, or leave a seat (FM-ORDACC-4 and 5). The last answer may start the battle.

    The others are told the `reason`, if it is one of `decline_reasons`. Raises ChallengeNotFound, ChallengeOver,
    ChallengeRefused.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        return _give_up_seat(challenge, mage, now, reason if reason in REASONS else "")


def withdraw_challenge(*, number: int, mage: Mage, now: datetime) -> Challenge:
    """Withdraw the whole challenge and free its mages (FM-ORDACC-7); only the challenger can.

    Raises ChallengeNotFound, ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        lock_battle_of_rematch(number=number)
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, seating.why_not_withdraw(mage.pk))
        end_challenge(challenge, Challenge.Status.WITHDRAWN, now)
        release_joined(seating)
        notify_withdrawn(challenge, seating, now=now)
    return challenge


def decline_elsewhere(*, now: datetime, mage: Mage | None = None) -> int:
    """Decline every invitation to a closed challenge whose mage is busy elsewhere, dead or retired; return how many.

    With `mage`, only for that mage. Each is its own transaction; invitations that were answered since are left alone.
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
    """Decline the mage's other invitations when this transaction commits. A sweep repairs failures."""
    # Not a partial: if one raises, Django fails because it has no name.
    transaction.on_commit(lambda: decline_elsewhere(now=now, mage=mage), robust=True)


def _give_up_seat(challenge: Challenge, mage: Mage, now: datetime, reason: str = "") -> ActionOutcome:
    seating = read_seating(challenge)
    refuse(seating, mage, seating.why_not_decline(mage.pk))
    vacate_seat(challenge, mage.pk, Seat.State.DECLINED, now, reason=reason)
    decided = settle_challenge(challenge, causer=mage.user, now=now)
    if challenge.status == Challenge.Status.OPEN:
        notify_declined(challenge, read_seating(challenge), mage, reason=reason, now=now)
    return ActionOutcome(challenge.number, challenge.status, decided)
