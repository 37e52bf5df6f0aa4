"""The lobby in a real browser: what others do there comes by itself, and a line is sent without leaving the page."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from challenges.models import RoomLine
from challenges.services.create import create_challenge
from duels.terms import Terms
from operations import presence
from tests.challenges.test_lobby import make_player, seek
from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import NARROW, SELDOM, overflow, visit
from tests.ui.test_chat_browser import look

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param({"viewport": {"width": 390, "height": 844}}, id="390-light"),
    pytest.param({"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"}, id="1280-dark", marks=SELDOM),
    pytest.param({"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}, id="390-dark", marks=SELDOM),
    pytest.param({"viewport": {"width": 1280, "height": 800}}, id="1280-light", marks=SELDOM),
]


@pytest.fixture
def anna(transactional_db: None) -> User:
    cache.clear()
    presence._connect(presence.settings.REDIS_URL).flushdb()
    return make_player("Anna")


def let_write(*users: User) -> None:
    for user in users:
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)


def await_news(page: Any, selector: str) -> None:
    """Wait until the page shows this. The test server has no sockets: the page asks when it is seen again."""
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(selector)


def say(user: User, text: str, minutes_ago: int = 0) -> None:
    since = timezone.now() - timedelta(minutes=minutes_ago)
    RoomLine.objects.create(writer=user, text=text, once=text[:16], written_at=since)


@pytest.mark.parametrize("options", SIZES)
def test_the_page_fits_and_axe_finds_nothing(visit: Callable[..., Any], anna: User, options: Any) -> None:
    let_write(anna)
    boris, clara, otto = (make_player(name) for name in ("Boris", "Clara", "Otto"))
    start_fight(clara.mages.get(), make_mage("Rival"), pace="live3")
    seek(boris, pace="live3", stakes="friendly")
    create_challenge(
        challenger=otto.mages.get(), terms=Terms(pace="day"), open_to_all=True, limit=4, now=timezone.now()
    )
    say(boris, "Did anyone see Moldavar's Finger Of Death coming? Turn 5 at the latest, I'd say.", 90)
    say(clara, "Turn 3. Nobody plays P W P for love.", 60)
    say(anna, "Anyone for a quick one afterwards?", 2)
    page = visit("/lobby/", anna, **options)
    page.wait_for_selector("[data-part=lines] li >> nth=2")
    look(page, f"lobby-{options.get('color_scheme', 'light')}")
    assert overflow(page) <= 0
    assert list_faults(page) == []
    page.set_viewport_size(NARROW["viewport"])
    assert overflow(page) <= 0
    texts = page.locator(".seeks li .row-text")
    assert texts.count() and min(texts.nth(place).bounding_box()["width"] for place in range(texts.count())) >= 160


def test_what_others_do_comes_by_itself_and_a_line_is_sent_once(visit: Callable[..., Any], anna: User) -> None:
    boris = make_player("Boris")
    let_write(anna, boris)
    presence._connect(presence.settings.REDIS_URL).flushdb()
    mine = visit("/lobby/", anna)
    assert mine.is_visible("text=Nobody else is here.") and mine.is_visible("text=Nobody has written yet. Say hello")
    his = visit("/lobby/", boris)
    await_news(mine, "[data-part=here] >> text=Boris")
    his.fill("#talk-text", "Hello")
    his.dblclick(".talk-form button")
    await_news(mine, "[data-part=lines] >> text=Hello")
    his.wait_for_selector("[data-part=lines] .mine >> text=Hello")
    assert RoomLine.objects.count() == 1 and his.input_value("#talk-text") == ""
    # The arms of the one who came are drawn.
    assert mine.evaluate(
        "() => [...document.querySelectorAll('.lobby-page use')].every("
        "(use) => document.querySelector(use.getAttribute('href')))"
    )
    challenge = seek(boris)
    his.reload()
    await_news(mine, "[data-part=here] >> text=looks for a duel")
    mine.click("[data-part=seeks] button")
    mine.wait_for_url(f"**/battles/{challenge.number}/")
    # Who waited is led to the battle too.
    his.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    his.wait_for_url(f"**/battles/{challenge.number}/")


def test_a_line_that_is_not_sent_stays_and_is_sent_again(visit: Callable[..., Any], anna: User) -> None:
    let_write(anna)
    page = visit("/lobby/", anna)
    page.route("**/lobby/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.fill("#talk-text", "Hello")
    page.click(".talk-form button")
    page.wait_for_selector("[data-problem] >> text=Your message is not sent. Your text is kept.")
    assert page.input_value("#talk-text") == "Hello"
    page.unroute("**/lobby/")
    page.click(".talk-form button")
    page.wait_for_selector("[data-part=lines] >> text=Hello")
    assert page.inner_text("[data-problem]") == ""
