"""A battle by ear and by keys: what is spoken, where the focus is, and where a letter goes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import Fight
from tests.ui.test_browser import SELDOM, battle, chosen, duel, visit

pytestmark = pytest.mark.browser
__all__ = ["duel", "visit"]
PHONE = {"viewport": {"width": 390, "height": 844}}
DESK = {"viewport": {"width": 1280, "height": 800}}
# The letters that Froodal presses, and Bung's orders: nothing, a missile that a shield stops, a stab.
TURNS = (("sw", "S/-"), ("dw", "P/D"), ("s.", "-/-"))
# Notes what live regions say, and whenever nothing has the focus.
LISTEN = """() => {
  window.heard = [];
  window.lost = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=status], [role=alert]');
      if (region?.textContent.trim()) heard.push(region.textContent.trim());
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
  const look = () => {
    if (document.activeElement === document.body) lost.push(document.getElementById('call').textContent.trim());
    requestAnimationFrame(look);
  };
  look();
}"""


def read_tree(page: Any) -> list[dict[str, Any]]:
    """Return what the browser tells a screen reader: the nodes that are not ignored, in order."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node for node in nodes if not node["ignored"]]


def find_focused(page: Any) -> tuple[str, str]:
    """Return the role and the name of what a screen reader finds focused."""
    for node in read_tree(page):
        properties = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        if properties.get("focused") and node["role"]["value"] != "RootWebArea":
            return node["role"]["value"], node["name"]["value"]
    return "", ""


@pytest.mark.parametrize(
    ("options", "comes"),
    [
        pytest.param(PHONE, "first", id="phone-first"),
        pytest.param(DESK, "last", id="desktop-last"),
        pytest.param(PHONE, "last", id="phone-last", marks=SELDOM),
        pytest.param(DESK, "first", id="desktop-first", marks=SELDOM),
    ],
)
def test_a_listener_hears_every_result_and_never_loses_their_place(
    visit: Callable[..., Any], duel: Fight, options: Any, comes: str
) -> None:
    """Whether their orders come first, or last and resolve the turn."""
    page = visit(battle(duel), duel.user("Froodal"), **options)
    page.focus("#call")
    page.evaluate(LISTEN)
    for number, (letters, other) in enumerate(TURNS, start=1):
        if comes == "last":
            duel.order("Bung", other)
        page.keyboard.press("Tab")
        assert find_focused(page)[0] == "radio"
        for letter in letters:
            page.keyboard.press(letter)
        page.wait_for_selector("#ready:not([aria-disabled])")
        page.keyboard.press("Enter")
        if comes == "first":
            page.wait_for_selector("text=You are ready.")
            assert find_focused(page)[0] == "heading"
            duel.order("Bung", other)
        page.wait_for_selector(f"#state[data-stage^='{number + 1}.']", state="attached")
        page.wait_for_function("turn => heard.some((each) => each.startsWith(turn))", arg=f"Turn {number + 1}:")
        heard = page.evaluate("turn => heard.find((each) => each.startsWith(turn))", f"Turn {number + 1}:")
        lines = page.locator(".story > .sums > .sum > span").all_text_contents()
        assert lines and [line for line in map(" ".join, map(str.split, lines)) if line not in heard] == []
        assert find_focused(page) == ("heading", f"Turn {number + 1}: your move")
        page.evaluate("heard.length = 0")
    assert page.evaluate("lost") == []


def test_the_heading_keeps_the_focus_while_the_others_get_ready_and_time_passes(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.focus("#call")
    page.evaluate("document.getElementById('call').dataset.mine = 'same'")
    page.evaluate(LISTEN)
    duel.order("Bung", "P/P")
    page.wait_for_selector("text=Bung is ready.")
    assert page.evaluate("document.activeElement.id") == "call"
    page.wait_for_timeout(200)
    assert page.evaluate("lost") == []


@pytest.mark.parametrize("options", [pytest.param(DESK, id="desktop"), pytest.param(PHONE, id="phone", marks=SELDOM)])
def test_letters_choose_gestures_wherever_no_field_has_the_focus(
    visit: Callable[..., Any], duel: Fight, options: Any
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **options)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.closest('.pad').dataset.hand") == "RH"
    page.focus(".crumb")
    page.keyboard.press("d")
    assert chosen(page) == ["F", "D"]


def test_letters_typed_into_a_field_are_no_gestures(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.get_by_text("Say something").click()
    page.focus("#say")
    page.keyboard.type("pfff")
    page.locator(".guess").first.focus()
    page.keyboard.press("f")
    assert page.locator(".pad input:checked").count() == 0
    assert page.input_value("#say") == "pfff"


def test_the_second_way_to_skip_leads_to_the_orders(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert find_focused(page) == ("link", "Skip to your orders")
    page.keyboard.press("Enter")
    assert find_focused(page) == ("heading", "Your orders")
    page.keyboard.press("Tab")
    assert find_focused(page)[0] == "radio"
    headings = [node["name"]["value"] for node in read_tree(page) if node["role"]["value"] == "heading"]
    assert "Your orders" in headings


def test_what_is_read_out_before_a_key_is_chosen_names_at_most_two_spells_that_it_leads_to(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    keys = [node for node in read_tree(page) if node["role"]["value"] == "radio"]
    told = [node.get("description", {}).get("value", "") for node in keys]
    assert any("Leads to" in each for each in told)
    assert max(each.partition("Leads to")[2].count("more)") for each in told) == 2
    assert max(map(len, told)) < 120
