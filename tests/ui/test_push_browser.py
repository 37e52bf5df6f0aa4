"""A notification reaches a user's second browser: encrypted by the outbox, handed to its push service, and shown."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import http_ece
import pytest
from django.utils import timezone

from accounts.models import PushDevice
from accounts.push_messages import push_due_notice
from accounts.services.users import create_user
from tests.accounts.test_push_devices import Browser
from tests.accounts.test_webhooks import server
from tests.challenges.conftest import make_challenge
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, PHONE, SELDOM, battle, choose, visit

pytestmark = pytest.mark.browser
__all__ = ["server", "visit"]
# The browser's own push service is on the internet. This one is on this machine; all else is the page's own code.
SUBSCRIBE = """PushManager.prototype.subscribe = async function (options) {
  window.applicationKey = options.applicationServerKey;
  return { toJSON: () => ({ endpoint: %(endpoint)r, keys: { p256dh: %(p256dh)r, auth: %(auth)r } }) };
};"""
SHOWN = """navigator.serviceWorker.ready.then((each) => each.getNotifications()).then((all) =>
  all.map(({ title, body, tag, data }) => [title, body, tag, data.path]))"""


@pytest.fixture
def service_workers() -> str:
    return "allow"


@pytest.fixture
def browser(whole_browser: Any) -> Any:
    """The shell of Chromium has no notifications."""
    return whole_browser


def allow(page: Any, keys: Browser, live_server: Any) -> Any:
    page.context.grant_permissions(["notifications"], origin=live_server.url)
    page.context.add_init_script(SUBSCRIBE % keys.form)
    return page


def test_one_press_while_waiting_turns_the_device_on_and_its_service_worker_renews_it(
    visit: Callable[..., Any], transactional_db: None, server: Any, live_server: Any
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    keys = Browser(fight.user("Froodal"), server.url)
    page = allow(visit("/rules/", fight.user("Froodal"), **PHONE), keys, live_server)
    page.goto(battle(fight))
    choose(page, "S", "W")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.locator(".notify .offer", has_text="Turn on notifications").wait_for()
    assert list_faults(page) == []
    page.get_by_role("button", name="Notify me when it's my turn").click()
    said = page.get_by_text("We notify you on this device. You can close this page.")
    said.wait_for()
    assert said.evaluate("(each) => each === document.activeElement")
    assert PushDevice.objects.get().user == fight.user("Froodal")

    page.context.clear_cookies(name="sessionid")
    fresh = Browser(fight.user("Froodal"), f"{server.url}&renewed=1")
    (worker,) = page.context.service_workers
    script = (SUBSCRIBE % fresh.form).replace("window", "self")
    worker.evaluate(f"() => {{ {script} }}")
    worker.evaluate("() => {{ self.dispatchEvent(new ExtendableEvent('pushsubscriptionchange')) }}")
    wait_until(lambda: PushDevice.objects.get().endpoint == fresh.form["endpoint"])


@pytest.mark.parametrize("path", ["battle", pytest.param("challenge", marks=SELDOM)])
def test_a_browser_that_declines_is_told_what_happens_instead(
    visit: Callable[..., Any], transactional_db: None, path: str
) -> None:
    anna = create_user(name="Anna", email="anna@example.org", now=timezone.now(), email_verified=True)
    fight = start_fight(make_mage("Froodal", anna), make_mage("Bung"), pace="live3")
    fight.order("Froodal", "S/W")
    challenge = make_challenge(make_mage("Ayla", anna), now=timezone.now())
    # A page without permission to ask is declined at once.
    page = visit(battle(fight) if path == "battle" else f"/challenges/{challenge.number}/", anna, **PHONE)
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.evaluate("document.documentElement.dataset.push = 'offer'")
    page.get_by_role("button", name="Notify me when it's my turn").click()
    refused = page.get_by_text("Your browser blocks notifications from this site.")
    refused.wait_for()
    assert "Without notifications, we email you." in refused.inner_text()
    assert ("it makes a sound" in refused.inner_text()) is (path == "battle")
    assert list_faults(page) == [] and not PushDevice.objects.exists()


def visit_waiting(visit: Callable[..., Any], live_server: Any, endpoint: str = "https://push.example/1") -> Any:
    """The page of a battle in which Froodal waits, in a browser that may show notifications."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", "S/W")
    page = visit("/rules/", fight.user("Froodal"), **PHONE)
    page.context.grant_permissions(["notifications"], origin=live_server.url)
    page.context.add_init_script(SUBSCRIBE % Browser(fight.user("Froodal"), endpoint).form)
    page.goto(battle(fight))
    page.wait_for_selector("[data-push='offer']", state="attached")
    return page


PRESS = "Notify me when it's my turn"
FAILED = "Notifications could not be turned on. Try again in a minute."


