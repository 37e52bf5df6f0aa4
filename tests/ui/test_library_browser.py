"""The library in a real browser: an import, a collection and their forms fit a phone, and axe finds nothing serious."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from studies.models import Study
from studies.services.analyses import analyse_next_turn
from tests.rules_engine.warlocks_pages import play_bots, write_page
from tests.scenes import make_user
from tests.services.axe import list_faults
from tests.ui.test_browser import BY_PHONE, overflow, visit
from tests.ui.test_challenge_browser import become
from tests.ui.test_study_browser import keep

pytestmark = pytest.mark.browser
__all__ = ["visit"]


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_warlocks_page_is_pasted_analysed_and_shared_with_a_visitor(
    transactional_db: None, visit: Callable[..., Any], live_server: Any, options: Any
) -> None:
    text = write_page(play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=6))
    page = visit("/rules/", **options)
    width = options["viewport"]["width"]
    become(page, make_user("Pat"), live_server.url)
    found, wide = [], []

    def look(name: str) -> None:
        page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")
        keep(page, f"{name}-{width}")
        found.extend(list_faults(page))
        wide.extend([name] if overflow(page) > 0 else [])

    page.goto("/studies/")
    page.click("text=Import a battle")
    page.fill("#import-text", text.replace("casts Shield", "casts Sheild", 1))
    page.click("main button:has-text('Import')")
    assert "There is no spell called Sheild." in page.inner_text("#problems")
    look("import-problems")
    page.fill("#import-text", text)
    page.fill("#import-title", "Lost at the last moment")
    page.click("main button:has-text('Import')")
    page.wait_for_url("**/studies/*/")
    study = Study.objects.get()
    look("import")
    for _turn in range(3):
        page.click("[rel=next]")
        page.wait_for_load_state()
    look("import-turn")
    assert page.url.endswith(f"/studies/{study.slug}/3/")
    page.click("nav.filters a:has-text('Replay')")
    page.wait_for_url(f"**/studies/{study.slug}/replay/")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/studies/{study.slug}/replay/2/")
    page.locator(".eyes a", has_text="Crom").click()
    page.wait_for_url("**/replay/2/?eyes=Crom")
    look("import-replay")
    page.goto(f"/studies/{study.slug}/3/")
    page.click("nav.filters a:has-text('Analysis')")
    page.click("button:has-text('Analyse this battle')")
    page.wait_for_load_state()
    while analyse_next_turn(now=timezone.now()):
        pass
    page.goto(f"/studies/{study.slug}/analysis/")
    assert "Accuracy" in page.inner_text("main")
    look("import-analysis")
    page.locator("#graph-5").click()
    page.wait_for_url("**turn=5")
    page.goto(f"/studies/{study.slug}/3/")
    page.click("text=Add to a collection")
    page.fill("#new-name", "Close fights")
    look("collection-add")
    page.click("button:has-text('Create and add')")
    page.wait_for_url("**/collections/*/")
    look("collection")
    page.goto("/collections/")
    look("collections")
    page.goto(f"/studies/{study.slug}/0/")
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")
    page.select_option("#study-access", "link")
    page.click("#share-study button:has-text('Save')")
    page.wait_for_load_state()
    page.context.clear_cookies()
    page.goto(f"/studies/{study.slug}/3/")
    assert "This battle was not played on this site" in page.inner_text("main")
    look("import-visitor")
    assert found == [] and wide == []


@pytest.mark.parametrize("options", BY_PHONE)
def test_an_annotated_battle_is_guessed_and_a_position_is_set_up(
    transactional_db: None, visit: Callable[..., Any], live_server: Any, options: Any
) -> None:
    page = visit("/rules/", **options)
    width = options["viewport"]["width"]
    found, wide = [], []

    def look(name: str) -> None:
        keep(page, f"{name}-{width}")
        found.extend(list_faults(page))
        wide.extend([name] if overflow(page) > 0 else [])

    page.goto("/learn/")
    page.click("text=Read a battle")
    look("classics")
    page.click("text=Froodal against Bung")
    look("classic")
    page.click("text=Guess it turn by turn")
    assert not page.is_visible("text=A shield surrounds Bung")
    page.click("summary:has-text('See what was played')")
    assert page.is_visible("text=A shield surrounds Bung")
    for _turn in range(9):
        page.click("[rel=next]")
        page.wait_for_load_state()
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")
    look("classic-turn")
    become(page, make_user("Pat"), live_server.url)
    page.goto("/studies/position/")
    page.fill("#position-text", page.input_value("#position-text").replace("blind 2", "blnd 2"))
    page.click("button:has-text('Set up')")
    assert "has blind" in page.inner_text("#problems")
    look("position-problems")
    page.fill("#position-text", page.input_value("#position-text").replace("blnd 2", "blind 2"))
    page.click("button:has-text('Set up')")
    page.wait_for_url("**/studies/*/")
    look("position")
    assert found == [] and wide == []
