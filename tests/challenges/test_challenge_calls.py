"""Challenges over the API: changes and votes, starting, invite links, finding an opponent."""

import json
import re
from typing import get_args

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Mage
from accounts.services.tokens import issue_api_token
from challenges.api.schema import Declining
from challenges.decline_reasons import REASONS
from challenges.models import Challenge, InviteLink, Proposal, Seat, Vote
from email_gateway.commands.table import TABLE
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def full_budget():
    cache.clear()


@pytest.fixture
def challenge(froodal: Mage, bung: Mage) -> Challenge:
    """An open melee by Froodal that Bung has joined."""
    made = make_challenge(froodal, limit=4)
    assert send(bung, f"{made.number}/accept/")["status"] == "open"
    return made


def bearer(mage: Mage, scopes: tuple[str, ...] = ("play",)) -> dict[str, str]:
    token = issue_api_token(user=mage.user, name="test", scopes=list(scopes), now=timezone.now())[1]
    return {"Authorization": f"Bearer {token}"}


def call(mage: Mage, path: str, body: dict, method: str = "post", scopes: tuple[str, ...] = ("play",)):
    return getattr(Client(), method)(
        f"/api/v1/challenges/{path}",
        json.dumps(body),
        content_type="application/json",
        headers=bearer(mage, scopes),
    )


def send(mage: Mage, path: str, **body):
    """Make a call as this mage's user and return what it answers."""
    answer = call(mage, path, {"mage": mage.name, **body})
    assert answer.status_code in (200, 201), answer.content
    return answer.json()


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_an_empty_name_is_not_said_to_be_nobodys(challenge, bung):
    answer = call(bung, f"{challenge.number}/decline/", {"mage": " "})
    assert code(answer) == (403, "not_your_mage") and answer.json()["detail"] == "Enter the name of a mage."


def test_a_program_declines_with_a_reason_that_everyone_reads(froodal, bung):
    made = make_challenge(froodal, bung)
    answer = call(bung, f"{made.number}/decline/", {"mage": "Bung", "reason": "weather"})
    assert answer.status_code == 400 and answer.json()["problems"][0]["place"] == "reason"
    seats = send(bung, f"{made.number}/decline/", reason="pace")["seats"]
    assert {seat["mage"]: seat["reason"] for seat in seats} == {"Froodal": "", "Bung": "pace"}
    assert Notice.objects.get(kind="challenge_declined", user=froodal.user).facts["reason"] == "pace"
    assert "They want another pace." in Client().get(f"/challenges/{made.number}/").text
    send(froodal, f"{made.number}/changes/", add=["Bung"], pace="day")
    seats = send(bung, f"{made.number}/decline/")["seats"]
    assert {seat["reason"] for seat in seats} == {""}, "the last answer counts"


def test_the_reasons_of_the_api_of_the_page_and_of_emails_are_the_same(froodal, bung):
    made = make_challenge(froodal, bung)
    page = log_in(bung.user).get(f"/challenges/{made.number}/").text
    assert re.findall(r'<option value="(\w+)">', page) == list(REASONS)
    assert get_args(get_args(Declining.model_fields["reason"].annotation)[0]) == tuple(REASONS)
    (form,) = (order.grammar for order in TABLE if order.name == "DECLINE")
    assert " | ".join(REASONS).upper() in form
    log_in(bung.user).post(f"/challenges/{made.number}/decline/", {"mage": "Bung", "reason": "busy"})
    assert Seat.objects.get(mage=bung).reason == "busy"


def test_a_change_is_proposed_voted_on_and_adopted(challenge, froodal, bung):
    answer = send(bung, f"{challenge.number}/changes/", limit=3, pace="day")
    (change,) = answer["changes"]
    assert change["proposer"] == "Bung" and change["may_take_back"] == "Bung"
    assert {vote["mage"]: vote["stance"] for vote in change["votes"]} == {"Froodal": "", "Bung": "for"}
    seen = (
        Client().get(f"/api/v1/challenges/{challenge.number}/", headers=bearer(froodal, ("read",))).json()["changes"][0]
    )
    assert seen["may_accept"] == ["Froodal"] and not seen["may_take_back"]
    answer = send(froodal, f"{challenge.number}/changes/{change['change']}/accept/")
    assert answer["changes"] == [] and answer["limit"] == 3


def test_a_change_can_be_opposed_and_taken_back(challenge, froodal, bung):
    number = send(bung, f"{challenge.number}/changes/", limit=None)["changes"][0]["change"]
    assert code(call(froodal, f"{challenge.number}/changes/{number}/take-back/", {"mage": "Froodal"}))[0] == 409
    assert send(bung, f"{challenge.number}/changes/{number}/take-back/")["changes"] == []
    number = send(bung, f"{challenge.number}/changes/", comment="Be quick")["changes"][0]["change"]
    send(froodal, f"{challenge.number}/changes/{number}/oppose/")
    assert Proposal.objects.get(challenge=challenge, number=number).state != Proposal.State.ADOPTED


def test_every_problem_of_a_change_is_named(challenge, bung):
    answer = call(
        bung,
        f"{challenge.number}/changes/",
        {"mage": "Bung", "ruleset": "firetop-standart", "limit": -3, "add": ["Nobody At All"], "hit_points": [-1]},
    )
    assert answer.status_code == 422, answer.content
    assert len(answer.json()["problems"]) >= 3
    assert not Proposal.objects.exists()
    wrong = call(bung, f"{challenge.number}/changes/", {"mage": "Bung", "limits": 3})
    assert wrong.status_code == 400 and wrong.json()["problems"][0]["nearest"] == "limit"


