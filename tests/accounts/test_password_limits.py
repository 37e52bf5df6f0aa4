"""Wrong passwords on the page lock a network out of a name, but not its owner elsewhere."""

import pytest
from django.test import Client

from accounts.password_limits import ON_THE_PAGE
from fm_site.operations.web.client_address import network_of
from tests.accounts.conftest import PASSWORD

HERE, NEXT_DOOR, ELSEWHERE = "198.51.100.7", "198.51.100.99", "203.0.113.5"


def log_in(password, *, address, login="anna"):
    """Try to log in from `address`; return whether it worked."""
    browser = Client(REMOTE_ADDR=address)
    browser.post("/accounts/login/", {"login": login, "password": password})
    return "_auth_user_id" in browser.session


@pytest.fixture
def guessed_at(anna_with_password):
    for number in range(ON_THE_PAGE.tries):
        # It is the same user by name in any case and by address.
        assert not log_in("wrong", address=HERE, login=("anna", "ANNA", "anna@example.org")[number % 3])
    return anna_with_password


@pytest.mark.parametrize("address", [HERE, NEXT_DOOR, "::ffff:198.51.100.8"])
@pytest.mark.parametrize("login", ["anna", "Anna@example.org"])
def test_a_network_that_guessed_is_locked_out_of_that_name(guessed_at, address, login):
    assert not log_in(PASSWORD, address=address, login=login)


def test_the_owner_logs_in_from_elsewhere_and_others_from_there(guessed_at, boris):
    boris.set_password(PASSWORD)
    boris.save()
    assert log_in(PASSWORD, address=ELSEWHERE)
    assert log_in(PASSWORD, address=HERE, login="boris")


def test_the_refusal_says_what_else_works(guessed_at):
    page = Client(REMOTE_ADDR=HERE).post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    assert "log in with an emailed code" in page.content.decode()


def test_a_network_that_goes_through_many_names_is_stopped(anna_with_password):
    limit = ON_THE_PAGE
    for number in range(limit.tries_of_network):
        limit.count(network=network_of(HERE), name=f"name {number}")
    assert not log_in(PASSWORD, address=HERE)
    assert log_in(PASSWORD, address=ELSEWHERE)


def test_a_name_under_attack_from_everywhere_is_slowed_down_and_never_locked(anna_with_password):
    for number in range(ON_THE_PAGE.slow_from):
        ON_THE_PAGE.count(network=f"10.0.{number}.0/24", name=str(anna_with_password.pk))
    for _ in range(ON_THE_PAGE.tries_when_slow):
        assert not log_in("wrong", address=HERE)
    assert not log_in(PASSWORD, address=HERE)
    assert log_in(PASSWORD, address=ELSEWHERE)


def test_a_correct_password_resets_the_count(anna_with_password):
    for _ in range(2):
        for _ in range(ON_THE_PAGE.tries - 1):
            assert not log_in("wrong", address=HERE)
        assert log_in(PASSWORD, address=HERE)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("::ffff:198.51.100.7", "198.51.100.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_a_network_is_the_address_range_of_one_customer(address, network):
    assert network_of(address) == network
