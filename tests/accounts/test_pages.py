"""Every page about the account: as its owner, as another user, and logged out."""

import base64
import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.urls import reverse
from django.utils import timezone

from accounts.models import ApiToken, Mage, User
from accounts.services.mages import engage_mage, kill_mage, register_mage
from accounts.services.mail_passwords import check_mail_password, set_mail_password
from accounts.services.push_devices import add_push_device
from accounts.services.tokens import issue_api_token
from notifications.matrix import list_keys
from notifications.preferences import PREFERENCES, SHORT_ZONES, ZONES
from notifications.selectors.notices import preferences_of
from notifications.services.preferences import set_preference
from tests.accounts.conftest import PASSWORD
from tests.accounts.tokens import get_user_for_token
from tests.scenes import NOW
from tests.services.second_factors import prove_lately, read_code

PAGES = [
    "accounts:mages",
    "accounts:register_mage",
    "accounts:preferences",
    "accounts:mail_password",
    "accounts:tokens",
    "accounts:hooks",
    "accounts:blocks",
]
GOOD = "wizard7tower"


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_stranger_is_sent_to_log_in_and_brought_back(client, db, name, method):
    response = getattr(client, method)(reverse(name))
    if method == "post" and response.status_code == 405:
        pytest.fail("The page tells a stranger which methods it knows.")
    assert response.status_code == 302
    assert response["Location"] == f"/accounts/login/?next={reverse(name)}"


@pytest.mark.parametrize("name", PAGES)
def test_owners_see_their_page(client, anna, name):
    client.force_login(anna)
    assert client.get(reverse(name)).status_code == 200


def test_the_pages_of_the_second_factor_link_to_the_settings(client, anna):
    client.force_login(anna)
    page = client.get(reverse("mfa_index")).content.decode()
    assert f'<a class="plain" href="{reverse("accounts:preferences")}">Settings</a>' in page


def test_a_second_factor_is_set_up_asked_for_and_removed(client, anna_with_password):
    client.force_login(anna_with_password)
    prove_lately(client, anna_with_password)
    assert "Set up an authenticator app" in client.get(reverse("mfa_index")).text
    secret = re.search(r'alt="([A-Z2-7]{16,})"', client.get(reverse("mfa_activate_totp")).text)[1]
    codes = client.post(reverse("mfa_activate_totp"), {"code": read_code(secret)}, follow=True).text
    assert "Each code replaces the app once" in codes
    recovery = re.search(r"<pre[^>]*>(\w+)\n", codes)[1]
    assert "10 of 10 codes are unused" in client.get(reverse("mfa_index")).text
    assert "Your old codes stop working" in client.get(reverse("mfa_generate_recovery_codes")).text
    client.logout()
    asked = client.post("/accounts/login/", {"login": "Anna", "password": PASSWORD}, follow=True)
    assert "or a recovery code" in asked.text
    client.post(reverse("mfa_authenticate"), {"code": recovery})
    assert "9 of 10 codes are unused" in client.get(reverse("mfa_index")).text
    prove_lately(client, anna_with_password)
    assert "without a second factor" in client.get(reverse("mfa_deactivate_totp")).text
    client.post(reverse("mfa_deactivate_totp"))
    assert "Set up an authenticator app" in client.get(reverse("mfa_index")).text


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_rejected(client, anna, name, method):
    client.force_login(anna)
    assert getattr(client, method)(reverse(name)).status_code == 405


def test_my_mages_show_mine_and_not_yours(client, anna, boris):
    mine = register_mage(user=anna, name="Froodal", now=NOW)
    dead = register_mage(user=anna, name="Late", now=NOW)
    register_mage(user=boris, name="Bung", now=NOW)
    engage_mage(mage=mine, kind="battle", number=12)
    kill_mage(mage=dead, now=NOW + timedelta(days=1))
    client.force_login(anna)
    page = client.get(reverse("accounts:mages")).content.decode()
    assert "Froodal" in page and "Late" in page and "/battles/12/" in page
    assert "Bung" not in page


