"""Wrong passwords on the page lock a network out of a name, but not its owner elsewhere."""

from time import monotonic

import pytest
from django.contrib.auth.hashers import get_hasher
from django.test import Client

from accounts.even_time import SECONDS
from accounts.password_limits import ON_THE_PAGE
from operations.web.client_address import network_of
from tests.accounts.conftest import PASSWORD

HERE, NEXT_DOOR, ELSEWHERE = "198.51.100.7", "198.51.100.99", "203.0.113.5"


def try_password(password, *, address, login="anna"):
    """Try to log in from `address`; return whether it worked."""
    browser = Client(REMOTE_ADDR=address)
    browser.post("/accounts/login/", {"login": login, "password": password})
    return "_auth_user_id" in browser.session


@pytest.fixture
def guessed_at(anna_with_password):
    for number in range(ON_THE_PAGE.tries):
        assert not try_password("wrong", address=HERE, login=("anna", "ANNA")[number % 2])
    return anna_with_password


@pytest.mark.parametrize("address", [HERE, NEXT_DOOR, "::ffff:198.51.100.8"])
def test_a_network_that_guessed_is_locked_out_of_that_name(guessed_at, address):
    assert not try_password(PASSWORD, address=address)


def test_wrong_passwords_for_an_address_do_not_show_whose_it_is(anna_with_password):
    for number in range(ON_THE_PAGE.tries):
        assert not try_password("wrong", address=HERE, login=("anna@example.org", "Anna@example.org")[number % 2])
    assert not try_password(PASSWORD, address=HERE, login="anna@example.org")
    assert try_password(PASSWORD, address=HERE, login="anna")


@pytest.mark.parametrize("login", ["anna", "anna@example.org", "nobody", "nobody@example.org"])
def test_every_login_takes_one_hash_of_the_password(anna_with_password, login, monkeypatch):
    hasher, taken = type(get_hasher()), []
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda *args, **kwargs: taken.append(1) or encode(*args, **kwargs))
    assert not try_password("wrong", address=HERE, login=login)
    assert len(taken) == 1


def test_the_owner_logs_in_from_elsewhere_and_others_from_there(guessed_at, boris):
    boris.set_password(PASSWORD)
    boris.save()
    assert try_password(PASSWORD, address=ELSEWHERE)
    assert try_password(PASSWORD, address=HERE, login="boris")


def test_the_refusal_says_what_else_works(guessed_at):
    page = Client(REMOTE_ADDR=HERE).post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    assert "log in with an emailed code" in page.content.decode()


def test_a_network_that_goes_through_many_names_is_stopped(anna_with_password):
    limit = ON_THE_PAGE
    for number in range(limit.tries_of_network):
        limit.count(network=network_of(HERE), name=f"name {number}")
    assert not try_password(PASSWORD, address=HERE)
    assert try_password(PASSWORD, address=ELSEWHERE)


def test_a_name_under_attack_from_everywhere_is_slowed_down_and_never_locked(anna_with_password):
    for number in range(ON_THE_PAGE.slow_from):
        ON_THE_PAGE.count(network=f"10.0.{number}.0/24", name=str(anna_with_password.pk))
    for _ in range(ON_THE_PAGE.tries_when_slow):
        assert not try_password("wrong", address=HERE)
    assert not try_password(PASSWORD, address=HERE)
    assert try_password(PASSWORD, address=ELSEWHERE)


def test_a_correct_password_resets_the_count(anna_with_password):
    for _ in range(2):
        for _ in range(ON_THE_PAGE.tries - 1):
            assert not try_password("wrong", address=HERE)
        assert try_password(PASSWORD, address=HERE)


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


@pytest.mark.parametrize("page", ["/accounts/password/reset/", "/accounts/login/code/"])
def test_asking_for_a_code_takes_the_same_time_for_an_unknown_address(anna_with_password, page):
    for address in ("anna@example.org", "nobody@example.org"):
        begun = monotonic()
        answer = Client(REMOTE_ADDR=HERE).post(page, {"email": address})
        assert answer.status_code == 302 and monotonic() - begun >= SECONDS, address
