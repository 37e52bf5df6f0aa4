"""Every order on challenges from someone who may not give it: the right error, and no change."""

from typing import Any

import pytest

from accounts.models import Engagement, Mage
from accounts.services.ties import block_user
from accounts.services.users import create_guest
from challenges.models import Challenge, Proposal, Seat, Vote
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from duels.models import Battle
from duels.terms import Terms
from email_gateway.addresses import make_challenge_address
from email_gateway.errors import UnknownMailbox
from notifications.models import Notice
from tests.email_gateway.challengers import Mages, make, refuse_all
from tests.email_gateway.world import PASSWORD, MailWorld, write_mail

pytestmark = pytest.mark.once

NO_SEAT = "has no seat in challenge"


@pytest.fixture
def disputed(world: MailWorld, mages: Mages) -> Challenge:
    """Froodal's open challenge, in which Bung's change waits for Ulf's vote; Crom has to do with it in each test."""
    challenge = make(world, mages, "OPEN, LIMIT 6", "Bung", "Ulf")
    propose_change(number=challenge.number, mage=mages["Bung"], change={"limit": 5}, now=world.now)
    Notice.objects.all().delete()
    return challenge


def write_orders(number: int, mage: str) -> dict[str, str]:
    """Each order on the challenge for this mage, by a short name."""
    return {
        "new": f"NEWGAME {mage} OPEN",
        "accept": f"ACCEPT {number} {mage}",
        "for": f"ACCEPT {number} {mage} CHANGE 1",
        "everything": f"ACCEPT {number} {mage} EVERYTHING",
        "decline": f"DECLINE {number} {mage}",
        "change": f"CHANGEGAME {number} {mage} LIMIT 4",
        "start": f"CHANGEGAME {number} {mage} START",
        "oppose": f"OPPOSE {number} {mage} CHANGE 1",
        "take back": f"WITHDRAW {number} {mage} CHANGE 1",
        "withdraw": f"WITHDRAW {number} {mage}",
    }


def look() -> dict[str, list[Any]]:
    """Everything that orders on challenges may change."""
    return {
        table.__name__: list(table.objects.order_by("pk").values())
        for table in (Challenge, Seat, Proposal, Vote, Engagement, Mage, Battle, Notice)
    }


def assert_refused(
    world: MailWorld, user: str, orders: dict[str, str], reasons: dict[str, str], *besides: str, **sent: str
) -> None:
    """Send all orders but those `besides` in one email; each is rejected with its reason ("" for any other)."""
    before = look()
    mine = {what: line for what, line in orders.items() if what not in besides}
    told = refuse_all(world, user, list(mine.values()), **sent)
    for what, line in mine.items():
        assert reasons.get(what, reasons.get("", "?")) in told[line], (what, told[line])
    assert look() == before


def test_a_stranger_cannot_give_orders(world: MailWorld, disputed: Challenge):
    orders = write_orders(disputed.number, "Bung")
    assert_refused(world, "", orders, {"": "needs a USER line before it."}, sender="bill@example.org")


def test_a_wrong_password_gives_no_orders(world: MailWorld, disputed: Challenge):
    orders = {**write_orders(disputed.number, "Bung"), "user": "USER Bill *****"}
    before = look()
    answer = world.ask("\n".join(["USER Bill wrong-grey-moths", *write_orders(disputed.number, "Bung").values()]))
    assert answer.count("the USER line is") == len(orders) - 1
    assert look() == before


def test_a_guest_has_no_mail_password_and_gives_no_orders(world: MailWorld, disputed: Challenge):
    guest = create_guest(now=world.now)
    world.mage("Visitor", guest)
    before = look()
    answer = world.ask(
        "\n".join([f"USER {guest.username} {PASSWORD}", *write_orders(disputed.number, "Visitor").values()])
    )
    assert "No user has this name and mail password." in answer
    assert answer.count("the USER line is") == len(write_orders(0, ""))
    assert look() == before


def test_a_forged_reply_address_does_not_exist(world: MailWorld, mages: Mages, disputed: Challenge):
    address = make_challenge_address(user_id=mages["Bung"].user_id, number=disputed.number)
    local, _, domain = address.partition("@")
    forged = local[:-1] + ("a" if local[-1] != "a" else "b")
    with pytest.raises(UnknownMailbox):
        world.take(write_mail("WITHDRAW"), to=f"{forged}@{domain}")


def test_the_reply_address_of_another_challenge_does_nothing_here(world: MailWorld, mages: Mages, disputed: Challenge):
    crom = mages["Crom"]
    other = create_challenge(challenger=crom, terms=Terms(), open_to_all=True, now=world.now)
    Notice.objects.all().delete()
    orders = write_orders(disputed.number, "Crom")
    address = make_challenge_address(user_id=crom.user_id, number=other.number)
    reasons = {"new": "NEWGAME needs a USER line", "": f"This reply address is only for challenge {other.number}."}
    assert_refused(world, "", orders, reasons, to=address)


def test_someone_elses_mage_takes_no_orders(world: MailWorld, disputed: Challenge):
    assert_refused(world, "Cora", write_orders(disputed.number, "Bung"), {"": "Bung is not your mage."})


