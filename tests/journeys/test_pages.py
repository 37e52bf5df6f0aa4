"""Every page of the real stack: axe finds nothing serious, nothing breaks, and a turn can be played without scripts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.journeys.page_list import PASSWORD, SIZES, Cast, Visit, furnish, list_visits
from tests.services.axe import list_faults
from tests.services.plugin import LONG
from tests.services.stack import Stack
from tests.site.test_addresses import TO_ALL, TO_USERS, list_plain_pages

pytestmark = [pytest.mark.journey, pytest.mark.browser]

# Each page is looked at on a phone in the dark and at a desk by day, at the short count by turns; tests/ui takes the
# other way round.
LOOKS = (("phone", "dark"), ("desktop", "light"))
NO_SCRIPT = {"java_script_enabled": False}


@pytest.fixture(scope="module")
def cast(stack: Stack) -> Cast:
    return furnish(stack)


@pytest.fixture(scope="module")
def pages_of(browser: Any, stack: Stack, cast: Cast) -> Iterator[Callable[..., Any]]:
    """A page of the browser of each role, logged in once."""
    contexts: dict[str, Any] = {}

    def find_page(who: str, **options: Any) -> Any:
        key = f"{who}{options}"
        if key not in contexts:
            contexts[key] = browser.new_context(**options).new_page()
            if who:
                log_in(contexts[key], stack.url, cast.log_ins[who][0])
        return contexts[key]

    yield find_page
    for page in contexts.values():
        page.context.close()


def log_in(page: Any, url: str, name: str) -> None:
    page.goto(f"{url}/accounts/login/")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(lambda address: "/login/" not in address)


def name_of(visit: Visit) -> str:
    return visit.name


NOBODY = Cast({}, 0, 0, 0)


# Pieces of pages, which scripts ask for.
PIECES = {"/waiting/", "/news/panel/", "/battles/featured/", "/accounts/devices/this/"}


def list_other_visits() -> list[Visit]:
    """Return the pages without arguments that the table of addresses has and the list of pages has not."""
    listed = {visit.path.partition("?")[0] for visit in list_visits(NOBODY)} | PIECES
    return [
        Visit(path.strip("/"), path, who)
        for who, row in (("", TO_ALL), ("player", TO_USERS))
        for path in list_plain_pages(row)
        if path.endswith("/") and not path.startswith("/api/") and path not in listed
    ]


VISITS = [visit.name for visit in [*list_visits(NOBODY), *list_other_visits()]]


@pytest.mark.parametrize("name", VISITS)
def test_axe_finds_nothing_serious(stack: Stack, cast: Cast, pages_of: Callable[..., Any], name: str) -> None:
    visit = next(visit for visit in [*list_visits(cast), *list_other_visits()] if visit.name == name)
    page = pages_of(visit.who)
    faults: list[str] = []
    note = lambda message: message.type == "error" and faults.append(message.text)  # noqa: E731
    crash = lambda error: faults.append(str(error))  # noqa: E731
    page.on("console", note)
    page.on("pageerror", crash)
    answer = page.goto(stack.url + visit.path)
    assert answer.status == (404 if name == "not-found" else 200)
    assert page.url.removeprefix(stack.url) == visit.path, "somebody is sent elsewhere"
    found = []
    for size, scheme in LOOKS:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        if LONG or (size, scheme) == LOOKS[VISITS.index(name) % len(LOOKS)]:
            found += [f"{size}, {scheme}: {one}" for one in list_faults(page, of_any_severity=True)]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {size}"
    page.remove_listener("console", note)
    page.remove_listener("pageerror", crash)
    assert not found
    assert not [fault for fault in faults if "404" not in fault]


def test_a_turn_is_played_without_scripts(stack: Stack, cast: Cast, pages_of: Callable[..., Any]) -> None:
    """By clicking labels and a button; the page says what is ready, and after loading it again what happened."""
    player, waiting = (pages_of(who, **NO_SCRIPT) for who in ("player", "waiting"))
    battle = f"{stack.url}/battles/{cast.running}/"
    waiting.goto(battle)
    before = waiting.locator("#call").inner_text()
    assert before == "Turn 4: waiting for Edwyn"

    player.goto(battle)
    for hand, gesture in (("LH", "W"), ("RH", "D")):
        player.locator(f"label.key:has(input[name={hand}][value={gesture}])").click()
    player.get_by_role("button", name="Preview").click()
    assert "choose one" in player.locator("#review").inner_text()
    player.locator("[data-slot='CHOOSE LH'] input[value='CHOOSE LH Summon Ogre']").check()
    # The button still says what the preview saw; without scripts it is the server that looks again.
    player.get_by_role("button", name="Ready", exact=True).click(force=True)

    assert player.locator("#story h2").first.inner_text() == "Turn 4"
    assert player.locator("#call").inner_text().startswith("Turn 5")
    assert waiting.locator("#call").inner_text() == before
    waiting.reload()
    assert waiting.locator("#story h2").first.inner_text() == "Turn 4"
    assert "Ogre" in waiting.locator("#story").inner_text()
