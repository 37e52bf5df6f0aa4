"""The site as an app: it can be installed, and shows what was seen last where there is no network."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import Fight
from tests.services.browser import wait_for_value
from tests.ui.test_browser import PHONE, visit
from tests.ui.test_chat_browser import duel

pytestmark = pytest.mark.browser
__all__ = ["duel", "visit"]
KEPT = (
    "caches.open('pages-1').then((cache) => cache.keys()).then((keys) => keys.map((key) => new URL(key.url).pathname))"
)


@pytest.fixture
def service_workers() -> str:
    return "allow"


def test_the_last_state_of_a_battle_is_shown_offline_until_the_user_logs_out(
    visit: Callable[..., Any], duel: Fight
) -> None:
    path = f"/battles/{duel.number}/"
    page = visit(path, duel.user("Froodal"), **PHONE)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    assert wait_for_value(page, "navigator.serviceWorker.controller !== null")
    page.reload()
    page.wait_for_selector("#call")
    assert wait_for_value(page, KEPT, "(kept) => kept.length > 0") == [path]
    assert not page.is_visible("[data-offline]")
    page.context.set_offline(True)
    page.reload()
    assert page.inner_text("#call").startswith("Turn 2")
    page.wait_for_selector("text=You are offline. This is what you last saw")
    page.goto("/challenges/new/")
    assert "This page is not on this device." in page.inner_text("main")
    width = page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth")
    assert width != "none", "it has its style sheet"
    page.click(f"text=Battle {duel.number}")
    page.wait_for_selector("text=You are offline. This is what you last saw")
    page.context.set_offline(False)
    page.goto("/accounts/logout/")
    assert wait_for_value(page, KEPT, "(kept) => kept.length === 0") == []


def test_the_copies_of_a_session_that_has_ended_are_deleted_with_the_next_page(
    visit: Callable[..., Any], duel: Fight
) -> None:
    path = f"/battles/{duel.number}/"
    page = visit(path, duel.user("Froodal"), **PHONE)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    assert wait_for_value(page, "navigator.serviceWorker.controller !== null")
    page.reload()
    assert wait_for_value(page, KEPT, "(kept) => kept.length > 0") == [path]
    page.context.clear_cookies()
    page.goto("/")
    assert wait_for_value(page, KEPT, "(kept) => kept.length === 0") == []
    page.goto(path)
    page.wait_for_selector("#call")
    assert page.evaluate(KEPT) == [], "pages of someone who is not logged in are not kept"


def test_the_manifest_names_an_icon_that_is_there(visit: Callable[..., Any], transactional_db: None) -> None:
    page = visit("/rules/")
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    assert page.request.get(manifest["icons"][0]["src"]).ok
