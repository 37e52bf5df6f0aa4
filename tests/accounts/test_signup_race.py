"""Sign-ups with one address: each is answered alike, and one of them gets it."""

import re
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.errors import AddressTaken
from accounts.models import User
from accounts.services.users import create_user
from notifications.models import Notice
from notifications.selectors.notices import facts_with_secrets
from tests.races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TWENTY = 20


def sign_up(number):
    """Return the answer, without the new user's name. Each comes from another network: this does not test the limit for
    one."""
    name = f"Carla{'abcdefghijklmnopqrst'[number]}"
    browser = Client(REMOTE_ADDR=f"198.51.{number}.7")
    form = {"username": name, "email": "Carla@Example.org", "password1": ""}
    answer = browser.post("/accounts/signup/", form)
    page = browser.get(answer.headers.get("Location", "/"))
    text = re.sub(r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"|"csrf": *"[^"]*"', "", page.content.decode())
    return answer.status_code, text.replace(name, "Carla").replace(name.lower(), "carla")


def confirm(notice):
    Client().post(re.search(r"/accounts/confirm-email/.*", facts_with_secrets(notice)["link"]).group())


def test_of_twenty_sign_ups_with_one_address_one_user_gets_it():
    answers = at_once(*(partial(sign_up, number) for number in range(TWENTY)))
    assert {status for status, _text in answers} == {302}, answers
    at_once(*(partial(confirm, notice) for notice in Notice.objects.filter(kind="confirm_address")))
    assert EmailAddress.objects.filter(email="carla@example.org", verified=True).count() == 1


def test_twenty_confirmed_by_email_with_one_address_make_one_user():
    def confirm(number):
        name = f"Carla{'abcdefghijklmnopqrst'[number]}"
        return create_user(name=name, email="carla@example.org", email_verified=True, now=timezone.now())

    results = at_once(*(partial(confirm, number) for number in range(TWENTY)))
    assert User.objects.count() == 1
    assert sum(isinstance(result, AddressTaken) for result in results) == TWENTY - 1


def test_a_sign_up_is_answered_in_the_same_words_whether_or_not_the_address_has_been_used():
    unused = sign_up(0)
    waiting = sign_up(1)
    confirm(Notice.objects.filter(kind="confirm_address").latest("pk"))
    confirmed = sign_up(2)
    assert unused[0] == 302
    assert waiting == unused
    assert confirmed == unused
