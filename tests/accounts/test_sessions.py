"""Sessions: their rows are no log-ins, they can be ended, and a wrong clock ends none of them."""

from datetime import timedelta
from importlib import import_module

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import serializers
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import PushDevice, User
from accounts.sessions import SessionStore, hash_session_key
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_push_devices import Browser

pytestmark = pytest.mark.django_db
SETTINGS = "/accounts/settings/"
LOGINS = "/accounts/sessions/"


def log_in_on_page(name="anna", password=PASSWORD, **headers):
    browser = Client(**headers)
    browser.post("/accounts/login/", {"login": name, "password": password})
    return browser


def is_logged_in(browser):
    return browser.get(SETTINGS).status_code == 200


def cookie_of(browser):
    return browser.cookies["sessionid"].value


def enter_with(cookie):
    browser = Client()
    browser.cookies["sessionid"] = cookie
    return is_logged_in(browser)


def add_device(browser):
    form = Browser(User.objects.get(username="Anna"), "https://push.example/1").form
    browser.post("/accounts/devices/", form)
    assert PushDevice.objects.exists()


def test_no_row_holds_a_usable_session(anna_with_password):
    """Every text of every row, as a backup has it, is tried as a cookie."""
    browser = log_in_on_page()
    add_device(browser)
    assert enter_with(cookie_of(browser))
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    assert {Session, UserSession, PushDevice} <= {type(row) for row in rows}
    assert cookie_of(browser) not in serializers.serialize("json", rows)
    texts = {
        str(value)
        for row in rows
        for field in row._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField) and (value := field.value_from_object(row))
    }
    assert not any(enter_with(text) for text in texts if text.isprintable() and len(text) < 200)


def test_ending_other_sessions_still_works(anna_with_password):
    here, elsewhere = log_in_on_page(), log_in_on_page(HTTP_USER_AGENT="Elsewhere/1.0")
    page = here.get(LOGINS).content.decode()
    assert page.count("<b>Here</b>") == 1 and "Elsewhere/1.0" in page
    assert "logged out everywhere else" in here.post(LOGINS, follow=True).content.decode()
    assert is_logged_in(here) and not is_logged_in(elsewhere)
    assert not enter_with(cookie_of(elsewhere))
    assert [row.session_key for row in UserSession.objects.all()] == [hash_session_key(cookie_of(here))]
    assert not is_logged_in(Client())


def test_a_new_password_ends_other_sessions_and_keeps_this_one_in_the_list(anna_with_password):
    here, elsewhere = log_in_on_page(), log_in_on_page()
    new = "seven-salt-stairs"
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert is_logged_in(here) and not is_logged_in(elsewhere)
    assert here.get(LOGINS).content.decode().count("<li>") and UserSession.objects.count() == 1


def test_logging_out_deletes_the_row(anna_with_password):
    browser = log_in_on_page()
    cookie = cookie_of(browser)
    browser.post("/accounts/logout/")
    assert not enter_with(cookie) and not Session.objects.filter(pk=hash_session_key(cookie)).exists()


def test_sessions_from_before_keep_their_users_logged_in(anna_with_password):
    browser = log_in_on_page()
    add_device(browser)
    cookie = cookie_of(browser)
    for model in (Session, UserSession, PushDevice):
        model.objects.filter(session_key=hash_session_key(cookie)).update(session_key=cookie)
    assert not enter_with(cookie)
    migration = import_module("accounts.migrations.0013_hash_session_keys")
    for _twice in range(2):
        migration.hash_keys(apps, None)
    assert enter_with(cookie)
    assert {row.session_key for row in (UserSession.objects.get(), PushDevice.objects.get())} == {
        hash_session_key(cookie)
    }


def test_asynchronous_calls_hash_too():
    store = SessionStore()
    store["seen"] = 1
    async_to_sync(store.asave)()
    assert Session.objects.get().pk == hash_session_key(store.session_key)
    again = SessionStore(store.session_key)
    assert async_to_sync(again.aget)("seen") == 1
    assert async_to_sync(store.aexists)(store.session_key)
    async_to_sync(store.adelete)()
    assert not Session.objects.exists()


def set_clock(monkeypatch, now):
    for place in (
        "django.utils.timezone.now",
        "accounts.sessions.timezone.now",
        "accounts.trace_middleware.timezone.now",
    ):
        monkeypatch.setattr(place, lambda: now)


def test_a_session_that_was_read_while_the_clock_was_behind_stays_valid(anna_with_password, monkeypatch):
    browser, now = log_in_on_page(), timezone.now()
    with monkeypatch.context() as wrong:
        set_clock(wrong, now - timedelta(days=40))
        assert is_logged_in(browser)  # writes the session: it is another day
    assert is_logged_in(browser)


def test_a_session_that_had_ended_does_not_come_back_because_the_clock_was_behind(anna_with_password, monkeypatch):
    browser, now = log_in_on_page(), timezone.now()
    Session.objects.update(expire_date=now - timedelta(days=5))
    with monkeypatch.context() as wrong:
        set_clock(wrong, now - timedelta(days=40))
        is_logged_in(browser)
    assert not is_logged_in(browser)


def test_nobody_is_asked_again_right_after_a_log_in_nor_told_that_it_was_long_ago(anna_with_password):
    browser = log_in_on_page()
    sensitive = "/accounts/2fa/totp/activate/"
    assert browser.get(sensitive).status_code == 200
    later = browser.session
    for record in later["account_authentication_methods"]:
        record["at"] -= 3600
    later.save()
    page = browser.get(sensitive, follow=True).content.decode()
    assert "please confirm it's you" in page and "some time ago" not in page
