"""The bell at the top of every page of a user, and its panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.selectors.news import list_news
from accounts.services.ties import follow_user
from accounts.services.users import set_language
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user
from tests.services.axe import list_faults, list_small_targets
from tests.ui.test_browser import DESK, PHONE, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]


@pytest.fixture
def fan(transactional_db: None) -> Any:
    """A user with one line of news, and a battle that waits for them."""
    fan = make_user("Fan")
    mine, froodal = make_mage("Maren", fan), make_mage("Froodal", "Quentin")
    follow_user(user=fan, followed=froodal.user, now=NOW)
    start_fight(froodal, make_mage("Bung", "Otto")).turn("P/P", "-/-")
    start_fight(mine, make_mage("Wanda", "Wilma"))
    return fan


def count_unseen(fan: Any) -> int:
    return list_news(fan.pk).filter(is_unseen=True).count()


def open_panel(page: Any) -> Any:
    page.locator("[data-bell]").click()
    panel = page.locator(".bell-panel")
    panel.wait_for()
    return panel


def test_the_panel_lists_what_waits_first_and_marks_nothing(visit: Callable[..., Any], fan: Any) -> None:
    page = visit("/rules/", fan, **PHONE)
    assert page.locator("[data-news]").inner_text().split() == ["1", "unseen"]
    panel = open_panel(page)
    box = panel.bounding_box()
    assert (round(box["x"]), round(box["x"] + box["width"])) == (8, 382)
    words = panel.inner_text()
    assert words.index("Waiting for you") < words.index(", turn 1.") < words.index("Bung won Duel")
    assert page.evaluate("document.activeElement.id") == "bell-title"
    assert list_faults(page) == []
    assert list_small_targets(page) == []
    page.keyboard.press("Escape")
    assert panel.count() == 0
    assert page.evaluate("document.activeElement.hasAttribute('data-bell')")
    assert count_unseen(fan) == 1


def test_a_line_is_read_when_it_is_followed(visit: Callable[..., Any], fan: Any) -> None:
    page = visit("/rules/", fan, **DESK)
    panel = open_panel(page)
    assert panel.bounding_box()["width"] == 400
    page.mouse.click(100, 700)
    panel.wait_for(state="detached")
    open_panel(page).get_by_text("Bung won Duel").click()
    page.wait_for_url("**/battles/*/")
    page.wait_for_load_state()
    assert count_unseen(fan) == 0
    page.goto("/rules/")
    assert page.locator("[data-news]").is_hidden()


def test_everything_is_marked_as_read_without_leaving_the_page(visit: Callable[..., Any], fan: Any) -> None:
    page = visit("/rules/", fan, **PHONE)
    panel = open_panel(page)
    panel.get_by_role("button", name="Mark all as read").click()
    page.locator("[data-news]").wait_for(state="hidden")
    assert panel.locator(".unseen").count() == 0
    assert page.url.endswith("/rules/")
    assert count_unseen(fan) == 0


def test_the_bell_works_by_keys(visit: Callable[..., Any], fan: Any) -> None:
    page = visit("/rules/", fan, **DESK)
    page.locator("[data-bell]").focus()
    page.keyboard.press("Enter")
    page.locator(".bell-panel").wait_for()
    assert page.locator("[data-bell]").get_attribute("aria-expanded") == "true"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Mark all as read"


def test_without_scripts_the_bell_leads_to_the_page_of_news(visit: Callable[..., Any], fan: Any) -> None:
    page = visit("/rules/", fan, **PHONE, java_script_enabled=False)
    page.locator("[data-bell]").click()
    page.wait_for_url("**/news/")
    page.get_by_role("button", name="Mark all as read").click()
    assert page.locator(".unseen").count() == 0
    assert count_unseen(fan) == 0


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_bar_fits_with_the_bell(visit: Callable[..., Any], fan: Any, language: str) -> None:
    set_language(user=fan, language=language)
    page = visit("/rules/", fan)
    for width in (320, 360, 375, 390, 450, 600, 768):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) == 0, width
        bell, words = (page.locator(each).bounding_box() for each in ("[data-bell]", ".nav"))
        assert (bell["width"], bell["height"]) == (44, 44), width
        has_row = words["y"] >= bell["y"] + bell["height"]
        # German words are longer.
        assert has_row == (width < (450 if language == "de" else 375)), width
        assert words["height"] < 60, "the words are in one row"
