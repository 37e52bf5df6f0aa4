"""Proposing and voting by button: the page shows the difference, the votes, and what would decide it."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import Engagement, Mage
from accounts.services.ties import block_user
from challenges.models import Challenge, Proposal, Seat, Vote
from challenges.services.answers import accept_challenge
from challenges.services.proposals import propose_change
from duels.models import Battle
from duels.terms import Terms
from tests.challenges.conftest import make_challenge
from tests.challenges.test_pages import REGISTER, told_in
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.ui.rendering import words

pytestmark = pytest.mark.django_db

BUTTONS = ["changes/1/accept", "changes/1/oppose", "changes/1/take-back", "everything", "links", "change", "start"]


@pytest.fixture
def melee(froodal: Mage, bung: Mage, ayla: Mage) -> Challenge:
    """Froodal's melee of 4, in which Bung and Ayla have joined and Bung proposes 3."""
    challenge = make_challenge(froodal, limit=4)
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    propose_change(number=challenge.number, mage=bung, change={"limit": 3}, now=NOW)
    return challenge


def press(client: Client, challenge: Challenge, act: str, **sent: str) -> Any:
    return client.post(f"/challenges/{challenge.number}/{act}/", sent, follow=True)


def read(challenge: Challenge, user: Any = None) -> str:
    client = log_in(user) if user else Client()
    return words(client.get(f"/challenges/{challenge.number}/").text)


def snapshot() -> tuple[Any, ...]:
    models = (Challenge, Seat, Proposal, Vote, Engagement)
    return (*(list(model.objects.order_by("pk").values()) for model in models), Battle.objects.count())


def test_everyone_reads_the_difference_and_who_voted_what(melee: Challenge, ayla: Mage) -> None:
    page = read(melee)
    assert re.search(r"Limit\s*: now 4\s*→\s*, then 3", page)
    assert re.search(r"For\s+1\s*: Bung\s+Against\s+0\s+Not voted\s+Froodal\s*, Ayla", page)
    assert "Adopted with 1 more vote for it, rejected with 2 more votes against it." in page
    assert "Accept change" not in page and "Oppose" not in page
    assert "You haven't voted." in read(melee, ayla.user)


@pytest.mark.parametrize(
    ("change", "starts"),
    [
        ({"limit": 3}, True),
        ({"limit": 5}, False),
        ({"mages_per_user": None}, True),
        ({"mages_per_user": None, "add": ["Merlyn"]}, False),
        ({"limit": 5, "mages_per_user": None}, True),
    ],
)
def test_voters_read_that_the_battle_would_start(froodal: Mage, bung: Mage, ayla: Mage, change: Any, starts: bool):
    make_mage("Merlyn")
    melee = make_challenge(froodal, limit=4)
    for mage in (bung, ayla):
        accept_challenge(number=melee.number, mage=mage, now=NOW)
    propose_change(number=melee.number, mage=bung, change=change, now=NOW)
    words = "If this change is adopted, the battle starts at once."
    assert (words in read(melee, ayla.user)) == starts
    press(log_in(ayla.user), melee, "changes/1/accept", mage="Ayla")
    assert Battle.objects.exists() == starts


def test_a_vote_a_change_of_mind_and_the_vote_that_decides(melee: Challenge, froodal: Mage, ayla: Mage) -> None:
    guest, host = log_in(ayla.user), log_in(froodal.user)
    assert told_in(press(guest, melee, "changes/1/oppose", mage="Ayla")) == "Ayla votes against change 1."
    assert "You voted against it. Froodal's vote decides." in read(melee, ayla.user)
    assert "Your vote decides." in read(melee, froodal.user)
    adopted = press(guest, melee, "changes/1/accept", mage="Ayla")
    assert adopted.redirect_chain[-1][0] == f"/battles/{melee.number}/", "a limit of 3 with 3 who joined starts it"
    again = press(host, melee, "changes/1/accept", mage="Froodal")
    assert again.redirect_chain[-1][0] == f"/battles/{melee.number}/"


def test_a_rejected_change_is_announced_and_listed_as_decided(melee: Challenge, froodal: Mage, ayla: Mage) -> None:
    press(log_in(ayla.user), melee, "changes/1/oppose", mage="Ayla")
    answer = press(log_in(froodal.user), melee, "changes/1/oppose", mage="Froodal")
    assert "Change 1 is rejected: limit 4 → 3." in told_in(answer)
    assert "Change 1, proposed by Bung: rejected" in words(answer.text)
    assert 'id="proposals"' not in answer.text


