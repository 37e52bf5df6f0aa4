"""Find ways into a challenge besides an invitation: invite links and quick matches."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.models import Mage, User
from accounts.selectors.hold import list_suspended
from accounts.selectors.ties import find_users_apart_from
from challenges.models import Challenge, InviteLink, Seat
from duels.terms import Terms
from operations.web.once import LENGTH, hash_once_key

DUEL = 2
# How many challenges a quick match tries before it creates one.
MOST_TRIED = 20
# How long the click of a new guest may be sent again: it logs in as that guest.
CLICK_LIFE = timedelta(minutes=2)


def find_link(*, token: str) -> InviteLink | None:
    """Return the link with this token, even if it no longer works, with its challenge and its creator."""
    links = InviteLink.objects.select_related("challenge", "made_by")
    return links.filter(token_hash=InviteLink.hash_token(token)).first()


def has_joined_user(*, user: User, challenge: Challenge) -> bool:
    return Seat.objects.filter(challenge=challenge, mage__user=user, state=Seat.State.JOINED).exists()


def find_guest_of_click(*, token: str, once: str, now: datetime) -> tuple[User, Challenge] | None:
    """Return the guest whom this click on "Play now" has just seated, and their challenge.

    `once` is the key of the form, which only the page that showed it knows. None after CLICK_LIFE, and once the guest
    has an account.
    """
    # Only a whole key: a guess must have all its random bits.
    if len(once) != LENGTH:
        return None
    seats = Seat.objects.filter(
        challenge__links__token_hash=InviteLink.hash_token(token),
        state=Seat.State.JOINED,
        once_hash=hash_once_key(once),
        answered_at__gt=now - CLICK_LIFE,
        mage__user__is_guest=True,
        mage__user__is_active=True,
    )
    seat = seats.select_related("challenge", "mage__user").first()
    return None if seat is None else (seat.mage.user, seat.challenge)


def find_live_link(*, token: str, now: datetime) -> InviteLink | None:
    """Return the working link with this token, its challenge and its creator; None for any other text."""
    links = InviteLink.objects.select_related("challenge__challenger__user", "made_by")
    return links.filter(
        token_hash=InviteLink.hash_token(token), state=InviteLink.State.LIVE, expires_at__gt=now
    ).first()


def number_live_links_of(*, user: User, number: int, now: datetime) -> dict[int, InviteLink]:
    """Return the working links to this challenge that the user created, by number, oldest first.

    The first link to a challenge has number 1; numbers are not reused.
    """
    links = enumerate(InviteLink.objects.filter(challenge__number=number).order_by("pk"), start=1)
    live = InviteLink.State.LIVE
    return {n: each for n, each in links if each.made_by_id == user.pk and each.state == live and each.expires_at > now}


def find_waiting_challenge(*, mage: Mage) -> Challenge | None:
    """Return the open duel in which this mage is waiting for any opponent, or None."""
    return list_waiting_duels().filter(challenger=mage).first()


def list_quick_matches(*, mage: Mage, terms: Terms) -> list[Challenge]:
    """Return the open duels on these terms that this mage may join, the longest waiting first.

    Ruleset, pace and stakes must match; the other terms may differ. Someone who is suspended finds nobody.
    """
    apart = find_users_apart_from([mage.user_id])
    shut = Seat.objects.filter(mage=mage, state=Seat.State.EXCLUDED).values("challenge")
    duels = list_waiting_duels().filter(
        challenger__user__is_bot=False,
        terms__ruleset=terms.ruleset,
        terms__edition=terms.edition,
        terms__pace=terms.pace,
        terms__stakes=terms.stakes,
    )
    duels = duels.exclude(challenger__user__in={mage.user_id, *apart}).exclude(pk__in=shut)
    duels = duels.exclude(challenger__user__in=list_suspended())
    return list(duels.order_by("created_at", "number")[:MOST_TRIED])


def list_waiting_duels() -> "QuerySet[Challenge]":
    """Return the open duels in which someone waits for any opponent, without those that bots keep open."""
    return Challenge.objects.filter(
        status=Challenge.Status.OPEN, mages_per_user__isnull=False, limit=DUEL, seats_taken=1, bot_pace=""
    )