def test_nobody_votes_or_proposes_with_the_mage_of_another(challenge, froodal, bung):
    stranger = make_mage("Stranger")
    number = send(bung, f"{challenge.number}/changes/", limit=3)["changes"][0]["change"]
    for path in ("changes/", f"changes/{number}/accept/", f"changes/{number}/oppose/", "start/", "links/"):
        assert code(call(stranger, f"{challenge.number}/{path}", {"mage": "Froodal"})) == (403, "not_your_mage")
        assert call(froodal, f"{challenge.number}/{path}", {"mage": "Froodal"}, scopes=("read",)).status_code == 403
        assert call(stranger, f"{challenge.number}/{path}", {"mage": "Stranger"}).status_code in (409, 422), path
        assert call(froodal, f"999999/{path}", {"mage": "Froodal"}).status_code == 404
    assert Vote.objects.filter(proposal__number=number, mage=froodal).count() == 0


def test_the_challenger_starts_the_battle(challenge, froodal, bung):
    Challenge.objects.filter(pk=challenge.pk).update(authoritarian=True)
    answer = send(froodal, f"{challenge.number}/start/")
    assert answer["status"] == "started"


def test_a_link_is_created_and_revoked_by_its_owner_alone(challenge, froodal, bung):
    answer = send(froodal, f"{challenge.number}/links/")
    assert Client().get(answer["url"]).status_code == 200
    for mage in (bung, make_mage("Stranger")):
        assert call(mage, f"{challenge.number}/links/{answer['link']}/", {}, "delete").status_code == 409
    other = make_challenge(make_mage("Second", froodal.user))
    assert call(froodal, f"{other.number}/links/{answer['link']}/", {}, "delete").status_code == 409
    assert InviteLink.objects.get().state == "live"
    assert call(froodal, f"{challenge.number}/links/{answer['link']}/", {}, "delete").status_code == 200
    assert InviteLink.objects.get().state == "revoked"
    assert call(froodal, f"{challenge.number}/links/{answer['link']}/", {}, "delete").status_code == 409
    assert Client().get(answer["url"]).status_code == 404


def test_two_programs_find_each_other(froodal, bung):
    waiting = send(froodal, "find-opponent/")
    assert waiting["status"] == "open"
    assert send(froodal, "find-opponent/")["challenge"] == waiting["challenge"]
    found = send(bung, "find-opponent/")
    assert (found["challenge"], found["status"]) == (waiting["challenge"], "started")


WRONG_TERMS = {"ruleset": "firetop-standrd", "pace": "dai", "stakes": "zzz"}
NEAREST_TERMS = [("ruleset", "firetop-standard"), ("pace", "day"), ("stakes", None)]


def test_unknown_terms_are_named_with_their_place_and_the_nearest_ones(challenge, froodal):
    newcomer = make_mage("Newcomer")
    for mage, path in ((newcomer, ""), (newcomer, "find-opponent/"), (froodal, f"{challenge.number}/changes/")):
        answer = call(mage, path, {"mage": mage.name, **WRONG_TERMS})
        problems = answer.json()["problems"]
        assert answer.status_code == 422
        assert [(each["place"], each["nearest"]) for each in problems] == NEAREST_TERMS
        assert problems[1]["message"] == 'There is no pace "dai". Did you mean day?'
        assert "Choose from:" in problems[2]["message"]
    assert Challenge.objects.get() == challenge


@pytest.mark.parametrize(
    ("terms", "instead"),
    [({"ruleset": "firetop-server"}, "firetop-standard"), ({"pace": "own"}, "threeday"), ({"pace": "twoday"}, "day")],
)
def test_a_program_gets_no_terms_that_nobody_can_choose_on_a_page(froodal: Mage, terms: dict, instead: str):
    for path in ("", "find-opponent/"):
        answer = call(froodal, path, {"mage": "Froodal", "stakes": "ladder", **terms})
        assert code(answer) == (422, "not_valid")
        (told,) = [each["message"] for each in answer.json()["problems"]]
        (value,) = terms.values()
        assert f"“{value}”" in told and instead in told.partition("Choose from:")[2]
        assert value not in told.partition("Choose from:")[2]
    assert not Challenge.objects.exists()
    made = make_challenge(froodal)
    assert call(froodal, f"{made.number}/changes/", {"mage": "Froodal", **terms}).status_code == 422
    made.refresh_from_db()
    assert (made.terms["ruleset"], made.terms["pace"]) == ("firetop-standard", "classic")


def test_a_program_joins_on_no_other_terms_than_it_has_read(froodal: Mage, bung: Mage):
    made = make_challenge(froodal, limit=2)
    seen = read_terms_key(bung, made)
    send(froodal, f"{made.number}/changes/", pace="day")
    refused = call(bung, f"{made.number}/accept/", {"mage": "Bung", "terms_key": seen})
    assert refused.status_code == 409
    assert "have changed" in refused.json()["detail"]
    now = read_terms_key(bung, made)
    assert send(bung, f"{made.number}/accept/", terms_key=now)["status"] == "started"


def read_terms_key(mage: Mage, challenge: Challenge) -> str:
    return Client().get(f"/api/v1/challenges/{challenge.number}/", headers=bearer(mage, ("read",))).json()["terms_key"]
