"""The one who proves an address owns the account: what someone else created before with that address ends."""

import re

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, PushDevice, User
from accounts.services.tokens import issue_api_token
from email_gateway.compose.notices import compose_notice
from notifications.models import Delivery, Hook, Notice
from notifications.selectors.notices import address_for_notices, facts_with_secrets
from tests.accounts.conftest import PASSWORD
from tests.scenes import NOW, log_in
from tests.services.second_factors import give_second_factor

ADDRESS = "carla@example.org"
NEW = "seven-salt-stairs"
CODE = "/accounts/login/code/"
pytestmark = pytest.mark.django_db


def sign_up(name="Carla", address=ADDRESS, password=PASSWORD):
    browser = Client()
    browser.post("/accounts/signup/", {"username": name, "email": address, "password1": password})
    return browser, User.objects.get(username=name)


def is_logged_in(browser):
    return browser.get("/accounts/settings/").status_code == 200


def can_log_in(name, password):
    browser = Client()
    browser.post("/accounts/login/", {"login": name, "password": password})
    return is_logged_in(browser)


def secrets_of(kind):
    return facts_with_secrets(Delivery.objects.select_related("notice").filter(notice__kind=kind).latest("pk").notice)


def enter_by_code(address=ADDRESS):
    browser = Client()
    browser.post(CODE, {"email": address})
    return browser, browser.post(f"{CODE}confirm/", {"code": secrets_of("login_code")["code"]}, follow=True)


def arm(user):
    """Give a user everything with which someone can log in or act for them later."""
    issue_api_token(user=user, name="later", now=NOW)
    User.objects.filter(pk=user.pk).update(mail_password="pbkdf2$x", has_webhook=True, has_push=True)
    Hook.objects.create(user=user, scope="user", place="x", format="json", sealed="", created_at=NOW)
    PushDevice.objects.create(
        user=user, endpoint="https://push.example/1", endpoint_hash="1", sealed_keys="", session_key="", created_at=NOW
    )
    give_second_factor(user)
    EmailAddress.objects.create(user=user, email="squatter@example.org")


def list_credentials(user):
    fresh = User.objects.get(pk=user.pk)
    rows = (ApiToken, Hook, PushDevice, Authenticator)
    return [model.__name__ for model in rows if model.objects.filter(user=user).exists()] + [
        name for name in ("mail_password", "has_webhook", "has_push") if getattr(fresh, name)
    ]


def by_login_code():
    return enter_by_code()[0]


def by_password_reset():
    browser = Client()
    browser.post(reverse("account_reset_password"), {"email": ADDRESS})
    browser.post(reverse("account_confirm_password_reset_code"), {"code": secrets_of("password_reset")["code"]})
    browser.post(reverse("account_complete_password_reset"), {"password1": NEW, "password2": NEW})
    return browser


def by_link():
    browser = Client()
    browser.post(re.search(r"/accounts/confirm-email/.*", secrets_of("confirm_address")["link"]).group())
    return browser


@pytest.mark.parametrize("prove", [by_login_code, by_password_reset, by_link])
def test_the_owner_of_an_address_ends_every_credential_of_the_one_who_signed_up_with_it(prove):
    squatter, user = sign_up()
    arm(user)
    assert is_logged_in(squatter) and len(list_credentials(user)) == 7
    prove()
    assert address_for_notices(User.objects.get(pk=user.pk)) == ADDRESS
    assert not is_logged_in(squatter)
    assert not can_log_in("Carla", PASSWORD)
    assert list_credentials(user) == []
    assert [row.email for row in EmailAddress.objects.filter(user=user)] == [ADDRESS]


def test_the_owner_stays_logged_in_is_told_and_can_choose_a_password():
    sign_up()
    owner, page = enter_by_code()
    assert "no longer work, because someone else could have created them" in page.content.decode()
    assert is_logged_in(owner)
    notice = Notice.objects.get(kind="account_changed", facts__what="address_proven")
    assert "choose a new password" in " ".join(
        compose_notice(kind=notice.kind, facts=notice.facts, user=notice.user).text.split()
    )
    owner.post(reverse("account_set_password"), {"password1": NEW, "password2": NEW})
    assert can_log_in("Carla", NEW)


def test_a_second_factor_of_the_one_who_signed_up_does_not_keep_the_owner_out():
    _squatter, user = sign_up()
    give_second_factor(user)
    owner, _page = enter_by_code()
    assert is_logged_in(owner)


def test_a_second_address_of_the_one_who_signed_up_can_no_longer_be_confirmed():
    squatter, _user = sign_up()
    squatter.post(reverse("account_email"), {"action_add": "", "email": "squatter@example.org"})
    key = EmailConfirmationHMAC(EmailAddress.objects.get(email="squatter@example.org")).key
    enter_by_code()
    assert Client().post(reverse("account_confirm_email", args=[key])).status_code == 404
    assert not EmailAddress.objects.filter(email="squatter@example.org").exists()


def test_nothing_ends_where_the_one_who_confirms_is_logged_in():
    browser, user = sign_up()
    token, _text = issue_api_token(user=user, name="bot", now=timezone.now())
    browser.post(re.search(r"/accounts/confirm-email/.*", secrets_of("confirm_address")["link"]).group())
    assert address_for_notices(User.objects.get(pk=user.pk)) == ADDRESS
    assert is_logged_in(browser) and can_log_in("Carla", PASSWORD)
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_a_later_code_ends_nothing():
    sign_up()
    owner, _page = enter_by_code()
    owner.post(reverse("account_set_password"), {"password1": NEW, "password2": NEW})
    enter_by_code()
    assert is_logged_in(owner) and can_log_in("Carla", NEW)


def test_an_address_that_another_user_added_to_theirs_does_not_lead_into_their_account(anna):
    """The owner of the address gets no code and no new password for it, and can sign up."""
    browser = log_in(anna)
    browser.post(reverse("account_email"), {"action_add": "", "email": ADDRESS})
    assert EmailAddress.objects.filter(user=anna, email=ADDRESS, verified=False).exists()
    for path in (CODE, reverse("account_reset_password")):
        Client().post(path, {"email": ADDRESS})
    assert not Notice.objects.filter(kind__in=["login_code", "password_reset"]).exists()
    sign_up()
    enter_by_code()
    assert EmailAddress.objects.get(email=ADDRESS, verified=True).user.username == "Carla"


def test_a_further_address_counts_only_where_its_user_is_logged_in(anna):
    browser = log_in(anna)
    browser.post(reverse("account_email"), {"action_add": "", "email": ADDRESS})
    path = reverse("account_confirm_email", args=[EmailConfirmationHMAC(EmailAddress.objects.get(email=ADDRESS)).key])
    stranger = Client()
    stranger.post(path)
    assert "Log in as Anna" in stranger.get("/accounts/login/").content.decode()
    assert not EmailAddress.objects.get(email=ADDRESS).verified
    browser.post(path)
    assert EmailAddress.objects.get(email=ADDRESS).verified
