"""What the others' hands can complete next is on the board once, and each list has room."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import Fight, changed_state, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import SELDOM, battle, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]

# Each hand completes two spells; then each of them four.
FEW, MANY = (("D/W", "S/W"), ("S/S", "W/W", "W/W"))
SHOWN = "[...document.querySelectorAll('.hint > div, .dangers .danger')].filter((each) => each.checkVisibility())"
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.hint, .dangers > summary')].filter((each) => each.checkVisibility());
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
@pytest.mark.parametrize("width", [1130, *(pytest.param(each, marks=SELDOM) for each in (1280, 1600))])
def test_threats_are_shown_once_and_do_not_overlap_on_a_desktop(
    visit: Callable[..., Any], transactional_db: None, moves: tuple[str, ...], width: int
) -> None:
    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    duel.turns([(hands, hands) for hands in moves])
    page = visit(battle(duel), viewport={"width": width, "height": 800})
    assert page.evaluate(OVERLAPS) == 0
    named = page.evaluate(f"{SHOWN}.map((each) => each.textContent)")
    assert sum("Protection" in text for text in named) == (2 if moves == FEW else 4), named


DEADLY = {"Froodal": ("SPDFWSF", "WFPSDWP", 5), "Bung": ("WPWPFSS", "FWSDFFD", 8)}


def prepare(*names: str) -> Fight:
    """A battle in which Bung's right hand can kill Froodal now, and the left hand in two turns."""
    fight = start_fight(*(make_mage(name) for name in names))
    with changed_state(fight.battle) as state:
        state.columns = [str(column) for column in range(8)]
        for name, wizard in state.wizards.items():
            left, right, wizard.hp = DEADLY.get(name, ("-" * 7, "-" * 7, 15))
            wizard.left, wizard.right = f"B{left}", f"B{right}"
            wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
            wizard.blind_columns = wizard.unseen_columns = "0" * 8
    return fight


