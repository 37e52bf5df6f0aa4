"""Keep this mage: a guest becomes a user, once, and keeps battle, mage and links."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.errors import InvalidName, NotAGuest
from accounts.models import Mage, Name, User
from accounts.services.absence import sweep_absent_users
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from challenges.services.keep_mage import keep_guest
from challenges.services.play_now import VISITOR
from duels.models import Battle, OrderSheet, Turn, TurnEvent
from duels.services.clocks.sweep import sweep_deadlines
from notifications.models import Notice
from studies.services.replay_checks import replay_battle
from tests.bots import bring_bots
from tests.challenges.test_play_bot import answer
from tests.scenes import make_mage
from tests.ui.rendering import client_of, words

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ORDERS = {"stage": "4.0.0", "mage": VISITOR, "LH": "S", "RH": "P", "act": "ready"}
DETAILS = {"username": "Newby", "mage": "Nimblefinger", "email": "newby@example.org", "password1": "nine-blue-doors-27"}


@pytest.fixture
def guest(db):
    """A guest's browser after the first turn."""
    cache.clear()
    bring_bots(now=timezone.now())
    client = Client()
    client.post("/stage/", ORDERS)
    assert answer(timezone.now()) == 1
    return client


def page_of(client):
    return f"/battles/{Battle.objects.get().number}/"


def stored():
    """Everything written about the battle, as one text."""
    battle = Battle.objects.get()
    rows = [battle.state, battle.result, *Turn.objects.values_list("before", "throws")]
    rows += [
        *TurnEvent.objects.values_list("facts", "audience"),
        *OrderSheet.objects.values_list("lines", "text", "draft"),
    ]
    return repr(rows)


def test_the_guest_becomes_a_user_and_keeps_battle_mage_and_links(guest):
    old = Mage.objects.get(user__is_guest=True).name
    page = page_of(guest)
    assert "Keep this mage" in guest.get(page).content.decode()
    response = guest.post("/keep/", DETAILS)
    assert response.status_code == 302 and response["Location"] == page
    user = User.objects.get(username="Newby")
    assert not user.is_guest and user.check_password("nine-blue-doors-27") and user.email == "newby@example.org"
    assert not EmailAddress.objects.get(user=user).verified
    assert Notice.objects.filter(user=user, kind="confirm_address").count() == 1
    html = guest.get(page).content.decode()
    assert "Nimblefinger" in html and old not in html and "You cast Shield on yourself." in words(html)
    assert old not in stored() and "Nimblefinger" in stored()
    assert Name.objects.get(key="nimblefinger").kind == "mage" and Name.objects.get(key="newby").kind == "user"
    # They can now do what a guest can't, and continue playing, even on a page that was already open.
    assert guest.get("/accounts/mages/new/").status_code == 200
    sent = {**ORDERS, "stage": "5.0.0", "mage": old, "LH": "D", "RH": "W", "order": "TARGET LH Pipkin"}
    assert guest.post(page, sent, follow=True).status_code == 200
    assert OrderSheet.objects.filter(combatant__mage__name="Nimblefinger", ready=True).count() == 5
    assert answer(timezone.now()) == 1
    assert Battle.objects.get().seq == 6
    assert replay_battle(battle=Battle.objects.get(), now=timezone.now()) == ()
    # Logging in anywhere leads to the same battle.
    other = Client()
    assert other.login(username="Newby", password="nine-blue-doors-27")
    assert "Nimblefinger" in other.get(page).content.decode() and 'id="orders"' in other.get(page).content.decode()


