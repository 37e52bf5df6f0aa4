"""The chat and the pages that do what email does, in a real browser."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.services.ties import follow_user
from duels.models import ChatLine
from duels.services.chat import write_chat_line
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, overflow, visit, wait_for_request

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param(PHONE, id="phone-light"),
    pytest.param({**DESK, "viewport": {"width": 1280, "height": 800}}, id="desk-dark", marks=SELDOM),
]


@pytest.fixture
def duel(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Fight:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "P/-")
    return fight


def look(page: Any, name: str) -> None:
    """Keep a picture for review, if someone asks for one."""
    folder = os.environ.get("FM_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}-{page.viewport_size['width']}.png")


def say(duel: Fight, name: str, text: str, once: str) -> None:
    write_chat_line(battle=duel.battle, user=duel.user(name), text=text, once=once, now=timezone.now())


@pytest.mark.parametrize("options", SIZES)
def test_a_line_is_written_in_the_bar_and_the_others_come_without_reloading(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    say(duel, "Bung", "Have a good duel", "a1")
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **options)
    page.wait_for_selector("[data-chat-new]:not([hidden]) >> text=1")
    page.click(".chat-fold > summary")
    page.wait_for_selector("text=Have a good duel")
    assert not page.is_visible("[data-chat-new]")
    page.fill("#chat-text", "You too. No stabbing!")
    page.dblclick(".chat-form button")
    page.wait_for_selector(".chat-lines .mine >> text=No stabbing")
    assert page.input_value("#chat-text") == ""
    # Letters typed here are no gestures, and a line being typed survives a phrase of one's own and one that comes.
    page.type("#chat-text", "sf")
    page.dblclick(".phrases >> text=Good move")
    page.wait_for_selector(".chat-lines .mine >> text=Good move")
    say(duel, "Bung", "I only stab on Sundays", "a2")
    page.wait_for_selector("text=on Sundays")
    assert page.input_value("#chat-text") == "sf" and page.locator(".key input:checked").count() == 0
    assert page.locator(".chat-lines li").count() == ChatLine.objects.count() == 4
    look(page, "chat")
    box = page.locator(".chat-panel").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= options["viewport"]["width"]
    assert box["y"] > 0 and box["y"] + box["height"] <= options["viewport"]["height"]
    assert page.evaluate("document.scrollingElement.scrollTop") == 0
    assert overflow(page) <= 0
    assert list_faults(page) == []
    page.keyboard.press("Escape")
    assert not page.is_visible(".chat-panel")


def test_tab_does_not_leave_the_chat_over_what_has_the_focus(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **PHONE)
    outside = "!document.querySelector('.chat-fold').contains(document.activeElement)"
    for is_wide in (False, True):
        if is_wide:
            page.set_viewport_size(DESK["viewport"])
        page.click(".chat-fold > summary")
        page.wait_for_selector("#chat-text")
        for _ in range(9):
            page.keyboard.press("Tab")
            if page.evaluate(outside):
                break
        assert page.evaluate(outside) and page.is_visible(".chat-panel") == is_wide


def test_what_is_typed_while_a_line_is_on_its_way_stays(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **DESK)
    page.click(".chat-fold > summary")
    page.wait_for_selector("#chat-text")
    held: list[Any] = []
    page.route("**/chat/*", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.fill("#chat-text", "One.")
    page.keyboard.press("Enter")
    page.keyboard.type("Two.")
    page.keyboard.press("Enter")
    page.keyboard.type("Thr")
    wait_for_request(page, held).continue_()
    wait_for_request(page, held).continue_()
    page.wait_for_selector(".chat-lines .mine >> text=Two.")
    assert page.input_value("#chat-text") == "Thr"
    page.keyboard.type("ee.")
    page.keyboard.press("Enter")
    page.keyboard.type("Four.")
    wait_for_request(page, held).abort()
    page.wait_for_selector("[data-chat-problem]:has-text('offline')")
    assert page.input_value("#chat-text") == "Three. Four."
    assert list(ChatLine.objects.order_by("pk").values_list("text", flat=True)) == ["One.", "Two."]


def test_without_scripts_the_chat_is_a_page(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), java_script_enabled=False)
    page.click(".chat-fold > summary")
    page.click("text=Open the chat")
    page.fill("#chat-text", "Anybody there?")
    page.click(".chat-form button")
    page.wait_for_selector(".chat-lines >> text=Anybody there?")
    page.click("text=Good luck")
    page.wait_for_selector(".chat-lines >> text=Good luck")


@pytest.mark.parametrize("options", SIZES)
def test_the_pages_that_do_what_email_does_are_found_fit_and_have_no_faults(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    froodal, bung = duel.user("Froodal"), duel.user("Bung")
    make_mage("Ottokar", froodal)
    follow_user(user=froodal, followed=bung, now=timezone.now())
    say(duel, "Bung", "Have a good duel", "a1")
    page = visit("/accounts/mages/", froodal, **options)
    found, wide = [], []
    for path in (
        "/accounts/mages/",
        "/mages/Ottokar/leave/",
        "/mages/Froodal/leave/",
        "/accounts/settings/",
        "/accounts/name/",
        "/accounts/emails/",
        "/accounts/close/",
        "/following/",
        "/messages/new/?to=Bung",
        f"/users/{bung.username}/",
        "/mages/Bung/",
        f"/battles/{duel.number}/chat/",
        f"/reports/new/?line={ChatLine.objects.get().pk}",
    ):
        page.goto(path)
        look(page, path.strip("/").replace("/", "_").partition("?")[0])
        found += [(path, list_faults(page))] if list_faults(page) else []
        page.set_viewport_size(NARROW["viewport"])
        wide += [(path, overflow(page))] if overflow(page) > 0 else []
        page.set_viewport_size(options["viewport"])
    assert (found, wide) == ([], [])


def test_sound_is_off_until_it_is_turned_on_and_then_stays_on_for_this_device(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **PHONE)
    page.click(".menu:not(.chat-fold) > summary")
    toggle = page.locator("[data-sound]")
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.click()
    page.wait_for_selector("#announcer >> text=You will hear two notes", state="attached")
    page.reload()
    assert page.locator("[data-sound]").get_attribute("aria-pressed") == "true"
    assert list_faults(page) == []
