"""Live and ready are different, and without its database the site says when to try again."""

from datetime import timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from fm_site.operations import clock_check
from tests.services.stack import find_free_ports

# Of tests.services.fixtures: the real clocks are compared here.
COMPARES_CLOCKS = True
pytestmark = pytest.mark.django_db(transaction=True)
PAGES = (
    "/",
    "/accounts/login/",
    "/battles/",
    "/battles/1/",
    "/challenges/",
    "/ladder/",
    "/admin/desk/",
    "/users/Anna/",
)


@pytest.fixture
def no_database(monkeypatch):
    """The test's database connection leads to an address without a server."""
    connections.close_all()
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(find_free_ports(1)[0]))
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {"connect_timeout": 2})
    yield
    monkeypatch.undo()
    connections.close_all()


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/health/ready/", "/up/"])
def test_a_healthy_site_is_live_and_ready_under_any_host_and_scheme(settings, path):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["play.example.org"]
    answer = Client().get(path, headers={"host": "10.0.0.7"})
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-store" and not answer.cookies


def test_probes_change_nothing():
    assert Client().post("/health/ready").status_code == 405
    assert Client().head("/health/ready").status_code == 200


@pytest.mark.postgres
def test_without_its_database_the_site_is_live_and_not_ready(no_database):
    client = Client(raise_request_exception=False)
    assert client.get("/health/live").status_code == 200
    for path in ("/health/ready", "/up/"):
        answer = client.get(path)
        assert answer.status_code == 503 and b"database: down" in answer.content and answer["Retry-After"]


@pytest.mark.postgres
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("path", PAGES)
def test_without_its_database_every_page_says_when_to_come_again(settings, no_database, path, debug):
    settings.DEBUG = debug
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "somebodyssession"
    answer = client.get(path)
    assert answer.status_code == 503 and answer["Retry-After"] == "10"
    assert b"Traceback" not in answer.content and b"briefly unavailable" in answer.content


@pytest.mark.postgres
@pytest.mark.parametrize("authorization", [{}, {"Authorization": "Bearer something"}])
def test_without_its_database_the_api_answers_as_a_problem(no_database, authorization):
    client = Client(raise_request_exception=False)
    told = client.post(
        "/api/battles/1/orders/", {"orders": "x"}, content_type="application/json", headers=authorization
    )
    if not authorization:
        told = client.get("/api/battles/1/")
    assert told.status_code == 503 and told["Retry-After"] == "10"
    assert told["Content-Type"] == "application/problem+json" and told.json()["status"] == 503


@pytest.mark.once
@pytest.mark.parametrize("days", [40, -40])
def test_a_site_whose_clock_is_wrong_is_not_ready(monkeypatch, days):
    wrong = timezone.now() + timedelta(days=days)
    monkeypatch.setattr(clock_check.timezone, "now", lambda: wrong)
    answer = Client().get("/health/ready")
    clock_check.forget_verdict()
    assert answer.status_code == 503 and b"clock: off" in answer.content
