"""The unsubscribe link (RFC 8058): it acts on a POST from anyone who has the email, and does nothing else."""

import re

import pytest
from django.test import Client

from accounts.models import User
from duels.models import Subscription
from duels.services.followers import follow_battle
from notifications.selectors.notices import preferences_of
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import MailWorld


def stop_page(mail) -> str:
    found = re.fullmatch(r"<https?://[^/]+(/mail/stop/[^/]+/)>", str(mail["List-Unsubscribe"]).replace(" ", ""))
    assert found and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return found[1]


def play(duel: MailedDuel) -> dict[str, str]:
    """Play a turn; return the page that stops the report, by address."""
    duel.world.order(duel.battle, duel.froodal, "W/P")
    duel.world.order(duel.battle, duel.bung, "P/S")
    return {str(mail["To"]): stop_page(mail) for mail in duel.world.new_mails()}


def test_anyone_with_the_link_stops_that_kind_of_email_with_one_post(duel: MailedDuel):
    page = play(duel)["frode@example.org"]
    stranger = Client(enforce_csrf_checks=True)
    asked = stranger.get(page)
    assert asked.status_code == 200 and "your battles" in asked.content.decode()
    assert preferences_of(duel.froodal.user)["mail_turns"] == "yes", "programs that follow links stop nothing"
    for _ in range(2):
        assert stranger.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert preferences_of(duel.froodal.user)["mail_turns"] == "no"
    assert preferences_of(duel.froodal.user)["mail_challenges"] == "yes"
    assert set(play(duel)) == {"bill@example.org"}


def test_a_follower_stops_the_emails_about_one_battle(duel: MailedDuel):
    harry = duel.world.user("Harry")
    follow_battle(battle=duel.battle, user=harry, now=duel.world.now)
    page = play(duel)["harry@example.org"]
    assert Client().post(page).status_code == 200
    assert not Subscription.objects.exists()
    assert preferences_of(harry)["mail_turns"] == "yes"


@pytest.mark.parametrize("change", [lambda page: page[:-2] + "x/", lambda page: "/mail/stop/WzEsIm1haWxfdHVybnMiXQ/"])
def test_a_link_that_we_did_not_sign_is_not_found(duel: MailedDuel, change):
    page = change(play(duel)["frode@example.org"])
    assert {Client().get(page).status_code, Client().post(page).status_code} == {404}
    assert preferences_of(duel.froodal.user)["mail_turns"] == "yes"


def test_the_link_of_a_user_who_has_left_is_not_found(duel: MailedDuel):
    page = play(duel)["frode@example.org"]
    User.objects.filter(username="Frode").update(is_active=False)
    assert Client().post(page).status_code == 404


def test_emails_with_codes_and_about_the_account_cannot_be_stopped(world: MailWorld):
    world.user("Wil")
    mails = world.send("USER Wil three-black-moths\nPASSWORD four-grey-herons")
    assert [mail["List-Unsubscribe"] for mail in mails] == [None]
