"""Vote on proposed changes."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Mage
from accounts.services.mages import touch_activity
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, Proposal, Seat, Vote
from challenges.rules import Seating
from challenges.selectors.state import list_pending_proposals, read_seating
from challenges.services.claim import claim_challenge, list_slots, refuse
from challenges.services.settle import settle_challenge


def accept_changes(
    *, number: int, mage: Mage, changes: Collection[int] = (), everything: bool = False, now: datetime
) -> ActionOutcome:
    """Vote for these proposals, or for `everything`, now and in future, as a mage who has joined (FM-ORDACC-2, 3).

    Raises ChallengeNotFound, ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, None if seating.has_joined(mage.pk) else "not_joined")
        vote_for(challenge, mage, changes, everything=everything, now=now)
        decided = settle_challenge(challenge, causer=mage.user, now=now)
    return ActionOutcome(number, challenge.status, decided)


def oppose_changes(*, number: int, mage: Mage, changes: Collection[int], now: datetime) -> ActionOutcome:
    """Vote against these proposals (FM-ORDACC-6). The mage no longer accepts everything.

    Raises ChallengeNotFound, ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        cast_votes(challenge, mage, changes, in_favour=False, now=now)
        Seat.objects.filter(challenge=challenge, mage=mage).update(accepts_everything=False)
        decided = settle_challenge(challenge, causer=mage.user, now=now)
    return ActionOutcome(number, challenge.status, decided)


def vote_for(
    challenge: Challenge, mage: Mage, changes: Collection[int], *, everything: bool = False, now: datetime
) -> None:
    """Let a joined mage vote for these proposals of a claimed challenge, or for `everything`, now and in future.
    Raises ChallengeRefused."""
    if everything:
        Seat.objects.filter(challenge=challenge, mage=mage, state=Seat.State.JOINED).update(accepts_everything=True)
        touch_activity(user=mage.user, mage=mage, now=now)
    cast_votes(challenge, mage, changes, in_favour=True, now=now)


def cast_votes(challenge: Challenge, mage: Mage, changes: Collection[int], *, in_favour: bool, now: datetime) -> None:
    """Store the votes of a joined mage on pending proposals of a claimed challenge: all or none.

    Raises ChallengeRefused, with the reason for each proposal that cannot be voted on.
    """
    if not changes:
        return
    seating = read_seating(challenge)
    refuse(seating, mage, seating.why_not_propose(mage.pk))
    refused: list[ChallengeRefused] = []
    for change in dict.fromkeys(changes):
        try:
            proposal = get_pending(challenge, seating, mage, change)
        except ChallengeRefused as error:
            refused.append(error)
            continue
        Vote.objects.update_or_create(proposal=proposal, mage=mage, defaults={"in_favour": in_favour, "cast_at": now})
    if refused:
        raise ChallengeRefused.together(refused)
    touch_activity(user=mage.user, mage=mage, now=now)


def get_pending(challenge: Challenge, seating: Seating, mage: Mage, change: int) -> Proposal:
    """Return the pending proposal with the number `change`. Raises ChallengeRefused."""
    proposal = Proposal.objects.select_related("proposer").filter(challenge=challenge, number=change).first()
    if proposal is None:
        error = ChallengeRefused("no_such_change", change=change, **list_slots(seating, mage))
        if pending := ", ".join(str(each.number) for each in list_pending_proposals(challenge)):
            error.problems += (_("Pending: %(changes)s.") % {"changes": pending},)
        raise error
    if proposal.state != Proposal.State.PENDING:
        refuse(seating, mage, f"change_{proposal.state}", change=change)
    return proposal
