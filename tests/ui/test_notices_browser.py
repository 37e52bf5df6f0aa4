"""The matrix of notices in a browser: each box saves at once, and there is a button without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from notifications.selectors.notices import preferences_of
from tests.scenes import make_user
from tests.services.axe import list_faults, list_small_targets
from tests.ui.test_browser import BY_PHONE, NARROW, PHONE, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
PAGE = "/accounts/notices/"


def press(page: Any, name: str) -> None:
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_label(name, exact=True).click()


@pytest.mark.parametrize("options", BY_PHONE)
def test_a_box_is_saved_at_once(visit: Callable[..., Any], transactional_db: None, options: Any) -> None:
    user = make_user("Anna")
    page = visit(PAGE, user, **options)
    assert page.get_by_role("button", name="Save").count() == 0
    press(page, "Message to you: Push")
    assert preferences_of(user)["push_messages"] == "no"
    page.locator("[data-own]").wait_for()
    assert page.locator("[aria-pressed=true]").count() == 0
    press(page, "Message to you: Push")
    page.locator("[data-own]").wait_for(state="hidden")
    assert page.locator("[aria-pressed=true]").inner_text().startswith("Usual")
    assert list_faults(page) == []
    assert list_small_targets(page) == []


def test_a_box_goes_back_when_it_cannot_be_saved(visit: Callable[..., Any], transactional_db: None) -> None:
    user = make_user("Anna")
    page = visit(PAGE, user, **PHONE)
    page.context.set_offline(True)
    box = page.get_by_label("News of the site: Page", exact=True)
    box.click()
    page.get_by_text("This is not saved.").wait_for()
    assert box.is_checked()
    assert preferences_of(user)["page_news"] == "yes"


def test_without_scripts_there_is_a_button(visit: Callable[..., Any], transactional_db: None) -> None:
    user = make_user("Anna")
    page = visit(PAGE, user, **PHONE, java_script_enabled=False)
    page.get_by_label("Users you follow: Page", exact=True).click()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Settings saved.").wait_for()
    assert preferences_of(user)["page_follows"] == "no"
    page.get_by_role("button", name="Quiet").click()
    page.wait_for_load_state()
    assert preferences_of(user)["mail_messages"] == "no"


def test_the_matrix_fits_a_narrow_phone_and_its_heads_stay_in_view(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    page = visit(PAGE, make_user("Anna"), **NARROW)
    assert overflow(page) == 0
    page.get_by_label("News of the site: Page", exact=True).scroll_into_view_if_needed()
    head = page.get_by_role("columnheader", name="Hooks")
    assert head.bounding_box()["y"] >= 0
    widths = page.evaluate("[...document.querySelectorAll('.channels thead > tr > *')].map((e) => e.offsetWidth)")
    assert 0.44 < widths[0] / sum(widths) < 0.48
