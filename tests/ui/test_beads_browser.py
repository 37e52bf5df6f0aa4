"""Beads tell which spells they completed: by colour and name at a glance, by a sheet when pressed."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import Fight, start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.services.saved_scenes import SavedScene, save_scene
from tests.ui.test_browser import SELDOM, battle, overflow, visit
from tests.ui.test_one_screen_browser import TEXTS_OVER

pytestmark = pytest.mark.browser
__all__ = ["visit"]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
DESK = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
HARM, WARD, SUMMON, MIND = "rgb(160, 20, 54)", "rgb(10, 92, 138)", "rgb(102, 88, 0)", "rgb(91, 63, 160)"
NIMBLE = ("F/W", "P/F", "S/P\nCHOOSE RH Cause Light Wounds", "W/D", "S/W", "F/S", "W/D")
OTTOKAR = ("S/W", "F/P", "W/S", "P/D", "F/S", "F/W", "F/P")
# The names of spells on the board, each with what it lies over or is cut by.
NAMES = """() => {
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true });
  const shown = [...document.querySelectorAll('.under')].filter(isShown);
  const boxes = [...shown, ...document.querySelectorAll('.board .bead')].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const [{ left, right }, { top, bottom }] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
    return [each, each.matches('.bead') ? each.getBoundingClientRect() : { left, right, top, bottom }];
  });
  return boxes.slice(0, shown.length).map(([name, box]) => [name.textContent, boxes.filter(([other, rect]) =>
    other !== name && !name.parentElement.contains(other) && box.left < rect.right - 1 && rect.left < box.right - 1
    && box.top < rect.bottom - 3 && rect.top < box.bottom - 3
  ).map(([other]) => other.textContent.trim()).join('|') + (box.left < 0 || box.right > innerWidth ? 'cut' : '')]);
}"""


def play_nimble_against_ottokar() -> Fight:
    """Ottokar's shield stops the missile of turn 7; in turn 3, Nimble wounds Ottokar."""
    fight = start_fight(make_mage("Nimble"), make_mage("Ottokar"))
    fight.turns(zip(NIMBLE, OTTOKAR, strict=True))
    return fight


saved_fight = save_scene(play_nimble_against_ottokar)


@pytest.fixture
def duel(transactional_db: None, saved_fight: SavedScene[Fight]) -> Fight:
    return saved_fight.begin()


def paralyse(transactional_db: None) -> Fight:
    fight = start_fight(make_mage("Nimble"), make_mage("Ottokar"))
    fight.turns([("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-")])
    return fight


def bead(page: Any, mage: str, hand: str, column: int) -> Any:
    return page.locator(f"#mage-{mage}-{hand} li.c{column} .bead")


def style(page: Any, mage: str, hand: str, column: int, name: str) -> str:
    return str(bead(page, mage, hand, column).evaluate(f"each => getComputedStyle(each).{name}"))


def test_the_bead_that_completes_a_spell_has_the_colour_of_its_school(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **PHONE)
    assert style(page, "Ottokar", "LH", 3, "backgroundColor") == SUMMON
    assert style(page, "Ottokar", "RH", 2, "backgroundColor") == WARD
    assert style(page, "Nimble", "RH", 3, "backgroundColor") == HARM
    assert bead(page, "Nimble", "RH", 3).inner_text() == "P"
    assert style(page, "Nimble", "RH", 2, "backgroundColor") not in (HARM, WARD, SUMMON)


def test_the_bead_of_a_spell_without_effect_is_dashed_and_said_to_be(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **PHONE)
    assert style(page, "Nimble", "RH", 7, "borderTopStyle") == "dashed"
    assert style(page, "Nimble", "RH", 7, "borderTopColor") == HARM
    spoken = page.locator("#mage-Nimble-RH li.c7 .vh").text_content()
    assert spoken == "Turn 7: digit, completed Magic Missile, without effect"


