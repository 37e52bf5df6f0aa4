"""An analysis in a real browser: the graph is a slider for keys and pointers, and works as links without scripts."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from duels.models import Battle
from rules_engine.bots.review import mark_move
from studies.models import AnalysedTurn
from studies.services.analyses import analyse_next_turn, ask_for_analysis
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage
from tests.services.axe import list_faults
from tests.services.saved_scenes import SavedScene, save_scene
from tests.studies.conftest import shallow, shallow_analyses
from tests.ui.sample_battle import MOVES
from tests.ui.test_browser import BY_DESK, BY_PHONE, DESK, NARROW, PHONE, overflow, visit

__all__ = ["shallow", "visit"]
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shallow")]


def play_and_analyse() -> Fight:
    """Eight turns that are analysed; Froodal gives up in the last one."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(MOVES)
    fight.turn("P/P", "-/W")
    ask_for_analysis(battle=Battle.objects.get(number=fight.number), user=fight.user("Froodal"), now=NOW)
    with shallow_analyses():
        while analyse_next_turn(now=NOW):
            pass
    return fight


saved_analysis = save_scene(play_and_analyse)


@pytest.fixture
def duel(transactional_db: None, saved_analysis: SavedScene[Fight]) -> Fight:
    return saved_analysis.begin()


def mistakes(fight: Fight, mage: str) -> list[int]:
    rows = AnalysedTurn.objects.order_by("seq").values_list("seq", "facts")
    marked = {seq: mark_move(facts["moves"][mage]) for seq, facts in rows if mage in facts["moves"]}
    return [seq for seq, mark in marked.items() if mark in ("?", "??")]


def analysis(fight: Fight, seq: int) -> str:
    return f"/battles/{fight.number}/analysis/?by=Magus&turn={seq}"


def come_to(page: Any, turn: int) -> None:
    """Wait until the turn is shown, and its address, which is written last but for the focus."""
    page.locator(".turn-panel h2", has_text=re.compile(rf"^\s*Turn {turn}\s*$")).wait_for()
    page.wait_for_url(f"**turn={turn}")


@pytest.mark.parametrize("options", BY_DESK)
def test_the_graph_is_a_slider_for_keys_and_m_goes_to_the_next_mistake(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    page = visit(analysis(duel, 2), duel.user("Froodal"), **options)
    assert list_faults(page) == [] and overflow(page) <= 0
    slider = page.locator("#turn-slider")
    slider.focus()
    assert slider.get_attribute("aria-valuetext").startswith("Turn 2, your chance ")
    page.keyboard.press("ArrowRight")
    come_to(page, 3)
    page.wait_for_function("() => document.activeElement.id === 'turn-slider'")
    assert (slider.input_value(), page.locator(".turn-panel h2").inner_text()) == ("3", "Turn 3")
    for key, turn in (("ArrowLeft", 2), ("End", 8), ("Home", 1)):
        page.keyboard.press(key)
        come_to(page, turn)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    come_to(page, 2)
    page.keyboard.press("m")
    found = [seq for seq in mistakes(duel, "Froodal") if seq > 2]
    come_to(page, found[0])
    assert page.locator(".moves .grade").first.inner_text() in ("?", "??")


def test_the_page_fits_a_narrow_phone_and_large_letters(visit: Callable[..., Any], duel: Fight) -> None:
    for path in (analysis(duel, 8), f"/battles/{duel.number}/mistakes/8/", f"/battles/{duel.number}/replay/8/"):
        page = visit(path, duel.user("Froodal"), **NARROW)
        assert list_faults(page) == [], path
        for width, height in ((320, 640), (640, 400), (820, 1180)):
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) <= 0, (path, width, height)


def test_a_press_on_the_graph_and_the_buttons_lead_to_turns(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(analysis(duel, 2), duel.user("Bung"), **DESK)
    box = page.locator("#graph-6 rect").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**turn=6")
    page.locator(".mattered a").last.click()
    page.wait_for_url("**turn=8")
    assert page.locator(".mattered a").last.get_attribute("aria-current") == "true"
    assert "Froodal showed both palms" in page.locator(".mattered a").last.inner_text()


def test_without_scripts_every_turn_is_a_link(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(analysis(duel, 2), java_script_enabled=False, **DESK)
    assert not page.locator("#turn-slider").is_visible()
    page.get_by_role("link", name="Turn 5, ").click()
    page.wait_for_url("**turn=5")
    assert page.locator(".turn-panel h2").inner_text() == "Turn 5"


def test_the_replay_has_the_same_graph_once_the_battle_is_over(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"/battles/{duel.number}/replay/2/", duel.user("Froodal"), **PHONE)
    assert list_faults(page) == [] and overflow(page) <= 0
    page.locator("#turn-slider").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/3/")
    page.keyboard.press("m")
    found = [seq for seq in mistakes(duel, "Froodal") if seq > 3]
    page.wait_for_url(f"**/replay/{found[0]}/")


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_mistake_is_solved_on_the_board(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    """Froodal gave up in turn 8: the same again does not count, the best move does."""
    page = visit(f"/battles/{duel.number}/mistakes/8/", duel.user("Froodal"), **options)
    assert list_faults(page) == [] and overflow(page) <= 0
    assert page.locator(".lesson-words").inner_text().count("counts.") == 1
    page.locator("#line").fill("P/P")
    page.locator("#ready").click()
    # A surrender is asked about.
    page.locator("input[name=confirmed]").wait_for(state="attached")
    page.locator("#ready").click()
    page.locator(".lesson-miss", has_text="Try again.").wait_for()
    page.get_by_role("link", name="Show the answer").click()
    page.locator(".lesson-words", has_text="Best: ").wait_for()
    move = AnalysedTurn.objects.get(seq=8).facts["moves"]["Froodal"]
    page.locator("#line").fill("; ".join([move["better"], *move["better_orders"][2:]]))
    page.locator("#ready").click()
    page.get_by_role("heading", name="Solved").wait_for()
    assert list_faults(page) == [] and overflow(page) <= 0
    page.get_by_role("link", name="Back to the analysis").click()
    page.wait_for_url("**turn=8")