def test_a_rejected_name_is_shown_with_every_problem_and_a_free_one(client, anna):
    client.force_login(anna)
    response = client.post(reverse("accounts:register_mage"), {"name": "9 Goblin!"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "not a space or !" in page and "start with a digit" in page and "is available" in page
    assert not Mage.objects.exists()


def test_the_same_registration_posted_twice_makes_one_mage(client, anna):
    client.force_login(anna)
    first = client.post(reverse("accounts:register_mage"), {"name": "Froodal"})
    second = client.post(reverse("accounts:register_mage"), {"name": "Froodal"})
    assert (first.status_code, second.status_code) == (302, 422)
    assert Mage.objects.count() == 1


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [("/challenges/3/", "/challenges/3/"), ("https://evil.example/", "/"), ("//evil.example", "/"), ("", "/")],
)
def test_registering_continues_to_the_next_page_but_never_to_another_site(client, anna, wanted, reached):
    client.force_login(anna)
    page = client.get(reverse("accounts:register_mage"), {"next": wanted}).content.decode()
    assert ("evil.example" in page) is False
    response = client.post(reverse("accounts:register_mage"), {"name": "Froodal", "next": wanted})
    assert response["Location"] == reached


def test_time_zones_are_cities_by_region_and_an_old_name_stays_chosen(client, anna):
    client.force_login(anna)
    set_preference(user=anna, key="time_zone", value="Asia/Tokyo")
    html = client.get("/accounts/settings/").content.decode()
    assert '<optgroup label="Europe">' in html and '<option value="Asia/Tokyo" selected>Tokyo</option>' in html
    assert '<option value="America/New_York">New York</option>' in html and "Etc/GMT" not in html and ">GB<" not in html
    set_preference(user=anna, key="time_zone", value="US/Eastern")
    assert (
        '<option value="US/Eastern" selected>US/Eastern</option>' in client.get("/accounts/settings/").content.decode()
    )


def test_settings_are_saved_for_me_only(client, anna, boris):
    client.force_login(anna)
    settings = {
        "presence": "yes",
        "bots_play": "no",
        "bots_write": "yes",
        "time_zone": "Europe/Oslo",
        "night": "22",
        "single_keys": "no",
        "motion": "no",
        "coach": "no",
    }
    notices = {
        "mail_turns": "digest",
        "mail_ends": "yes",
        "mail_challenges": "no",
        "mail_seats": "digest",
        "mail_changes": "yes",
        "mail_messages": "yes",
        "mail_news": "yes",
        "mail_reminders": "yes",
        "mail_puzzles": "digest",
        "mail_daily": "yes",
        "mail_talk": "digest",
        "push_daily": "yes",
        "mail_streaks": "yes",
        "page_streaks": "no",
        "push_streaks": "no",
        "mail_unconfirmed": "no",
        "mail_quiet": "no",
        "mail_subjects": "classic",
        "push_turns": "yes",
        "push_challenges": "no",
        "push_seats": "no",
        "push_changes": "yes",
        "push_messages": "no",
        "push_ends": "no",
        "hook_turns": "yes",
        "hook_deadlines": "no",
        "hook_ends": "no",
        "hook_messages": "yes",
        "hook_challenges": "no",
        "hook_seats": "yes",
        "hook_changes": "no",
        "page_follows": "no",
        "page_news": "yes",
        "page_seeks": "no",
        "mail_seeks": "yes",
        "push_seeks": "yes",
        "hook_seeks": "no",
        "mail_league": "digest",
        "push_league": "no",
        "hook_league": "no",
        "quiet_hours": "yes",
        "quiet_from": "23:30",
        "quiet_until": "06:30",
        "digest_hour": "18",
        "sound": "all",
    }
    duels = {"seek_live": "no", "seek_day": "400", "seek_slow": "any"}
    assert set(settings) | set(notices) | set(duels) == set(PREFERENCES), "each stands on one of the pages"
    assert client.post(reverse("accounts:preferences"), {"theme": "dark", **settings}).status_code == 302
    sent = {key: value for key, value in notices.items() if key not in list_keys()}
    sent |= {key: "on" for key in list_keys() if notices[key] != "no"}
    sent |= {key.replace("mail_", "daily_"): "on" for key in list_keys() if notices[key] == "digest"}
    assert client.post(reverse("accounts:notices"), sent).status_code == 302
    told = {"mail_seeks": "on", "push_seeks": "on"}
    assert client.post(reverse("challenges:tell_me"), duels | told).status_code == 302
    assert preferences_of(anna) == settings | notices | duels
    assert User.objects.get(pk=anna.pk).theme == "dark"
    assert preferences_of(boris)["mail_turns"] == "yes"
    assert User.objects.get(pk=boris.pk).theme == "system"


def test_settings_stand_in_groups_with_headings_and_notices_on_one_page(client, anna):
    client.force_login(anna)
    add_push_device_of(anna)
    page = client.get(reverse("accounts:preferences")).text
    for title in ("Pages", "Time", "Bots of other users", "Account", "People and absence"):
        assert re.search(rf"<h2>{title}</h2>", page), title
    notices = client.get(reverse("accounts:notices")).text
    for words in ("Challenge to you", "Quiet hours and sounds", "Where it goes", "A phone", "Add a hook"):
        assert words in notices, words
    assert 'name="mail_turns"' in notices and 'name="mail_turns"' not in page and 'name="sound"' not in page


def test_quiet_hours_are_in_the_time_zone_of_the_user_and_have_an_end(client, anna):
    set_preference(user=anna, key="time_zone", value="America/New_York")
    client.force_login(anna)
    page = client.get(reverse("accounts:notices"))
    assert "In your time zone, America/New York." in page.text
    chosen = {**page.context["form"].initial, "quiet_hours": "yes", "quiet_from": "12:30", "quiet_until": "12:30"}
    refused = client.post(reverse("accounts:notices"), chosen)
    assert refused.status_code == 422 and "Quiet hours end at another time than they begin." in refused.text
    assert client.post(reverse("accounts:notices"), {**chosen, "quiet_hours": "no"}).status_code == 302


def add_push_device_of(user):
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    raw = point.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    add_push_device(
        user=user,
        session_key="",
        browser="one",
        endpoint="https://push.example/1",
        p256dh=base64.urlsafe_b64encode(raw).decode(),
        auth=base64.urlsafe_b64encode(b"sixteen letters!").decode(),
        user_agent="A phone",
        now=NOW,
    )


def test_time_zones_are_a_short_list_and_the_stored_one_is_in_its_region(client, anna):
    client.force_login(anna)
    set_preference(user=anna, key="time_zone", value="America/Argentina/Ushuaia")
    page = client.get("/accounts/settings/").text
    zones = page[page.index('name="time_zone"') :].partition("</select>")[0]
    assert zones.count("<option") < 110 and zones.count("selected") == 1
    region = zones[zones.index('<optgroup label="America">') :].partition("</optgroup>")[0]
    assert '<option value="America/Argentina/Ushuaia" selected>Ushuaia</option>' in region
    assert '<option value="America/Argentina/Buenos_Aires">Buenos Aires</option>' in region
    assert dict(ZONES).keys() >= SHORT_ZONES


def test_an_unknown_setting_is_rejected(client, anna):
    client.force_login(anna)
    response = client.post(reverse("accounts:preferences"), {"theme": "pink", "mail_turns": "maybe"})
    assert response.status_code == 422
    assert User.objects.get(pk=anna.pk).theme == "system"


def test_the_mail_password_is_set_and_switched_off_and_never_shown(client, anna):
    client.force_login(anna)
    client.post(reverse("accounts:mail_password"), {"raw": GOOD})
    anna.refresh_from_db()
    assert check_mail_password(user=anna, raw=GOOD)
    assert GOOD not in client.get(reverse("accounts:mail_password")).content.decode()
    client.post(reverse("accounts:mail_password"), {"raw": ""})
    anna.refresh_from_db()
    assert anna.mail_password == ""


def test_an_unsuitable_mail_password_is_rejected_and_not_echoed(client, anna):
    client.force_login(anna)
    response = client.post(reverse("accounts:mail_password"), {"raw": "two secret words"})
    assert response.status_code == 422
    assert "two secret words" not in response.content.decode()
    anna.refresh_from_db()
    assert anna.mail_password == ""


def test_setting_my_mail_password_leaves_yours_alone(client, anna, boris):
    set_mail_password(user=boris, raw=GOOD, now=NOW)
    client.force_login(anna)
    client.post(reverse("accounts:mail_password"), {"raw": "another9tower", "user": boris.pk})
    boris.refresh_from_db()
    assert check_mail_password(user=boris, raw=GOOD)


def test_a_new_token_is_shown_once(client, anna):
    client.force_login(anna)
    prove_lately(client, anna)
    chosen = {"name": "bot", "scope": "play", "days": "30"}
    page = client.post(reverse("accounts:tokens"), chosen).content.decode()
    token = ApiToken.objects.get()
    shown = page[page.index(token.start) :].split("<")[0].strip()
    assert get_user_for_token(text=shown, now=timezone.now()) == anna
    assert shown not in client.get(reverse("accounts:tokens")).content.decode()


def test_a_stranger_and_another_user_cannot_revoke_my_token(client, anna, boris):
    token, text = issue_api_token(user=anna, name="bot", now=NOW)
    address = reverse("accounts:revoke_token", args=[token.pk])
    assert client.post(address)["Location"].startswith("/accounts/login/")
    client.force_login(boris)
    assert client.post(address).status_code == 404
    assert get_user_for_token(text=text, now=NOW) == anna
    client.force_login(anna)
    assert client.get(address).status_code == 405
    assert client.post(address).status_code == 302
    assert get_user_for_token(text=text, now=NOW) is None


def test_no_page_of_mine_lists_your_tokens_or_address(client, anna, boris):
    issue_api_token(user=boris, name="secretbot", now=NOW)
    client.force_login(anna)
    pages = "".join(client.get(reverse(name)).content.decode() for name in PAGES)
    assert "secretbot" not in pages and "boris@example.org" not in pages


@pytest.mark.parametrize("name", ["accounts:mail_password", "accounts:tokens", "accounts:hooks"])
def test_pages_with_secrets_are_not_stored(client, anna, name):
    client.force_login(anna)
    assert "no-store" in client.get(reverse(name))["Cache-Control"]


@pytest.mark.parametrize(
    "model",
    [
        "accounts_user",
        "accounts_mage",
        "accounts_name",
        "accounts_engagement",
        "notifications_notice",
        "notifications_delivery",
    ],
)
def test_the_admin_shows_rows_to_janitors_only(client, anna, model):
    address = reverse(f"admin:{model}_changelist")
    client.force_login(anna)
    assert client.get(address).status_code == 302
    anna.is_staff = anna.is_superuser = True
    anna.save()
    client.force_login(anna)
    assert client.get(address).status_code == 200
    assert client.get(reverse(f"admin:{model}_add")).status_code == 403


@pytest.mark.parametrize(
    ("form", "page"),
    [("/challenges/friend/", "/challenges/"), ("/lobby/join/", "/lobby/?show=all"), ("/challenges/host/", "/")],
)
def test_a_form_sent_after_the_session_has_ended_leads_back_to_its_page(client, anna, form, page):
    answer = client.post(form, headers={"Referer": f"http://testserver{page}"})
    address = answer["Location"]
    assert address == "/accounts/login/?" + urlencode({"next": page}, safe="/")
    arrived = client.post(address, {"login": anna.username, "password": PASSWORD}, follow=True)
    assert arrived.status_code == 200


def test_a_page_of_another_site_is_not_where_logging_in_leads(client, db):
    answer = client.post("/challenges/friend/", headers={"Referer": "http://evil.example/trap/"})
    assert "evil" not in answer["Location"] and "trap" not in answer["Location"]
