"""The call of a battle's page fits its bar."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.ui.test_browser import PHONE, battle, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
LINES = """() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('#call .move'));
  const tops = [...range.getClientRects()].filter((each) => each.width > 14).map((each) => Math.round(each.top));
  return new Set(tops).size;
}"""


def test_the_call_keeps_to_one_line_on_a_phone_from_turn_10_on(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    duel.turns([("W/S", "W/S")] * 9)
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    assert page.inner_text("#call").strip() == "Turn 10: your move"
    assert page.viewport_size["width"] == 390
    assert page.evaluate(LINES) == 1
