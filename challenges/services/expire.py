"""Expire proposals and links, and separate blocked users. Each may run twice, or on two machines at once."""

from datetime import datetime

from django.db import transaction

from challenges.changes import list_differences
from challenges.models import Challenge, InviteLink, Proposal
from challenges.notices import notify_of_ended_proposal
from challenges.selectors.due import list_expired_links, list_expired_proposals, list_with_blocked_users
from challenges.selectors.state import list_pending_proposals, read_conditions, read_seating
from challenges.services.claim import claim_if_open
from challenges.services.settle import settle_challenge
from operations.selectors import list_doubts, measure_lost_time
from operations.sweeps import act_on_each


def expire_proposals(*, now: datetime) -> int:
    """Expire the proposals that are due, and notify those who have joined; return how many. Time in which nobody could
    vote does not count. Does nothing while the site doubts its clock or its email."""
    numbers = list_expired_proposals(now=now)
    if not numbers or list_doubts(now):
        return 0
    return act_on_each(numbers, lambda number: _expire_in_challenge(number, now))


def expire_links(*, now: datetime) -> int:
    """Expire the links that are due, which may start battles that waited for them; return how many."""
    return act_on_each(list_expired_links(now=now), lambda number: _expire_in(number, now))


def part_blocked_users(*, now: datetime) -> int:
    """Separate users with a block between them who are in the same challenge; return how many challenges were
    settled."""
    return act_on_each(list_with_blocked_users(), lambda number: _settle(number, now))


def _expire_in_challenge(number: int, now: datetime) -> int:
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        if challenge is None:
            return 0
        due = [proposal for proposal in list_pending_proposals(challenge) if _is_over(proposal, now)]
        return sum(_expire(challenge, proposal, now) for proposal in due)


def _is_over(proposal: Proposal, now: datetime) -> bool:
    return proposal.expires_at <= now and proposal.expires_at + measure_lost_time(proposal.created_at, now) <= now


def _expire(challenge: Challenge, proposal: Proposal, now: datetime) -> int:
    pending = Proposal.objects.filter(pk=proposal.pk, state=Proposal.State.PENDING)
    if not pending.update(state=Proposal.State.EXPIRED, decided_at=now):
        return 0
    notify_of_ended_proposal(
        challenge,
        read_seating(challenge),
        proposal.number,
        proposal.proposer.name,
        list_differences(proposal.change, read_conditions(challenge)),
        reason="time",
        actor=None,
        now=now,
    )
    return 1


def _expire_in(number: int, now: datetime) -> int:
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        due = InviteLink.objects.filter(challenge__number=number, state=InviteLink.State.LIVE, expires_at__lte=now)
        expired = due.update(state=InviteLink.State.EXPIRED)
        if challenge is not None and expired:
            settle_challenge(challenge, causer=None, now=now)
    return expired


def _settle(number: int, now: datetime) -> int:
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        if challenge is None:
            return 0
        settle_challenge(challenge, causer=None, now=now)
    return 1
