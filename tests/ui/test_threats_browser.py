"""What the others' hands can complete next is on the board once, and each list has room."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.ui.test_browser import battle, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]

# Each hand completes two spells; then each of them four.
FEW, MANY = (("D/W", "S/W"), ("S/S", "W/W", "W/W"))
SHOWN = "[...document.querySelectorAll('.hint > div, .threats')].filter((each) => each.checkVisibility())"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.hint, .threats')].filter((each) => each.checkVisibility());
  const rects = boxes.map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  }).filter((each) => each.height > 0);
  return rects.flatMap((one, place) => rects.slice(place + 1).filter((other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom - 2 && other.top < one.bottom - 2
  )).length;
}"""


@pytest.mark.parametrize("moves", [FEW, MANY])
@pytest.mark.parametrize("width", [1130, 1280, 1600])
def test_threats_are_shown_once_and_do_not_overlap_on_a_desktop(
    visit: Callable[..., Any], transactional_db: None, moves: tuple[str, ...], width: int
) -> None:
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    duel.turns([(hands, hands) for hands in moves])
    page = visit(battle(duel), viewport={"width": width, "height": 800})
    assert page.evaluate(OVERLAPS) == 0
    named = page.evaluate(f"{SHOWN}.map((each) => each.textContent)")
    assert sum("Protection" in text for text in named) == (2 if moves == FEW else 4), named