@pytest.mark.parametrize("language", [pytest.param("en", marks=SELDOM), "de"])
def test_names_below_beads_never_overlap_and_the_newest_stays(
    visit: Callable[..., Any], duel: Fight, language: str
) -> None:
    page = visit(battle(duel), locale=language, **PHONE)
    for width, height in ((390, 844), (600, 960), (820, 1180), (1024, 768), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate(NAMES)
        assert [each for each in found if each[1]] == [], (width, height)
        newest = "#mage-Nimble-RH li.c7 .under"
        assert page.locator(newest).evaluate("each => each.checkVisibility({ visibilityProperty: true })")
        assert len(found) > 3


def test_without_scripts_a_name_that_has_no_room_is_out_of_sight(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), java_script_enabled=False, **DESK)
    clipped = page.locator("#mage-Ottokar-LH li.c3 .under").evaluate("each => getComputedStyle(each).overflowY")
    assert clipped == "hidden"


def test_small_screens_show_the_letters_alone(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), viewport={"width": 320, "height": 640})
    for width, height in ((320, 640), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(NAMES) == [], width
        assert overflow(page) <= 0, width


def test_equal_neighbours_share_one_name(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = paralyse(transactional_db)
    page = visit(battle(fight), fight.user("Nimble"), **PHONE)
    assert page.locator("#mage-Nimble-LH .under").all_inner_texts() == ["Paralysis ×3"]


def test_a_pressed_bead_opens_its_spell_in_the_dock_of_a_phone(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), has_touch=True, **PHONE)
    page.locator("#mage-Nimble-RH li.c3 [data-bead]").tap()
    sheet = page.locator(".dock > #spell-sheet")
    sheet.wait_for()
    text = " ".join(sheet.inner_text().split())
    assert "Cause Light Wounds" in text and "W, 1 F, 2 P, 3" in text
    assert "Turn 3: Ottokar loses 2 hit points to Cause Light Wounds." in text
    assert "2 damage." in text and "Cause Light Wounds, in the rules" in text
    assert not page.locator(".pads").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Cause Light Wounds"
    assert style(page, "Nimble", "RH", 1, "outlineColor") == HARM
    assert page.locator(".bead.rim").count() == 2 and page.locator(".bead.ring").count() == 1
    assert sheet.get_by_role("link", name="Replay turn 3").get_attribute("href") == f"{battle(duel)}replay/3/"
    assert list_faults(page) == []
    sheet.get_by_role("button", name="Back to the keys").click()
    assert page.locator(".pads").is_visible()
    assert page.evaluate("document.activeElement.matches('.pad input')")
    assert page.locator(".bead:is(.rim, .ring)").count() == 0


def test_enter_opens_a_spell_above_the_story_and_escape_closes_it(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **DESK)
    link = page.locator("#mage-Nimble-RH li.c7 [data-bead]")
    link.focus()
    page.keyboard.press("Enter")
    sheet = page.locator(".story-column > #spell-sheet:first-child")
    sheet.wait_for()
    assert "Your Magic Missile did nothing: a shield surrounded Ottokar" in " ".join(sheet.inner_text().split())
    assert page.locator(".pads").is_visible()
    assert list_faults(page) == []
    page.keyboard.press("Escape")
    assert page.locator("#spell-sheet").count() == 0
    assert link.evaluate("each => each === document.activeElement")


def test_a_spell_of_both_hands_puts_rims_on_both_strings(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = start_fight(make_mage("Nimble"), make_mage("Ottokar"))
    fight.turns([("C/C", "-/-"), ("W/W", "-/-")])
    page = visit(battle(fight), fight.user("Nimble"), **DESK)
    page.locator("#mage-Nimble-LH [data-bead]").first.click()
    assert "both C, 1" in page.locator("#spell-sheet").inner_text()
    assert page.locator("#mage-Nimble-RH .bead.rim").count() == 2


def test_the_place_to_press_is_the_whole_column(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **PHONE)
    box = page.locator("#mage-Nimble-RH li.c3 [data-bead]").bounding_box()
    assert (box["width"], box["height"]) == (37, 52)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.locator("#mage-Nimble-RH li.c3 [data-bead]").bounding_box()["width"] == 29


def test_without_scripts_a_bead_leads_to_the_story_of_its_turn(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), java_script_enabled=False, **PHONE)
    assert page.locator("#mage-Nimble-RH li.c7 [data-bead]").get_attribute("href") == "#turn-7"
    assert page.locator("#turn-7").count() == 1


def test_the_replay_opens_spells_too(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"{battle(duel)}replay/3/", duel.user("Nimble"), **DESK)
    page.locator("#mage-Nimble-RH li.c7 [data-bead]").click()
    assert "Cause Light Wounds" in page.locator("#spell-sheet").inner_text()


def test_hit_points_show_what_the_last_turn_cost_and_gave(visit: Callable[..., Any], transactional_db: None) -> None:
    fight = start_fight(make_mage("Nimble"), make_mage("Ottokar"))
    fight.turns([("S/D", "-/-"), ("D/F", "W/-"), ("-/W", "F/-"), ("-/-", "P/-\nCHOOSE LH Cause Light Wounds")])
    page = visit(battle(fight), fight.user("Nimble"), **DESK)
    mine = page.locator(".side-below .hp")
    assert mine.locator(".ticks i.gone").count() == 2
    assert mine.locator(".was").inner_text() == "was 15"
    fight.turns([("D/-", "-/-"), ("F/-", "-/-"), ("W/-", "-/-")])
    page.reload()
    assert mine.locator(".ticks i.gone").count() == 0
    assert mine.locator(".ticks i.healed").count() == 1
    assert mine.locator(".was").inner_text() == "was 13"
    colour = mine.locator(".ticks i.healed").evaluate("each => getComputedStyle(each).backgroundColor")
    assert colour == WARD


def test_a_sentence_that_is_pointed_at_lights_up_the_bead_that_made_it(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **DESK)
    page.locator(".story > .sums > li", has_text="You are paralysed").hover()
    assert page.locator(".bead.lit").count() == 1
    assert style(page, "Ottokar", "LH", 7, "outlineColor") == style(page, "Ottokar", "LH", 7, "backgroundColor") == MIND
    page.locator(".story > .sums > li", has_text="Magic Missile does nothing").hover()
    assert style(page, "Ottokar", "LH", 7, "outlineStyle") == "none"
    assert style(page, "Nimble", "RH", 7, "outlineStyle") == "solid"


def test_an_enchantment_has_the_sign_and_colour_of_its_school(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **DESK)
    chip = page.locator(".side-below .chip", has_text="Paralysed")
    assert chip.locator(".sign.mind").count() == 1
    assert chip.locator("b").evaluate("each => getComputedStyle(each).color") == MIND


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=SELDOM)])
def test_in_forced_colours_letters_and_signs_can_be_read(visit: Callable[..., Any], duel: Fight, scheme: str) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **{**DESK, "color_scheme": scheme}, forced_colors="active")
    for hand, column in (("RH", 3), ("LH", 2), ("LH", 7)):
        colours = [style(page, "Nimble", hand, column, name) for name in ("color", "backgroundColor")]
        assert sorted(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_the_sheet_is_in_view_and_fits_on_small_screens_and_in_large_text(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Nimble"), viewport={"width": 320, "height": 568})
    for width, height in ((320, 568), (640, 400), (195, 422), (844, 390), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#mage-Nimble-RH li.c7 [data-bead]").click()
        name = page.locator("#spell-name")
        box = name.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, (width, height)
        assert width < 320 or overflow(page) <= 0, (width, height)
        assert page.evaluate(TEXTS_OVER) == [], (width, height)
        page.keyboard.press("Escape")
        assert page.locator("#spell-sheet").count() == 0, (width, height)


def test_the_dot_of_a_key_has_the_colour_of_the_spell_that_it_completes(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Nimble"), **DESK)
    dot = page.locator("label.key:has(input[name=LH][value=P]) .note-mark").first
    assert dot.evaluate("each => getComputedStyle(each).color") == WARD
