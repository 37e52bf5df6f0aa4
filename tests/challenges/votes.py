"""Short functions for orders on challenges, for tests of votes and changes."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Mage
from challenges.changes import ActionOutcome, Change
from challenges.errors import InvalidChallenge
from challenges.models import Challenge, Proposal
from challenges.selectors.lists import get_challenge_for_user
from challenges.services.answers import accept_challenge
from challenges.services.proposals import propose_change
from challenges.services.votes import oppose_changes
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=1)


def accept(challenge: Challenge, mage: Mage, **asked: Any) -> ActionOutcome:
    return accept_challenge(number=challenge.number, mage=mage, now=LATER, **asked)


def propose(challenge: Challenge, mage: Mage, change: Change, **asked: Any) -> ActionOutcome:
    return propose_change(number=challenge.number, mage=mage, change=change, now=LATER, **asked)


def oppose(challenge: Challenge, mage: Mage, change: int) -> ActionOutcome:
    return oppose_changes(number=challenge.number, mage=mage, changes=[change], now=LATER)


def state_of(challenge: Challenge, number: int) -> str:
    return Proposal.objects.get(challenge=challenge, number=number).state


def notified(kind: str) -> dict[str, dict[str, Any]]:
    return {notice.user.username: notice.facts for notice in Notice.objects.filter(kind=kind)}


def codes(error: InvalidChallenge) -> set[tuple[str, str]]:
    return {(problem.place, problem.code) for problem in error.problems}


def refused(challenge: Challenge, mage: Mage, change: Change, **asked: Any) -> set[tuple[str, str]]:
    with pytest.raises(InvalidChallenge) as caught:
        propose(challenge, mage, change, **asked)
    return codes(caught.value)


def make_full(challenger: Mage, *others: Mage, **asked: Any) -> Challenge:
    """An open challenge that these mages have joined."""
    challenge = make_challenge(challenger, **asked)
    for mage in others:
        accept(challenge, mage)
    Notice.objects.all().delete()
    return Challenge.objects.get(pk=challenge.pk)


def see(challenge: Challenge, mage: Mage) -> Any:
    return get_challenge_for_user(number=challenge.number, user=mage.user)
