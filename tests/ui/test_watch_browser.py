"""The featured board in a real browser: three turns, a lost connection, Pause and Next, and the front page."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from duels.selectors.spectators import EXHIBITION, place_of_board
from operations.presence import lose_page, see_pages
from studies.services.exhibitions import TURN, begin_exhibition, play_exhibition
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import SELDOM, overflow, seldom, visit
from tests.ui.test_chat_browser import look

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param({"viewport": {"width": width, "height": height}, "color_scheme": scheme}, id=f"{width}-{scheme}")
    for width, height, scheme in ((390, 844, "light"), (1280, 800, "light"), (390, 844, "dark"), (1280, 800, "dark"))
]
TURNS = [("P/W", "W/D"), ("W/S", "F/P"), ("P/D", "S/W"), ("F/P", "D/F"), ("S/W", "P/F"), ("D/D", "W/S"), ("P/F", "S/D")]


@pytest.fixture
def live(transactional_db: None) -> Fight:
    cache.clear()
    return start_fight(make_mage("Ottokar"), make_mage("Marrowick"), pace="live3")


def show(page: Any, text: str) -> None:
    page.wait_for_function("(text) => document.querySelector('.featured').textContent.includes(text)", arg=text)


@pytest.mark.parametrize("options", [SIZES[0], SIZES[3], *seldom(*SIZES[1:3])])
def test_the_page_fits_and_axe_finds_nothing(visit: Callable[..., Any], live: Fight, options: Any) -> None:
    live.turns(TURNS)
    live.order("Marrowick", "W/W")
    other = start_fight(make_mage("Wanda"), make_mage("Pip"))
    other.turn("P/D", "W/S")
    page = visit("/battles/", **options)
    look(page, f"watch-{options['color_scheme']}")
    assert overflow(page) <= 0
    assert list_faults(page) == []
    assert page.locator(".featured .mage-head").count() == 2


def test_it_moves_through_three_turns_and_a_lost_connection(visit: Callable[..., Any], live: Fight) -> None:
    page = visit("/battles/")
    board = page.locator(".featured")
    for turn, orders in enumerate(TURNS[:3], start=1):
        live.turn(*orders)
        page.wait_for_function("(turn) => document.querySelector('.featured').dataset.turn === turn", arg=str(turn + 1))
        assert f"Turn {turn}." in board.inner_text()
    assert page.locator("[data-lost]").is_hidden()

    page.route("**/battles/featured/**", lambda route: route.abort())
    page.locator("[data-lost]").wait_for(state="visible")
    said = " ".join(page.locator("[data-lost]").inner_text().split())
    assert said == "The connection is lost. You see turn 4. We try again every 5 seconds."
    live.turn(*TURNS[3])
    page.wait_for_timeout(5500)
    assert page.locator("[data-lost]").is_visible() and board.get_attribute("data-turn") == "4"

    page.unroute("**/battles/featured/**")
    page.locator("[data-lost]").wait_for(state="hidden")
    show(page, "Turn 4.")
    assert board.get_attribute("data-turn") == "5"


def test_a_paused_board_stays_paused_also_after_next(visit: Callable[..., Any], live: Fight) -> None:
    live.turn(*TURNS[0])
    second = start_fight(make_mage("Wanda"), make_mage("Pip"), pace="live3")
    second.turn(*TURNS[0])
    page = visit("/battles/")
    first = page.locator(".featured").get_attribute("data-key")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    live.turn(*TURNS[1])
    second.turn(*TURNS[1])
    page.wait_for_timeout(6000)
    assert page.locator(".featured").get_attribute("data-turn") == "2"

    page.get_by_role("link", name="Next").click()
    page.wait_for_function("(key) => document.querySelector('.featured').dataset.key !== key", arg=first)
    assert page.url.endswith("/battles/") and page.get_by_role("button", name="Go on").is_visible()
    shown = live if page.locator(".featured").get_attribute("data-key") == f"battle-{live.number}" else second
    shown.turn(*TURNS[2])
    page.wait_for_timeout(6000)
    assert page.locator(".featured").get_attribute("data-turn") == "3"
    page.get_by_role("button", name="Go on").click()
    show(page, "Turn 3.")


def test_without_scripts_next_is_a_page_and_there_is_no_pause(visit: Callable[..., Any], live: Fight) -> None:
    start_fight(make_mage("Wanda"), make_mage("Pip"), pace="live3")
    page = visit("/battles/", java_script_enabled=False)
    first = page.locator(".featured").get_attribute("data-key")
    assert page.get_by_role("button", name="Pause").count() == 0
    page.get_by_role("link", name="Next").click()
    assert page.locator(".featured").get_attribute("data-key") != first


@pytest.mark.parametrize("motion", ["reduce", pytest.param("no-preference", marks=SELDOM)])
def test_with_less_motion_a_turn_changes_in_place(visit: Callable[..., Any], live: Fight, motion: Any) -> None:
    page = visit("/battles/", reduced_motion=motion)
    # The page itself looks: a next answer, with one more spectator, may end the move before a locator comes to look.
    page.evaluate(
        """() => new MutationObserver(() => {
            const bead = document.querySelector(".featured.moved .bead.big");
            window.animation ??= bead && getComputedStyle(bead).animationName;
        }).observe(document.body, { subtree: true, childList: true })"""
    )
    live.turn(*TURNS[0])
    name = page.wait_for_function("() => window.animation").json_value()
    assert name == ("none" if motion == "reduce" else "come")


@pytest.mark.parametrize("options", [SIZES[0], *seldom(SIZES[1])])
def test_where_no_people_fight_visitors_of_the_front_page_see_the_bots(
    visit: Callable[..., Any], transactional_db: None, options: Any
) -> None:
    cache.clear()
    bring_bots(now=NOW)
    begin_exhibition(now=NOW)
    place = place_of_board(EXHIBITION)
    see_pages({place: ["a page"]})
    try:
        for turn in (1, 2, 3):
            play_exhibition(now=NOW + turn * TURN)
        page = visit("/", **options)
        board = page.locator(".featured")
        board.scroll_into_view_if_needed()
        assert "exhibition of bots" in board.inner_text()
        assert overflow(page) <= 0
        assert list_faults(page) == []
        look(page, "watch-front")
        play_exhibition(now=NOW + 4 * TURN)
        page.wait_for_function("() => document.querySelector('.featured').dataset.turn === '5'")
        page.locator("[data-act=open]").click()
        page.wait_for_url("**/battles/exhibition/*/")
        look(page, "watch-exhibition")
        assert overflow(page) <= 0 and list_faults(page) == []
        assert page.locator("[data-turns] li").count() == 4
        play_exhibition(now=NOW + 5 * TURN)
        page.wait_for_function("() => document.querySelectorAll('[data-turns] li').length === 5")
    finally:
        lose_page(place, "a page")