def test_the_proposer_withdraws_the_change(melee: Challenge, bung: Mage, ayla: Mage) -> None:
    refused = press(log_in(ayla.user), melee, "changes/1/take-back", mage="Ayla")
    assert "Only Bung, who proposed change 1" in told_in(refused)
    answer = press(log_in(bung.user), melee, "changes/1/take-back", mage="Bung")
    assert told_in(answer) == "Bung withdraws change 1."
    assert Proposal.objects.get().state == "taken_back"


def test_accepting_everything_counts_for_later_proposals(melee: Challenge, bung: Mage, ayla: Mage) -> None:
    press(log_in(bung.user), melee, "changes/1/take-back", mage="Bung")
    propose_change(number=melee.number, mage=bung, change={"comment": "Soon"}, now=NOW)
    page = read(melee, ayla.user)
    assert "Accept all proposals" in page
    answer = press(log_in(ayla.user), melee, "everything", mage="Ayla")
    assert "Ayla accepts all proposals until you oppose one." in told_in(answer)
    assert "Change 2 is adopted: comment none → “Soon”." in told_in(answer)
    assert "Accept all proposals" not in words(answer.text)


def test_only_what_was_touched_is_proposed_though_the_terms_changed_meanwhile(
    melee: Challenge, froodal: Mage, bung: Mage
) -> None:
    client = log_in(bung.user)
    form = client.get(f"/challenges/{melee.number}/change/").context["form"]
    shown = {field.html_initial_name: field.initial or "" for field in form.visible_fields()}
    shown |= {field.html_name: field.initial or "" for field in form.visible_fields() if field.initial}
    Challenge.objects.update(limit=5, comment="Changed meanwhile")
    answer = press(client, melee, "change", mage="Bung", **{**shown, "chat": "no"})
    assert told_in(answer) == "Bung proposes change 2. The others now vote on it."
    assert Proposal.objects.get(number=2).change == {"chat": False}


def test_every_part_of_a_change_can_be_asked_for(melee: Challenge, froodal: Mage) -> None:
    make_mage("Crom")
    make_mage("Zarquon")
    sent = {
        "limit": "6",
        "openness": "closed",
        "add": "crom",
        "ruleset": "firetop-nomonsters",
        "stakes": "friendly",
        "orders_final": "yes",
        "chat": "no",
        "authoritarian": "yes",
        "comment": "All new",
    }
    press(log_in(froodal.user), melee, "change", mage="Froodal", **sent)
    assert Proposal.objects.get(number=2).change == {
        "limit": 6,
        "mages_per_user": None,
        "add": ["Crom"],
        "ruleset": "firetop-nomonsters",
        "stakes": "friendly",
        "orders_final": True,
        "chat": False,
        "authoritarian": True,
        "comment": "All new",
    }


def test_a_lone_challenger_changes_at_once(froodal: Mage) -> None:
    challenge = make_challenge(froodal)
    answer = press(log_in(froodal.user), challenge, "change", limit="5", mage="Froodal")
    assert told_in(answer) == "Changed: limit none → 5."
    assert Challenge.objects.get().limit == 5


def test_the_form_of_a_change_names_every_problem_and_keeps_what_was_typed(melee: Challenge, froodal: Mage) -> None:
    client = log_in(froodal.user)
    before = snapshot()
    answer = press(client, melee, "change", mage="Froodal", limit="2", add="Bnug", comment="Soon")
    assert answer.status_code == 422 and "Did you mean Bung?" in str(answer.context["form"].errors["add"])
    assert 'value="Bnug"' in answer.text and 'value="Soon"' in answer.text
    answer = press(client, melee, "change", mage="Froodal", limit="2", add="Bung", comment="Soon")
    assert set(answer.context["form"].errors) == {"limit", "add"}
    nothing = press(client, melee, "change", mage="Froodal")
    assert "Choose what to change." in nothing.text
    assert snapshot() == before


def test_a_new_ruleset_drops_the_choices_of_the_old_one(froodal: Mage) -> None:
    challenge = make_challenge(froodal, terms=Terms(ruleset="warlocks"))
    client = log_in(froodal.user)
    form = client.get(f"/challenges/{challenge.number}/change/").context["form"]
    assert form["ruleset"].initial == "warlocks"
    press(client, challenge, "change", mage="Froodal", ruleset="firetop-standard", **{"initial-ruleset": "warlocks"})
    assert Challenge.objects.get().terms["ruleset"] == "firetop-standard"