def rimmed(page: Any) -> dict[str, int]:
    """How many beads of each string have a rim."""
    page.wait_for_selector(".bead.rim")
    return page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.string')]
      .map((each) => [each.id, each.querySelectorAll('.bead.rim').length]).filter(([, count]) => count))""")


def test_on_a_phone_one_button_opens_what_stops_a_threat_in_the_dock(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    fight = prepare("Froodal", "Bung")
    page = visit(battle(fight), fight.user("Froodal"), viewport={"width": 390, "height": 844})
    button = page.locator(".dangers > summary")
    assert button.count() == 1 and button.bounding_box()["height"] >= 44
    assert button.inner_text().split("\n")[0].strip().startswith("Kills you")
    button.focus()
    page.keyboard.press("Enter")
    sheet = page.locator(".danger-sheet")
    assert "Counter Spell. Your right hand needs one more palm." in sheet.inner_text()
    # The series that kills has rims while its sheet is open.
    assert rimmed(page) == {"mage-Bung-RH": 4}
    box = sheet.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    page.keyboard.press("Escape")
    assert not sheet.is_visible()
    page.wait_for_function("() => !document.querySelector('.bead.rim')")
    assert page.evaluate("document.activeElement.matches('.dangers > summary')")
    button.click()
    page.get_by_role("button", name="Back to the keys").click()
    assert not sheet.is_visible()


def test_without_a_script_the_button_opens_it_too(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = prepare("Froodal", "Bung")
    page = visit(
        battle(fight), fight.user("Froodal"), viewport={"width": 390, "height": 844}, java_script_enabled=False
    )
    page.locator(".dangers > summary").click()
    assert page.locator(".danger-sheet").is_visible()
    assert not page.locator("[data-close-danger]").is_visible()


def test_the_box_of_a_desktop_explains_each_threat(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = prepare("Froodal", "Bung")
    page = visit(battle(fight), fight.user("Froodal"), viewport={"width": 1280, "height": 800})
    box = page.locator(".danger-box")
    assert (
        "Stops it: Counter Spell." in box.inner_text() and "2 more gestures for Finger Of Death" not in box.inner_text()
    )
    box.get_by_text("Finger Of Death kills you in 2 turns").click()
    words = box.locator("details[open]").inner_text()
    assert "Bung’s left hand needs 2 more gestures for Finger Of Death, S D" in words
    assert "Stops it" in words and "Doesn’t stop it: Shield" in words and "in the rules" in words
    assert rimmed(page) == {"mage-Bung-LH": 6}
    # One is open at a time, beside the most urgent; what only hurts is under the story.
    box.get_by_text("Fireball kills you in 2 turns").click()
    assert box.locator("details[open]").count() == 1
    page.get_by_text("Other threats, and what stops them").click()
    assert "Magic Missile" in page.locator(".danger-others").inner_text()
    assert list_faults(page) == []


@pytest.mark.parametrize(
    "size", [(390, 664), (320, 568), *(pytest.param(each, marks=SELDOM) for each in ((390, 844), (360, 640)))]
)
def test_your_own_hit_points_stay_in_view_beside_three_threats(
    visit: Callable[..., Any], transactional_db: None, size: tuple[int, int]
) -> None:
    fight = prepare("Froodal", "Bung")
    page = visit(battle(fight), fight.user("Froodal"), viewport={"width": size[0], "height": size[1]})
    rows = page.locator(".dangers .danger").all()
    assert sum(row.is_visible() for row in rows) == (3 if size[1] >= 640 else 2)
    for place in (0, 1):
        page.evaluate("(share) => { const s = document.querySelector('.scene'); s.scrollTop = share * 40; }", place)
        assert (
            page.evaluate(
                """() => { const box = document.querySelector('.side-below .hp').getBoundingClientRect();
            const found = document.elementFromPoint(box.left + 5, box.top + box.height / 2);
            return found?.closest('.side-below .mage-head') ? '' : found?.outerHTML.slice(0, 99) ?? 'outside'; }"""
            )
            == ""
        )


@pytest.mark.parametrize("width", [1024, pytest.param(1280, marks=SELDOM)])
def test_on_a_desktop_a_box_beside_the_board_says_it_in_words(
    visit: Callable[..., Any], transactional_db: None, width: int
) -> None:
    fight = prepare("Froodal", "Bung")
    page = visit(battle(fight), fight.user("Froodal"), viewport={"width": width, "height": 800})
    box = page.locator(".danger-box")
    assert "can kill you" in box.inner_text() and "5 damage, and you have 5." in box.inner_text()
    assert box.bounding_box()["x"] > page.locator(".battle-main .board").bounding_box()["x"] + 300


@pytest.mark.parametrize("size", [(390, 844), pytest.param((1280, 800), marks=SELDOM)])
def test_lanes_keep_their_seats_whatever_is_threatened(
    visit: Callable[..., Any], transactional_db: None, size: tuple[int, int]
) -> None:
    fight = prepare("Froodal", "Ayla", "Bung")
    page = visit(battle(fight), fight.user("Froodal"), viewport={"width": size[0], "height": size[1]})
    assert page.locator(".lane .mage-name").all_inner_texts() == ["Ayla", "Bung"]
    shown = page.evaluate(f"{SHOWN}.map((each) => each.textContent)")
    assert sum("Lightning Bolt" in text for text in shown) == 1


def test_a_spectator_sees_each_threat_once(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = prepare("Froodal", "Bung")
    for width, height in ((390, 844), (1280, 800)):
        page = visit(battle(fight), viewport={"width": width, "height": height})
        shown = page.evaluate(f"{SHOWN}.map((each) => each.textContent)")
        assert sum("Lightning Bolt" in text for text in shown) == 1
        assert not any("you" in text for text in shown)
        assert page.locator(".danger-box").count() == 0


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ((320, 640), "dark"),
        pytest.param((390, 844), "light", marks=SELDOM),
        pytest.param((1280, 800), "dark", marks=SELDOM),
    ],
)
def test_threats_and_what_stops_them_pass_axe_and_fit(
    visit: Callable[..., Any], transactional_db: None, size: tuple[int, int], scheme: str
) -> None:
    fight = prepare("Froodal", "Bung")
    window = {"width": size[0], "height": size[1]}
    page = visit(battle(fight), fight.user("Froodal"), viewport=window, color_scheme=scheme)
    page.locator(".dangers > summary").first.click()
    assert page.locator(".danger-sheet").first.is_visible()
    assert list_faults(page) == []
    assert overflow(page) <= 0
