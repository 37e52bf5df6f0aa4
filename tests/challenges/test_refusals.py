"""Every order, given by everyone who may not give it: the right error, and nothing changes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from accounts.models import Engagement, Mage, User
from accounts.services.mages import engage_mage, kill_mage
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges.errors import ChallengeRefused, InvalidChallenge
from challenges.models import Challenge, InviteLink, Proposal, Seat, Vote
from challenges.services.answers import accept_challenge, decline_challenge, withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.invite_links import join_by_link, make_invite_link
from challenges.services.proposals import propose_change, start_challenge, take_back_change
from challenges.services.quick_match import find_quick_match
from challenges.services.votes import oppose_changes
from duels.models import Battle
from duels.terms import Terms
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db

Order = Callable[[Challenge, Mage], Any]


def by_number(service: Any, **asked: Any) -> Order:
    return lambda challenge, mage: service(number=challenge.number, mage=mage, now=NOW, **asked)


ORDERS: dict[str, Order] = {
    "accept": by_number(accept_challenge),
    "accept a change": by_number(accept_challenge, changes=[1]),
    "accept everything": by_number(accept_challenge, everything=True),
    "oppose": by_number(oppose_changes, changes=[1]),
    "propose": by_number(propose_change, change={"limit": 5}),
    "take back": by_number(take_back_change, change=1),
    "start": by_number(start_challenge),
    "decline": by_number(decline_challenge),
    "withdraw": by_number(withdraw_challenge),
    "link": by_number(make_invite_link),
}
JOINING = ("accept", "accept a change", "accept everything")
NOT_JOINED = dict.fromkeys(("oppose", "propose", "start"), "not_joined")
OUTSIDE = {
    **NOT_JOINED,
    "take back": "not_the_proposer",
    "decline": "no_need_to_decline",
    "withdraw": "not_the_challenger",
    "link": "not_the_challenger",
}
# The asking user, and the error code for each order; orders not listed are allowed.
REFUSED: dict[str, dict[str, str]] = {
    "somebody excluded": {**OUTSIDE, **dict.fromkeys(JOINING, "excluded")},
    "somebody dead": {**OUTSIDE, **dict.fromkeys(JOINING, "dead")},
    "somebody in a battle": {**OUTSIDE, **dict.fromkeys(JOINING, "busy_battle")},
    "somebody in another challenge": {**OUTSIDE, **dict.fromkeys(JOINING, "busy_challenge")},
    "somebody blocked": {**OUTSIDE, **dict.fromkeys(JOINING, "apart")},
    "somebody shut out": {**OUTSIDE, **dict.fromkeys(JOINING, "shut_out")},
    "a second mage of a user": {**OUTSIDE, **dict.fromkeys(JOINING, "enough_of_yours")},
    "a guest": OUTSIDE,
    "a retired mage": OUTSIDE,
    "somebody who joined": {
        "accept": "joined_already",
        "take back": "not_the_proposer",
        "withdraw": "not_the_challenger",
        "link": "not_the_challenger",
    },
    "the challenger": {
        "accept": "joined_already",
        "take back": "not_the_proposer",
        "decline": "own_challenge",
    },
}


@pytest.fixture
def challenge(froodal: Mage, bung: Mage, ayla: Mage) -> Challenge:
    """Froodal's, open to all; Bung and Ayla have joined, and Bung proposes change 1. Excluded_one may not come."""
    challenge = make_challenge(froodal, excluded=[make_mage("Excluded_one")])
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    propose_change(number=challenge.number, mage=bung, change={"limit": 4}, now=NOW)
    return Challenge.objects.get(pk=challenge.pk)


