"""Create and revoke invite links, and join by one, with or without an account."""

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Mage, User
from accounts.selectors.users import list_mages_of
from accounts.services.mages import register_mage
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, InviteLink, Seat
from challenges.selectors.links import find_live_link
from challenges.selectors.state import read_seating
from challenges.services.answers import decline_elsewhere_on_commit, settle_after_joining
from challenges.services.claim import check_terms, claim_challenge, claim_if_open, refuse
from challenges.services.create import create_challenge
from challenges.services.play_now import create_guest_with_mage
from challenges.services.seats import take_seat
from challenges.services.settle import settle_challenge
from duels.services.clocks.call_off import call_off_practice_of_guest
from duels.terms import Terms
from ladder.stakes import FRIENDLY, VERY_FRIENDLY
from operations.web.once import LENGTH, hash_once_key

LINK_LIFE = timedelta(days=7)
MOST_LINKS = 5
DUEL = 2


def make_invite_link(*, number: int, mage: Mage, now: datetime) -> tuple[InviteLink, str]:
    """Create a link to this mage's challenge; return it and its token, which cannot be read again.

    A closed challenge does not start while one of its links is live. Raises ChallengeNotFound, ChallengeOver,
    ChallengeRefused.
    """
    text = secrets.token_urlsafe(24)
    with transaction.atomic():
        challenge = claim_challenge(number, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, seating.why_not_link(mage.pk))
        live = InviteLink.objects.filter(challenge=challenge, state=InviteLink.State.LIVE)
        refuse(seating, mage, "too_many_links" if live.count() >= MOST_LINKS else None, most=MOST_LINKS)
        link = InviteLink.objects.create(
            challenge=challenge,
            token_hash=InviteLink.hash_token(text),
            made_by=mage.user,
            created_at=now,
            expires_at=now + LINK_LIFE,
        )
    return link, text


def invite_friend(*, mage: Mage, terms: Terms, now: datetime) -> tuple[Challenge, str]:
    """Create a duel that can only be joined by a link; return it and the token of its link, both or neither.

    Raises InvalidChallenge, with every problem.
    """
    with transaction.atomic():
        challenge = create_challenge(challenger=mage, terms=terms, by_link=True, limit=DUEL, now=now)
        __, token = make_invite_link(number=challenge.number, mage=mage, now=now)
    return challenge, token


def revoke_invite_link(*, number: int, user: User, link_id: int, now: datetime) -> ActionOutcome | None:
    """Revoke a link to challenge `number` that this user created and return the outcome: it may start the battle. None
    if there is no such link, or it had already ended."""
    link = InviteLink.objects.filter(pk=link_id, challenge__number=number, made_by=user).first()
    if link is None:
        return None
    with transaction.atomic():
        challenge = claim_if_open(number, now)
        if challenge is None:
            return None
        revoked = InviteLink.objects.filter(pk=link.pk, state=InviteLink.State.LIVE)
        done = revoked.update(state=InviteLink.State.REVOKED) == 1
        decided = settle_challenge(challenge, causer=user, now=now)
    return ActionOutcome(challenge.number, challenge.status, decided) if done else None


def join_by_link(*, token: str, mage: Mage, terms_key: str = "", now: datetime) -> ActionOutcome:
    """Give this mage a seat in the challenge behind the link, invited or not.

    `terms_key` is that of the terms the player has seen. Raises ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        challenge = _claim_by_link(token, mage, now)
        check_terms(challenge, mage, "" if read_seating(challenge).has_joined(mage.pk) else terms_key)
        take_seat(challenge, mage, now, by_link=True)
        decline_elsewhere_on_commit(mage, now)
        return settle_after_joining(challenge, mage, now)


def register_mage_by_link(*, token: str, user: User, name: str, terms_key: str = "", now: datetime) -> ActionOutcome:
    """Register a mage for `user` and give them a seat, both or neither, in one step after signing up.

    Raises accounts' InvalidName and NameTaken, ChallengeOver, ChallengeRefused.
    """
    with transaction.atomic():
        mage = register_mage(user=user, name=name, now=now)
        return join_by_link(token=token, mage=mage, terms_key=terms_key, now=now)


def lets_guests_in(*, challenge: Challenge) -> bool:
    """Return whether a guest may take the free seat behind a link: only in a friendly duel."""
    stakes = Terms.from_json(challenge.terms).stakes
    return challenge.limit == DUEL and challenge.mages_per_user is None and stakes in (FRIENDLY, VERY_FRIENDLY)


def join_as_guest(
    *, token: str, user: User | None = None, name: str = "", terms_key: str = "", once: str = "", now: datetime
) -> tuple[User, ActionOutcome]:
    """Give a guest a seat in the friendly duel behind the link: the guest `user`, whose battle against bots ends, or a
    new one, whose mage has a made-up name or the `name` that they chose. Return the guest and the outcome.

    `once` is the key of a new guest's form, by which `find_guest_of_click` finds them if it is sent again. Raises
    ChallengeOver, ChallengeRefused, and accounts' InvalidName and NameTaken.
    """
    with transaction.atomic():
        mage = (
            create_guest_with_mage(name=name, now=now)
            if user is None
            else list_mages_of(user).select_related("user").get()
        )
        challenge = _claim_by_link(token, mage, now)
        seating = read_seating(challenge)
        refuse(seating, mage, None if lets_guests_in(challenge=challenge) else "guest")
        if not seating.has_joined(mage.pk):
            check_terms(challenge, mage, terms_key)
            if user is not None and mage.busy_with is not None:
                call_off_practice_of_guest(mage=mage, now=now)
        take_seat(challenge, mage, now, by_link=True, lets_guests=True)
        if user is None and len(once) == LENGTH:
            Seat.objects.filter(challenge=challenge, mage=mage).update(once_hash=hash_once_key(once))
        return mage.user, settle_after_joining(challenge, mage, now)


def _claim_by_link(token: str, mage: Mage, now: datetime) -> Challenge:
    link = find_live_link(token=token, now=now)
    if link is None:
        raise ChallengeRefused("link_over")
    challenge = claim_challenge(link.challenge.number, mage, now)
    # Check again, now that nobody else can revoke it.
    if find_live_link(token=token, now=now) is None:
        raise ChallengeRefused("link_over")
    return challenge
