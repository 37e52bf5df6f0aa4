"""Every page and button of challenges, as the right person and as the wrong one."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse_lazy

from accounts.models import Mage, User
from challenges.models import Challenge, Seat
from challenges.services.proposals import propose_change
from duels.models import Battle
from duels.terms import Terms
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db

REGISTER = reverse_lazy("accounts:register_mage")
ACTS = ["accept", "decline", "withdraw", "start"]


def snapshot() -> tuple[Any, ...]:
    return (
        list(Challenge.objects.order_by("pk").values()),
        list(Seat.objects.order_by("pk").values()),
        Battle.objects.count(),
    )


def told_in(response: Any) -> str:
    return " ".join(str(message) for message in response.context["messages"])


@pytest.mark.parametrize("address", ["/challenges/", "/challenges/{number}/"])
def test_anyone_reads_challenges(froodal: Mage, bung: Mage, address: str) -> None:
    challenge = make_challenge(froodal, comment="<b>Fast</b>")
    for client in (Client(), log_in(froodal.user), log_in(bung.user), log_in(make_user("Rinn"))):
        response = client.get(address.format(number=challenge.number))
        assert response.status_code == 200
        assert "Froodal wants a duel" in response.text or "Froodal&#x27;s open" in response.text
        assert "&lt;b&gt;Fast&lt;/b&gt;" in response.text and "<b>Fast" not in response.text


def test_only_the_list_of_a_user_who_may_join_has_the_button(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal)
    button = f"/challenges/{challenge.number}/accept/"
    assert button in log_in(bung.user).get("/challenges/").text
    for client in (Client(), log_in(froodal.user), log_in(make_user("Rinn"))):
        assert button not in client.get("/challenges/").text


def test_a_closed_challenge_is_not_listed_as_open_to_join(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    make_challenge(froodal, bung)
    listed = log_in(ayla.user).get("/challenges/").text
    assert "No open challenges." in listed
    assert listed.index("By invitation</h2>") < listed.index("Froodal&#x27;s duel by invitation")


def test_names_may_be_joined_by_and(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    sent = {"mage": "Froodal", "against": "Bung and Ayla"}
    assert log_in(froodal.user).post("/challenges/new/", sent).status_code == 302
    assert set(Seat.objects.values_list("mage__name", flat=True)) == {"Froodal", "Bung", "Ayla"}


def test_an_unknown_challenge_is_a_404(bung: Mage) -> None:
    client = log_in(bung.user)
    assert client.get("/challenges/4711/").status_code == 404
    assert client.get(f"/challenges/{10**30}/").status_code == 404
    for act in ACTS:
        assert client.post(f"/challenges/4711/{act}/", {"mage": "Bung"}).status_code == 404


@pytest.mark.parametrize("act", ACTS)
def test_a_stranger_is_sent_to_log_in_and_then_to_the_page(froodal: Mage, act: str) -> None:
    challenge = make_challenge(froodal, limit=3)
    before = snapshot()
    response = Client().post(f"/challenges/{challenge.number}/{act}/", {"mage": "Froodal"})
    assert response.status_code == 302
    assert response["Location"] == f"/accounts/login/?next=/challenges/{challenge.number}/"
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_someone_elses_mage_cannot_be_used(froodal: Mage, bung: Mage, ayla: Mage, act: str) -> None:
    challenge = make_challenge(froodal, bung)
    before = snapshot()
    client = log_in(ayla.user)
    for name in ("Froodal", "Bung", "Nobody_at_all"):
        assert client.post(f"/challenges/{challenge.number}/{act}/", {"mage": name}).status_code == 404
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_outsiders_are_rejected_with_a_message(froodal: Mage, bung: Mage, ayla: Mage, act: str) -> None:
    challenge = make_challenge(froodal, bung)
    before = snapshot()
    response = log_in(ayla.user).post(f"/challenges/{challenge.number}/{act}/", {"mage": "Ayla"}, follow=True)
    assert response.redirect_chain == [(f"/challenges/{challenge.number}/", 302)]
    assert "Ayla" in told_in(response)
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_a_get_of_a_buttons_address_changes_nothing(froodal: Mage, bung: Mage, act: str) -> None:
    challenge = make_challenge(froodal, bung)
    before = snapshot()
    response = log_in(bung.user).get(f"/challenges/{challenge.number}/{act}/")
    assert (response.status_code, response["Location"]) == (302, f"/challenges/{challenge.number}/")
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_a_button_needs_the_token_of_its_page(froodal: Mage, bung: Mage, act: str) -> None:
    challenge = make_challenge(froodal, bung)
    client = Client(enforce_csrf_checks=True)
    client.force_login(bung.user)
    before = snapshot()
    assert client.post(f"/challenges/{challenge.number}/{act}/", {"mage": "Bung"}).status_code == 403
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_a_newcomer_without_a_mage_is_redirected_to_register_one(froodal: Mage, act: str) -> None:
    challenge = make_challenge(froodal)
    response = log_in(make_user("Rinn")).post(f"/challenges/{challenge.number}/{act}/")
    assert response.status_code == 302
    assert response["Location"] == f"{REGISTER}?next=%2Fchallenges%2F{challenge.number}%2F"


def test_accepting_leads_to_the_battle(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    client = log_in(bung.user)
    response = client.post(f"/challenges/{challenge.number}/accept/", {"mage": "bung"})
    assert response["Location"] == f"/battles/{challenge.number}/"
    assert client.get(f"/challenges/{challenge.number}/")["Location"] == f"/battles/{challenge.number}/"
    again = client.post(f"/challenges/{challenge.number}/accept/", {"mage": "Bung"})
    assert again["Location"] == f"/challenges/{challenge.number}/", "the second click finds its way to the battle"


def read_terms(page: str) -> str:
    """The hidden field of the form that joins."""
    found = re.search(r'name="terms" value="([0-9a-f]{16})"', page)
    assert found is not None
    return found[1]


def test_nobody_joins_on_terms_that_changed_after_the_page_was_shown(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=2, terms=Terms(stakes="very-friendly"))
    client, page = log_in(bung.user), f"/challenges/{challenge.number}/"
    seen = read_terms(client.get(page).text)
    propose_change(number=challenge.number, mage=froodal, change={"stakes": "ladder"}, now=NOW)
    answer = client.post(f"{page}accept/", {"mage": "Bung", "terms": seen}, follow=True)
    assert (
        told_in(answer) == f"The terms of challenge {challenge.number} have changed. Read them again before you join."
    )
    assert not Battle.objects.exists()
    assert read_terms(answer.text) != seen
    client.post(f"{page}accept/", {"mage": "Bung", "terms": read_terms(answer.text)})
    assert Battle.objects.get().terms["stakes"] == "ladder"


def test_joining_declining_and_withdrawing_by_button(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=3)
    guest, host = log_in(bung.user), log_in(froodal.user)
    joined = guest.post(f"/challenges/{challenge.number}/accept/", {"mage": "Bung"}, follow=True)
    assert told_in(joined) == f"Bung has joined challenge {challenge.number}."
    assert "Leave with Bung" in joined.text
    left = guest.post(f"/challenges/{challenge.number}/decline/", {"mage": "Bung"}, follow=True)
    assert told_in(left) == f"Bung has left challenge {challenge.number}."
    withdrawn = host.post(f"/challenges/{challenge.number}/withdraw/", {"mage": "Froodal"}, follow=True)
    assert told_in(withdrawn) == f"Challenge {challenge.number} is withdrawn."
    assert "Withdraw challenge" not in withdrawn.text


def test_the_challenger_starts_the_battle(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=5)
    log_in(bung.user).post(f"/challenges/{challenge.number}/accept/", {"mage": "Bung"})
    response = log_in(froodal.user).post(f"/challenges/{challenge.number}/start/", {"mage": "Froodal"})
    assert response["Location"] == f"/battles/{challenge.number}/"


def test_the_form_is_for_users_with_a_mage(froodal: Mage) -> None:
    assert Client().get("/challenges/new/")["Location"] == "/accounts/login/?next=/challenges/new/"
    newcomer = log_in(make_user("Rinn")).get("/challenges/new/")
    assert newcomer["Location"] == f"{REGISTER}?next=%2Fchallenges%2Fnew%2F"
    make_challenge(froodal)
    assert "All your mages are busy" in log_in(froodal.user).get("/challenges/new/").text


def test_three_fields_are_enough_for_a_duel_with_anyone(froodal: Mage) -> None:
    response = log_in(froodal.user).post("/challenges/new/", {"mage": "Froodal"})
    challenge = Challenge.objects.get()
    assert response["Location"] == f"/challenges/{challenge.number}/"
    assert (challenge.mages_per_user, challenge.limit, challenge.terms) == (1, 2, Terms(stakes="friendly").to_json())


def test_three_questions_are_enough(froodal: Mage, bung: Mage) -> None:
    make_mage("Pip", froodal.user), make_mage("Rip", froodal.user), make_mage("Tip", froodal.user)
    client = log_in(froodal.user)
    page = client.get("/challenges/new/").text
    for part in ("Against whom?", "How fast?", "What is at stake?", "Create challenge"):
        assert part in page, part
    terms = {"pace": "day", "stakes": "friendly"}
    for mage, who, more, wanted in (
        ("Froodal", "anyone", {}, (1, 2, set())),
        ("Pip", "friend", {}, (None, 2, set())),
        ("Rip", "named", {"against": "Bung"}, (None, None, {"Bung"})),
        ("Tip", "melee", {}, (1, 4, set())),
    ):
        assert client.post("/challenges/new/", {"mage": mage, "who": who, **terms, **more}).status_code == 302, who
        made = Challenge.objects.get(challenger__name=mage)
        invited = {seat.mage.name for seat in made.seats.filter(state="invited")}
        assert (made.mages_per_user, made.limit, invited) == wanted, who
        assert made.terms["pace"] == "day" and made.terms["stakes"] == "friendly"
    make_mage("Zip", froodal.user)
    for wrong in ({"who": "named"}, {"who": "melee", "limit": "2"}, {"who": "nobody"}):
        assert client.post("/challenges/new/", {"mage": "Zip", **wrong}).status_code == 422, wrong


def test_naming_mages_makes_a_closed_challenge_of_all_of_them(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    log_in(froodal.user).post("/challenges/new/", {"mage": "Froodal", "against": "bung ayla"})
    challenge = Challenge.objects.get()
    assert (challenge.mages_per_user, challenge.limit) == (None, None)
    assert challenge.seats.filter(state="invited").count() == 2


def test_the_folded_fields_make_other_terms(froodal: Mage, bung: Mage) -> None:
    log_in(froodal.user).post(
        "/challenges/new/",
        {
            "mage": "Froodal",
            "against": "Bung",
            "limit": "0",
            "ruleset": "firetop-classic",
            "stakes": "friendly",
            "open_to_all": "on",
            "mages_per_user": "0",
            "orders_final": "on",
            "silent": "on",
            "comment": "Fast",
        },
    )
    challenge = Challenge.objects.get()
    assert (challenge.mages_per_user, challenge.limit, challenge.comment) == (0, None, "Fast")
    terms = Terms(ruleset="firetop-classic", stakes="friendly", orders_final=True, chat=False)
    assert Terms.from_json(challenge.terms) == terms


def test_the_form_names_every_problem_and_keeps_what_was_typed(froodal: Mage, bung: Mage) -> None:
    make_challenge(bung)
    response = log_in(froodal.user).post(
        "/challenges/new/", {"mage": "Froodal", "against": "Froodal Bung", "limit": "1", "comment": "Fast"}
    )
    assert response.status_code == 422
    form = response.context["form"]
    assert set(form.errors) == {"against", "limit"}
    assert len(form.errors["against"]) == 2
    assert 'value="Froodal Bung"' in response.text and 'value="Fast"' in response.text
    unknown = log_in(froodal.user).post("/challenges/new/", {"mage": "Froodal", "against": "Bnug"})
    assert "Did you mean Bung?" in str(unknown.context["form"].errors["against"])
    assert Challenge.objects.count() == 1


def test_nobody_challenges_with_someone_elses_mage(froodal: Mage, bung: Mage) -> None:
    response = log_in(bung.user).post("/challenges/new/", {"mage": "Froodal"})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"mage"}
    assert not Challenge.objects.exists()


def test_the_same_click_twice_makes_one_challenge(froodal: Mage) -> None:
    client = log_in(froodal.user)
    for _ in range(2):
        client.post("/challenges/new/", {"mage": "Froodal"})
    assert Challenge.objects.count() == 1


def test_a_link_fills_in_the_opponents_name(froodal: Mage) -> None:
    response = log_in(froodal.user).get('/challenges/new/?against=Bung"><script>')
    assert "<script>" not in response.text.split("<main")[1].split("</main>")[0]
    assert "Bung&quot;&gt;" in response.text


def test_the_janitors_list_shows_challenges_and_changes_none(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    janitor = User.objects.create_superuser("Sweeper")
    client = log_in(janitor)
    assert client.get("/admin/challenges/challenge/").status_code == 200
    assert client.get(f"/admin/challenges/challenge/{challenge.pk}/change/").status_code == 200
    assert client.post(f"/admin/challenges/challenge/{challenge.pk}/delete/", {"post": "yes"}).status_code == 403
    assert log_in(bung.user).get("/admin/challenges/challenge/").status_code == 302


def test_a_retired_mage_is_not_offered(froodal: Mage) -> None:
    make_mage("Pip", froodal.user)
    Mage.objects.filter(pk=froodal.pk).update(retired_at=NOW)
    page = log_in(froodal.user).get("/challenges/new/")
    assert [value for value, _ in page.context["form"].fields["mage"].choices] == ["Pip"]
