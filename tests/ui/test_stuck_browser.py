"""The page of a stuck battle on every screen: the note fits, and the one thing left to do is in reach."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from duels.services import resolve
from rules_engine import advance
from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, NARROW, PHONE, overflow, seldom, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]


@pytest.fixture
def stuck(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Fight:
    def fail(state: Any, sheets: Any, dice: Any) -> Any:
        if any(sheet.column == "CC" for sheet in sheets.values()):
            raise ZeroDivisionError
        return advance(state, sheets, dice)

    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    monkeypatch.setattr(resolve, "advance", fail)
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "P/-")
    fight.turn("P/W", "C/C")
    assert fight.battle.status == "stuck"
    return fight


@pytest.mark.parametrize(
    "options",
    [pytest.param(NARROW, id="narrow"), *seldom(pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk"))],
)
def test_the_note_fits_and_changed_orders_set_the_battle_free(
    visit: Callable[..., Any], stuck: Fight, options: Any
) -> None:
    page = visit(f"/battles/{stuck.number}/", stuck.user("Bung"), **options)
    page.wait_for_selector("text=The janitors were notified at once")
    if folder := os.environ.get("FM_PICTURES"):
        page.screenshot(path=Path(folder) / f"stuck-{page.viewport_size['width']}.png")
    assert overflow(page) <= 0
    assert list_faults(page) == []
    page.click(".sealed-row a.button")
    page.wait_for_selector("#state[data-state=draft]", state="attached")
    if folder:
        page.screenshot(path=Path(folder) / f"changing-{page.viewport_size['width']}.png")
