"""The first duel on the front page, in a real browser: its goal, its keys and its button are on the first screen."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from duels.models import Battle, OrderSheet
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from rules_engine.bots import choose_orders, see
from tests.bots import bring_bots
from tests.challenges.test_play_bot import answer
from tests.scenes import NOW
from tests.services.axe import list_faults
from tests.ui.test_browser import overflow, seldom, visit
from tests.ui.test_chat_browser import look

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param(width, height, scheme, id=f"{width}x{height}-{scheme}")
    for width, height, scheme in (
        (390, 664, "light"),
        (360, 740, "dark"),
        (390, 844, "light"),
        (1280, 800, "light"),
        (1280, 800, "dark"),
        (390, 664, "dark"),
    )
]


@pytest.fixture
def front(visit: Callable[..., Any], transactional_db: None) -> Callable[..., Any]:
    def open_front(width: int, height: int, scheme: str = "light") -> Any:
        bring_bots(now=NOW)
        page = visit("/", viewport={"width": width, "height": height}, color_scheme=scheme)
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(600)
        return page

    return open_front


def is_inside(page: Any, locator: Any, *, least: int = 44) -> bool:
    """Return whether it is in the window, and high enough for a finger."""
    box, size = locator.bounding_box(), page.viewport_size
    return bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["height"] >= least


@pytest.mark.parametrize(("width", "height", "scheme"), [SIZES[0], SIZES[4], *seldom(*SIZES[1:4], SIZES[5])])
def test_goal_keys_and_button_are_on_the_first_screen(
    front: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    page = front(width, height, scheme)
    look(page, f"front-{height}-{scheme}")
    assert page.locator(".goal").inner_text() == "Bring Pipkin from 8 to 0. At 0, you lose."
    # The board stands on a card, not above a dock: nothing covers it.
    assert page.evaluate("getComputedStyle(document.querySelector('.side-below .mage-head')).position") != "sticky"
    assert is_inside(page, page.locator("#ready"))
    keys = [key for key in page.locator(".stage label.key").all() if key.is_visible()]
    assert len(keys) in (8, 16) and all(is_inside(page, key) for key in keys)
    missile = page.locator(".stage .key-note.completes", has_text="Missile")
    assert missile.first.is_visible()
    assert overflow(page) <= 0
    assert list_faults(page) == []


@pytest.mark.parametrize(("width", "height", "scheme"), [SIZES[1], *seldom(SIZES[0], SIZES[2])])
def test_both_hands_are_chosen_one_after_the_other_and_revealed(
    front: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    page = front(width, height, scheme)
    page.click("#pad-LH label.key:has([value=D])")
    page.click("#pad-RH label.key:has([value=P])")
    page.wait_for_selector(".review:has-text('You cast Magic Missile at Pipkin')")
    look(page, f"front-chosen-{height}-{scheme}")
    assert is_inside(page, page.locator("#ready"))
    page.click("#ready")
    page.wait_for_url("**/battles/*/")
    assert page.locator("#state").get_attribute("data-key")


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [SIZES[0], *seldom(SIZES[3], SIZES[1])],
)
def test_a_strangers_first_duel_to_the_end_and_the_next_step(
    front: Callable[..., Any], width: int, height: int, scheme: str
) -> None:
    page = front(width, height, scheme)
    page.click("#pad-LH label.key:has([value=D])")
    page.click("#pad-RH label.key:has([value=P])")
    page.click("#ready:not([aria-disabled=true])")
    page.wait_for_url("**/battles/*/")
    address = page.url
    page.goto("about:blank")  # an open page would see the reveal first, and the next one would not show it again
    for turn in range(4, 40):
        while answer(timezone.now()):
            pass
        page.goto(address)
        if page.locator("#state").get_attribute("data-state") == "over":
            break
        assert page.locator(".coach").is_visible()
        if turn == 4:
            page.wait_for_timeout(500)
            look(page, f"first-duel-{height}-{scheme}")
            assert overflow(page) <= 0 and list_faults(page) == []
            # The first thing to read is what the first reveal did: on a phone in place of the keys.
            is_phone = width < 600
            told = page.locator("[data-result] .sums" if is_phone else ".story > .sums").locator(".sum")
            assert is_inside(page, told.first, least=10)
            if is_phone:
                page.get_by_role("button", name=re.compile("^Play turn")).click()
            assert is_inside(page, page.locator("#ready"))
            assert page.locator("#pad-LH").bounding_box()["width"] > width / 4  # the coach takes no room from the keys
        play_by_keys(page)
        play_rest()
    assert 6 <= Battle.objects.get().seq <= 20
    assert (
        page.locator(".end-sentence")
        .inner_text()
        .endswith(
            (
                f"ends it in turn {Battle.objects.get().label}.",
                f"Both mages reach 0 in turn {Battle.objects.get().label}.",
            )
        )
    )
    look(page, f"first-end-{height}-{scheme}")
    main = page.locator(".end-row .main").inner_text().strip()
    assert main in ("Beat the Journeyman", "Rematch") and page.locator(".end-row", has_text="Keep this mage").count()
    page.click(".end-row .main")
    page.wait_for_selector("#state[data-stage^='1.']", state="attached")


def play_rest() -> None:
    """If the turn still waits for the guest, as where an enchantment decides, play it as a weak bot would."""
    battle, guest = Battle.objects.get(), User.objects.get(is_guest=True)
    sheets = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at=None, ready=False)
    if not battle.is_over and sheets.filter(combatant__mage__user=guest).exists():
        state, name = read_battle_state(battle), guest.username
        lines = choose_orders(see(state, name), mage=name, strength="Apprentice", seed=battle.seq, may_surrender=False)
        combatant = get_combatant_for_user(number=battle.number, user=guest)
        text = "\n".join([*lines, "END"])
        submit_orders(combatant=combatant, text=text, via="web", now=timezone.now(), replace=True, confirmed=True)


def play_by_keys(page: Any) -> None:
    """Take what the keys say hurts Pipkin; otherwise go on with a missile."""
    for hand, other in (("LH", "S"), ("RH", "W")):
        keys = page.locator(f"#pad-{hand} label.key")
        hurting = keys.filter(has=page.locator(".key-note.completes", has_text=re.compile("Missile|Wounds")))
        key = hurting.first if hurting.count() else page.locator(f"#pad-{hand} label.key:has([value={other}])")
        key.locator("input").evaluate("input => input.click()")
        page.wait_for_timeout(150)
    page.wait_for_timeout(400)
    for question in page.locator(".question .cards, .question select").all():
        card = question.locator("label", has_text="Wounds")
        if card.count():
            card.first.locator("input").evaluate("input => input.click()")
    page.wait_for_timeout(300)
    for _ in range(2):  # the page asks again about odd orders
        if page.locator("#state").get_attribute("data-state") == "draft":
            page.locator("#ready").evaluate("button => button.click()")
            page.wait_for_timeout(700)
            # Until it is answered, the turn seems to wait for the guest.
            page.wait_for_function("() => !document.querySelector('#ready[aria-busy]')")
