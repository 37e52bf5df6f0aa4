"""Notifications on devices: encrypted for one browser, signed, sent once; they belong to the browser and its user."""

import base64
import json
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import PushDevice, PushKey, User
from accounts.push_messages import push_due_notice
from accounts.services.credentials import revoke_credentials
from accounts.services.push_devices import (
    MOST_DEVICES,
    MOST_DEVICES_OF_GUEST,
    decode_base64url,
    hash_endpoint,
    read_public_push_key,
    read_push_key,
    stop_push_device,
)
from accounts.services.users import create_guest, create_user
from email_gateway.compose.notices import compose_notice
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice, SkipReason
from notifications.push_texts import make_push
from notifications.recent_reading import note_reading
from notifications.selectors.notices import find_push_time
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_webhooks import server
from tests.bots import bring_bots
from tests.scenes import DAY, HOUR, NOW, log_in

__all__ = ["server"]

pytestmark = pytest.mark.django_db
# Whose open challenge it is, everyone knows.
PUBLIC_FACTS = {
    "battle": 12,
    "number": 7,
    "challenger": "Crom",
    "who": "Crom",
    "other": "Crom",
    "season": 3,
    "tier": 2,
    "round": 1,
    "next": 5,
}
SECRET_FACTS = PUBLIC_FACTS | {"mage": "Froodal", "orders": "LH P", "text": "I am blind"}


def encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Browser:
    """A browser of a user who is logged in: it has keys, and reads what its push service got."""

    def __init__(self, user, address):
        self.user, self.address = user, address
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"sixteen letters!"
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.form = {"endpoint": address, "p256dh": encode(point), "auth": encode(self.auth)}
        self.client = Client(headers={"user-agent": "Firefox on a phone"})
        self.client.force_login(user)

    def turn_on(self):
        answer = self.client.post("/accounts/devices/", self.form)
        # These tests play in the future, and a session runs out after a month.
        Session.objects.update(expire_date=NOW + 30 * DAY)
        return answer

    def read(self, body):
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


@pytest.fixture
def browser(server, anna):
    one = Browser(anna, server.url)
    assert one.turn_on().status_code == 302
    anna.refresh_from_db()
    return one


def tell(user, *, kind="turn_resolved", key="turn/1", facts=SECRET_FACTS, now=NOW):
    return write_notice(key=key, user=User.objects.get(pk=user.pk), kind=kind, facts=facts, now=now)


def find_delivery():
    return Delivery.objects.get(channel=Delivery.Channel.PUSH)


def test_a_device_gets_one_notification_that_only_it_can_read(server, browser, anna):
    tell(anna)
    assert push_due_notice(now=NOW) and not push_due_notice(now=NOW)
    ((_path, headers, body),) = server.calls
    assert browser.read(body) == {
        "title": "A turn of battle 12 is over",
        "text": "See what happened.",
        "path": "/battles/12/",
        "tag": "battle-12",
    }
    assert (headers["Content-Encoding"], headers["Urgency"], headers["TTL"]) == ("aes128gcm", "high", "43200")
    assert len(headers["Topic"]) == 32 and b"battle" not in body
    assert find_delivery().state == Delivery.State.SENT
    assert PushDevice.objects.get().reached_at == NOW


