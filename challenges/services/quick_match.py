"""Quick match: find an opponent now, or create a challenge that waits for one."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import Mage
from challenges.changes import ActionOutcome
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.models import Challenge, WaitingRoom
from challenges.selectors.links import DUEL, find_waiting_challenge, list_quick_matches
from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from challenges.validation import make_problem
from duels.terms import Terms


def find_quick_match(*, mage: Mage, terms: Terms | None = None, now: datetime) -> ActionOutcome:
    """Join the open duel on these terms that has waited longest, or create one; `terms` None: a classic duel.

    Requests are handled one at a time, so two at the same time are matched. A mage who already waits in their own open
    duel keeps waiting there. Raises ChallengeRefused, and InvalidChallenge for a mage who is not free.
    """
    if mage.user.is_bot:
        raise InvalidChallenge([make_problem("mage", "bot_quick_match", mage=mage.name)])
    wanted = terms or Terms()
    with transaction.atomic():
        _enter_waiting_room()
        waiting = find_waiting_challenge(mage=mage)
        if waiting is not None:
            return ActionOutcome(waiting.number, waiting.status)
        for found in list_quick_matches(mage=mage, terms=wanted):
            try:
                return accept_challenge(number=found.number, mage=mage, terms_key=found.terms_key, now=now)
            except ChallengeRefused as refusal:
                if _is_about_mage(refusal):
                    break
        challenge = create_challenge(challenger=mage, terms=wanted, open_to_all=True, limit=DUEL, now=now)
    return ActionOutcome(challenge.number, Challenge.Status.OPEN)


def _enter_waiting_room() -> None:
    """Lock the single waiting-room row until the transaction ends."""
    if not WaitingRoom.objects.filter(pk=1).update(visits=F("visits") + 1):
        WaitingRoom.objects.get_or_create(pk=1)
        WaitingRoom.objects.filter(pk=1).update(visits=F("visits") + 1)


def _is_about_mage(refusal: ChallengeRefused) -> bool:
    """Return whether no other challenge would accept the mage either; creating one then reports every problem."""
    return refusal.code in ("dead", "shut_out", "busy", "busy_battle", "busy_challenge")
