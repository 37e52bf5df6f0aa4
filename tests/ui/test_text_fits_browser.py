"""Text stays whole, in its box and off other text: with letters twice as large, and on small phones held sideways."""

from collections.abc import Callable
from typing import Any

import pytest

from operations.services.site_pages import save_site_page
from tests.bots import bring_bots
from tests.duels.fights import start_fight
from tests.scenes import NOW, make_mage, make_user
from tests.ui.test_browser import MOVES, battle, overflow, visit
from tests.ui.test_one_screen_browser import TEXTS_OVER, add_creatures

pytestmark = pytest.mark.browser
__all__ = ["visit"]

OF_EVERYONE = (
    *("/", "/play/", "/challenges/", "/learn/", "/learn/creatures/2/", "/bots/", "/rules/warlocks/", "/ladder/"),
    *("/battles/", "/accounts/signup/", "/openings/", "/nothing/"),
)
# Text that leaves the window or its box: one with a rim, or one that hides what does not fit.
TEXTS_CUT = """() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || !holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (holder.closest('.vh, script, style, option, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let [window_, box, hidden] = [{ left: 0, right: innerWidth }, null, false];
    for (let each = holder; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      hidden ||= style.clipPath !== 'none';
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') window_ = null;
      const isBox = parseFloat(style.borderTopWidth) > 0 || style.overflowX !== 'visible';
      if (window_ && isBox && style.display !== 'inline') box ??= each.getBoundingClientRect();
    }
    for (const line of hidden ? [] : range.getClientRects()) {
      // A line's box is higher than its letters.
      const [top, bottom] = [line.top + line.height / 6, line.bottom - line.height / 6];
      const isOut = window_ && (line.left < -1 || line.right > window_.right + 1);
      const isWide = box && (line.left < box.left - 1 || line.right > box.right + 1);
      const isHigh = box && (top < box.top - 1 || bottom > box.bottom + 1);
      if (isOut || isWide || isHigh) found.add(node.data.trim());
    }
  }
  return [...found];
}"""

# Lines of the heading that leave the bar at the top of a board's page, and a heading too narrow for its words.
CALL_OUT = """() => {
  const [call, bar] = ['#call', '.battle-top'].map((each) => document.querySelector(each));
  const range = document.createRange();
  range.selectNodeContents(call);
  const { bottom } = bar.getBoundingClientRect();
  const lines = [...range.getClientRects()].filter((line) => line.width > 1);
  const out = lines.filter((line) => line.top + line.height / 6 < 0 || line.bottom - line.height / 6 > bottom + 1);
  const found = out.map((line) => `${line.top} to ${line.bottom} of ${bottom}`);
  return call.clientWidth < 100 ? [...found, 'narrow'] : found;
}"""


def look(page: Any, path: str, sizes: tuple[tuple[int, int], ...]) -> list[tuple[Any, ...]]:
    """Return what does not fit on that page, in windows of these sizes."""
    faults: list[tuple[Any, ...]] = []
    page.goto(path)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        if overflow(page) > 0:
            faults.append((path, width, overflow(page)))
        faults += [(path, width, each) for script in (TEXTS_CUT, TEXTS_OVER) for each in page.evaluate(script)]
    return faults


@pytest.fixture
def bots(transactional_db: None) -> None:
    bring_bots(now=NOW)


def test_no_text_is_cut_off_or_covered_where_letters_are_twice_as_large(visit: Callable[..., Any], bots: None) -> None:
    user = make_user("Reader")
    loser = make_mage("Wolfgang_Amadeus_Moz", user)
    lost = start_fight(loser, make_mage("Xanthippe_of_AthensI", make_user("Rival")))
    lost.turn("F/W", "S/F")
    lost.order(loser.name, "P/P", confirmed=True)
    lost.order("Xanthippe_of_AthensI", "D/P")
    melee = start_fight(make_mage("Ayla", user), *(make_mage(name) for name in ("Borin", "Cy", "Dorn")))
    melee.turns([(hands,) * 4 for hands in MOVES])
    add_creatures(melee, 10)
    page = visit("/privacy/", user)
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    own = ("/challenges/new/", "/accounts/settings/", battle(lost), f"{battle(lost)}replay/2/", battle(melee))
    faults = [each for path in (*OF_EVERYONE, *own) for each in look(page, path, ((390, 844), (1280, 800)))]
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert faults == []


def test_small_phones_held_sideways_show_board_and_keys_side_by_side(visit: Callable[..., Any], bots: None) -> None:
    page, faults = visit("/privacy/"), []
    for path in ("/", "/learn/creatures/2/"):
        for size in ((667, 375), (568, 320)):
            faults += look(page, path, (size,))
            board, keys, ready = (page.locator(each).first.bounding_box() for each in (".board", ".pads", "#ready"))
            assert board["x"] + board["width"] <= keys["x"] and ready["y"] - board["y"] < size[1], (path, size)
    assert faults == []


def test_what_the_operator_writes_fits_a_small_phone(visit: Callable[..., Any]) -> None:
    table = "|One column|Another|A third|A fourth|\n|-|-|-|-|\n" + f"|{'long' * 9}" * 4 + "|"
    text = f"# Contact\n\nhttps://{'long' * 40}\n\n{table}\n\n    {'code' * 30}"
    save_site_page(name="illegal-content", language="en", text=text, by=make_user("Jane"), now=NOW)
    page = visit("/illegal-content/", viewport={"width": 320, "height": 700})
    assert page.get_by_role("table").is_visible() and overflow(page) <= 0


def test_the_call_of_a_board_stays_in_its_bar_as_letters_grow(visit: Callable[..., Any], bots: None) -> None:
    user = make_user("Reader")
    fight = start_fight(make_mage("Wolfgang_Amadeus_Moz", user), make_mage("Xanthippe_of_AthensI", make_user("Rival")))
    fight.turn("F/W", "S/F")
    lost = start_fight(make_mage("Ayla", user), make_mage("Borin"))
    lost.turns([("F/W", "S/F"), ("P/P", "D/P")])
    page = visit("/privacy/", user, locale="de-DE")
    devtools = page.context.new_cdp_session(page)
    faults: list[Any] = []
    # At 24 pixels, a phone of this height still has everything on one screen.
    for letters, sizes in ((16, ((320, 640), (390, 844))), (24, ((390, 844), (412, 915)))):
        devtools.send("Page.setFontSizes", {"fontSizes": {"standard": letters, "fixed": letters - 3}})
        for path in (battle(fight), f"{battle(lost)}replay/2/", "/learn/creatures/2/"):
            faults += [(letters, *each) for each in look(page, path, sizes)]
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                faults += [(letters, path, width, each) for each in page.evaluate(CALL_OUT)]
    assert faults == []