def test_the_push_service_can_check_who_sends(server, browser, anna):
    """RFC 8292: a token for this service and this day, signed by the key that the browser was given."""
    tell(anna)
    push_due_notice(now=NOW)
    token, key = server.calls[0][1]["Authorization"].removeprefix("vapid t=").split(",k=")
    assert key == read_public_push_key()
    header, claims, signature = token.split(".")
    payload = json.loads(decode_base64url(claims))
    assert payload["aud"] == server.url.removesuffix("/events?of=me")
    assert payload["sub"].startswith("mailto:postmaster@")
    assert payload["exp"] == int((NOW + 12 * HOUR).timestamp())
    raw = decode_base64url(signature)
    numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(key))
    point.verify(numbers, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize("kind", sorted(kind.name for kind in KINDS.values() if kind.push))
def test_a_notification_says_nothing_but_which_battle_or_challenge(anna, kind):
    """Whatever else the facts hold, hidden or not."""
    one = make_push(tell(anna, kind=kind, key=f"{kind}/1"))
    assert one == make_push(tell(anna, kind=kind, key=f"{kind}/2", facts=PUBLIC_FACTS))
    assert "%" not in one.title + one.text


def test_a_notification_is_in_the_language_of_its_reader(server, browser, anna):
    User.objects.filter(pk=anna.pk).update(language="de")
    tell(anna)
    push_due_notice(now=NOW)
    assert browser.read(server.calls[0][2])["title"] == "Eine Runde von Kampf 12 ist vorbei"


def test_devices_are_quiet_at_night_except_when_a_deadline_is_near(server, browser, anna):
    set_preference(user=anna, key="quiet_hours", value="yes")
    set_preference(user=anna, key="time_zone", value="Europe/Oslo")
    night = datetime(2031, 5, 4, 20, 30, tzinfo=UTC)  # half past ten in Oslo
    tell(anna, now=night)
    assert not push_due_notice(now=night) and not push_due_notice(now=night + 9 * HOUR)
    tell(anna, key="late", kind="deadline_alarm", now=night)
    assert push_due_notice(now=night)
    assert browser.read(server.calls[0][2])["text"] == "The deadline is near."
    morning = datetime(2031, 5, 5, 6, 0, tzinfo=UTC)
    assert push_due_notice(now=morning) and len(server.calls) == 2
    tell(anna, key="day", now=morning)
    assert push_due_notice(now=morning)


@pytest.mark.parametrize(
    ("start", "end", "quiet", "loud"),
    [
        ("22:00", "08:00", ("22:00", "23:59", "00:00", "07:59"), ("08:00", "12:00", "21:59")),
        ("13:30", "15:00", ("13:30", "14:59"), ("13:29", "15:00", "23:00", "03:00")),
        ("00:00", "06:30", ("00:00", "06:29"), ("06:30", "23:59")),
        ("23:30", "00:00", ("23:30", "23:59"), ("00:00", "23:29")),
        ("12:30", "12:30", (), ("12:30", "23:59", "00:00", "12:29")),
    ],
)
def test_quiet_hours_are_those_that_the_user_chose(anna, start, end, quiet, loud):
    for key, value in {"quiet_hours": "yes", "quiet_from": start, "quiet_until": end}.items():
        set_preference(user=anna, key=key, value=value)
    set_preference(user=anna, key="time_zone", value="America/New_York")
    zone = ZoneInfo("America/New_York")

    def push_time(clock: str) -> str:
        found = find_push_time(
            anna, "turn_resolved", now=datetime.combine(date(2031, 5, 4), time.fromisoformat(clock), zone)
        )
        return found.astimezone(zone).strftime("%H:%M")

    assert {each: push_time(each) for each in quiet} == dict.fromkeys(quiet, end)
    assert {each: push_time(each) for each in loud} == {each: each for each in loud}


def test_quiet_hours_end_on_the_clock_on_the_wall_when_it_is_put_forward(anna):
    for key, value in {"quiet_hours": "yes", "time_zone": "Europe/Oslo"}.items():
        set_preference(user=anna, key=key, value=value)
    before = datetime(2031, 3, 29, 23, 0, tzinfo=ZoneInfo("Europe/Oslo"))
    found = find_push_time(anna, "turn_resolved", now=before)
    assert found.astimezone(UTC) == datetime(2031, 3, 30, 6, 0, tzinfo=UTC)


def test_a_kind_that_is_off_for_devices_does_not_ring(server, browser, anna):
    set_preference(user=anna, key="push_turns", value="no")
    tell(anna)
    assert not push_due_notice(now=NOW)
    tell(anna, key="other", kind="challenged")
    tell(anna, key="late", kind="deadline_final")
    assert push_due_notice(now=NOW) and push_due_notice(now=NOW) and len(server.calls) == 2


def test_the_same_notice_twice_is_one_notification(server, browser, anna):
    tell(anna)
    tell(anna)
    while push_due_notice(now=NOW):
        pass
    assert len(server.calls) == 1


def test_a_user_with_the_battle_open_gets_none(server, browser, anna):
    note_reading(anna.pk, 12, now=NOW)
    tell(anna)
    assert not push_due_notice(now=NOW)
    tell(anna, key="turn/2", now=NOW + HOUR)
    assert push_due_notice(now=NOW + HOUR)


def test_kinds_for_no_device_and_users_without_one_make_no_delivery(browser, anna):
    tell(anna, kind="user_closed", key="x")
    boris = create_user(name="Boris", email="boris@example.org", now=NOW, email_verified=True)
    tell(boris, key="y")
    assert not Delivery.objects.filter(channel=Delivery.Channel.PUSH).exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_stopped_shown_and_told_by_email_once(server, browser, anna, status):
    server.answers = [status]
    tell(anna)
    assert push_due_notice(now=NOW)
    device = PushDevice.objects.get()
    assert device.stopped_at == NOW and not User.objects.get(pk=anna.pk).has_push
    assert (find_delivery().state, find_delivery().reason) == (Delivery.State.SKIPPED, SkipReason.NO_ADDRESS)
    told = Notice.objects.get(kind="device_stopped")
    assert Delivery.objects.filter(notice=told, channel=Delivery.Channel.MAIL).count() == 1
    mail = compose_notice(kind=told.kind, facts=told.facts, user=anna)
    assert "Firefox on a phone" in mail.text and "/accounts/notices/" in mail.text
    assert "No longer reached since" in browser.client.get("/accounts/notices/").text
    assert not stop_push_device(device=device, now=NOW + DAY)
    tell(anna, key="turn/2", now=NOW + DAY)
    assert not push_due_notice(now=NOW + DAY) and len(server.calls) == 1
    assert Notice.objects.filter(kind="device_stopped").count() == 1


def test_a_device_that_fails_for_days_is_stopped_and_one_that_recovers_is_not(server, browser, anna):
    server.answers = [503, 503, 200, 503, 503, 503]
    for day, is_ringing in enumerate([True, True, True, True, True, False]):
        tell(anna, key=f"turn/{day}", now=NOW + 2 * day * DAY)
        Delivery.objects.exclude(notice__key=f"turn/{day}").filter(channel="push").delete()
        assert push_due_notice(now=NOW + 2 * day * DAY)
        assert (PushDevice.objects.get().stopped_at is None) is is_ringing, day
    assert Notice.objects.filter(kind="device_stopped").count() == 1


def test_a_stopped_device_that_is_turned_on_again_rings_again(server, browser, anna):
    server.answers = [410]
    tell(anna)
    push_due_notice(now=NOW)
    browser.form["endpoint"] = f"{server.url}&again=1"
    assert browser.turn_on().status_code == 302
    assert PushDevice.objects.get().stopped_at is None, "the old subscription of this browser is gone"
    tell(anna, key="turn/2")
    assert push_due_notice(now=NOW) and len(server.calls) == 2


def test_a_service_that_fails_is_asked_again_later(server, browser, anna):
    server.answers = [503]
    tell(anna)
    assert push_due_notice(now=NOW)
    assert find_delivery().error == "answered 503" and not push_due_notice(now=NOW)
    assert push_due_notice(now=NOW + HOUR)
    assert find_delivery().state == Delivery.State.SENT and len(server.calls) == 2


def test_one_device_that_fails_does_not_send_to_the_others_again(server, browser, anna):
    Browser(anna, f"{server.url}&device=2").turn_on()
    server.answers = [503]
    tell(anna)
    push_due_notice(now=NOW)
    assert find_delivery().state == Delivery.State.SENT and not push_due_notice(now=NOW + HOUR)
    assert len(server.calls) == 2


def test_outdated_notifications_are_not_sent(server, browser, anna):
    tell(anna)
    assert push_due_notice(now=NOW + DAY)
    assert find_delivery().reason == SkipReason.SETTLED and server.calls == []


def test_a_device_rings_on_after_its_user_has_logged_out_and_in_again(server, browser, anna):
    browser.client.post("/accounts/logout/")
    tell(anna)
    push_due_notice(now=NOW)
    assert len(server.calls) == 1 and User.objects.get(pk=anna.pk).has_push
    browser.client.force_login(anna)
    Session.objects.all().delete()
    tell(anna, key="turn/2")
    push_due_notice(now=NOW)
    assert len(server.calls) == 2


def log_in_on_page(client, user):
    user.set_password(PASSWORD)
    user.save()
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert answer.status_code == 302, answer.context["form"].errors


def test_a_device_rings_for_nobody_else_who_logs_in_there(server, browser, anna):
    boris = create_user(name="Boris", email="boris@example.org", now=NOW, email_verified=True)
    browser.client.post("/accounts/logout/")
    log_in_on_page(browser.client, boris)
    tell(anna)
    assert not push_due_notice(now=NOW) or server.calls == []
    assert not PushDevice.objects.exists() and not User.objects.get(pk=anna.pk).has_push
    # Neither does the browser ring for the second user, before they turn it on.
    tell(boris, key="turn/2")
    push_due_notice(now=NOW)
    assert server.calls == []


def test_a_guest_who_begins_in_a_browser_takes_it_over(server, browser, anna):
    bring_bots(now=NOW)
    browser.client.post("/accounts/logout/")
    browser.client.post("/play/", {"strength": "Apprentice"})
    assert User.objects.filter(is_guest=True).exists() and not PushDevice.objects.exists()


def test_a_guest_has_two_devices_at_most_and_keeps_them_with_the_mage(server):
    guest = create_guest(now=NOW)
    for number in range(4):
        assert Browser(guest, f"{server.url}&device={number}").turn_on().status_code == 302
    assert PushDevice.objects.count() == MOST_DEVICES_OF_GUEST


def test_logging_out_everywhere_else_ends_the_other_devices_too(server, browser, anna):
    lost = Browser(anna, f"{server.url}&device=2")
    lost.turn_on()
    browser.client.post("/accounts/sessions/")
    assert [device.endpoint for device in PushDevice.objects.all()] == [browser.form["endpoint"]]


def test_a_session_that_ran_out_ends_a_device_from_before_browsers_had_cookies(server, browser, anna):
    PushDevice.objects.update(browser="")
    Session.objects.update(expire_date=NOW - HOUR)
    tell(anna)
    push_due_notice(now=NOW)
    assert server.calls == [] and not PushDevice.objects.exists()


THIS = "/accounts/devices/this/"


def renew(client, form, **more):
    return client.post(THIS, {**form, "renew": "yes"}, **more)


def test_a_service_worker_renews_the_subscription_even_while_nobody_is_logged_in(server, browser, anna):
    browser.client.post("/accounts/logout/")
    fresh = Browser(anna, f"{server.url}&renewed=1")
    assert renew(browser.client, fresh.form).status_code == 204
    tell(anna)
    push_due_notice(now=NOW)
    ((path, _headers, body),) = server.calls
    assert "renewed=1" in path and fresh.read(body)["tag"] == "battle-12"


def test_nobody_else_renews_a_subscription_nor_learns_whether_there_is_one(server, browser, anna):
    boris = create_user(name="Boris", email="boris@example.org", now=NOW)
    form = Browser(boris, f"{server.url}&stolen=1").form
    stranger, other = Client(), log_in(boris)
    thief = Client()
    thief.cookies["push"] = "guessed"
    for client in (stranger, other, thief):
        assert renew(client, form).status_code == 204
    # In this browser, but as someone else.
    other.cookies["push"] = browser.client.cookies["push"].value
    assert renew(other, form).status_code == 204
    assert renew(browser.client, form, headers={"origin": "https://evil.example"}).status_code == 403
    assert PushDevice.objects.get().endpoint == browser.form["endpoint"]
    mark = hash_endpoint(browser.form["endpoint"])
    assert browser.client.get(f"{THIS}?mark={mark}").json()["on"]
    for client in (stranger, thief, log_in(boris)):
        assert not client.get(f"{THIS}?mark={mark}").json()["on"]


def test_a_browser_that_was_removed_is_not_added_again_by_its_service_worker(server, browser, anna):
    browser.client.post(f"/accounts/devices/{PushDevice.objects.get().pk}/remove/")
    assert renew(browser.client, browser.form).status_code == 204
    assert not PushDevice.objects.exists()


def test_one_press_on_a_page_turns_the_device_on(server, anna):
    one = Browser(anna, server.url)
    assert one.client.post(THIS, one.form).status_code == 204
    assert PushDevice.objects.get().user == anna
    assert Client().post(THIS, one.form).status_code == 403
    assert one.client.post(THIS, {**one.form, "auth": ""}).status_code == 422
    assert renew(one.client, {**one.form, "auth": ""}).status_code == 422


def test_a_new_password_removes_every_device(browser, anna):
    revoke_credentials(user=anna)
    assert not PushDevice.objects.exists() and not anna.has_push


def test_an_inactive_user_gets_nothing(server, browser, anna):
    tell(anna)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    push_due_notice(now=NOW)
    assert server.calls == []


def test_a_browser_belongs_to_the_user_who_turned_it_on_last(server, browser):
    """So nobody reads the notifications of the one before."""
    boris = create_user(name="Boris", email="boris@example.org", now=NOW)
    Browser(boris, server.url).turn_on()
    assert PushDevice.objects.get().user == boris


def test_a_user_has_a_few_devices(server, browser, anna):
    for number in range(MOST_DEVICES + 2):
        Browser(anna, f"{server.url}&device={number}").turn_on()
    assert PushDevice.objects.count() == MOST_DEVICES


def test_the_page_lists_devices_and_removes_one(browser, anna):
    page = browser.client.get("/accounts/notices/").content.decode()
    assert "Firefox on a phone" in page and browser.client.get(THIS).json()["key"] == read_public_push_key()
    assert browser.form["endpoint"] not in page and browser.form["auth"] not in page
    device = PushDevice.objects.get()
    boris = Browser(create_user(name="Boris", email="boris@example.org", now=NOW), "")
    assert boris.client.post(f"/accounts/devices/{device.pk}/remove/").status_code == 404
    assert "Firefox on a phone" not in boris.client.get("/accounts/notices/").content.decode()
    assert browser.client.post(f"/accounts/devices/{device.pk}/remove/").status_code == 302
    assert not PushDevice.objects.exists() and not User.objects.get(pk=anna.pk).has_push


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"endpoint": "http://push.example/1"}, "must begin with https://"),
        ({"endpoint": "https://10.0.0.1/1"}, "public addresses only"),
        ({"endpoint": "https://[::1]/1"}, "public addresses only"),
        ({"endpoint": ""}, "Enter a full address"),
        ({"p256dh": "AAAA"}, "keys that we cannot use"),
        ({"p256dh": "ä"}, "keys that we cannot use"),
        ({"auth": "AAAA"}, "keys that we cannot use"),
        ({"auth": ""}, "keys that we cannot use"),
    ],
)
def test_unusable_input_is_rejected_with_the_reason(anna, wrong, words):
    one = Browser(anna, "https://push.example/1")
    one.form |= wrong
    answer = one.turn_on()
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not PushDevice.objects.exists() and not User.objects.get(pk=anna.pk).has_push


def test_a_private_address_behind_a_name_is_never_called(settings, server, anna):
    Browser(anna, f"https://localhost:{server.http.server_port}/").turn_on()
    settings.FM_WEBHOOKS_TO_LOOPBACK = False
    tell(anna)
    assert push_due_notice(now=NOW)
    assert server.calls == [] and find_delivery().error == "the address is not public"


def test_the_sites_key_is_made_once_and_stored_encrypted():
    key = read_push_key()
    assert key == read_push_key() and PushKey.objects.count() == 1
    assert len(decode_base64url(key)) == 32 and key not in PushKey.objects.get().sealed_key
