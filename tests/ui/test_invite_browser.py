"""A friend by link, in two browsers: one creates the link, the other opens it, presses *Play now*, and they play."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from duels.models import Battle
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, PHONE, choose, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]


def play(page: Any, left: str, right: str) -> None:
    choose(page, left, right)
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")


def test_a_friend_by_link_plays_at_once_as_a_guest_and_the_account_comes_after(
    visit: Callable[..., Any], live_server: Any, transactional_db: None
) -> None:
    cache.clear()
    froodal = make_mage("Froodal")
    host = visit("/play/", froodal.user, **DESK)
    host.get_by_role("button", name="Create link").click()
    link = host.get_by_label("Send this to a friend").input_value()
    # Chromium's shell declines notifications, so the page says what happens instead.
    host.locator(".notify p:visible", has_text="Turn on notifications").first.wait_for()
    assert list_faults(host) == []

    friend = visit(link.removeprefix(live_server.url), **PHONE)
    friend.get_by_role("heading", name="Froodal invites you to a duel of wizards").wait_for()
    assert list_faults(friend) == [] and overflow(friend) <= 0
    button = friend.get_by_role("button", name="Play now")
    assert button.bounding_box()["y"] + button.bounding_box()["height"] < PHONE["viewport"]["height"]
    button.click()
    friend.wait_for_url("**/battles/*/")
    assert list_faults(friend) == []

    number = Battle.objects.get().number
    host.goto(f"/battles/{number}/")
    for page in (host, friend):
        here = page.get_by_role("button", name="I'm here")
        if here.count():
            here.click()
    play(friend, "S", "W")
    friend.get_by_text("You are ready.", exact=True).wait_for()
    play(host, "W", "P")
    for page in (host, friend):
        page.wait_for_selector("#state[data-stage^='2.']", state="attached")

    friend.goto("/keep/")
    friend.get_by_label("Name", exact=True).fill("Rinn")
    friend.get_by_label("Name of your mage").fill("Rinna")
    friend.get_by_label("Email").fill("rinn@example.org")
    friend.get_by_role("button", name="Keep this mage").click()
    friend.get_by_text("Rinna is yours now.").wait_for()
    friend.wait_for_url(f"**/battles/{number}/")
    play(friend, "D", "F")
    friend.get_by_text("You are ready.", exact=True).wait_for()