def test_what_a_guest_cannot_do_leads_to_keeping_the_mage_and_back(guest):
    for path in ("/challenges/new/", "/accounts/mages/new/", "/studies/position/"):
        answer = guest.get(path)
        assert (answer.status_code, answer["Location"]) == (302, f"/keep/?next={path.replace('/', '%2F')}"), path
    other = make_mage("Froodal").user
    profile = f"/users/{other.username}/"
    headers = {"Referer": f"http://testserver{profile}"}
    answer = guest.post(f"{profile}follow/", headers=headers)
    assert answer.status_code == 302 and answer["Location"].startswith("/keep/?next=%2Fusers%2F")
    assert "Guests cannot do this. Sign up first" in guest.get(answer["Location"]).content.decode()
    assert guest.post(answer["Location"], {**DETAILS, "next": profile})["Location"] == profile


def test_it_happens_once_even_on_a_double_click(guest):
    user = User.objects.get(is_guest=True)
    again = client_of(user)
    assert guest.post("/keep/", DETAILS).status_code == 302
    assert guest.post("/keep/", DETAILS).status_code == 302
    # A request that started before the first one finished.
    with pytest.raises(NotAGuest):
        keep_guest(user=user, name="Other", mage_name="Other", email="", password=None, now=timezone.now())
    assert again.get("/keep/").status_code in (200, 302)
    assert not Name.objects.filter(key="other").exists()
    assert EmailAddress.objects.count() == 1 and Notice.objects.filter(kind="confirm_address").count() == 1


def test_a_mage_is_kept_after_the_battle_has_ended_and_may_share_its_users_name(guest):
    page = page_of(guest)
    guest.post(page, {"stage": "5.0.0", "LH": "P", "RH": "P", "act": "ready", "confirmed": "yes"})
    answer(timezone.now())
    assert Battle.objects.get().is_over and "Keep this mage" in guest.get(page).content.decode()
    response = guest.post("/keep/", {**DETAILS, "mage": "", "email": "", "password1": ""})
    assert response.status_code == 422, "an address is needed, as in sign-up"
    assert guest.post("/keep/", {**DETAILS, "mage": "", "password1": ""})["Location"] == "/"
    assert Mage.objects.filter(user__username="Newby").get().name == "Newby"
    assert "Newby" in str(Battle.objects.get().result) and "Guest_" not in stored()
    assert guest.get("/").status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [{"mage": "Emberlin"}, {"mage": "target"}, {"mage": "Guest_one"}, {"mage": "Redgoblin"}, {"username": "Emberlin"},
     {"username": ""}, {"password1": "password"}, {"email": "nothing"}],
)  # fmt: skip
def test_names_and_passwords_are_checked_as_in_sign_up(guest, wrong):
    make_mage("Emberlin")
    before = stored()
    response = guest.post("/keep/", {**DETAILS, **wrong})
    assert response.status_code == 422 and User.objects.filter(is_guest=True).count() == 1
    assert stored() == before and not EmailAddress.objects.exists()


def test_a_failure_half_way_changes_nothing(guest):
    user, before = User.objects.get(is_guest=True), stored()
    register_mage(user=create_user(name="Anna", now=timezone.now()), name="Taken", now=timezone.now())
    with pytest.raises(InvalidName):
        keep_guest(user=user, name="Newby", mage_name="Taken", email="", password=None, now=timezone.now())
    user.refresh_from_db()
    assert user.is_guest and stored() == before and not Name.objects.filter(key="newby").exists()


def test_strangers_and_users_have_nothing_to_keep(guest):
    assert Client().post("/keep/", DETAILS)["Location"] == "/accounts/signup/"
    user = make_mage("Emberlin").user
    assert client_of(user).post("/keep/", DETAILS)["Location"] == "/"
    user.refresh_from_db()
    assert user.username != "Newby" and User.objects.filter(is_guest=True).exists()


def test_a_guest_who_kept_their_mage_is_not_forgotten_after_thirty_days(guest):
    guest.post("/keep/", DETAILS)
    now = timezone.now()
    for day in range(1, 40):
        sweep_deadlines(now=now + timedelta(days=day))
        sweep_absent_users(now=now + timedelta(days=day))
    user = User.objects.get(username="Newby")
    assert user.is_active and Mage.objects.get(user=user).is_alive
