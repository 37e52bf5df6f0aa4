"""A played turn at a glance, in a real browser, with and without scripts."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from duels.selectors.viewer import get_combatant_for_user
from duels.services.clocks.battle_clocks import record_presence
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.services.saved_scenes import SavedScene, save_scene
from tests.ui.test_browser import PHONE, overflow, visit
from tests.ui.test_chat_browser import SIZES, look

pytestmark = pytest.mark.browser
__all__ = ["visit"]


def play_missiles() -> Fight:
    """Bung's shield stops Froodal's missile; then a missile and a stab reach Bung."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("S/-", "-/-"), ("D/-", "P/-"), ("S/-", "-/-"), ("D/>", "-/-")])
    return fight


saved_missiles = save_scene(play_missiles)


@pytest.fixture
def duel(transactional_db: None, saved_missiles: SavedScene[Fight]) -> Fight:
    return saved_missiles.begin()


@pytest.mark.parametrize(
    "options", [*SIZES, pytest.param({**SIZES[0].values[0], "java_script_enabled": False}, id="bare")]
)
def test_a_turn_is_one_line_for_each_mage_and_why_opens_in_place(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **options)
    every = page.locator("#story > .story-lines.sums > li")
    assert every.count() == 2
    assert "Bung casts no spell." in every.last.inner_text()
    sums = every.first
    assert "Bung loses 2 to your Magic Missile and your dagger. Bung has 13." in " ".join(sums.inner_text().split())
    assert sums.locator("b").inner_text() == "Bung loses 2"
    assert page.locator(".side-above .hp .was").inner_text() == "was 15"
    assert page.locator(".side-below .hp .was").count() == 0
    sums.locator("summary").scroll_into_view_if_needed()
    sums.locator("summary").click()
    chain = sums.locator(".chain")
    chain.wait_for()
    assert chain.locator("q").inner_text() and "in the rules" in chain.inner_text()
    assert chain.locator("ol > li").count() >= 1
    look(page, "reveal" if "java_script_enabled" not in options else "reveal-bare")
    assert page.locator("#story > .events > summary").inner_text() == "All 4 events of turn 4"
    assert not page.locator("#story > .events > ol").is_visible()
    page.click("#story > .events > summary")
    page.wait_for_selector("#story > .events > ol > li >> text=Magic Missile hits")
    if "java_script_enabled" not in options:
        assert overflow(page) <= 0
        assert list_faults(page) == []


def test_a_live_clock_counts_down_once_both_are_here(visit: Callable[..., Any], transactional_db: None) -> None:
    swift, rapid = make_mage("Swift"), make_mage("Rapid")
    battle = start_battle(number=take_number(), terms=Terms(pace="live3"), mages=(swift, rapid), now=timezone.now())
    page = visit(f"/battles/{battle.number}/", swift.user)
    page.get_by_role("button", name="I'm here").click()
    note = page.get_by_text("You are here. The battle is waiting for Rapid.")
    note.wait_for()
    record_presence(
        combatant=get_combatant_for_user(number=battle.number, user=rapid.user, mage_name="Rapid"), now=timezone.now()
    )
    clock = page.locator(".call time")
    clock.wait_for()
    assert page.locator(".presence").count() == note.count() == 0
    before = clock.inner_text()
    assert re.fullmatch(r"2:(30|[0-2]\d)", before)
    page.wait_for_selector(f".call time:not(:text-is('{before}'))")
    assert clock.inner_text() < before


def test_after_a_turn_without_events_a_phone_offers_none(visit: Callable[..., Any], duel: Fight) -> None:
    path = f"/battles/{duel.number}/"
    page = visit(path, duel.user("Froodal"), **PHONE)
    for hands, has_events in ((("-/-", "-/-"), False), (("-/>", "-/-"), True)):
        duel.turn(*hands)
        page.goto(path)
        page.wait_for_selector("[data-play]")
        assert page.is_visible("[data-events]") == has_events