@pytest.mark.parametrize("act", BUTTONS)
def test_the_wrong_person_is_rejected_and_changes_nothing(melee: Challenge, froodal: Mage, act: str) -> None:
    retired, busy, blocked, excluded = (make_mage(name) for name in ("Pip", "Crom", "Rinn", "Ulf"))
    Mage.objects.filter(pk=retired.pk).update(retired_at=NOW)
    make_challenge(busy)
    block_user(user=froodal.user, blocked=blocked.user, now=NOW)
    Seat.objects.create(challenge=melee, mage=excluded, state="excluded", asked_at=NOW)
    before = snapshot()
    stranger = Client().post(f"/challenges/{melee.number}/{act}/", {"mage": "Froodal"})
    assert stranger["Location"].startswith("/accounts/login/?next=/challenges/")
    for mage in (retired, busy, blocked, excluded):
        answer = press(log_in(mage.user), melee, act, mage=mage.name)
        assert answer.redirect_chain == [(f"/challenges/{melee.number}/", 302)], mage.name
        assert told_in(answer), mage.name
        assert log_in(mage.user).post(f"/challenges/{melee.number}/{act}/", {"mage": "Froodal"}).status_code == 404
    newcomer = log_in(make_user("Nobody_yet")).post(f"/challenges/{melee.number}/{act}/")
    assert newcomer["Location"].startswith((str(REGISTER), f"/challenges/{melee.number}/"))
    assert snapshot() == before


@pytest.mark.parametrize("act", BUTTONS)
def test_a_link_to_a_button_changes_nothing(melee: Challenge, bung: Mage, act: str) -> None:
    before = snapshot()
    assert log_in(bung.user).get(f"/challenges/{melee.number}/{act}/").status_code in (200, 302)
    assert snapshot() == before


def test_an_unknown_or_decided_change_is_rejected_with_a_message(melee: Challenge, ayla: Mage) -> None:
    client = log_in(ayla.user)
    assert "has no change 9" in told_in(press(client, melee, "changes/9/accept", mage="Ayla"))
    Proposal.objects.update(state="lapsed", decided_at=NOW)
    assert f"Change 1 of challenge {melee.number} has expired." in told_in(
        press(client, melee, "changes/1/oppose", mage="Ayla")
    )


def test_in_an_authoritarian_challenge_only_the_challenger_has_buttons(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=4, authoritarian=True)
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    assert "Froodal decides all changes." in read(challenge, bung.user)
    assert "Propose a change" not in read(challenge, bung.user)
    assert "Change terms" in read(challenge, froodal.user)
    refused = press(log_in(bung.user), challenge, "change", mage="Bung", limit="3")
    assert "Only Froodal can change" in told_in(refused)


def test_two_propose_to_start_and_the_third_decides(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, limit=5)
    for mage in (bung, ayla):
        accept_challenge(number=challenge.number, mage=mage, now=NOW)
    answer = press(log_in(bung.user), challenge, "start", mage="Bung")
    assert told_in(answer) == "Bung proposes to start (change 1). The others now vote on it."
    assert "Start the battle" in words(answer.text)
    started = press(log_in(ayla.user), challenge, "changes/1/accept", mage="Ayla")
    assert started.redirect_chain[-1][0] == f"/battles/{challenge.number}/"


def asks_for_a_vote(client: Client, address: str) -> bool:
    page = words(client.get(address).text)
    return "to vote on" in page or "for your vote" in page


def test_home_and_list_say_that_a_vote_is_missing_until_it_is_given(melee: Challenge, bung: Mage, ayla: Mage) -> None:
    for address in ("/", "/challenges/"):
        assert "1 change to vote on." in words(log_in(ayla.user).get(address).text)
        assert not asks_for_a_vote(log_in(bung.user), address), "the proposer has voted"
    assert "<h1>One proposal is waiting for your vote</h1>" in log_in(ayla.user).get("/").text
    propose_change(number=melee.number, mage=bung, change={"comment": "Soon"}, now=NOW)
    assert "2 changes to vote on." in words(log_in(ayla.user).get("/").text)
    press(log_in(ayla.user), melee, "everything", mage="Ayla")
    assert not asks_for_a_vote(log_in(ayla.user), "/")
