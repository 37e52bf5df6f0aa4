"""The pages of users and mages in a real browser: narrow and wide, light and dark."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import ObituaryLine
from accounts.services.users import set_about
from ladder.services.refresh_ladders import refresh_ladders
from ladder.tasks import sweep_unrated_battles
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage, make_user
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, NARROW, PHONE, overflow, seldom, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
WIDE = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
SIZES = [
    pytest.param(options, id=name)
    for name, options in (("narrow", NARROW), ("phone", PHONE), ("wide", WIDE), ("desk-dark", DESK))
]
MISSILE = [("S/-", "P/-"), ("D/-", "-/-"), ("-/-", "P/P")]


@pytest.fixture
def past(transactional_db: None) -> Fight:
    """Otto's Ottokar has beaten Anna's Emberlin twice, and lost once; they fight again."""
    otto, anna = make_user("Otto"), make_user("Anna")
    set_about(user=otto, text="Clockmaker from Graz. I play for the beautiful Anti Spell and against Trolls.")
    ottokar, emberlin = make_mage("Ottokar", otto), make_mage("Emberlin", anna)
    for sides in ((ottokar, emberlin), (emberlin, ottokar), (ottokar, emberlin)):
        start_fight(*sides).turns(MISSILE)
    count_finished_battles()
    sweep_unrated_battles()
    refresh_ladders(now=NOW)
    cache.clear()
    return start_fight(ottokar, emberlin)


def check(page: Any, name: str, options: Any) -> None:
    page.evaluate("document.fonts.ready")
    kept = os.environ.get("FM_PICTURES")
    if kept:
        size, scheme = options["viewport"]["width"], options.get("color_scheme", "light")
        page.screenshot(path=str(Path(kept) / f"{name}-{size}-{scheme}.png"), full_page=True)
    assert overflow(page) <= 0, name
    assert list_faults(page) == [], name


@pytest.mark.parametrize("options", [SIZES[0], *seldom(*SIZES[1:])])
def test_the_pages_of_a_user_and_a_mage_fit_and_axe_finds_nothing(
    visit: Callable[..., Any], past: Fight, options: Any
) -> None:
    page = visit("/users/Otto/", past.user("Emberlin"), **options)
    for name, path in (
        ("user", "/users/Otto/"),
        ("own", "/users/Anna/"),
        ("mage", "/mages/Ottokar/"),
        ("about", "/accounts/about/"),
        ("note", "/users/Otto/note/"),
    ):
        page.goto(path)
        check(page, name, options)
    page.goto("/accounts/calendar/")
    page.get_by_role("button", name="Make a link").click()
    page.get_by_text("Your link, shown this once:").wait_for()
    check(page, "calendar", options)


@pytest.mark.parametrize("options", [SIZES[3], *seldom(*SIZES[:3])])
def test_an_obituary_fits_and_axe_finds_nothing(
    visit: Callable[..., Any], transactional_db: None, options: Any
) -> None:
    quillon, dead = make_mage("Moldavar", "Mo"), make_mage("Brunhild", "Hilde")
    fight = start_fight(quillon, dead)
    series = "PWPFSSSD"
    for place, letter in enumerate(series[:-1]):
        fight.turn(f"{letter}/{'FW'[place % 2]}", f"{'WF'[place % 2]}/D")
    fight.turn("D/W\nCHOOSE LH Finger Of Death", "F/D\nSAY I had a Fire Storm for you. Next turn.")
    dead.refresh_from_db()
    for name, text in (("Clara", "The only mage who ever thanked me for a Paralysis."), ("Otto", "A fine hand.")):
        ObituaryLine.objects.create(mage=dead, writer=make_user(name), text=text)
    page = visit("/mages/Brunhild/end/", fight.user("Moldavar"), **options)
    check(page, "dead", options)
    page.fill("#lines input[name=text]", "She made me think.")
    page.get_by_role("button", name="Add a line").click()
    page.wait_for_url("**#lines")
    assert "Remembered by 3 people" in page.locator("#lines").inner_text()
    page = visit("/mages/Brunhild/end/", fight.user("Brunhild"), **options)
    check(page, "dead-own", options)
    page = visit(f"/embed/battles/{fight.number}/", **options)
    check(page, "embed", options)
    page.click("nav a:first-child")
    page.wait_for_url("**/embed/battles/*/*/")
    page.goto(f"/embed/battles/{fight.number}/poster/")
    check(page, "embed-poster", options)
