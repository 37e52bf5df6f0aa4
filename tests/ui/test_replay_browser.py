"""The replay in a real browser: steps, keys, playing, eyes, and no scripts; axe; a long melee in time."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from challenges.services.rematch import ask_for_rematch
from tests.duels.fights import Fight, start_fight
from tests.duels.long_fights import lengthen
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.services.saved_scenes import SavedScene, save_scene
from tests.ui.sample_battle import MOVES
from tests.ui.test_browser import BY_PHONE, DESK, PHONE, overflow, visit
from tests.ui.test_end_browser import end_with_missile

__all__ = ["visit"]
pytestmark = pytest.mark.browser

# The time from a key to the next turn on the page, in milliseconds.
STEP = """() => new Promise((done) => {
  const begun = performance.now();
  new MutationObserver((_, watch) => { watch.disconnect(); done(performance.now() - begun); })
    .observe(document.getElementById("replay"), {childList: true});
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
})"""

# The time that this browser takes to read the page again, in milliseconds: it says how fast the machine is.
READ = """() => {
  const text = document.documentElement.outerHTML;
  const begun = performance.now();
  new DOMParser().parseFromString(text, "text/html");
  return performance.now() - begun;
}"""

# A phone has something to share with.
PHONE_SHARES = """() => { navigator.share = (link) => {
  window.shared = link.url;
  return Promise.reject(new DOMException('', 'NAME'));
};
navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"""


def play_to_the_end() -> Fight:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(MOVES)
    fight.turn("P/P", "-/W")
    return fight


saved_fight = save_scene(play_to_the_end)


@pytest.fixture
def duel(transactional_db: None, saved_fight: SavedScene[Fight]) -> Fight:
    return saved_fight.begin()


def turn(fight: Fight, seq: int) -> str:
    return f"/battles/{fight.number}/replay/{seq}/"


def test_a_turn_is_played_on_another_way_once_the_battle_is_over(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    running = start_fight(make_mage("Froodal"), make_mage("Bung"))
    running.turn("S/W", "P/F")
    page = visit(turn(running, 1), running.user("Froodal"), **DESK)
    page.get_by_role("button", name="Copy link").wait_for()
    assert page.get_by_role("link", name="Play on from here").count() == 0
    over = end_with_missile(make_mage("Ayla"), make_mage("Ottokar"))
    for seq, leads_to in ((1, 2), (3, 4), (4, 4)):
        page.goto(turn(over, seq))
        page.get_by_role("link", name="Play on from here").click()
        page.get_by_role("heading", name=f"What if: turn {leads_to}").wait_for()


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_turn_is_followed_step_by_step(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    page = visit(turn(duel, 6), duel.user("Froodal"), **options)
    assert list_faults(page) == [] and overflow(page) <= 0
    hit_points, beads = page.locator("#mage-Bung-hp b"), page.locator("#mage-Bung-RH li.c7 .bead")
    assert hit_points.inner_text() == "12"
    page.locator("#step").click()
    assert (hit_points.inner_text(), beads.is_visible()) == ("13", False)
    page.locator("#mage-Bung-marks", has_text="Paralysed").wait_for()
    page.locator("#step").click()
    beads.wait_for()
    steps = page.locator(".steps .step").count()
    for _ in range(steps - 2):
        page.locator("#step").click()
    assert hit_points.inner_text() == "12" and page.locator(".lit").count() == 1
    assert page.locator("#mage-Bung-marks").inner_text().startswith("Diseased")
    page.locator("#step").click()
    assert page.locator(".step.at").count() == 0 and hit_points.inner_text() == "12"


def test_keys_and_links_go_from_turn_to_turn_and_each_has_its_address(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(turn(duel, 2), duel.user("Froodal"), **DESK)
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**{turn(duel, 3)}")
    assert page.title().startswith("Turn 3.")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**{turn(duel, 2)}")
    page.keyboard.press("End")
    page.wait_for_url(f"**{turn(duel, 8)}")
    page.get_by_role("link", name="Bung", exact=True).last.click()
    page.wait_for_url("**?eyes=Bung")
    page.locator("#column-5").click()
    page.wait_for_url(f"**{turn(duel, 5)}?eyes=Bung")
    assert page.locator("#column-5").get_attribute("aria-current") == "page"
    assert page.evaluate("document.activeElement.id") == "column-5"


def test_it_plays_from_here_on_and_space_stops_it(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(turn(duel, 7), duel.user("Bung"), **DESK)
    page.locator("#speed").select_option(label="Fast")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.locator(".step.at").wait_for()
    assert page.locator("#play").inner_text() == "Pause"
    page.keyboard.press("Space")
    assert page.locator("#play").inner_text() == "Play from here" and page.locator(".step.at").count() == 0
    page.locator("#play").click()
    page.wait_for_url(f"**{turn(duel, 8)}")


def refresh(page: Any) -> None:
    """Have the page fetch itself, as when the connection returns, and wait until it has."""
    with page.expect_response(lambda answer: "fragment=" in answer.url) as answer:
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
    answer.value.finished()
    page.wait_for_timeout(100)


def test_share_asks_the_browser_or_copies_or_shows_the_link(visit: Callable[..., Any], duel: Fight) -> None:
    """Chromium on Linux cannot share, and has no clipboard while its window is behind another."""
    page = visit(turn(duel, 2), duel.user("Froodal"), **DESK)
    page.evaluate(PHONE_SHARES.replace("NAME", "AbortError"))
    copied = page.url
    page.click("text=Copy link")
    page.locator("[data-share]", has_text="Link copied").wait_for()
    assert (page.evaluate("window.copied"), page.evaluate("window.shared")) == (copied, None)
    page.goto(f"/battles/{duel.number}/")
    button, link = page.locator("[data-share]"), page.url
    page.evaluate(PHONE_SHARES.replace("NAME", "AbortError"))
    button.click()
    assert (page.evaluate("window.shared"), button.inner_text()) == (link, "Share")
    assert page.evaluate("window.copied") is None
    page.evaluate(PHONE_SHARES.replace("NAME", "NotAllowedError"))
    button.click()
    page.locator("[data-share]", has_text="Link copied").wait_for()
    assert page.evaluate("window.copied") == link
    # A refresh, of which there may be one at any time, keeps what the button says.
    refresh(page)
    assert button.inner_text() == "Link copied"
    page.evaluate(
        "() => { delete navigator.share; navigator.clipboard.writeText = () => Promise.reject(new Error()); }"
    )
    button.click()
    page.locator("[data-share]", has_text=link).wait_for()


def test_news_during_a_press_do_not_lose_it(visit: Callable[..., Any], duel: Fight) -> None:
    """A button that is replaced between its press and its release gets no click."""
    page = visit(f"/battles/{duel.number}/", duel.user("Froodal"), **DESK)
    page.evaluate(PHONE_SHARES.replace("NAME", "AbortError"))
    page.evaluate("document.fonts.ready.then(() => {})")  # a late font moves the button
    box = page.locator("[data-share]").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    ask_for_rematch(number=duel.number, mage=duel.combatant("Bung").mage, now=timezone.now())
    refresh(page)
    page.mouse.up()
    page.wait_for_function("window.shared === location.href")
    page.wait_for_selector("text=Bung wants a rematch.")


def test_with_little_motion_it_plays_whole_turns(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(turn(duel, 7), duel.user("Bung"), reduced_motion="reduce", **DESK)
    page.locator("#play").click()
    page.wait_for_url(f"**{turn(duel, 8)}")
    assert page.locator(".step.at").count() == 0


def test_without_scripts_each_turn_is_a_page_and_sentences_point_at_the_board(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(turn(duel, 3), java_script_enabled=False, **PHONE)
    page.get_by_text("Bung casts Magic Missile").first.wait_for()
    assert not page.locator("#play").is_visible()
    page.locator("#go-next").click()
    page.wait_for_url(f"**{turn(duel, 4)}")
    page.locator(".points-at").first.click()
    assert "#" in page.url and page.locator(":target").count() == 1


def test_a_step_in_a_long_melee_of_six_takes_less_than_reading_the_page_twelve_times(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    names = ("Ayla", "Borin", "Cormac", "Dagna", "Elof", "Fria")
    fight = lengthen(start_fight(*map(make_mage, names)), 60)
    page = visit(turn(fight, 30), **PHONE)
    assert overflow(page) <= 0
    times, readings = [], []
    # The fastest of them is what a step costs: other work on the machine can only add to it.
    while len(times) < 9 or (len(times) < 27 and min(times) >= 12 * min(readings)):
        page.wait_for_timeout(300)  # the next turn is fetched meanwhile
        times.append(page.evaluate(STEP))
        readings.append(page.evaluate(READ))
    print("steps:", [round(each, 1) for each in times], "ms; page:", len(page.content().encode()), "bytes")
    print("readings:", [round(each, 1) for each in readings], "ms")
    assert page.url.endswith(turn(fight, 30 + len(times)))
    assert min(times) < 12 * min(readings)
