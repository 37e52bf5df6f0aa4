"""The demonstration: complete, loaded once, and never without DEBUG."""

import base64

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import call_command
from django.utils import timezone

from accounts.janitors import is_janitor
from accounts.models import Mage, Name, User
from accounts.selectors.users import list_janitors
from accounts.services.users import create_user
from challenges.models import Challenge
from duels.models import Battle
from fm_site.demonstration.loading import close_demonstration, load_demonstration
from fm_site.demonstration.people import CLARA, DEMONSTRATION, make_code
from tests.services.second_factors import read_code

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded():
    return load_demonstration(now=timezone.now())


def test_it_has_two_players_a_janitor_an_open_challenge_and_a_duel_in_its_third_turn(loaded):
    assert loaded
    assert User.objects.count() == 3
    assert [user.username for user in User.objects.all() if is_janitor(user)] == ["Clara"]
    assert Mage.objects.count() == 3
    assert Challenge.objects.filter(status=Challenge.Status.OPEN).count() == 1
    battle = Battle.objects.get()
    assert battle.label == "3"
    assert battle.status == Battle.Status.RUNNING


def test_its_users_can_log_in(loaded, client):
    for who in DEMONSTRATION:
        assert client.login(username=who.username, password=who.password)


def test_loading_it_again_changes_nothing(loaded):
    assert not load_demonstration(now=timezone.now())
    assert (User.objects.count(), Battle.objects.count(), Challenge.objects.count()) == (3, 1, 2)


def test_an_older_demonstration_gets_a_janitor(loaded, client):
    Name.objects.filter(written=CLARA.username).delete()
    User.objects.filter(username=CLARA.username).delete()
    load_demonstration(now=timezone.now())
    assert log_in_with_code(client) == "/admin/desk/"
    assert client.get("/admin/desk/").status_code == 200


def log_in_with_code(client):
    """Log in as the janitor, like someone who tries the demonstration; return where it redirects."""
    asked = client.post(
        "/accounts/login/?next=/admin/desk/",
        {"login": CLARA.username, "password": CLARA.password, "next": "/admin/desk/"},
    )
    assert "2fa" in asked["Location"]
    return client.post(asked["Location"], {"code": read_code(CLARA.totp_secret)})["Location"]


def test_its_janitor_opens_the_desk_with_the_code_that_the_terminal_prints(loaded, client):
    assert log_in_with_code(client) == "/admin/desk/"
    assert client.get("/admin/desk/").status_code == 200


def test_a_code_is_that_of_the_standard():
    # RFC 6238, appendix B: the last six of the eight digits.
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert [make_code(secret, moment) for moment in (59, 1111111109, 20000000000)] == ["287082", "081804", "353130"]


def test_without_debug_no_user_is_created(settings):
    settings.DEBUG = False
    call_command("load_demonstration")
    assert not User.objects.exists()


def test_without_debug_users_of_an_earlier_demonstration_cannot_log_in(loaded, client, settings):
    who = DEMONSTRATION[0]
    client.login(username=who.username, password=who.password)
    settings.DEBUG = False
    call_command("load_demonstration")
    assert "_auth_user_id" not in client.session or not client.get("/").wsgi_request.user.is_authenticated
    assert not client.login(username=who.username, password=who.password)


def test_with_debug_again_they_can_log_in(loaded, client):
    assert close_demonstration() == 3
    assert list_janitors() == []
    assert not Authenticator.objects.exists()
    load_demonstration(now=timezone.now())
    assert client.login(username=DEMONSTRATION[1].username, password=DEMONSTRATION[1].password)


def test_a_real_user_with_the_same_name_can_still_log_in(client, settings, capsys):
    create_user(name=DEMONSTRATION[0].username, email="anna@example.org", password="my own secret", now=timezone.now())
    settings.DEBUG = settings.FM_DEMO = True
    call_command("load_demonstration")
    assert "Demonstration not loaded" in capsys.readouterr().err
    assert close_demonstration() == 0
    assert client.login(username=DEMONSTRATION[0].username, password="my own secret")
