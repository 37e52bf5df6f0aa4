"""The desk and Django's admin open to janitors who have proven a second factor, and to nobody else."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.duels.janitors import make_janitor
from tests.scenes import make_user
from tests.services.second_factors import SECRET, give_second_factor, prove, read_code, record_proof

pytestmark = [pytest.mark.django_db, pytest.mark.unproven]

PAGES = ("/admin/", "/admin/desk/", "/admin/accounts/user/", "/admin/duels/battle/")
PASSWORD = "six-slow-snails"


def make_superuser():
    return User.objects.create_superuser("Keeper", "keeper@example.org", PASSWORD)


@pytest.mark.parametrize("make", [make_janitor, lambda: make_janitor(reads_only=True), make_superuser])
@pytest.mark.parametrize("page", PAGES)
def test_a_password_alone_opens_nothing(client, make, page):
    client.force_login(make())
    answer = client.get(page, follow=True)
    assert answer.status_code == 403
    content = answer.content.decode()
    assert "second factor" in content and reverse("mfa_activate_totp") in content


def test_an_action_is_rejected_before_it_is_carried_out(client):
    client.force_login(make_superuser())
    pavel = make_user("Pavel")
    answer = client.post(f"/admin/accounts/user/{pavel.pk}/act/warn/", {"reason": "none", "text": "none"})
    assert answer["Location"].startswith("/admin/login/")
    assert not User.objects.get(pk=pavel.pk).is_held


def test_a_session_from_before_the_second_factor_confirms_it(client):
    keeper = make_superuser()
    client.force_login(keeper)
    give_second_factor(keeper)
    there = client.get("/admin/desk/", follow=True)
    asked, _ = there.redirect_chain[-1]
    assert asked.startswith(reverse("mfa_reauthenticate"))
    wrong = client.post(asked, {"code": "000000", "next": "/admin/desk/"})
    assert wrong.status_code == 200 and client.get("/admin/desk/").status_code == 302
    right = client.post(asked, {"code": read_code(SECRET), "next": "/admin/desk/"})
    assert right["Location"] == "/admin/desk/"
    assert client.get("/admin/desk/").status_code == 200


def test_a_log_in_with_the_second_factor_opens_the_desk_at_once(client):
    keeper = make_superuser()
    give_second_factor(keeper)
    asked = client.post("/accounts/login/", {"login": "Keeper", "password": PASSWORD, "next": "/admin/desk/"})
    client.post(asked["Location"], {"code": read_code(SECRET)})
    assert client.get("/admin/desk/").status_code == 200


def test_a_removed_or_unproven_second_factor_opens_nothing(client):
    keeper = make_superuser()
    client.force_login(keeper)
    prove(client, keeper)
    assert client.get("/admin/desk/").status_code == 200
    Authenticator.objects.all().delete()
    assert client.get("/admin/desk/", follow=True).status_code == 403
    give_second_factor(keeper)
    assert client.get("/admin/desk/").status_code == 302


def test_someone_elses_proof_does_not_count(client):
    keeper, jane = make_superuser(), make_janitor()
    give_second_factor(keeper)
    factor = give_second_factor(jane)
    client.force_login(keeper)
    record_proof(client, keeper, {"method": "mfa", "id": factor.pk})
    assert client.get("/admin/desk/").status_code == 302


def test_a_player_with_a_second_factor_is_still_a_player(client):
    froodal = make_user("Froodal")
    client.force_login(froodal)
    prove(client, froodal)
    assert client.get("/admin/desk/", follow=True).status_code == 403


@pytest.mark.parametrize("following", ["//evil.example", "{{7*7}}", "https://evil.example/", "javascript:alert(1)"])
def test_log_in_never_redirects_to_another_site(following):
    browser = Client()
    answer = browser.get("/admin/login/", {"next": following})
    assert answer["Location"] == "/accounts/login/?next=%2Fadmin%2Fdesk%2F"


@pytest.mark.django_db(transaction=True)
def test_setting_up_the_app_is_proof_and_its_secret_is_sealed(client):
    client.force_login(make_superuser())
    record_proof(client, User.objects.get(), {"method": "password"})
    secret = client.get(reverse("mfa_activate_totp")).context["form"].secret
    done = client.post(reverse("mfa_activate_totp"), {"code": read_code(secret)})
    assert done.status_code == 302, done.content.decode()
    assert client.get("/admin/desk/").status_code == 200
    assert secret not in str(list(Authenticator.objects.values()))


def test_an_unsealed_secret_can_still_be_read(client):
    keeper = make_superuser()
    client.force_login(keeper)
    factor = give_second_factor(keeper)
    factor.data["secret"] = SECRET
    factor.save()
    client.post(reverse("mfa_reauthenticate"), {"code": read_code(SECRET), "next": "/admin/desk/"})
    assert client.get("/admin/desk/").status_code == 200
