"""Blocking and unblocking someone on the pages."""

import pytest
from django.urls import reverse

from accounts.models import Block
from accounts.selectors.ties import list_blocked_by
from accounts.services.mages import register_mage
from accounts.services.ties import block_user
from accounts.services.users import create_user
from duels.services.chat import write_chat_line
from notifications.selectors.notices import wants_mail
from notifications.services.preferences import set_preference
from tests.challenges.conftest import make_challenge
from tests.challenges.votes import accept
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user

BLOCKS, LIFT = "/accounts/blocks/", "/accounts/blocks/lift/"


@pytest.fixture
def bung(boris):
    return register_mage(user=boris, name="Bung", now=NOW)


@pytest.mark.parametrize("name", ["Bung", "bung", "BORIS"])
def test_a_user_is_blocked_by_their_name_or_a_mages(client, anna, boris, bung, name):
    client.force_login(anna)
    answer = client.post(BLOCKS, {"name": name}, follow=True)
    assert answer.redirect_chain == [(BLOCKS, 302)]
    assert f"You have blocked {boris.username}. Neither of you can write to or challenge the other." in answer.text
    assert list(list_blocked_by(anna)) == [boris] and not list_blocked_by(boris)
    client.post(BLOCKS, {"name": name})
    assert Block.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Bnug", "No user or mage is called Bnug. Did you mean Bung?"),
        ("Anna", "You cannot block yourself."),
        ("", "required"),
    ],
)
def test_unknown_users_and_oneself_cannot_be_blocked(client, anna, bung, name, words):
    client.force_login(anna)
    answer = client.post(BLOCKS, {"name": name})
    assert answer.status_code == 422 and words in answer.text
    assert not Block.objects.exists()


def test_only_its_maker_removes_a_block(client, anna, boris, bung):
    client.force_login(anna)
    client.post(BLOCKS, {"name": "Boris"})
    assert "Unblock" in client.get(BLOCKS).text
    client.force_login(boris)
    assert client.post(LIFT, {"name": "Anna"}).status_code == 404
    assert "Anna" not in client.get(BLOCKS).text.split("<main")[1], "users do not learn who blocks them"
    client.force_login(anna)
    assert "You no longer block Boris." in client.post(LIFT, {"name": "Boris"}, follow=True).text
    assert client.post(LIFT, {"name": "Boris"}).status_code == 404
    assert not Block.objects.exists()


def test_blocking_from_a_challenge_returns_to_it_and_to_no_other_site(client, anna, bung):
    client.force_login(anna)
    assert client.post(BLOCKS, {"name": "Bung", "next": "/challenges/7/"})["Location"] == "/challenges/7/"
    assert client.post(BLOCKS, {"name": "Bung", "next": "//evil.example/"})["Location"] == BLOCKS


def test_every_page_that_offers_to_block_leads_to_the_page_about_blocks(client, anna, boris):
    """And what it says is true: the other finds out where they meet a block, and is told so."""
    anna_mage, bung = register_mage(user=anna, name="Ayla", now=NOW), register_mage(user=boris, name="Bung", now=NOW)
    challenge = make_challenge(anna_mage, limit=3)
    accept(challenge, bung)
    fight = start_fight(register_mage(user=anna, name="Froodal", now=NOW), make_mage("Crom"))
    write_chat_line(battle=fight.battle, user=make_user("Fanny"), text="hello", once="0" * 16, now=NOW)
    client.force_login(boris)
    for address in (BLOCKS, f"/challenges/{challenge.number}/", f"/battles/{fight.number}/chat/", "/users/Anna/"):
        assert 'href="/blocks/"' in client.get(address).text, address
    assert "A user who tries learns that there is a block between you" in client.get("/blocks/").text
    block_user(user=anna, blocked=boris, now=NOW)
    other = make_challenge(register_mage(user=anna, name="Rinn", now=NOW), limit=3)
    assert "There is a block between you and someone here." in client.get(f"/challenges/{other.number}/").text


def test_the_settings_lead_to_the_blocks(client, anna):
    client.force_login(anna)
    assert f'href="{BLOCKS}"' in client.get(reverse("accounts:preferences")).text


@pytest.mark.parametrize(
    ("key", "stopped", "still"),
    [
        ("mail_challenges", "challenged", "challenge_accepted"),
        ("mail_seats", "challenge_withdrawn", "change_proposed"),
        ("mail_changes", "change_lapsed", "challenged"),
    ],
)
def test_each_kind_of_notice_about_challenges_can_be_turned_off(db, key, stopped, still):
    rinn = create_user(name="Rinn", now=NOW)
    assert wants_mail(rinn, stopped)
    set_preference(user=rinn, key=key, value="no")
    assert not wants_mail(rinn, stopped) and wants_mail(rinn, still)
