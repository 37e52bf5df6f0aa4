"""Notifications on devices: encrypted for one browser, signed, sent once, and only while its session lasts."""

import base64
import json

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
from accounts.services.push_devices import MOST_DEVICES, decode_base64url, read_public_push_key, read_push_key
from accounts.services.users import create_user
from notifications.kinds import KINDS
from notifications.models import Delivery, SkipReason
from notifications.push_texts import make_push
from notifications.recent_reading import note_reading
from notifications.services.outbox import write_notice
from tests.accounts.test_webhooks import server
from tests.scenes import DAY, HOUR, NOW

__all__ = ["server"]

pytestmark = pytest.mark.django_db
SECRET_FACTS = {"battle": 12, "number": 7, "mage": "Froodal", "orders": "LH P", "text": "I am blind"}


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
def anna():
    return create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)


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
    plain = {name: SECRET_FACTS[name] for name in ("battle", "number")}
    one = make_push(tell(anna, kind=kind, key=f"{kind}/1"))
    assert one == make_push(tell(anna, kind=kind, key=f"{kind}/2", facts=plain))
    assert "%" not in one.title + one.text


def test_a_notification_is_in_the_language_of_its_reader(server, browser, anna):
    User.objects.filter(pk=anna.pk).update(language="de")
    tell(anna)
    push_due_notice(now=NOW)
    assert browser.read(server.calls[0][2])["title"] == "Eine Runde von Kampf 12 ist vorbei"


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
def test_a_subscription_that_is_over_is_removed(server, browser, anna, status):
    server.answers = [status]
    tell(anna)
    assert push_due_notice(now=NOW)
    assert not PushDevice.objects.exists() and not User.objects.get(pk=anna.pk).has_push
    assert (find_delivery().state, find_delivery().reason) == (Delivery.State.SKIPPED, SkipReason.NO_ADDRESS)


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


def test_after_logging_out_the_device_gets_nothing(server, browser, anna):
    tell(anna)
    browser.client.post("/accounts/logout/")
    assert push_due_notice(now=NOW)
    assert server.calls == [] and not PushDevice.objects.exists()
    assert not User.objects.get(pk=anna.pk).has_push


def test_a_session_that_ran_out_counts_as_logged_out(server, browser, anna):
    Session.objects.update(expire_date=NOW - HOUR)
    tell(anna)
    push_due_notice(now=NOW)
    assert server.calls == [] and not PushDevice.objects.exists()


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
    page = browser.client.get("/accounts/devices/").content.decode()
    assert "Firefox on a phone" in page and read_public_push_key() in page
    assert browser.form["endpoint"] not in page and browser.form["auth"] not in page
    device = PushDevice.objects.get()
    boris = Browser(create_user(name="Boris", email="boris@example.org", now=NOW), "")
    assert boris.client.post(f"/accounts/devices/{device.pk}/remove/").status_code == 404
    assert "Firefox on a phone" not in boris.client.get("/accounts/devices/").content.decode()
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
