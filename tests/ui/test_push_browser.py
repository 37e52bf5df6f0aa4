"""A notification reaches a user's second browser: encrypted by the outbox, handed to its push service, and shown."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import http_ece
import pytest
from django.utils import timezone

from accounts.push_messages import push_due_notice
from tests.accounts.test_push_devices import Browser
from tests.accounts.test_webhooks import server
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.services.browser import wait_for_value
from tests.ui.test_browser import DESK, PHONE, battle, choose, visit

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
def browser(whole_browser: Any) -> Any:
    """The shell of Chromium has no notifications."""
    return whole_browser


def test_a_turn_played_in_one_browser_is_notified_in_another(
    visit: Callable[..., Any], transactional_db: None, server: Any, live_server: Any
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    froodal = fight.user("Froodal")
    keys = Browser(froodal, server.url)
    phone = visit("/rules/", froodal, **PHONE)
    phone.context.grant_permissions(["notifications"], origin=live_server.url)
    phone.context.add_init_script(SUBSCRIBE % keys.form)
    workers = phone.context.new_cdp_session(phone)
    registrations: list[Any] = []
    workers.on("ServiceWorker.workerRegistrationUpdated", lambda told: registrations.extend(told["registrations"]))
    workers.send("ServiceWorker.enable")
    phone.goto("/accounts/devices/")
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
    number = fight.number
    assert wait_for_value(phone, SHOWN, "(all) => all.length > 0") == [
        [f"A turn of battle {number} is over", "See what happened.", f"battle-{number}", f"/battles/{number}/"]
    ]
