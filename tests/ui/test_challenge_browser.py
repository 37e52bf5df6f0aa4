"""The pages of challenges in a real browser: axe, narrow screens, keys alone, and a page that changes by itself."""

from collections.abc import Callable
from typing import Any

import pytest

from challenges.models import Challenge, Proposal
from challenges.services.answers import accept_challenge
from challenges.services.proposals import propose_change
from challenges.services.votes import oppose_changes
from tests.challenges.conftest import make_challenge
from tests.challenges.scenes import Scene, build_scene
from tests.scenes import NOW, make_mage
from tests.services.axe import list_faults
from tests.ui.rendering import client_of
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, overflow

pytestmark = pytest.mark.browser


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return build_scene()


@pytest.fixture
def visit(live_server: Any, new_browser_page: Callable[..., Any]) -> Callable[..., Any]:
    def open_page(path: str, user: Any = None, **options: Any) -> Any:
        page = new_browser_page(base_url=live_server.url, **options)
        page.set_default_timeout(15_000)
        become(page, user, live_server.url)
        page.goto(path)
        return page

    return open_page


def become(page: Any, user: Any, url: str) -> None:
    page.context.clear_cookies()
    if user is not None:
        session = client_of(user).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": url}])


def list_states(scene: Scene) -> list[tuple[str, Any]]:
    """Every state of every page: its address and its viewer."""
    invitation = f"/challenges/{scene.invitation.number}/"
    return [
        ("/challenges/", scene.newcomer.user),
        ("/challenges/?size=melee&terms=friendly", scene.newcomer.user),
        (scene.path, None),
        (scene.path, scene.froodal.user),
        (scene.path, scene.merlyn.user),
        (scene.path, scene.newcomer.user),
        (f"{scene.path}change/", scene.froodal.user),
        (invitation, scene.zarquon.user),
        (scene.link, None),
        (scene.link, scene.newcomer.user),
        ("/challenges/join/nothing/", None),
        ("/challenges/new/", scene.newcomer.user),
        ("/accounts/blocks/", scene.newcomer.user),
    ]


@pytest.mark.parametrize(
    ("options", "every"),
    [pytest.param(PHONE, 1, id="phone-light"), pytest.param(DESK, 3, id="desk-dark", marks=SELDOM)],
)
def test_axe_finds_nothing_serious_in_any_state(
    visit: Callable[..., Any], live_server: Any, scene: Scene, options: Any, every: int
) -> None:
    """On a desktop, only every third state, which is enough for the dark colours."""
    page = visit("/challenges/", **options)
    found, wide = [], []
    for path, user in list_states(scene)[::every]:
        become(page, user, live_server.url)
        page.goto(path)
        page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")
        found += list_faults(page)
        page.set_viewport_size(NARROW["viewport"])
        wide += [(path, overflow(page))] if overflow(page) > 0 else []
        page.set_viewport_size(options["viewport"])
    assert (found, wide) == ([], [])


def press_tab_until(page: Any, selector: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no way to {selector} by keys")


def test_a_change_is_proposed_and_voted_on_with_keys_alone(visit: Callable[..., Any], scene: Scene) -> None:
    page = visit(scene.path, scene.froodal.user)
    press_tab_until(page, "#propose")
    page.keyboard.press("Enter")
    page.wait_for_url("**/change/")
    press_tab_until(page, "#id_limit")
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Froodal proposes change 4.")
    assert Proposal.objects.get(number=4).change == {"limit": 5}
    press_tab_until(page, "#no-1-Froodal")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Change 1 is rejected")
    assert Proposal.objects.get(number=1).state == "rejected"


def test_the_page_changes_by_itself_keeps_focus_and_folds_and_leads_to_the_battle(
    visit: Callable[..., Any], scene: Scene
) -> None:
    page = visit(scene.path, scene.froodal.user)
    page.locator("#blocks summary").click()
    page.locator("#no-1-Froodal").focus()
    oppose_changes(number=scene.melee.number, mage=scene.merlyn, changes=[2], now=NOW)
    page.wait_for_selector("text=Change 2, proposed by Crom: rejected", state="attached")
    assert page.locator("#blocks").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.id") == "no-1-Froodal"
    assert page.locator("#announcer").inner_text() == "The challenge has changed."
    accept_challenge(number=scene.melee.number, mage=scene.newcomer, now=NOW)
    page.wait_for_url(f"**/battles/{scene.melee.number}/")


def test_the_mage_chosen_stays_and_a_press_at_changed_terms_waits_until_they_can_be_read(
    visit: Callable[..., Any], scene: Scene
) -> None:
    host = make_mage("Gandar")
    number = make_challenge(host, limit=3).number
    make_mage("Zweite", scene.newcomer.user)
    page = visit(f"/challenges/{number}/", scene.newcomer.user)
    page.select_option("select[name=mage]", "Zweite")
    seen = page.get_attribute("[name=terms]", "value")
    page.locator("h1").focus()
    page.evaluate("""() => new MutationObserver((_, watch) => {
      watch.disconnect();
      document.querySelector('form.join button').click();
    }).observe(document.querySelector('main'), {childList: true, subtree: true})""")
    propose_change(number=number, mage=host, change={"pace": "day"}, now=NOW)
    page.wait_for_selector(f"[name=terms]:not([value='{seen}'])", state="attached")
    assert page.input_value("select[name=mage]") == "Zweite"
    assert page.url.endswith(f"/challenges/{number}/")
    assert Challenge.objects.get(number=number).seats_taken == 1


def test_a_new_challenge_says_in_one_sentence_what_its_choices_make(visit: Callable[..., Any], scene: Scene) -> None:
    page = visit("/challenges/new/", scene.newcomer.user)
    summary = page.locator("#summary")
    assert summary.inner_text() == "A duel for anyone: standard spells, daily pace, friendly."
    page.locator(".choice-card", has_text="Melee").click()
    page.locator(".choice-card", has_text="You can lose your mage").first.click()
    assert summary.inner_text() == "A melee of 4 mages: standard spells, daily pace, ladder."
    page.fill("[name=limit]", "0")
    assert summary.inner_text().startswith("A melee of any number of mages: ")
    page.locator(".choice-card", has_text="A mage I name").click()
    assert summary.inner_text().startswith("A duel with a mage you name: ")
    page.fill("[name=against]", "Bung")
    assert summary.inner_text().startswith("A battle with Bung: ")


def test_a_link_is_made_and_copied(visit: Callable[..., Any], live_server: Any, scene: Scene) -> None:
    page = visit(f"/challenges/{scene.invitation.number}/", scene.zarquon.user)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#make-link")
    page.click("text=Copy link")
    page.wait_for_selector("text=Copied.")
    address = page.locator("[data-copy]").input_value()
    assert address.startswith(f"{live_server.url}/challenges/join/")
    assert page.evaluate("navigator.clipboard.readText()") == address
    assert list_faults(page) == []
