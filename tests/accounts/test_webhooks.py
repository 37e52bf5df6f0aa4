"""Hooks: signed, retried, paused, switched off after days of failure, and never sent to a private address."""

import base64
import hashlib
import hmac
import html
import ipaddress
import json
import socket
import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.post_events import post_due_event
from accounts.services.credentials import revoke_credentials
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from accounts.tasks import MOST_POSTING, post_events
from email_gateway.compose.outbox import deliver_due
from notifications import hook_calls
from notifications.errors import InvalidHook
from notifications.events import list_events
from notifications.hook_calls import CallFailed, call, check_url, is_allowed, resolve
from notifications.models import Delivery, Hook, Notice
from notifications.selectors.notices import find_email_delay
from notifications.services.hooks import MOST_HOOKS, add_hook, retry_hook, set_webhook, switch_off_paused_hooks
from notifications.services.outbox import write_notice
from operations.encryption import unseal
from operations.policy import Policy
from tests.scenes import DAY, NOW, log_in
from tests.services.second_factors import prove_lately

pytestmark = pytest.mark.django_db


class Server:
    """A real HTTP server on this machine that records its requests."""

    def __init__(self):
        self.calls, self.answers, self.headers = [], [], {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                server.calls.append((self.path, dict(self.headers), body))
                self.send_response(server.answers.pop(0) if server.answers else 204)
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/events?of=me"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()


@pytest.fixture
def server(settings):
    settings.FM_WEBHOOKS_TO_LOOPBACK = True
    running = Server()
    yield running
    running.http.shutdown()
    running.http.server_close()


@pytest.fixture
def anna():
    """Without an address: the only deliveries are those of webhooks."""
    return create_user(name="Anna", now=NOW)


def write_message(user, text="hello", now=NOW):
    return write_notice(key=f"message:{text}:{user.pk}", user=user, kind="message", facts={"text": text}, now=now)


def of_webhooks():
    return Delivery.objects.filter(channel=Delivery.Channel.WEBHOOK)


def test_an_event_is_posted_once_signed_and_without_its_text(server, anna):
    _webhook, secret = set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    assert post_due_event(now=NOW) and not post_due_event(now=NOW)
    ((path, headers, body),) = server.calls
    event = json.loads(body)
    assert path == "/events?of=me" and event["type"] == "message" and b"hello" not in body
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert headers["webhook-timestamp"] == str(int(NOW.timestamp())) and headers["webhook-id"] == event["id"]
    assert of_webhooks().get().state == Delivery.State.SENT
    assert secret not in Hook.objects.get().sealed


def test_what_an_earlier_version_writes_during_an_upgrade_is_posted_too(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    of_webhooks().update(hook=None)
    assert post_due_event(now=NOW) and len(server.calls) == 1 and of_webhooks().get().state == Delivery.State.SENT


def test_without_a_webhook_or_for_other_kinds_nobody_is_called(server, anna):
    write_message(anna)
    set_webhook(user=anna, url=server.url, now=NOW)
    write_notice(key="x", user=anna, kind="account_changed", facts={"what": "password_set"}, now=NOW)
    assert not of_webhooks().exists() and not post_due_event(now=NOW)


def test_a_failed_call_is_repeated_later_with_the_same_id(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    server.answers = [500, 302]
    server.headers = {"Location": server.url}
    now = NOW
    for pause in (1, 5):
        assert post_due_event(now=now)
        assert not post_due_event(now=now + timedelta(minutes=pause) - timedelta(seconds=1))
        now += timedelta(minutes=pause)
    webhook = Hook.objects.get()
    assert (webhook.failures, webhook.error, webhook.failing_since) == (2, "answered 302", NOW)
    assert post_due_event(now=now)
    assert len({headers["webhook-id"] for _, headers, _ in server.calls}) == 1 and len(server.calls) == 3
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.failing_since, webhook.answered_at) == (0, None, now)


def test_a_failed_webhook_gets_no_later_events_until_its_retry(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    server.answers = [500]
    post_due_event(now=NOW)
    write_message(anna, "later", NOW + timedelta(seconds=10))
    assert not post_due_event(now=NOW + timedelta(seconds=20))
    assert post_due_event(now=NOW + timedelta(minutes=2)) and post_due_event(now=NOW + timedelta(minutes=2))
    assert len(server.calls) == 3


def fail_for_days(server, user, hook):
    """Have the hook fail once a day until it is off."""
    server.answers = [500] * 4
    for day in range(4):
        Hook.objects.filter(pk=hook.pk).update(failed_events=0)  # a good Retry in between does not end the days
        write_message(user, str(day), NOW + day * DAY)
        assert post_due_event(now=NOW + day * DAY)
    while post_due_event(now=NOW + 9 * DAY):
        pass


def test_three_failed_events_in_a_row_pause_a_hook_with_one_notice(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    server.answers, now = [500] * 9, NOW
    write_message(anna, "one", now)
    # The same event that fails again is no other event.
    for minutes in (0, 1, 6, 27):
        assert post_due_event(now=NOW + timedelta(minutes=minutes))
    hook.refresh_from_db()
    assert (hook.failures, hook.failed_events, hook.paused_at) == (4, 1, None)
    for number, hours in enumerate((2, 8), 2):
        now = NOW + timedelta(hours=hours)
        of_webhooks().update(due_at=NOW + 9 * DAY)
        write_message(anna, str(number), now)
        assert post_due_event(now=now)
    hook.refresh_from_db()
    anna.refresh_from_db()
    assert hook.paused_at == now and anna.has_webhook
    (notice,) = Notice.objects.filter(kind="hook_paused")
    assert notice.user == anna and notice.news == "you" and server.url not in str(notice.facts)
    # What happens while it is paused waits for Retry.
    write_message(anna, "later", now)
    count = len(server.calls)
    assert not post_due_event(now=now + timedelta(hours=20)) and len(server.calls) == count
    server.answers = []
    retry_hook(hook=hook, now=now + timedelta(hours=20))
    while post_due_event(now=now + timedelta(hours=20)):
        pass
    hook.refresh_from_db()
    assert len(server.calls) == count + 4 and hook.is_live and hook.failures == 0
    assert Notice.objects.filter(kind__startswith="hook_").count() == 1


def test_a_paused_hook_that_nobody_retries_is_off_after_three_days(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    Hook.objects.update(failing_since=NOW, failures=3, failed_events=3, paused_at=NOW)
    assert switch_off_paused_hooks(now=NOW + 3 * DAY - timedelta(minutes=1)) == 0
    assert switch_off_paused_hooks(now=NOW + 3 * DAY) == 1 and switch_off_paused_hooks(now=NOW + 3 * DAY) == 0
    anna.refresh_from_db()
    assert Notice.objects.filter(kind="hook_off").count() == 1 and not anna.has_webhook
    assert post_due_event(now=NOW + 3 * DAY) and not server.calls
    assert of_webhooks().get().state == Delivery.State.SKIPPED


def test_days_of_failure_switch_it_off_with_a_notice(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    fail_for_days(server, anna, hook)
    hook.refresh_from_db()
    anna.refresh_from_db()
    assert hook.off_at == NOW + 3 * DAY and not anna.has_webhook
    assert Notice.objects.filter(kind="hook_off").count() == 1 and len(server.calls) == 4
    assert not of_webhooks().filter(state__in=["due", "claimed"]).exists()
    set_webhook(user=anna, url=server.url, now=NOW + 9 * DAY)
    anna.refresh_from_db()
    write_message(anna, "again", NOW + 9 * DAY)
    server.answers = []
    assert post_due_event(now=NOW + 9 * DAY) and of_webhooks().last().state == Delivery.State.SENT


def test_a_call_of_a_webhook_is_not_an_email(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    assert deliver_due(now=NOW) == 0 and not server.calls
    assert find_email_delay(NOW + 9 * DAY, Policy(), ZoneInfo("UTC")) == ""


def test_a_webhook_ends_with_its_users_password_and_account(server, anna):
    set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    revoke_credentials(user=anna)
    assert not Hook.objects.exists() and not User.objects.get(pk=anna.pk).has_webhook
    assert not post_due_event(now=NOW) and not server.calls
    assert not of_webhooks().exists()
    set_webhook(user=anna, url=server.url, now=NOW)
    anna.refresh_from_db()
    write_message(anna, "more")
    User.objects.filter(pk=anna.pk).update(is_active=False)
    post_due_event(now=NOW)
    assert not server.calls


class SilentServer:
    """A server that accepts every call and answers none, until it ends."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=20)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def end(self):
        self.listener.close()


@pytest.fixture
def silent_server(settings, monkeypatch):
    settings.FM_WEBHOOKS_TO_LOOPBACK = True
    for limit in ("STEP_SECONDS", "CALL_SECONDS"):
        monkeypatch.setattr(hook_calls, limit, 60)
    made = SilentServer()
    yield made
    made.end()


def start(act, count=1):
    """Run `act` in `count` threads, as a worker does."""

    def work():
        try:
            act()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def wait_until_calling(threads, count):
    """Return when `count` of the threads have each begun a call, and the others have ended."""
    end = time.monotonic() + 20
    while (
        sum(thread.is_alive() for thread in threads) != count
        or of_webhooks().filter(state=Delivery.State.CLAIMED).count() != count
    ):
        assert time.monotonic() < end, "another number of threads is calling"
        time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
def test_webhooks_that_do_not_answer_leave_threads_of_the_worker_for_other_work(silent_server):
    for name in ("Anna", "Bill", "Cleo", "Dora"):
        user = create_user(name=name, now=NOW)
        set_webhook(user=user, url=silent_server.url, now=NOW)
        write_message(user, now=timezone.now())
    threads = start(post_events, 4)
    wait_until_calling(threads, MOST_POSTING)
    silent_server.end()
    for thread in threads:
        thread.join(20)
    # Those that were not woken for them are called too.
    assert {each.attempts for each in of_webhooks()} == {1}


@pytest.mark.django_db(transaction=True)
def test_a_webhook_is_not_called_while_it_is_being_called(silent_server):
    anna, now = create_user(name="Anna", now=NOW), timezone.now()
    set_webhook(user=anna, url=silent_server.url, now=NOW)
    write_message(anna, "first", now)
    write_message(anna, "second", now)
    threads = start(lambda: post_due_event(now=now))
    wait_until_calling(threads, 1)
    assert not post_due_event(now=now)
    silent_server.end()
    threads[0].join(20)
    assert post_due_event(now=now + timedelta(minutes=2))


@pytest.mark.parametrize(
    "begin",
    [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"],
    ids=["status line", "headers", "body"],
)
def test_an_answer_that_drips_is_no_answer(server, monkeypatch, begin):
    monkeypatch.setattr(hook_calls, "CALL_SECONDS", 0.4)
    listener = socket.create_server(("127.0.0.1", 0))

    def drip():
        client, _ = listener.accept()
        with client:
            try:
                client.sendall(begin)
                for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1000:
                    client.sendall(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                return

    threading.Thread(target=drip, daemon=True).start()
    started = time.monotonic()
    with pytest.raises(CallFailed):
        call(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {})
    # The server would drip for fifty seconds.
    assert time.monotonic() - started < 20
    listener.close()


@pytest.mark.parametrize("seconds", [0.3, 30])
def test_waiting_for_a_name_server_counts_towards_the_time_of_the_call(server, monkeypatch, seconds):
    """A name server that takes its time, and then nothing is sent late either."""
    monkeypatch.setattr(hook_calls, "CALL_SECONDS", 0.2)
    monkeypatch.setattr(hook_calls, "STEP_SECONDS", 0.5)
    is_over, real = threading.Event(), socket.getaddrinfo

    def dawdle(*about, **more):
        is_over.wait(seconds)
        return real(*about, **more)

    monkeypatch.setattr(socket, "getaddrinfo", dawdle)
    begin = time.monotonic()
    with pytest.raises(CallFailed):
        call(server.url.replace("127.0.0.1", "localhost"), b"{}", {})
    assert time.monotonic() - begin < 20 and server.calls == []
    is_over.set()


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1"),
        *("fec0::1", "64:ff9b:1::7f00:1", "::7f00:1", "4000::1", "5f00::1", "100::1", "100:0:0:1::1"),
        *("192.0.0.1", "192.0.0.9", "192.0.0.170", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1"),
        *("192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "240.0.0.1", "100.127.0.1"),
        *("2001::1", "2001:1::1", "2001:2::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1"),
        *("2001:db8::1", "2620:4f:8000::1", "3fff::1", "3fff:fff::1", "::ffff:192.0.0.1", "64:ff9b::192.88.99.1"),
        *("2002:c058:6301::1", "::ffff:0:127.0.0.1"),
        *("::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001:0:53aa:64c:0:1234:f5ff:fffe"),
    ],
)
def test_no_private_address_is_called(address):
    assert not is_allowed(ipaddress.ip_address(address))
    with pytest.raises(InvalidHook):
        check_url(f"https://[{address}]/" if ":" in address else f"https://{address}/")


def test_public_addresses_are_called():
    assert is_allowed(ipaddress.ip_address("8.8.8.8")) and is_allowed(ipaddress.ip_address("2606:4700::1"))
    for address in ("192.0.1.1", "192.89.0.1", "198.20.0.1", "2001:200::1", "2001:4860::1", "64:ff9b::808:808"):
        assert is_allowed(ipaddress.ip_address(address)), address
    assert check_url("https://bot.example:8443/a?b=c") == "https://bot.example:8443/a?b=c"


@pytest.mark.parametrize(
    "url",
    [
        *("http://bot.example/", "ftp://bot.example/", "bot.example", "https://", "https://a:b@bot.example/", ""),
        *("https://bot.example:22/", "https://bot.example:x/", "https://bot.example/#a", "https://bot.example/ä"),
        *("https://localhost/", "https://bot.localhost:8443/", "https://LOCALHOST./"),
        *("https://2130706433/", "https://127.1/", "https://0x7f000001/", "https://0177.0.0.1/"),
        *("https://bot.example/\r\nX: y", "https://bot.example/" + "a" * 500, "file:///etc/passwd", "https://[::1/"),
    ],
)
def test_other_addresses_are_refused(url):
    with pytest.raises(InvalidHook):
        check_url(url)


@pytest.mark.parametrize("answers", [["10.0.0.1"], ["8.8.8.8", "127.0.0.1"], []])
def test_a_name_that_resolves_to_a_private_address_is_not_called(monkeypatch, answers):
    found = [(2, 1, 6, "", (address, 443)) for address in answers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: found)
    with pytest.raises(CallFailed):
        resolve("bot.example", 443)


def test_only_a_bots_token_sets_a_webhook_and_the_secret_is_shown_once(anna):
    def put(scopes):
        text = issue_api_token(user=anna, name="x", scopes=scopes, now=timezone.now())[1]
        headers = {"Authorization": f"Bearer {text}"}
        body = json.dumps({"url": "https://bot.example/"})
        return Client().put("/api/v1/webhook/", body, content_type="application/json", headers=headers), headers

    refused, _ = put(["read", "play"])
    assert (refused.status_code, refused.json()["needed"]) == (403, ["bot"])
    answer, headers = put(["read", "play", "bot"])
    assert answer.status_code == 200
    assert unseal(Hook.objects.get().sealed)["secret"] == answer.json()["secret"]
    assert answer.json()["secret"].encode() not in Client().get("/api/v1/webhook/", headers=headers).content


# -- the pages --------------------------------------------------------------------------------------------------------

PAGE = reverse("accounts:hooks")


def log_in_lately(user):
    client = log_in(user)
    prove_lately(client, user)
    return client


def fill_in(url, **more):
    return {"format": "json", "name": "My program", "url": url, "events": ["turns", "messages"], **more}


def page_of(hook):
    return reverse("accounts:hook", args=[hook.pk])


def test_the_page_adds_a_hook_and_shows_its_address_and_secret_once(server, anna):
    client = log_in_lately(anna)
    shown = client.post(PAGE, fill_in(server.url))
    hook = Hook.objects.get(user=anna)
    target = unseal(hook.sealed)
    assert shown.status_code == 200 and target["url"] == server.url and server.url not in hook.sealed
    assert target["secret"] in shown.content.decode() and html.escape(server.url) in shown.content.decode()
    for page in (PAGE, page_of(hook), reverse("accounts:notices")):
        again = client.get(page).content.decode()
        assert target["secret"] not in again and html.escape(server.url) not in again and "My program" in again


def test_five_hooks_are_the_most(server, anna):
    client = log_in_lately(anna)
    for number in range(5):
        assert client.post(PAGE, fill_in(server.url, name=f"No {number}")).status_code == 200
    assert client.post(PAGE, fill_in(server.url)).status_code == 422
    assert Hook.objects.filter(user=anna).count() == 5
    client.post(page_of(Hook.objects.first()), {"act": "remove"})
    assert client.post(PAGE, fill_in(server.url)).status_code == 200


def test_an_address_that_we_do_not_call_is_refused_with_the_nearest(anna):
    client = log_in_lately(anna)
    refused = client.post(PAGE, fill_in("http://bot.example/events"))
    assert refused.status_code == 422 and "https://bot.example/events" in refused.content.decode()
    assert client.post(PAGE, fill_in("https://10.1.2.3/")).status_code == 422
    assert not Hook.objects.exists()


def test_without_proof_of_identity_nothing_is_added(anna):
    answer = log_in(anna).post(PAGE, fill_in("https://bot.example/"))
    assert answer.status_code != 200 and not Hook.objects.exists()


def test_the_page_of_a_hook_lists_what_was_sent_and_repeats_one(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    server.answers = [500]
    assert post_due_event(now=NOW)
    client = log_in(anna)
    page = client.get(page_of(hook)).content.decode()
    assert "answered 500" in page and "waiting" in page and "hello" not in page
    again = {"act": "retry", "post": of_webhooks().get().pk}
    assert client.post(page_of(hook), again)["Location"] == page_of(hook)
    assert post_due_event(now=timezone.now()) and len(server.calls) == 2
    assert of_webhooks().get().state == Delivery.State.SENT
    assert client.post(page_of(hook), again).status_code == 404
    assert not post_due_event(now=timezone.now())


def test_a_hook_that_was_switched_off_is_called_again_with_missed_events(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    fail_for_days(server, anna, hook)
    client = log_in(anna)
    assert "Switched off" in client.get(page_of(hook)).content.decode()
    skipped = of_webhooks().filter(state=Delivery.State.SKIPPED)
    assert skipped.count() == 4
    assert client.post(page_of(hook), {"act": "retry"})["Location"] == PAGE
    hook.refresh_from_db()
    anna.refresh_from_db()
    assert hook.is_live and hook.retry_at is None and anna.has_webhook
    # The button also sends a test, so that the page soon says whether it works.
    assert post_due_event(now=timezone.now()) and json.loads(server.calls[-1][2])["type"] == "test"
    count = len(server.calls)
    client.post(page_of(hook), {"act": "retry", "post": skipped.first().pk})
    assert post_due_event(now=timezone.now()) and len(server.calls) == count + 1 and skipped.count() == 3


def test_a_test_is_sent_once_a_minute(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    client = log_in(anna)
    for _ in range(3):
        assert client.post(page_of(hook), {"act": "test"})["Location"] == PAGE
    while post_due_event(now=timezone.now()):
        pass
    assert 1 <= len(server.calls) <= 2
    assert "delivered" in client.get(PAGE).content.decode()
    assert "test" not in {event.type for event in list_events(user=anna, after="")[0]}


def test_a_hook_is_told_only_what_it_has_chosen(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    client = log_in(anna)
    assert client.post(page_of(hook), {"act": "save", "name": "Turns", "events": ["turns"]}).status_code == 302
    write_message(anna)
    assert not of_webhooks().exists()
    write_notice(key="turn", user=anna, kind="turn_resolved", facts={"battle": 1}, now=NOW)
    assert of_webhooks().count() == 1
    assert client.post(page_of(hook), {"act": "save", "name": "Turns", "events": []}).status_code == 422


def test_a_removed_hook_is_not_called(server, anna):
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    client = log_in(anna)
    assert client.post(page_of(hook), {"act": "remove"})["Location"] == PAGE
    assert not Hook.objects.exists() and not of_webhooks().exists()
    assert client.post(page_of(hook), {"act": "remove"}).status_code == 404
    post_due_event(now=NOW)
    assert not server.calls and not User.objects.get(pk=anna.pk).has_webhook


def test_nobody_can_change_someone_elses_hook(server, anna):
    boris = create_user(name="Boris", now=NOW)
    hook, _secret = set_webhook(user=anna, url=server.url, now=NOW)
    write_message(anna)
    server.answers = [500]
    post_due_event(now=NOW)
    before, delivery = Hook.objects.values().get(), of_webhooks().values().get()
    assert Client().post(page_of(hook), {"act": "remove"})["Location"].startswith("/accounts/login/")
    other, _secret = set_webhook(user=boris, url=server.url, now=NOW)
    client = log_in(boris)
    assert client.get(page_of(hook)).status_code == 404
    for act in ("remove", "retry", "test", "save"):
        assert client.post(page_of(hook), {"act": act, "name": "x", "events": ["turns"]}).status_code == 404
    assert client.post(page_of(other), {"act": "retry", "post": delivery["id"]}).status_code == 404
    assert Hook.objects.filter(user=anna).values().get() == before and of_webhooks().values().get() == delivery


def test_the_api_sets_and_deletes_the_webhook_and_no_other_hook_however_often(anna):
    text = issue_api_token(user=anna, name="x", scopes=["read", "play", "bot"], now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {text}"}

    def put(url):
        sent = json.dumps({"url": url})
        return Client().put("/api/v1/webhook/", sent, content_type="application/json", headers=headers).status_code

    def list_urls():
        return [unseal(hook.sealed)["url"] for hook in Hook.objects.order_by("pk")]

    assert put("https://bot.example/1") == 200
    own = {"user": anna, "scope": "user", "form": "json", "name": "other", "events": ["turns"], "now": timezone.now()}
    other, _secret = add_hook(**own, url="https://other.example/")
    for number in (2, 3):
        assert put(f"https://bot.example/{number}") == 200
        assert list_urls() == [f"https://bot.example/{number}", "https://other.example/"]
    assert [Client().delete("/api/v1/webhook/", headers=headers).status_code for _ in range(2)] == [204, 404]
    assert Client().get("/api/v1/webhook/", headers=headers).status_code == 404
    assert Hook.objects.get() == other and put("https://bot.example/4") == 200
    assert list_urls() == ["https://other.example/", "https://bot.example/4"]


def test_the_api_adds_lists_and_removes_hooks_without_their_addresses(anna):
    text = issue_api_token(user=anna, name="x", scopes=["read", "play", "bot"], now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {text}"}

    def post(**sent):
        return Client().post("/api/v1/hooks/", json.dumps(sent), content_type="application/json", headers=headers)

    new = {"format": "ntfy", "name": "phone", "url": "https://ntfy.sh/anna-duels", "events": ["turns", "last"]}
    answer = post(**new, token="tk_private")
    assert answer.status_code == 201 and answer.json()["secret"] == ""
    assert post(**{**new, "url": "https://ntfy.sh/"}).status_code == 422
    assert post(**{**new, "format": "matrix"}).status_code == 422
    listed = Client().get("/api/v1/hooks/", headers=headers)
    (hook,) = listed.json()["hooks"]
    assert (hook["format"], hook["events"]) == ("ntfy", ["turns", "last"])
    assert b"anna-duels" not in listed.content and b"tk_private" not in listed.content
    removed = f"/api/v1/hooks/{hook['id']}/"
    assert Client().delete(removed, headers=headers).status_code == 204
    assert Client().delete(removed, headers=headers).status_code == 404


def test_the_api_says_why_a_hook_cannot_be_added(anna):
    text = issue_api_token(user=anna, name="x", scopes=["read", "play", "bot"], now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {text}"}
    new = {"format": "json", "name": "bot", "url": "https://bot.example/", "events": ["turns"]}

    def send(method, path, **sent):
        call = getattr(Client(raise_request_exception=False), method)
        return call(f"/api/v1/{path}/", json.dumps(sent), content_type="application/json", headers=headers)

    for wrong in ({"name": " "}, {"events": []}):
        answer = send("post", "hooks", **(new | wrong))
        assert answer.status_code == 422
        assert [each["place"] for each in answer.json()["problems"]] == list(wrong)
    assert [send("post", "hooks", **new).status_code for _ in range(MOST_HOOKS)] == [201] * MOST_HOOKS
    for answer in (send("post", "hooks", **new), send("put", "webhook", url="https://bot.example/")):
        assert (answer.status_code, answer.json()["reason"]) == (409, "too_many_hooks")