def find_asker(who: str, challenge: Challenge) -> Mage:
    named = {"somebody excluded": "Excluded_one", "somebody who joined": "Ayla", "the challenger": "Froodal"}
    if who in named:
        return Mage.objects.get(name=named[who])
    if who == "a second mage of a user":
        return make_mage("Second", Mage.objects.get(name="Ayla").user)
    mage = make_mage("Asker", create_guest(now=NOW) if who == "a guest" else None)
    if who == "somebody dead":
        kill_mage(mage=mage, now=NOW)
    elif who == "somebody in a battle":
        engage_mage(mage=mage, kind="battle", number=99)
    elif who == "somebody in another challenge":
        make_challenge(mage)
    elif who == "somebody blocked":
        block_user(user=challenge.challenger.user, blocked=mage.user, now=NOW)
    elif who == "somebody shut out":
        User.objects.filter(pk=mage.user_id).update(is_active=False)
    elif who == "a retired mage":
        Mage.objects.filter(pk=mage.pk).update(retired_at=NOW)
    return mage


def snapshot() -> list[Any]:
    tables = (Challenge, Seat, Proposal, Vote, InviteLink, Engagement, Notice, Battle, Mage, User)
    return [list(table.objects.order_by("pk").values()) for table in tables]  # type: ignore[attr-defined]


@pytest.mark.parametrize("who", REFUSED)
def test_forbidden_orders_are_rejected_with_the_reason_and_change_nothing(challenge: Challenge, who: str) -> None:
    mage = find_asker(who, challenge)
    before = snapshot()
    for order, code in REFUSED[who].items():
        with pytest.raises(ChallengeRefused) as caught:
            ORDERS[order](challenge, mage)
        assert (order, caught.value.code) == (order, code)
        assert mage.name in str(caught.value) or str(challenge.number) in str(caught.value)
    assert snapshot() == before


def test_a_retired_mage_may_join(challenge: Challenge) -> None:
    mage = find_asker("a retired mage", challenge)
    ORDERS["accept"](challenge, mage)
    assert Seat.objects.get(challenge=challenge, mage=mage).state == "joined"


def test_guests_play_bots_only_and_join_nothing(challenge: Challenge) -> None:
    mage = find_asker("a guest", challenge)
    before = snapshot()
    with pytest.raises(ChallengeRefused, match="Guests play against bots, or a friend"):
        ORDERS["accept"](challenge, mage)
    assert snapshot() == before


@pytest.mark.parametrize("end", ["started", "withdrawn"])
def test_a_finished_challenge_accepts_no_orders(challenge: Challenge, end: str) -> None:
    number, froodal, ayla = challenge.number, challenge.challenger, Mage.objects.get(name="Ayla")
    if end == "withdrawn":
        withdraw_challenge(number=number, mage=froodal, now=NOW)
    else:
        start_challenge(number=number, mage=froodal, now=NOW)
        accept_challenge(number=number, mage=ayla, changes=[2], now=NOW)
    before = snapshot()
    for order in ORDERS.values():
        with pytest.raises(ChallengeRefused) as caught:
            order(challenge, froodal)
        assert caught.value.code == end
    assert snapshot() == before


@pytest.mark.parametrize(
    "who", ["somebody dead", "somebody in a battle", "somebody in another challenge", "somebody shut out"]
)
def test_a_busy_mage_can_neither_challenge_nor_look_for_a_match(challenge: Challenge, who: str) -> None:
    mage = find_asker(who, challenge)
    for ask in (
        partial(create_challenge, challenger=mage, terms=Terms(), open_to_all=True),
        partial(find_quick_match, mage=mage),
    ):
        before = snapshot()
        with pytest.raises((ChallengeRefused, InvalidChallenge)):
            ask(now=NOW)
        assert snapshot() == before


@pytest.mark.parametrize("who", ["somebody excluded", "somebody dead", "somebody blocked", "somebody shut out"])
def test_a_link_does_not_bypass_the_rules(challenge: Challenge, who: str) -> None:
    _, token = make_invite_link(number=challenge.number, mage=challenge.challenger, now=NOW)
    mage = find_asker(who, challenge)
    before = snapshot()
    with pytest.raises(ChallengeRefused) as caught:
        join_by_link(token=token, mage=mage, now=NOW)
    assert caught.value.code == REFUSED[who]["accept"]
    assert snapshot() == before
