"""Find the rows that are due for a sweep."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F, Q

from accounts.models import Mage
from challenges.models import Challenge, InviteLink, Proposal, Seat

TAKEN = (Seat.State.JOINED, Seat.State.INVITED)


def list_invitations_to_decline(*, mage: Mage | None = None) -> list[tuple[int, Mage]]:
    """Return unanswered invitations to closed challenges whose mage cannot join: number and mage, by number.

    The mage is busy elsewhere, dead or retired, or its user's account is closed. With `mage`, only those of that mage.
    """
    cannot_come = (
        Q(mage__engagement__isnull=False)
        | Q(mage__died_at__isnull=False)
        | Q(mage__retired_at__isnull=False)
        | Q(mage__user__is_active=False)
    )
    seats = Seat.objects.filter(
        cannot_come,
        state=Seat.State.INVITED,
        challenge__status=Challenge.Status.OPEN,
        challenge__mages_per_user__isnull=True,
    )
    if mage is not None:
        seats = seats.filter(mage=mage)
    invited = list(seats.order_by("challenge__number", "pk").values_list("challenge__number", "mage_id"))
    mages = Mage.objects.select_related("user").in_bulk({mage_id for _, mage_id in invited}) if invited else {}
    return [(number, mages[mage_id]) for number, mage_id in invited]


def list_expired_proposals(*, now: datetime) -> list[int]:
    """Return the numbers of the open challenges with an expired proposal."""
    due = Proposal.objects.filter(state=Proposal.State.PENDING, expires_at__lte=now)
    return _numbers(due.filter(challenge__status=Challenge.Status.OPEN).values_list("challenge__number", flat=True))


def list_expired_links(*, now: datetime) -> list[int]:
    """Return the numbers of the challenges with a live link that has expired."""
    due = InviteLink.objects.filter(state=InviteLink.State.LIVE, expires_at__lte=now)
    return _numbers(due.values_list("challenge__number", flat=True))


def list_with_blocked_users() -> list[int]:
    """Return the numbers of the open challenges with a block between two users, one of whom has joined."""
    other = "seats__mage__user__blocks__blocked__mages__seats"
    pairs = Challenge.objects.filter(
        Q(seats__state=Seat.State.JOINED) | Q(**{f"{other}__state": Seat.State.JOINED}),
        status=Challenge.Status.OPEN,
        seats__state__in=TAKEN,
        **{f"{other}__challenge": F("pk"), f"{other}__state__in": TAKEN},
    )
    return _numbers(pairs.values_list("number", flat=True))


def _numbers(numbers: "Iterable[int]") -> list[int]:
    return sorted(set(numbers))
