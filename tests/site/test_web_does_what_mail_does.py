"""Pages do the same as RETIRE, QUIT, CHANGEUSER, MESSAGE, SUBSCRIBE and RESEND, by the same services."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import Block, Follow, Mage, User
from accounts.services.mages import register_mage
from accounts.services.rename import rename_user
from accounts.services.ties import block_user, follow_user
from accounts.services.users import create_user
from duels.models import Subscription
from notifications.models import Notice
from tests.duels.fights import start_fight
from tests.email_gateway.world import MailWorld
from tests.scenes import log_in, make_mage
from tests.services.second_factors import prove_lately

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def froodal():
    return make_mage("Froodal")


@pytest.fixture
def bung():
    return make_mage("Bung")


def read(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_mage_without_a_score_leaves_and_only_its_user_can_let_it(froodal, bung):
    address = "/mages/Froodal/leave/"
    assert log_in(bung.user).post(address, {"act": "quit"}).status_code == 403
    client = log_in(froodal.user)
    assert "Retire Froodal" not in read(client.get(address))  # nothing to keep
    assert client.post(address, {"act": "nonsense"}).status_code == 422
    assert Mage.objects.get(name="Froodal").is_alive
    assert client.post(address, {"act": "quit"})["Location"] == "/accounts/mages/"
    assert not Mage.objects.get(name="Froodal").is_alive
    assert client.post(address, {"act": "quit"})["Location"] == "/mages/Froodal/"  # the second click


def test_a_mage_in_a_battle_stays(froodal, bung):
    fight = start_fight(froodal, bung)
    client = log_in(froodal.user)
    assert f"battle {fight.number}" in read(client.get("/mages/Froodal/leave/"))
    assert client.post("/mages/Froodal/leave/", {"act": "quit"}).status_code == 422
    assert Mage.objects.get(name="Froodal").is_alive
    prove_lately(client, froodal.user)
    page = client.post("/accounts/close/", {"name": froodal.user.username})
    assert page.status_code == 422 and User.objects.get(pk=froodal.user_id).is_active


def test_an_account_is_closed_with_its_mages_after_its_name_is_typed(froodal):
    client = log_in(froodal.user)
    prove_lately(client, froodal.user)
    assert client.post("/accounts/close/", {"name": "Somebody"}).status_code == 422
    assert User.objects.get(pk=froodal.user_id).is_active
    answer = client.post("/accounts/close/", {"name": froodal.user.username}, follow=True)
    assert "Your account is closed." in read(answer)
    assert not User.objects.get(pk=froodal.user_id).is_active and not Mage.objects.get(pk=froodal.pk).is_alive
    assert client.get("/accounts/settings/").status_code == 302


def test_the_page_names_the_mages_whose_names_would_still_tell_who_left(froodal):
    client = log_in(froodal.user)
    words = "A mage of yours has a name that you have or had yourself"
    assert words not in read(client.get("/accounts/close/"))
    own = register_mage(user=froodal.user, name=froodal.user.username, now=NOW)
    rename_user(user=froodal.user, name="Osse", now=NOW)
    assert f"{words}: {own.name}." in read(client.get("/accounts/close/"))


def test_the_export_contains_the_users_data_and_nobody_elses(froodal, bung):
    EmailAddress.objects.create(user=bung.user, email="bung@example.org", verified=True, primary=True)
    fight = start_fight(froodal, bung)
    fight.order("Froodal", "P/D")
    client = log_in(froodal.user)
    prove_lately(client, froodal.user)
    told = json.loads(client.post("/accounts/export/").content)
    assert told["user"]["username"] == froodal.user.username
    assert [mage["name"] for mage in told["mages"]] == ["Froodal"]
    assert told["battles"][0]["number"] == fight.number
    assert {order["mage"] for order in told["orders"]} == {"Froodal"}
    assert "bung@example.org" not in json.dumps(told)
    assert log_in(bung.user).get("/accounts/export/").status_code == 405


def test_after_the_proof_of_identity_the_page_with_the_button_comes_back_and_the_download_works(froodal):
    froodal.user.set_password("correct horse")
    froodal.user.save()
    client = log_in(froodal.user)
    asked = client.post("/accounts/export/")
    assert asked.status_code == 302 and asked["Location"].startswith("/accounts/reauthenticate/")
    page = client.post(asked["Location"], {"password": "correct horse"})
    assert (page.status_code, page["Location"]) == (302, "/accounts/close/")
    assert "Download my data" in read(client.get("/accounts/close/"))
    assert "attachment" in client.post("/accounts/export/")["Content-Disposition"]


def test_an_old_name_leads_to_the_user_on_the_page_and_in_info(froodal, settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    old = froodal.user.username
    rename_user(user=froodal.user, name="Osse", now=NOW)
    answer = Client().get(f"/users/{old.lower()}/")
    assert (answer.status_code, answer["Location"]) == (302, "/users/Osse/")
    info = MailWorld().ask(f"INFO {old} Nobody_here")
    assert f"{old} is now called Osse." in info and "Osse" in info.partition("User:")[2] and "Nobody_here" in info


def test_a_name_is_changed_once_in_30_days(froodal):
    client = log_in(froodal.user)
    assert client.post("/accounts/name/", {"name": "9lives"}).status_code == 422
    assert client.post("/accounts/name/", {"name": "Osse"})["Location"] == "/accounts/settings/"
    assert User.objects.get(pk=froodal.user_id).username == "Osse"
    again = client.post("/accounts/name/", {"name": "Ossian"})
    assert again.status_code == 422 and "You changed your name recently." in read(again)


def test_followers_of_a_user_follow_the_battles_they_start(froodal, bung):
    fan = create_user(name="Fanny", email="fanny@example.org", password="not so secret", now=NOW)
    client = log_in(fan)
    address = f"/users/{froodal.user.username}/follow/"
    page = client.get(f"/users/{froodal.user.username}/").content.decode()
    assert address in page and "/inbox/" in page and "/challenges/new/?against=Froodal" in page
    for _ in range(2):
        assert client.post(address).status_code == 302
    assert Follow.objects.count() == 1
    fight = start_fight(froodal, bung)
    assert [row.user for row in Subscription.objects.filter(battle=fight.battle)] == [fan]
    assert froodal.user.username in client.get("/following/").content.decode()
    client.post(address, {"act": "stop"})
    client.post(f"/battles/{fight.number}/follow/", {"act": "stop"})
    assert not Follow.objects.exists() and not Subscription.objects.exists()


@pytest.mark.parametrize("blocks", ["the one followed", "the follower"])
def test_with_a_block_between_them_neither_follows_the_other(froodal, bung, blocks):
    fan = create_user(name="Fanny", email="fanny@example.org", password="not so secret", now=NOW)
    follow_user(user=fan, followed=froodal.user, now=NOW)
    follow_user(user=froodal.user, followed=fan, now=NOW)
    one, other = (froodal.user, fan) if blocks == "the one followed" else (fan, froodal.user)
    block_user(user=one, blocked=other, now=NOW)
    assert not Follow.objects.exists()
    answer = log_in(fan).post(f"/users/{froodal.user.username}/follow/", follow=True)
    assert f"You cannot follow {froodal.user.username}: there is a block between you." in read(answer)
    start_fight(froodal, bung)
    assert not Follow.objects.exists() and not Subscription.objects.exists()


def test_a_spectator_follows_a_battle_and_a_player_does_not_need_to(froodal, bung):
    fan = create_user(name="Fanny", email="fanny@example.org", password="not so secret", now=NOW)
    fight = start_fight(froodal, bung)
    address = f"/battles/{fight.number}/follow/"
    assert address in log_in(fan).get(f"/battles/{fight.number}/").content.decode()
    assert address not in log_in(froodal.user).get(f"/battles/{fight.number}/").content.decode()
    for client in (log_in(fan), log_in(fan), log_in(froodal.user)):
        assert client.post(address).status_code == 302
    assert [row.user for row in Subscription.objects.filter(battle=fight.battle)] == [fan]
    assert Client().post(address)["Location"].startswith("/accounts/login/")
    assert log_in(fan).post("/battles/999999/follow/").status_code == 404


def test_a_guest_neither_follows_nor_writes(froodal, bung):
    guest = User.objects.create(username="Guest_7", is_guest=True, created_at=NOW, last_active_at=NOW)
    fight = start_fight(froodal, bung)
    client = log_in(guest)
    for address in (f"/users/{froodal.user.username}/follow/", f"/battles/{fight.number}/follow/", "/messages/new/"):
        assert client.post(address, {"to": "Bung", "text": "hi"})["Location"] == "/keep/", address
    assert (
        not Follow.objects.exists()
        and not Subscription.objects.exists()
        and not Notice.objects.filter(kind="message").exists()
    )


def test_your_own_profile_has_no_actions_and_others_offer_to_block(froodal, bung):
    client = log_in(froodal.user)
    assert "profile-actions" not in client.get(f"/users/{froodal.user.username}/").content.decode()
    page = f"/users/{bung.user.username}/"
    assert "profile-actions" in client.get(page).content.decode()
    client.post("/accounts/blocks/", {"name": bung.user.username, "next": page})
    assert Block.objects.count() == 1
    assert "/accounts/blocks/lift/" in client.get(page).content.decode()


def test_kept_emails_are_sent_again_once_a_minute(froodal):
    client = log_in(froodal.user)
    assert client.get("/accounts/emails/").status_code == 200
    assert client.post("/accounts/emails/", {"count": "0"}).status_code == 422
    assert "We have no copies of emails to you" in read(client.post("/accounts/emails/", {"count": "2"}, follow=True))
    again = client.post("/accounts/emails/", {"count": "2"})
    assert again.status_code == 422 and "Wait a minute" in read(again)
