"""One module decides who the client is: it believes trusted proxies, and nobody else."""

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.services.users import create_user
from operations.checks import check_proxies, check_proxies_for_deploy
from operations.web.client_address import client_address, scope_address

CASES = [
    # trusted, peer, X-Forwarded-For, client
    ([], "192.0.2.1", "198.51.100.9", "192.0.2.1"),
    (["192.0.2.1"], "192.0.2.1", "198.51.100.9", "198.51.100.9"),
    (["192.0.2.0/24"], "192.0.2.200", "203.0.113.4, 198.51.100.9", "198.51.100.9"),
    (["192.0.2.0/24"], "192.0.2.200", "198.51.100.9, 192.0.2.7", "198.51.100.9"),
    (["192.0.2.1"], "198.51.100.77", "203.0.113.4", "198.51.100.77"),
    (["192.0.2.1"], "192.0.2.1", "", "192.0.2.1"),
    (["192.0.2.1"], "192.0.2.1", "198.51.100.9, nonsense", "192.0.2.1"),
    (["192.0.2.1"], "192.0.2.1", "nonsense, 198.51.100.9", "198.51.100.9"),
    (["192.0.2.1"], "::ffff:192.0.2.1", "::ffff:198.51.100.9", "198.51.100.9"),
    (["::ffff:192.0.2.0/120"], "192.0.2.1", "198.51.100.9", "198.51.100.9"),
    (["2001:db8::/32"], "2001:db8::1", "[2001:DB8:0:1::5]:4711, 2a00::1%eth0", "2a00::1"),
    (["192.0.2.1"], "192.0.2.1", "198.51.100.9:4711", "198.51.100.9"),
    (["unix"], "", "198.51.100.9", "198.51.100.9"),
    ([], "", "198.51.100.9", ""),
    (["192.0.2.1"], "192.0.2.1", ",".join(["192.0.2.1"] * 5000), "192.0.2.1"),
]


@pytest.mark.parametrize(("trusted", "peer", "forwarded", "client"), CASES)
def test_the_client_is_the_last_address_that_a_trusted_proxy_vouches_for(settings, trusted, peer, forwarded, client):
    settings.FM_TRUSTED_PROXIES = trusted
    request = RequestFactory().get("/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == client
    scope = {"client": (peer, 1) if peer else None, "headers": [(b"x-forwarded-for", forwarded.encode())]}
    assert scope_address(scope) == client


def guess(client, forwarded):
    data = {"login": "Somebody", "password": "wrong"}
    return client.post("/accounts/login/", data, REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR=forwarded)


def count_guesses(client, addresses):
    """How many guesses the site checked before it answered that there were too many."""
    return sum(guess(client, address).status_code != 429 for address in addresses)


@pytest.mark.django_db
def test_a_guesser_behind_the_proxy_locks_out_only_themself(settings):
    settings.FM_TRUSTED_PROXIES = ["192.0.2.1"]
    client = Client()
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip", "login_failed": "3/m/ip"}
    assert count_guesses(client, ["198.51.100.9"] * 8) < 8
    create_user(name="Anna", email="anna@example.org", password="open sesame 7", now=timezone.now())
    data = {"login": "Anna", "password": "open sesame 7"}
    answer = client.post("/accounts/login/", data, REMOTE_ADDR="192.0.2.1", HTTP_X_FORWARDED_FOR="198.51.100.10")
    assert answer.status_code == 302


@pytest.mark.django_db
def test_forged_addresses_do_not_reset_the_limit(settings):
    settings.FM_TRUSTED_PROXIES = ["192.0.2.1"]
    settings.ACCOUNT_RATE_LIMITS = {"login": "3/m/ip", "login_failed": "3/m/ip"}
    written = [f"10.0.0.{number}, 198.51.100.9" for number in range(8)]
    assert count_guesses(Client(), written) < 8


@pytest.mark.django_db
@pytest.mark.parametrize(("peer", "secure"), [("192.0.2.1", True), ("198.51.100.9", False)])
def test_only_a_trusted_proxy_says_that_a_request_came_by_https(settings, peer, secure):
    settings.FM_TRUSTED_PROXIES, settings.SECURE_SSL_REDIRECT = ["192.0.2.1"], True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    answer = Client().get("/privacy/", REMOTE_ADDR=peer, HTTP_X_FORWARDED_PROTO="https")
    assert (answer.status_code == 200) is secure


@pytest.mark.parametrize(
    ("trusted", "told"),
    [
        ([], ["accounts.W001"]),
        (["127.0.0.1", "::1", "unix"], []),
        (["10.0.0.0/8"], []),
        (["0.0.0.0/0"], ["accounts.W002"]),
        (["::/0", "127.0.0.1"], ["accounts.W002"]),
        (["nginx", "192.0.2.0/33"], ["accounts.E001"]),
        (["192.0.2.1/24"], ["accounts.E001"]),
    ],
)
def test_the_check_names_what_is_wrong_with_the_proxies(settings, trusted, told):
    settings.FM_TRUSTED_PROXIES = trusted
    found = [*check_proxies(), *check_proxies_for_deploy()]
    assert [message.id for message in found] == told
