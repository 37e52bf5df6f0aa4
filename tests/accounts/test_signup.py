"""From the sign-up page to the first mage, logging in and out, only on the pages."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import Mage, User
from accounts.selectors.names import find_user
from accounts.services.users import create_user
from notifications.models import Delivery, Notice
from notifications.selectors.notices import address_for_notices, facts_with_secrets, zone_of
from tests.accounts.conftest import PASSWORD
from tests.scenes import NOW

SIGNUP = "/accounts/signup/"
REGISTER = "/accounts/mages/new/"
CODE = "/accounts/login/code/"
CONFIRM_CODE = "/accounts/login/code/confirm/"


def sign_up(client, **fields):
    return client.post(SIGNUP, {"username": "carla", "email": "Carla@example.org", "password1": PASSWORD, **fields})


def secrets_of(kind):
    return facts_with_secrets(Delivery.objects.select_related("notice").filter(notice__kind=kind).latest("pk").notice)


def is_logged_in(client):
    return "_auth_user_id" in client.session


def test_sign_up_leads_to_the_first_mage_and_then_home(client, db):
    response = sign_up(client)
    assert response["Location"] == REGISTER
    page = client.get(REGISTER).content.decode()
    assert "first mage" in page and page.count("carla@example.org") == 1 and "We have emailed" in page
    response = client.post(REGISTER, {"name": "froodal"})
    assert response["Location"] == "/"
    assert Mage.objects.get().name == "Froodal"
    assert Mage.objects.get().user.username == "Carla"


def test_the_first_field_with_a_problem_has_the_focus_so_that_the_problem_is_heard(client, db):
    assert "autofocus" not in client.get(SIGNUP).text
    page = sign_up(client, email="nobody", password1="1").text
    (focused,) = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert 'name="email"' in focused and 'aria-describedby="id_email_error"' in focused


@pytest.mark.parametrize(("zone", "kept"), [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), ("", "UTC")])
def test_times_are_shown_in_the_time_zone_of_the_device_that_signed_up(client, db, zone, kept):
    assert 'type="hidden" name="time_zone"' in client.get(SIGNUP).content.decode()
    sign_up(client, time_zone=zone)
    assert str(zone_of(User.objects.get())) == kept


def test_sign_up_sends_no_email_itself_but_leaves_a_sealed_confirmation_in_the_outbox(client, db):
    sign_up(client)
    assert mail.outbox == []
    delivery = Delivery.objects.get()
    assert (delivery.address, delivery.notice.kind) == ("carla@example.org", "confirm_address")
    link = facts_with_secrets(delivery.notice)["link"]
    key = re.search(r"/accounts/confirm-email/([^/]+)/", link).group(1)
    assert key not in str(Notice.objects.values().get())


def test_opening_the_link_and_pressing_the_button_verifies_the_address(client, db):
    sign_up(client)
    user = find_user("carla")
    path = re.search(r"/accounts/confirm-email/.*", secrets_of("confirm_address")["link"]).group()
    Client().get(path)
    assert address_for_notices(user) is None  # programs that check links do not confirm
    Client().post(path)
    assert address_for_notices(user) == "carla@example.org"


@pytest.mark.parametrize("name", ["LH", "9lives", "Two words", "RedOgre", "x", "A" * 30])
def test_an_invalid_name_is_rejected_on_the_page_with_a_valid_one(client, db, name):
    page = sign_up(client, username=name).content.decode()
    assert "is available" in page
    assert not User.objects.exists()


def test_a_taken_name_is_rejected_in_any_case(client, anna):
    page = sign_up(client, username="ANNA").content.decode()
    assert "The name ANNA is taken." in page
    assert User.objects.count() == 1


def test_without_a_password_one_signs_up_and_logs_in_by_emailed_code(client, db):
    sign_up(client, password1="")
    user = find_user("carla")
    assert not user.has_usable_password()
    client.post("/accounts/logout/")
    assert not is_logged_in(client)
    client.post(CODE, {"email": "carla@example.org"})
    client.post(CONFIRM_CODE, {"code": secrets_of("login_code")["code"]})
    assert is_logged_in(client)
    assert address_for_notices(user) == "carla@example.org"  # the code proved it


def test_a_wrong_code_does_not_log_in(client, anna):
    client.post(CODE, {"email": "anna@example.org"})
    client.post(CONFIRM_CODE, {"code": "WRONG"})
    assert not is_logged_in(client)


def test_a_code_works_only_in_the_browser_that_asked_for_it(client, anna):
    client.post(CODE, {"email": "anna@example.org"})
    other = Client()
    other.post(CONFIRM_CODE, {"code": secrets_of("login_code")["code"]})
    assert not is_logged_in(other)


@pytest.mark.parametrize("login", ["anna", "ANNA", "Anna@example.org"])
def test_users_log_in_by_name_or_address_in_any_case(client, anna_with_password, login):
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})
    assert is_logged_in(client)


def test_a_wrong_password_does_not_log_in_and_says_the_same_for_an_unknown_user(client, anna_with_password):
    wrong = client.post("/accounts/login/", {"login": "anna", "password": "wrong"}).content.decode()
    unknown = client.post("/accounts/login/", {"login": "nemo", "password": "wrong"}).content.decode()
    message = "Wrong name, address or password."
    assert message in wrong and message in unknown
    assert not is_logged_in(client)


def test_guessing_passwords_is_stopped(client, anna_with_password):
    for _ in range(6):
        client.post("/accounts/login/", {"login": "anna", "password": "wrong"})
    client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    assert not is_logged_in(client)


def test_a_forgotten_password_is_reset_by_emailed_code(client, anna):
    client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    client.post("/accounts/password/reset/confirm/", {"code": secrets_of("password_reset")["code"]})
    client.post("/accounts/password/reset/complete/", {"password1": "new-" + PASSWORD, "password2": "new-" + PASSWORD})
    anna.refresh_from_db()
    assert anna.check_password("new-" + PASSWORD)
    notice = Notice.objects.get(kind="account_changed")
    assert (notice.user, notice.facts) == (anna, {"what": "password_reset"})


def test_asking_for_codes_too_often_leads_to_a_page_of_ours(client, db):
    for number in range(21):
        answer = client.post("/accounts/password/reset/", {"email": f"nemo{number}@example.org"})
    page = client.post("/accounts/password/reset/", {"email": "nemo@example.org"}, headers={"Accept-Language": "de"})
    assert answer.status_code == page.status_code == 429
    assert "Zu viele Anfragen" in page.text and 'href="/"' in page.text


def test_nobody_learns_whether_an_address_has_an_account(client, anna):
    known = client.post("/accounts/password/reset/", {"email": "anna@example.org"})
    unknown = Client().post("/accounts/password/reset/", {"email": "nemo@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert not Delivery.objects.filter(address="nemo@example.org").exists()
    assert sign_up(Client(), email="anna@example.org")["Location"] == REGISTER


def test_an_address_that_one_user_verified_cannot_be_verified_by_another(client, anna):
    sign_up(client, email="anna@example.org")
    carla = find_user("carla")
    path = re.search(r"/accounts/confirm-email/.*", secrets_of("confirm_address")["link"]).group()
    client.post(path)
    assert address_for_notices(carla) is None
    assert address_for_notices(anna) == "anna@example.org"


def test_an_unverified_user_gets_only_emails_that_prove_their_address(client, db):
    sign_up(client)
    client.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": "new-" + PASSWORD, "password2": "new-" + PASSWORD},
    )
    assert find_user("carla").check_password("new-" + PASSWORD)
    assert [delivery.notice.kind for delivery in Delivery.objects.all()] == ["confirm_address"]


def test_a_notice_of_a_new_main_address_goes_to_the_old_one(client, anna):
    EmailAddress.objects.create(user=anna, email="new@example.org", verified=True)
    client.force_login(anna)
    client.post("/accounts/email/", {"email": "new@example.org", "action_primary": ""})
    assert Delivery.objects.get().address == "anna@example.org"
    assert address_for_notices(anna) == "new@example.org"


def test_a_user_created_by_email_with_a_verified_address_logs_in_on_the_page(client, db):
    create_user(name="Dora", email="dora@example.org", now=NOW, email_verified=True)
    client.post(CODE, {"email": "dora@example.org"})
    client.post(CONFIRM_CODE, {"code": secrets_of("login_code")["code"]})
    assert is_logged_in(client)


def test_a_name_taken_between_check_and_sign_up_is_an_error_message_not_a_crash(client, anna, monkeypatch):
    monkeypatch.setattr("accounts.adapter.check_name", lambda name, kind: name)
    response = sign_up(client, username="Anna")
    assert response["Location"] == SIGNUP
    assert "The name Anna is taken." in client.get(SIGNUP).content.decode()