@pytest.mark.parametrize("fault", ["500", pytest.param("offline", marks=SELDOM)])
def test_a_site_that_does_not_answer_is_no_browser_that_cannot(
    visit: Callable[..., Any], transactional_db: None, server: Any, live_server: Any, fault: str
) -> None:
    page = visit_waiting(visit, live_server, server.url)
    address = "**/accounts/devices/this/**"
    page.route(address, lambda route: route.fulfill(status=500) if fault == "500" else route.abort())
    page.get_by_role("button", name=PRESS).click()
    said = page.get_by_text(FAILED)
    said.wait_for()
    assert said.evaluate("(each) => each === document.activeElement")
    assert page.get_by_role("button", name=PRESS).is_visible() and list_faults(page) == []
    page.unroute(address)
    page.get_by_role("button", name=PRESS).click()
    page.get_by_text("We notify you on this device.").wait_for()
    assert not said.is_visible() and PushDevice.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NotAllowedError", "Your browser blocks notifications from this site."),
        pytest.param("NotSupportedError", "This browser cannot notify you.", marks=SELDOM),
        pytest.param("AbortError", FAILED, marks=SELDOM),
    ],
)
def test_the_browsers_own_errors_are_told_apart(
    visit: Callable[..., Any], transactional_db: None, live_server: Any, name: str, words: str
) -> None:
    page = visit_waiting(visit, live_server)
    page.evaluate(
        "(name) => { PushManager.prototype.subscribe = async () => { throw new DOMException('no', name); }; }", name
    )
    page.get_by_role("button", name=PRESS).click()
    page.get_by_text(words).wait_for()
    others = {"Your browser blocks notifications", "This browser cannot notify you.", FAILED} - {words}
    assert not any(page.get_by_text(other).is_visible() for other in others if not words.startswith(other))


def test_who_only_closes_the_browsers_question_may_be_asked_again(
    visit: Callable[..., Any], transactional_db: None, live_server: Any
) -> None:
    page = visit_waiting(visit, live_server)
    page.evaluate("() => { Notification.requestPermission = async () => 'default'; }")
    page.get_by_role("button", name=PRESS).click()
    page.wait_for_selector("[data-push='offer']", state="attached")
    assert page.get_by_role("button", name=PRESS).is_visible()
    assert not page.get_by_text("Your browser blocks notifications").is_visible()


def test_a_browser_without_push_says_so_and_offers_nothing(
    visit: Callable[..., Any], transactional_db: None, live_server: Any
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", "S/W")
    page = visit("/rules/", fight.user("Froodal"), **PHONE)
    page.context.add_init_script("delete window.PushManager;")
    page.goto(battle(fight))
    page.get_by_text("This browser cannot notify you.").wait_for()
    assert not page.get_by_role("button", name=PRESS).is_visible() and list_faults(page) == []


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_turn_played_in_one_browser_is_notified_in_another(
    visit: Callable[..., Any], transactional_db: None, server: Any, live_server: Any
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    froodal = fight.user("Froodal")
    keys = Browser(froodal, server.url)
    phone = allow(visit("/rules/", froodal, **PHONE), keys, live_server)
    workers = phone.context.new_cdp_session(phone)
    registrations: list[Any] = []
    workers.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(told["registrations"]))
    workers.send("ServiceWorker.enable")
    # Chromium forgets a notification that a page asks for while it is being displayed, so it says itself when it is.
    displayed: list[Any] = []
    workers.on("BackgroundService.backgroundServiceEventReceived", lambda event: displayed.append(event))
    workers.send("BackgroundService.setRecording", {"shouldRecord": True, "service": "notifications"})
    workers.send("BackgroundService.startObserving", {"service": "notifications"})
    phone.goto("/accounts/notices/")
    assert list_faults(phone) == []
    phone.click("[data-push-on]")
    phone.wait_for_selector("[data-device]")

    desk = visit(battle(fight), fight.user("Bung"), **DESK)
    fight.order("Froodal", "S/W")
    choose(desk, "P", "D")
    desk.wait_for_selector("#ready:not([aria-disabled])")
    desk.click("#ready")
    desk.wait_for_selector("#state[data-stage^='2.']", state="attached")

    while push_due_notice(now=timezone.now() + timedelta(minutes=1)):
        pass
    _path, _headers, sealed = server.calls[-1]
    assert b"turn" not in sealed
    told = http_ece.decrypt(sealed, private_key=keys.key, auth_secret=keys.auth, version="aes128gcm")
    workers.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": live_server.url, "registrationId": registrations[-1]["registrationId"], "data": told.decode()},
    )
    for _ in range(100):
        if displayed:
            break
        phone.wait_for_timeout(100)
    number = fight.number
    assert phone.evaluate(SHOWN) == [
        [f"A turn of battle {number} is over", "Bung is shielded.", f"battle-{number}", f"/battles/{number}/"]
    ]
