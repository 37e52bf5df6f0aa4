"""The end of a battle as a scene, in a real browser: victory, defeat, draw, and the death of a ladder mage."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Mage
from duels.models import Battle
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from ladder.services.rate_battles import rate_battles
from studies.services.analyses import analyse_next_turn, queue_fresh_battles
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage
from tests.services.axe import list_faults
from tests.studies.conftest import shallow
from tests.ui.test_browser import SELDOM, overflow, seldom, visit
from tests.ui.test_chat_browser import look

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shallow")]
__all__ = ["shallow", "visit"]
SIZES = [
    pytest.param(
        {"viewport": {"width": width, "height": height}, "color_scheme": scheme}, id=f"{width}x{height}-{scheme}"
    )
    for width, height, scheme in (
        (320, 640, "light"),
        (390, 664, "dark"),
        (1280, 800, "light"),
        (390, 844, "light"),
        (1280, 800, "dark"),
        (360, 740, "light"),
    )
]
# Ayla's missile, with eight hit points a side, ends it in the last of these turns.
TURNS = [("P/W", "F/W"), ("W/F", "D/F"), ("S/P\nCHOOSE RH Cause Light Wounds", "F/D"), ("D/W", "F/W")]


def end_with_missile(winner: Mage, loser: Mage, **terms: Any) -> Fight:
    fight = start_fight(winner, loser, hit_points=(15, 3), **{"stakes": "very-friendly", **terms})
    for mine, theirs in TURNS:
        fight.turn(mine, theirs)
    assert fight.battle.is_over
    return fight


def analyse() -> None:
    queue_fresh_battles(now=timezone.now())
    queue_fresh_battles(now=NOW)
    while analyse_next_turn(now=max(NOW, timezone.now())):
        pass


def check(page: Any, name: str, options: Any) -> None:
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(1000)
    size = options["viewport"]
    look(page, f"{name}-{size['height']}-{options['color_scheme']}")
    assert overflow(page) <= 0
    assert list_faults(page) == []
    main = page.locator(".end-row .button.main")
    assert main.count() == 1
    box = main.bounding_box()
    assert box["y"] + box["height"] <= size["height"] and box["height"] >= 44
    share = page.locator(".end-row .share").bounding_box()
    assert share["y"] + share["height"] <= size["height"]


@pytest.mark.parametrize("options", [SIZES[1], *seldom(SIZES[0], *SIZES[2:])])
def test_a_victory_over_a_bot_leads_to_the_next_one_on_the_mountain(
    visit: Callable[..., Any], transactional_db: None, options: Any
) -> None:
    bring_bots(now=NOW)
    ayla, pipkin = make_mage("Ayla"), Mage.objects.select_related("user").get(name="Pipkin")
    fight = start_fight(ayla, pipkin, hit_points=(15, 3), stakes="very-friendly")
    for mine, theirs in TURNS:
        fight.turn(mine, theirs)
    page = visit(f"/battles/{fight.number}/", ayla.user, **options)
    assert page.locator("h1").inner_text() == "You beat Pipkin"
    assert page.locator(".end-sentence").inner_text() == "Your Magic Missile ends it in turn 4."
    assert "1 damage. Pipkin had 1." in page.locator(".end-cause").inner_text()
    assert [each.inner_text() for each in page.locator(".end-series li > span:last-child").all()] == ["S, 3", "D, 4"]
    assert page.locator(".lava").count() == 1 and page.locator(".rung.beaten").count() == 1
    assert page.locator(".end-row .main").inner_text().strip() == "Beat the Journeyman"
    check(page, "end-victory", options)
    page.click(".end-row .main")
    page.wait_for_selector("#state[data-stage^='1.']", state="attached")
    assert Battle.objects.filter(combatants__mage__user__bot_strength="Journeyman").count() == 1


@pytest.mark.parametrize("options", [SIZES[0], *seldom(*SIZES[1:])])
def test_a_defeat_says_what_ended_it_and_the_turns_that_mattered(
    visit: Callable[..., Any], transactional_db: None, options: Any
) -> None:
    fight = end_with_missile(make_mage("Ayla"), make_mage("Ottokar"), stakes="very-friendly")
    page = visit(f"/battles/{fight.number}/", fight.user("Ottokar"), **options)
    assert page.locator("h1").inner_text() == "Ayla wins"
    assert page.locator(".end-sentence").inner_text() == "Ayla's Magic Missile ends it in turn 4."
    assert page.locator(".lava").count() == 0
    assert "Friendly, so your mage lives." in page.locator(".gains").inner_text()
    analyse()
    page.reload()
    assert page.locator(".mattered li").count() == 3
    check(page, "end-defeat", options)


def test_the_turns_that_mattered_appear_when_the_analysis_is_ready(
    visit: Callable[..., Any], transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = end_with_missile(make_mage("Ayla"), make_mage("Ottokar"))
    page = visit(f"/battles/{fight.number}/", fight.user("Ottokar"))
    assert "We are still analysing the battle." in page.locator(".end-body").first.inner_text()
    analyse()
    page.wait_for_selector(".mattered li")


@pytest.mark.parametrize("options", [SIZES[2], *seldom(*SIZES[:2], *SIZES[3:])])
def test_a_draw(visit: Callable[..., Any], transactional_db: None, options: Any) -> None:
    fight = start_fight(make_mage("Ayla"), make_mage("Borisov"), hit_points=(1, 1), stakes="very-friendly")
    fight.turn("S/W", "W/S")
    fight.turn("D/F", "F/D")
    page = visit(f"/battles/{fight.number}/", fight.user("Ayla"), **options)
    assert page.locator("h1").inner_text() == "A draw"
    assert page.locator(".end-sentence").inner_text() == "Both mages reach 0 in turn 2."
    assert "Friendly, so both mages live." in page.locator(".gains").inner_text()
    check(page, "end-draw", options)


@pytest.mark.parametrize("options", [SIZES[0], *seldom(*SIZES[1:])])
def test_the_death_of_a_ladder_mage(visit: Callable[..., Any], transactional_db: None, options: Any) -> None:
    quillon, dead = make_mage("Quillon"), make_mage("Nimblefinger")
    battle = start_battle(number=take_number(), terms=Terms(), mages=[quillon, dead], now=NOW)
    fight = Fight(battle, {"Quillon": quillon, "Nimblefinger": dead})
    series = "PWPFSSSD"
    for place, letter in enumerate(series[:-1]):
        fight.turn(f"{letter}/{'FW'[place % 2]}", f"{'WF'[place % 2]}/D")
    fight.turn("D/W\nCHOOSE LH Finger Of Death", "F/D")
    rate_battles(kind="duel", limit=10)
    page = visit(f"/battles/{fight.number}/", dead.user, **options)
    assert page.locator("h1").inner_text() == "Nimblefinger is dead"
    assert page.locator(".end-sentence").inner_text() == "Quillon's Finger Of Death ends it in turn 8."
    assert "It kills at any number of hit points." in page.locator(".end-cause").inner_text()
    assert "Gone" in page.locator(".gains").inner_text() and "Yours to keep" in page.locator(".gains").inner_text()
    check(page, "end-death", options)
    page.get_by_text("Nimblefinger is remembered on the ladder.").click()
    page.wait_for_url("**/mages/Nimblefinger/end/")
    assert page.locator("h1").inner_text() == "Nimblefinger"
    told = page.locator(".obituary").inner_text()
    assert f"Killed in turn 8 of Duel {fight.number} by Quillon's Finger Of Death." in told
    assert page.locator(".death-series li").count() == 8
    look(page, f"mage-end-{options['viewport']['height']}-{options['color_scheme']}")
    assert overflow(page) <= 0 and list_faults(page) == []
    page.go_back()
    page.click(".end-row .main")
    page.wait_for_url("**/play/**")
    assert Mage.objects.filter(name="Nimblefinger2", user=dead.user).exists()


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=SELDOM)])
def test_the_end_can_be_read_in_forced_colours_and_leaves_no_gap_before_what_follows(
    visit: Callable[..., Any], transactional_db: None, scheme: str
) -> None:
    fight = end_with_missile(make_mage("Ayla"), make_mage("Ottokar"), stakes="very-friendly")
    options = {"viewport": {"width": 1280, "height": 800}, "color_scheme": scheme, "forced_colors": "active"}
    page = visit(f"/battles/{fight.number}/", fight.user("Ottokar"), **options)
    assert list_faults(page) == [] and overflow(page) <= 0
    # What follows stands in the column beside the cause, right below what the battle changed.
    gains, lesson = (page.locator(each).bounding_box() for each in (".gains", ".end-side p:has-text('Next lesson')"))
    assert lesson["x"] == pytest.approx(gains["x"], abs=1)
    assert 0 <= lesson["y"] - (gains["y"] + gains["height"]) < 40
