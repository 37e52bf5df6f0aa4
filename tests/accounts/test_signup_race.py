"""Many sign-ups with one address at the same time make one user."""

import re
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

from accounts.errors import AddressTaken
from accounts.models import User
from accounts.services.users import create_user
from fm_site.notifications.models import Notice
from fm_site.notifications.selectors.notices import facts_with_secrets
from tests.races import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TWENTY = 20


def sign_up(number):
    # From different networks, because this does not test the limit for one.
    browser = Client(REMOTE_ADDR=f"198.51.{number}.7")
    form = {"username": f"Carla{'abcdefghijklmnopqrst'[number]}", "email": "Carla@Example.org", "password1": ""}
    return browser.post("/accounts/signup/", form).status_code


def test_twenty_sign_ups_with_one_address_make_one_user():
    answers = at_once(*(partial(sign_up, number) for number in range(TWENTY)))
    assert set(answers) <= {200, 302}, answers
    assert User.objects.count() == 1


def test_twenty_confirmed_by_email_with_one_address_make_one_user():
    def confirm(number):
        name = f"Carla{'abcdefghijklmnopqrst'[number]}"
        return create_user(name=name, email="carla@example.org", email_verified=True, now=timezone.now())

    results = at_once(*(partial(confirm, number) for number in range(TWENTY)))
    assert User.objects.count() == 1
    assert sum(isinstance(result, AddressTaken) for result in results) == TWENTY - 1


def test_a_second_sign_up_is_possible_once_the_address_is_confirmed_or_after_a_day():
    assert sign_up(0) == 302
    page = Client().post("/accounts/signup/", {"username": "Carlos", "email": "carla@example.org", "password1": ""})
    assert "just signed up with this address" in page.content.decode()
    assert not User.objects.filter(username="Carlos").exists()
    link = facts_with_secrets(Notice.objects.get(kind="confirm_address"))["link"]
    Client().post(re.search(r"/accounts/confirm-email/.*", link).group())
    # Others do not learn that an address is verified: the sign-up continues, but they never get that address.
    assert sign_up(1) == 302
    assert User.objects.count() == 2
