"""A battle page for everyone: light, usable before its scripts load, by keys alone, in large text, without motion."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from studies.models import Puzzle
from studies.services.puzzles import add_committed_puzzles
from tests.bots import bring_bots
from tests.duels.fights import Fight
from tests.scenes import NOW
from tests.services.axe import list_faults
from tests.ui.test_browser import ALWAYS, BY_PHONE, PHONE, UNSEEN, battle, choose, chosen, duel, overflow, visit
from tests.ui.test_challenge_browser import press_tab_until
from tests.ui.test_one_screen_browser import MOVES, SCROLL, TEXTS_OVER

pytestmark = pytest.mark.browser
__all__ = ["duel", "visit"]
# Before turns told their story, a phone's first visit took 69,700 bytes; it may take 20 kB more.
MOST_REQUESTS, MOST_BYTES = 25, 90_000
# What a first visit took: the number of requests, and the bytes as a server that compresses text sends them.
LOADED = """async () => {
  const squeeze = (blob) => new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  const names = performance.getEntriesByType('resource').map((each) => each.name);
  let bytes = 0;
  for (const name of [location.href, ...names]) {
    const blob = await (await fetch(name)).blob();
    bytes += name.endsWith('.woff2') ? blob.size : (await squeeze(blob)).byteLength;
  }
  return [names.length + 1, bytes];
}"""
# How far parts of the page moved while it loaded (cumulative layout shift), each time with the parts.
SHIFTS = """
  window.shifts = [];
  const note = (list) => {
    // The font is a little wider than the one before it: by a few pixels, it moves what stands behind a time in a line.
    for (const { value, sources } of list.getEntries().filter((each) => each.value > 0.001)) {
      window.shifts.push([value, ...sources.map(({ node }) => node?.className ?? node?.parentElement?.className)]);
    }
  };
  new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
"""
MOVING = "document.getAnimations().filter((each) => each.playState === 'running').length"


def puzzle(key: str) -> str:
    return f"/puzzles/{Puzzle.objects.get(key=key).pk}/"


def test_a_battle_page_stays_small(visit: Callable[..., Any], duel: Fight) -> None:
    for hands in MOVES:
        duel.turn(hands, hands)
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.wait_for_load_state("networkidle")
    count, size = page.evaluate(LOADED)
    assert count <= MOST_REQUESTS
    assert size <= MOST_BYTES


@pytest.mark.parametrize("options", BY_PHONE)
def test_the_pads_can_be_used_before_the_scripts_have_loaded(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    page = visit("/rules/", duel.user("Froodal"), service_workers="block", **options)
    page.route("**/*.js", lambda route: route.abort())
    page.goto(battle(duel))
    assert page.evaluate(UNSEEN, [*ALWAYS, ".pads .key"]) == []
    choose(page, "S", "D")
    page.click("#ready", force=True)  # it is marked as disabled, which only scripts enforce
    page.wait_for_selector("text=You are ready.")


@pytest.mark.parametrize("how", ["chosen", "typed"])
def test_orders_given_before_the_scripts_have_loaded_count(visit: Callable[..., Any], duel: Fight, how: str) -> None:
    page = visit("/rules/", duel.user("Froodal"), service_workers="block", **PHONE)
    held: list[Any] = []
    page.route("**/draft*.js", lambda route: held.append(route))
    page.goto(battle(duel), wait_until="commit")
    page.wait_for_selector("label.key")
    if how == "chosen":
        choose(page, "S", "D")
    else:
        page.evaluate("document.getElementById('line').value = 'LH: S; RH: D'")
    assert not page.locator("text=Draft saved").is_visible()
    for route in held:
        route.continue_()
    page.wait_for_selector("text=Draft saved")
    page.wait_for_selector("#ready:not([aria-disabled])")


def test_a_turn_is_played_by_keys_alone_in_large_text_and_without_motion(
    visit: Callable[..., Any], duel: Fight
) -> None:
    """A window of 1280×800 at 200 %."""
    duel.turn("W/F", "S/W")
    large = {"viewport": {"width": 640, "height": 400}, "reduced_motion": "reduce"}
    page = visit(battle(duel), duel.user("Froodal"), **large)
    press_tab_until(page, "#pad-LH input")
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.name") == "RH"
    page.keyboard.press("s")
    assert chosen(page) == ["F", "S"]
    page.wait_for_selector("#ready:not([aria-disabled])")
    faults: list[Any] = []
    for width, height in ((640, 400), (320, 568), (195, 422)):
        page.set_viewport_size({"width": width, "height": height})
        faults += [(width, overflow(page))] if width >= 320 and overflow(page) > 0 else []
        for share in (0, 0.3, 0.6, 1):
            page.evaluate(SCROLL, share)
            faults += [(width, share, each) for each in page.evaluate(TEXTS_OVER)]
    assert faults == []
    press_tab_until(page, "#ready")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are ready.")
    assert page.evaluate(MOVING) == 0
    duel.order("Bung", "D/D")
    page.wait_for_selector("#state[data-stage^='3.']", state="attached")
    assert page.evaluate(MOVING) == 0
    assert page.evaluate("document.activeElement.id") == "call"


def test_a_choice_on_the_front_page_colours_its_key_and_not_the_board(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    bring_bots(now=NOW)
    page = visit("/", **PHONE)
    colour = "document.querySelector('#stage').computedStyleMap().get('background-color').toString()"
    before = page.evaluate(colour)
    choose(page, "D", "P")
    page.wait_for_selector("#ready:not([aria-disabled])")
    assert page.evaluate(colour) == before


def send_late(route: Any) -> None:
    time.sleep(0.2)
    route.continue_()


def test_nothing_moves_while_the_front_page_or_a_board_loads(visit: Callable[..., Any], duel: Fight) -> None:
    """Not even when the font arrives after the first paint."""
    bring_bots(now=NOW)
    add_committed_puzzles()
    duel.turns([(hands, hands) for hands in MOVES])
    moved = {}
    for user, address in ((None, "/"), (None, puzzle("survive-121")), (duel.user("Froodal"), battle(duel))):
        page = visit("/rules/", user, **PHONE)
        page.add_init_script(SHIFTS)
        page.route("**/*.woff2", send_late)
        for width, height in ((390, 844), (390, 664), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            page.wait_for_selector(".scripted .dock", state="attached")
            # Two frames later the browser has measured the page as the script left it.
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            moved[address, width, height] = page.evaluate("shifts")
    assert not any(moved.values()), moved


def test_a_long_task_leaves_both_sides_and_the_dock_in_view_on_a_phone(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    add_committed_puzzles()
    page = visit(puzzle("survive-121"), **PHONE)
    choose(page, "-", "-")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.wait_for_selector(".lesson-miss")
    faults = []
    for height in (844, 664):
        page.set_viewport_size({"width": 390, "height": height})
        faults += [(height, each) for each in page.evaluate(UNSEEN, [*ALWAYS, ".mage-head .hp b", ".lesson-miss b"])]
        faults += [(height, each) for each in page.evaluate(TEXTS_OVER)]
    assert faults == []
    assert list_faults(page) == []
