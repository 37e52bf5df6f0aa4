"""A user whose email bounces sees that on the site, and how to fix it."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from email_gateway.deliver.bounces import note_failure
from email_gateway.models import MailAddress
from tests.email_gateway.world import MailWorld
from tests.scenes import log_in

WORDS = "Email to you has bounced"


@pytest.fixture
def wil(world: MailWorld) -> User:
    """A user whose address has refused two emails for good."""
    user = world.user("Wil")
    for day in range(2):
        note_failure(address="wil@example.org", error="x", permanent=True, now=world.now + timedelta(days=day))
    user.refresh_from_db()
    return user


def test_only_the_user_sees_it_on_every_page_and_how_to_fix_it(world: MailWorld, wil: User):
    for path in ("/", "/ladder/", "/accounts/email/"):
        page = log_in(wil).get(path).text
        assert WORDS in page and 'href="/accounts/email/"' in page and "5 May 2031" in page
        assert WORDS not in log_in(world.user(f"Other{len(path)}")).get(path).text
        assert WORDS not in Client().get(path).text


def test_users_can_report_a_fixed_address_and_are_notified_if_it_still_fails(world: MailWorld, wil: User):
    client = log_in(wil)
    told = client.post("/mail/again/", follow=True).text
    assert "emailing you again." in told and WORDS not in told
    assert MailAddress.objects.get().bounce_score == 0
    for day in range(3, 5):
        note_failure(address="wil@example.org", error="x", permanent=True, now=world.now + timedelta(days=day))
    assert WORDS in client.get("/").text


def test_nobody_can_report_another_users_address_as_fixed(world: MailWorld, wil: User):
    assert log_in(world.user("Hedda")).post("/mail/again/").status_code == 302
    assert Client().post("/mail/again/").status_code == 302
    wil.refresh_from_db()
    assert wil.mail_fails_since is not None and MailAddress.objects.get().bounce_score == 10


def test_a_new_main_address_is_tried_again(wil: User):
    EmailAddress.objects.create(user=wil, email="wil@example.net", verified=True, primary=False)
    client = log_in(wil)
    told = client.post("/accounts/email/", {"email": "wil@example.net", "action_primary": ""}, follow=True).text
    wil.refresh_from_db()
    assert wil.email == "wil@example.net" and wil.mail_fails_since is None, told
