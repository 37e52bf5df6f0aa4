"""A draw in a real browser: the other's offer comes without reloading, and everything works without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from duels.services.draws import offer_draw, refuse_draw
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, PHONE, SELDOM, overflow, visit
from tests.ui.test_chat_browser import look

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param(PHONE, id="phone-light"),
    pytest.param({**DESK, "viewport": {"width": 1280, "height": 800}}, id="desk-dark", marks=SELDOM),
]


@pytest.fixture
def duel(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Fight:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Quillon"))
    fight.turns([("D/-", "D/-")] * 3)
    return fight


@pytest.mark.parametrize("options", SIZES)
def test_an_offer_comes_and_goes_on_an_open_page_and_is_accepted_there(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **options)
    menu = ".battle-top > details.menu:last-of-type"
    assert page.locator("[data-draw-offer]:not([hidden])").count() == 0
    duel.turn("D/-", "D/-")
    page.wait_for_selector("[data-draw-offer]:not([hidden])", state="attached")
    page.click(f"{menu} > summary")
    look(page, "draw-menu")
    page.click("text=Offer a draw…")
    page.wait_for_selector("text=Offer Quillon a draw?")
    look(page, "draw-asked")
    assert list_faults(page) == []
    page.click(".draw >> text=Play on")
    page.fill("#line", "W/F")
    offer_draw(combatant=duel.combatant("Quillon"), now=timezone.now())
    page.wait_for_selector("text=Quillon offers a draw.")
    assert "Quillon offers a draw." in page.text_content("#announcer")
    assert page.input_value("#line") == "W/F", "what is being typed stays"
    look(page, "draw-offered")
    assert overflow(page) <= 0
    assert list_faults(page) == []
    refuse_draw(combatant=duel.combatant("Quillon"), now=timezone.now())
    page.wait_for_selector(".draw", state="detached")
    for _ in range(5):
        duel.turn("D/-", "D/-")
    offer_draw(combatant=duel.combatant("Quillon"), now=timezone.now())
    page.wait_for_selector("text=Quillon offers a draw.")
    page.click(".draw >> button:has-text('Accept')")
    page.wait_for_selector("h1:has-text('Draw, agreed in turn 10')")
    look(page, "draw-end")
    assert list_faults(page) == []


def test_without_scripts_a_draw_is_offered_and_accepted(visit: Callable[..., Any], duel: Fight) -> None:
    duel.turn("D/-", "D/-")
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), java_script_enabled=False)
    page.click(".battle-top > details.menu:last-of-type > summary")
    page.click("text=Offer a draw…")
    page.click("button:has-text('Offer a draw')")
    page.wait_for_selector("text=You offer a draw.")
    other = visit(f"/battles/{duel.number}/", duel.user("Quillon"), java_script_enabled=False)
    other.click(".draw >> button:has-text('Accept')")
    other.wait_for_selector("h1:has-text('Draw, agreed in turn 5')")
