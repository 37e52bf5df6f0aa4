"""Studies, analyses, imports and notes in a real browser: nothing is wider than a phone, axe finds nothing serious."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from duels.models import Battle
from studies.lesson_tasks import LESSONS
from studies.models import Study
from studies.progress import COOKIE, name_task
from studies.services.analyses import analyse_next_turn, ask_for_analysis
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.studies.conftest import shallow
from tests.studies.fights import fight_to_the_end
from tests.ui.test_browser import BY_PHONE, NARROW, SELDOM, overflow, visit
from tests.ui.test_challenge_browser import become

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("shallow")]
__all__ = ["shallow", "visit"]
# Where to keep pictures of the pages, to look at them.
PICTURES = os.environ.get("FM_TEST_PICTURES", "")


def keep(page: Any, name: str) -> None:
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


@pytest.fixture
def ended(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    return fight_to_the_end()


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_turn_is_tried_another_way_with_the_pads(
    visit: Callable[..., Any], live_server: Any, ended: Any, options: Any
) -> None:
    page = visit("/rules/", **options)
    width = options["viewport"]["width"]
    become(page, ended.user("Bung"), live_server.url)
    page.goto(f"/battles/{ended.number}/what-if/5/")
    keep(page, f"try-{width}")
    found = list_faults(page)
    page.check("[name=LH][value=D]", force=True)
    page.check("[name=RH][value=F]", force=True)
    page.wait_for_selector("#ready:not([aria-disabled=true])")
    page.click("#ready")
    page.wait_for_url("**/studies/*/1/")
    assert "What really happened" in page.content()
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")
    keep(page, f"branch-{width}")
    found += list_faults(page)
    wide = []
    study = Study.objects.get()
    ask_for_analysis(battle=Battle.objects.get(), user=ended.user("Bung"), now=timezone.now())
    analyse_all()
    paths = [f"/battles/{ended.number}/{name}/" for name in ("what-if", "analysis", "notes")]
    for path in (*paths, "/studies/", f"/studies/{study.slug}/1/", f"/battles/{ended.number}/"):
        page.goto(path)
        keep(page, f"{path.strip('/').split('/')[-1]}-{width}")
        found += list_faults(page)
        page.set_viewport_size(NARROW["viewport"])
        wide += [(path, overflow(page))] if overflow(page) > 0 else []
        page.set_viewport_size(options["viewport"])
    assert (found, wide) == ([], [])


def analyse_all() -> None:
    while analyse_next_turn(now=timezone.now()):
        pass


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_lost_battle_is_replayed_forked_won_and_shared_with_a_visitor(
    visit: Callable[..., Any], live_server: Any, transactional_db: None, options: Any
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), stakes="very-friendly", hit_points=(1, 15))
    fight.turn("W/S", "D/W")
    fight.order("Froodal", "S/D")
    fight.order("Bung", "P/P", confirmed=True)
    page = visit("/rules/", **options)
    become(page, fight.user("Bung"), live_server.url)
    page.goto(f"/battles/{fight.number}/replay/2/")
    told = []
    for eyes in range(1, page.locator(".eyes a").count() + 1):
        page.click(f"#eyes-{eyes}")
        page.wait_for_selector(f"#eyes-{eyes}[aria-current]")
        told.append(page.locator(f"#eyes-{eyes}").inner_text())
        assert "surrender" in page.locator("main").inner_text()
    assert sorted(told) == ["All", "Froodal", "Spectator", "You"]
    # Froodal had one hit point left: a stab instead of the surrender wins.
    page.goto(f"/battles/{fight.number}/")
    page.locator("a[href$='/what-if/']:visible").first.click()
    page.click(f"[href$='/battles/{fight.number}/what-if/2/']")
    page.check("[name=LH][value='>']", force=True)
    page.check("[name=RH][value=W]", force=True)
    page.wait_for_selector("#ready:not([aria-disabled=true])")
    page.click("#ready")
    page.wait_for_url("**/studies/*/1/")
    assert "Outright victory to Bung" in page.content()
    page.click("#share-study summary")
    page.fill("#study-title", "The stab I missed")
    page.select_option("#study-access", "link")
    page.click("#share-study button:text-is('Save')")
    page.wait_for_load_state()
    address = page.url
    become(page, None, live_server.url)
    page.goto(address)
    shown = page.content()
    assert "The stab I missed" in shown and "Outright victory to Bung" in shown
    assert page.locator("#pad-LH, #share-study").count() == 0
    assert (list_faults(page), overflow(page) > 0) == ([], False)


@pytest.mark.parametrize("cast", ["", ".cast-disease.cast-fear.cast-amnesia.cast-haste.cast-poison.cast-ice-storm"])
@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ((320, 568), "light"),
        pytest.param((390, 844), "dark", marks=SELDOM),
        pytest.param((1280, 800), "dark", marks=SELDOM),
    ],
)
def test_the_end_of_a_lesson_keeps_its_buttons_in_the_window(
    visit: Callable[..., Any], transactional_db: None, cast: str, size: tuple[int, int], scheme: str
) -> None:
    page = visit("/learn/", viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    names = ".".join(name_task(each, step) for each in LESSONS[:5] for step in range(1, len(each.tasks) + 1))
    page.context.add_cookies([{"name": COOKIE, "value": names + cast, "url": page.url}])
    page.goto(f"/learn/{LESSONS[4].slug}/done/")
    for word in ("Start lesson 6: Creatures", "Play a duel", "Practise again"):
        box = page.get_by_role("link", name=word).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert box["y"] > size[1] / 2 and box["y"] + box["height"] <= size[1]
    assert page.locator(".way").count() == (0 if cast else 1)
    assert overflow(page) <= 0
    assert list_faults(page) == []