def test_a_mage_without_a_seat_has_no_vote(world: MailWorld, disputed: Challenge):
    reasons = {
        "for": NO_SEAT,
        "decline": "so there is nothing to decline",
        "take back": "Only Bung, who proposed change 1",
        "withdraw": "Only Froodal, who created challenge",
        "": NO_SEAT,
    }
    assert_refused(world, "Cora", write_orders(disputed.number, "Crom"), reasons, "new", "accept", "for", "everything")


def test_an_excluded_mage_stays_out(world: MailWorld, mages: Mages):
    number = make(world, mages, "OPEN, LIMIT 6, EXCLUDE Crom", "Bung", "Ulf").number
    propose_change(number=number, mage=mages["Bung"], change={"limit": 5}, now=world.now)
    excluded = f"Crom is excluded from challenge {number}."
    reasons = {
        "accept": excluded,
        "for": excluded,
        "everything": excluded,
        "decline": "so there is nothing to decline",
        "withdraw": "Only Froodal",
        "take back": "Only Bung, who proposed change 1",
        "": NO_SEAT,
    }
    assert_refused(world, "Cora", write_orders(number, "Crom"), reasons, "new")


def test_a_retired_mage_is_challenged_by_nobody_and_stays_retired_when_refused(world: MailWorld, mages: Mages):
    number = make(world, mages, "CHALLENGE Bung Ulf").number
    Mage.objects.filter(name="Crom").update(retired_at=world.now)
    orders = {**write_orders(number, "Crom"), "new": "NEWGAME Bung CHALLENGE Crom"}
    closed = f"Challenge {number} is by invitation only, and Crom is not invited."
    reasons = {**dict.fromkeys(("accept", "for", "everything", "decline"), closed), "withdraw": "Only Froodal"}
    reasons |= {"take back": "has no change 1", "": NO_SEAT}
    assert_refused(world, "Cora", orders, reasons, "new")
    assert_refused(world, "Bill", {"new": orders["new"]}, {"new": "Crom is retired."})


def test_a_busy_mage_joins_nothing_else(world: MailWorld, mages: Mages, disputed: Challenge):
    other = create_challenge(challenger=mages["Crom"], terms=Terms(), open_to_all=True, now=world.now)
    busy = f"Crom has a seat in challenge {other.number}."
    reasons = {
        "new": busy,
        "accept": busy,
        "for": busy,
        "everything": busy,
        "decline": "so there is nothing to decline",
        "withdraw": "Only Froodal",
        "take back": "Only Bung, who proposed change 1",
        "": NO_SEAT,
    }
    assert_refused(world, "Cora", write_orders(disputed.number, "Crom"), reasons)


def test_a_mage_in_battle_joins_nothing_and_is_not_challenged(world: MailWorld, mages: Mages, disputed: Challenge):
    battle = world.duel(mages["Crom"], world.mage("Dawn"))
    busy = f"Crom is in battle {battle.number}."
    reasons = {"new": busy, "accept": busy, "for": busy, "everything": busy}
    orders = {what: line for what, line in write_orders(disputed.number, "Crom").items() if what in reasons}
    assert_refused(world, "Cora", orders, reasons)
    named = {
        "add": f"CHANGEGAME {disputed.number} Froodal ADD Crom",
        "change": f"CHANGEGAME {disputed.number} Froodal LIMIT 7, CHALLENGE Crom",
    }
    assert_refused(world, "Frode", named, {"": busy})


@pytest.mark.parametrize("blocker", ["Crom", "Froodal"])
def test_blocked_users_never_meet(world: MailWorld, mages: Mages, disputed: Challenge, blocker: str):
    blocked = "Froodal" if blocker == "Crom" else "Crom"
    block_user(user=mages[blocker].user, blocked=mages[blocked].user, now=world.now)
    apart = "there is a block between you and someone in it"
    reasons = {
        "new": "You cannot challenge Froodal: there is a block between them and someone in the challenge.",
        "accept": apart,
        "for": apart,
        "everything": apart,
        "decline": "so there is nothing to decline",
        "withdraw": "Only Froodal",
        "take back": "Only Bung, who proposed change 1",
        "": NO_SEAT,
    }
    orders = {**write_orders(disputed.number, "Crom"), "new": "NEWGAME Crom CHALLENGE Froodal"}
    assert_refused(world, "Cora", orders, reasons)
    added = {"add": f"CHANGEGAME {disputed.number} Bung ADD Crom"}
    assert_refused(
        world,
        "Bill",
        added,
        {"": "You cannot challenge Crom: there is a block between them and someone in the challenge."},
    )


def test_a_finished_battle_takes_no_orders(world: MailWorld, mages: Mages, disputed: Challenge):
    number = disputed.number
    refused = f"Challenge {number} was withdrawn."
    world.ask(f"USER Frode {PASSWORD}\nWITHDRAW {number} Froodal")
    Notice.objects.all().delete()
    assert_refused(world, "Bill", write_orders(number, "Bung"), {"": refused}, "new")
