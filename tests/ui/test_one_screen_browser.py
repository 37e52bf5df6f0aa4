"""The one-screen rule: everything for a turn is in the window at once, and no text lies over another."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules_engine.beings import Monster
from tests.duels.fights import Fight, changed_state, start_fight
from tests.scenes import make_mage
from tests.services.plugin import LONG
from tests.ui.test_browser import ALWAYS, KEYS, MOVES, OF_DUEL, OF_MELEE, PHONE, UNSEEN, battle, choose, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]

SIZES = ((1280, 800), (1024, 768), (390, 844), (390, 664), (360, 640), (320, 568), (844, 390), (667, 375), (568, 320))
# What begins in the window and ends beyond its right edge.
OUTSIDE = """() => [...document.querySelectorAll('.mage-head > *, .lane .string li')]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().left < innerWidth
    && each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.className)"""
NAMES = ("Ayla", "Borin", "Cormac", "Dorn", "Edwyn", "Froodal")
KINDS = ("Goblin", "Ogre", "Troll", "Giant", "FireElemental")
SELDOM = pytest.mark.slow
# Five positions each: three numbers of turns, a question to answer, and ten creatures.
CROWDS = [2, pytest.param(3, marks=SELDOM), pytest.param(4, marks=SELDOM), 6]

# Pairs of lines of text that overlap, each cut to what its boxes show of it. Text for screen readers does not count.
TEXTS_OVER = """() => {
  const lines = [];
  // The viewer's own hit points stay above the dock: they cover what scrolls behind them.
  const lid = document.querySelector('.side-below .mage-head');
  const cover = lid && getComputedStyle(lid).position === 'sticky' ? lid.getBoundingClientRect() : null;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || !holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (holder.closest('.vh, script, style, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      let { left, top, right, bottom } = box;
      // A line's box is higher than its letters.
      top += box.height / 6;
      bottom -= box.height / 6;
      for (let each = holder; each && each !== document.body; each = each.parentElement) {
        const style = getComputedStyle(each);
        if (style.clipPath !== 'none') right = left;
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const pane = each.getBoundingClientRect();
        left = Math.max(left, pane.left);
        top = Math.max(top, pane.top);
        right = Math.min(right, pane.right);
        bottom = Math.min(bottom, pane.bottom);
      }
      if (cover && !lid.contains(holder) && top < cover.bottom && lid.closest('.scene').contains(holder)) {
        bottom = Math.min(bottom, cover.top);
      }
      if (right - left > 1 && bottom - top > 1) lines.push({ left, top, right, bottom, node });
    }
  }
  const found = [];
  for (const [index, a] of lines.entries()) {
    for (const b of lines.slice(index + 1)) {
      if (a.node === b.node) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2) found.push(`${a.node.data.trim()} | ${b.node.data.trim()}`);
    }
  }
  return found;
}"""
# How much longer than the window the page is, if it is longer: focus scrolls even what a finger can't.
TOO_LONG = "() => [document.documentElement.scrollHeight - innerHeight].filter((more) => more > 0)"
SCROLL = """(share) => {
  for (const each of document.querySelectorAll('html, .scene, .battle-main, .story-column')) {
    each.scrollTop = share * (each.scrollHeight - each.clientHeight);
  }
}"""


def add_creatures(fight: Fight, count: int) -> None:
    """Give the mages this many creatures, in turn."""
    with changed_state(fight.battle) as state:
        for index in range(count):
            owner, kind = fight.names[index % len(fight.names)], KINDS[index % len(KINDS)]
            victim = fight.names[(index + 1) % len(fight.names)]
            name = f"{('Red', 'Green')[index // len(KINDS)]}{kind}"
            state.monsters[name] = Monster(name, kind, owner, victim)


def walk_through_positions(page: Any, fight: Fight) -> Iterator[str]:
    """Show the first mage's page of each position, and yield the position's name."""
    for played, hands in enumerate(MOVES):
        if played in (0, 3):
            come_back(page, fight)
            yield f"after {played} turns"
        fight.turn(*[hands] * len(fight.names))
    come_back(page, fight)
    yield f"after {len(MOVES)} turns"
    choose(page, "S", "D")
    if len(fight.names) > 2:
        page.wait_for_selector(".question.open .card", state="attached")
        yield "a question"
    else:
        page.wait_for_selector("#ready:not([aria-disabled])")
        yield "gestures chosen"
    add_creatures(fight, 10)
    come_back(page, fight)
    yield "ten creatures"


def come_back(page: Any, fight: Fight) -> None:
    """Open the battle, and go on from what the last turn did to the keys."""
    page.goto(battle(fight))
    if page.locator("[data-play]").is_visible():
        page.click("[data-play]")


@pytest.mark.parametrize("mages", CROWDS)
def test_everything_for_a_turn_is_on_one_screen_without_overlapping_text(
    visit: Callable[..., Any], transactional_db: None, mages: int
) -> None:
    fight = start_fight(*(make_mage(name) for name in NAMES[:mages]))
    page = visit(battle(fight), fight.user("Ayla"), **PHONE)
    faults = []
    for place, position in enumerate(walk_through_positions(page, fight)):
        # At the short count, each size has every other position.
        for width, height in SIZES if LONG else SIZES[place % 2 :: 2]:
            page.set_viewport_size({"width": width, "height": height})
            wanted = list(ALWAYS)
            # On a phone, choices that are open take the place of the keys.
            if width > 1000 or not page.locator("[data-face=choices]").count():
                wanted.append(KEYS)
            # Held sideways, a phone has the dock and some of the board in view.
            if height > 600 and position != "ten creatures" and (mages <= 4 or width > 600):
                wanted += OF_DUEL if mages == 2 else OF_MELEE
            faults += [(position, width, height, "outside", each) for each in page.evaluate(OUTSIDE)]
            faults += [(position, width, height, "too long", each) for each in page.evaluate(TOO_LONG)]
            page.evaluate(SCROLL, 0)
            faults += [(position, width, height, each) for each in page.evaluate(UNSEEN, wanted)]
            for share in (0, 0.3, 0.6, 1):
                page.evaluate(SCROLL, share)
                faults += [(position, width, height, share, each) for each in page.evaluate(TEXTS_OVER)]
    assert faults == []
