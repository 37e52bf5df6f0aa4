"""The first duel on the front page, in a real browser: its goal, its keys and its button are on the first screen."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.bots import bring_bots
from tests.scenes import NOW
from tests.services.axe import list_faults
from tests.ui.test_browser import overflow, visit
from tests.ui.test_chat_browser import look

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param(width, height, scheme, id=f"{width}x{height}-{scheme}")
    for width, height, scheme in (
        (390, 664, "light"),
        (360, 740, "dark"),
        (390, 844, "light"),
        (1280, 800, "light"),
        (1280, 800, "dark"),
        (390, 664, "dark"),
    )
]


@pytest.fixture
def front(visit: Callable[..., Any], transactional_db: None) -> Callable[..., Any]:
    def open_front(width: int, height: int, scheme: str = "light") -> Any:
        bring_bots(now=NOW)
        page = visit("/", viewport={"width": width, "height": height}, color_scheme=scheme)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(600)
        return page

    return open_front


def is_inside(page: Any, locator: Any) -> bool:
    box, size = locator.bounding_box(), page.viewport_size
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["height"] >= 44


@pytest.mark.parametrize(("width", "height", "scheme"), SIZES)
def test_goal_keys_and_button_are_on_the_first_screen(
    front: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    page = front(width, height, scheme)
    look(page, f"front-{height}-{scheme}")
    assert page.locator(".goal").inner_text() == "Bring Pipkin from 8 to 0. At 0, you lose."
    assert is_inside(page, page.locator("#ready"))
    keys = [key for key in page.locator(".stage label.key").all() if key.is_visible()]
    assert len(keys) in (8, 16) and all(is_inside(page, key) for key in keys)
    missile = page.locator(".stage .key-note.completes", has_text="Missile")
    assert missile.first.is_visible()
    assert overflow(page) <= 0
    assert list_faults(page) == []


@pytest.mark.parametrize(("width", "height", "scheme"), SIZES[:3])
def test_both_hands_are_chosen_one_after_the_other_and_revealed(
    front: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    page = front(width, height, scheme)
    page.click("#pad-LH label.key:has([value=D])")
    page.click("#pad-RH label.key:has([value=P])")
    page.wait_for_selector(".review:has-text('You cast Magic Missile at Pipkin')")
    look(page, f"front-chosen-{height}-{scheme}")
    assert is_inside(page, page.locator("#ready"))
    page.click("#ready")
    page.wait_for_url("**/battles/*/")
    assert page.locator("#state").get_attribute("data-key")
