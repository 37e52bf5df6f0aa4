"""The pages in a real browser: keys, drafts, no scripts, axe, narrow screens."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from challenges.services.invite_links import join_by_link
from challenges.services.rematch import ask_for_rematch
from duels.terms import Terms
from ladder.services.refresh_ladders import refresh_ladders
from ladder.tasks import refresh_places, sweep_unrated_battles
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight, charm_for_good, start_fight
from tests.scenes import NOW, make_mage
from tests.services.axe import list_faults, list_small_targets
from tests.services.saved_scenes import SavedScene
from tests.ui.rendering import client_of

pytestmark = pytest.mark.browser

PUBLIC = [
    "/",
    "/rules/",
    "/rules/warlocks/",
    "/battles/",
    "/challenges/",
    "/ladder/",
    "/accounts/login/",
    "/accounts/signup/",
    "/nothing/",
]
OWN = [
    "/",
    "/challenges/new/",
    "/accounts/mages/",
    "/accounts/mages/new/",
    "/accounts/settings/",
    "/accounts/mail-password/",
    "/accounts/blocks/",
    "/accounts/tokens/",
    "/accounts/notices/",
    "/accounts/hooks/",
    "/accounts/email/",
    "/accounts/sessions/",
    "/accounts/logout/",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"}
DESK = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}
# The themes to check, one of them only in the long run.
SELDOM = pytest.mark.slow
BY_PHONE = [pytest.param(PHONE, id="phone-light"), pytest.param(DESK, id="desk-dark", marks=SELDOM)]
BY_DESK = [pytest.param(DESK, id="desk-dark"), pytest.param(PHONE, id="phone-light", marks=SELDOM)]
NARROW = {"viewport": {"width": 320, "height": 640}}


def seldom(*params: Any) -> list[Any]:
    """Return these `pytest.param` for the long run only: else a page is checked at one size and in one theme."""
    return [pytest.param(*each.values, id=each.id, marks=SELDOM) for each in params]


@pytest.fixture
def duel(transactional_db: None, saved_duel: SavedScene[Fight]) -> Fight:
    fight = saved_duel.begin()
    refresh_ladders(now=NOW)
    return fight


@pytest.fixture
def visit(live_server: Any, new_browser_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a page of the site, as a user or a visitor."""

    def open_page(path: str, user: Any = None, **options: Any) -> Any:
        page = new_browser_page(base_url=live_server.url, **options)
        page.set_default_timeout(30_000)  # a busy machine takes its time
        if user is not None:
            session = client_of(user).cookies["sessionid"].value
            page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page.goto(path)
        return page

    return open_page


def overflow(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def battle(fight: Fight) -> str:
    return f"/battles/{fight.number}/"


# In the short run, tests/journeys/test_pages.py shows these pages to axe.
@pytest.mark.slow
@pytest.mark.parametrize("options", BY_PHONE)
def test_axe_finds_nothing_serious_on_public_pages(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    page = visit("/", **options)
    found = []
    for path in [*PUBLIC, battle(duel)]:
        page.goto(path)
        found += list_faults(page)
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("options", BY_DESK)
def test_axe_finds_nothing_serious_on_pages_of_a_user(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    duel.turn("LH S RH W", "LH D RH P")
    page = visit("/", duel.user("Froodal"), **options)
    found = []
    for path in OWN:
        page.goto(path)
        found += list_faults(page)
    assert found == []


@pytest.mark.parametrize("options", BY_PHONE)
def test_axe_finds_nothing_serious_in_any_state_of_a_duel(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    duel.turn("LH S RH W", "LH D RH P")
    page = visit(battle(duel), duel.user("Froodal"), **options)
    found = list_faults(page)
    choose(page, "P", "P")
    page.wait_for_selector("text=Surrender…")
    page.click("#ready")
    page.wait_for_selector("[name=confirmed]", state="attached")
    found += list_faults(page)
    page.click("text=Keep fighting")
    page.wait_for_selector("[name=confirmed]", state="detached")
    page.fill("#line", "P/Q")
    page.click("#ready")
    page.wait_for_selector("#problems p")
    found += list_faults(page)
    page.fill("#line", "D/W")
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")
    found += list_faults(page)
    duel.order("Bung", "P/P")
    page.goto(battle(duel))
    found += list_faults(page)
    assert found == []


@pytest.mark.parametrize("language", [pytest.param("en", marks=SELDOM), "de"])
def test_the_links_of_a_ladder_are_large_enough_for_fingers(
    visit: Callable[..., Any], transactional_db: None, language: str
) -> None:
    """With long names, short ones below each other, and mages in a battle."""
    names = ("Wwwwwwwwwwwwwww", "Mmmmmmmmmmmmmm_", "Il", "Xi", "Yo", "Zu")
    mages = [make_mage(name) for name in names]
    for one, other in (mages[:2], mages[2:4]):
        start_fight(one, other).turns([("S/D", "W/F"), ("D/P", "P/P")])
    start_fight(*mages[4:])
    for sweep in (count_finished_battles, sweep_unrated_battles, refresh_places):
        sweep()
    refresh_ladders(now=NOW)
    for width in (320, 390, 1280):
        is_phone = width < 1000
        page = visit(
            "/ladder/",
            viewport={"width": width, "height": 800},
            locale=language,
            has_touch=is_phone,
            is_mobile=is_phone,
        )
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert page.get_by_text("Wwwwwwwwwwwwwww").count()
        assert list_small_targets(page) == []
        page.set_content("<main><a href='/a'>a</a> <a href='/b'>b</a></main>")
        assert list_small_targets(page), "otherwise it finds nothing at all"
        page.close()


def test_nothing_is_wider_than_a_narrow_phone(visit: Callable[..., Any], duel: Fight) -> None:
    duel.turn("LH S RH W", "LH D RH P")
    page = visit("/", duel.user("Froodal"), **NARROW)
    wide = []
    for path in [*OWN, "/rules/", "/ladder/", "/challenges/", "/battles/", battle(duel)]:
        page.goto(path)
        if overflow(page) > 0:
            wide.append((path, overflow(page)))
        if path == "/ladder/":
            # Beside the bell, the words have a second row under 375 px.
            assert page.locator(".top").bounding_box()["height"] < 90
            table = page.locator(".scroll", has=page.locator(".ladder", has_text="Bung"))
            assert table.evaluate("box => box.scrollWidth <= box.clientWidth"), "the ladder fits without scrolling"
            assert page.get_by_role("cell", name=f"battle {duel.number}").first.is_visible()
    # The columns of the strings have their set width at every screen width.
    for width in (360, 375, 600, 760, 960, 1024, 1128, 1232):
        page.set_viewport_size({"width": width, "height": 800})
        if width >= 375 and page.locator(".top").bounding_box()["height"] >= 60:
            wide.append((width, "menu"))
        room = "document.querySelector('.battle-main').getBoundingClientRect().right + 8"
        if page.evaluate(
            f"[...document.querySelectorAll('.string > *')].some(e => e.getBoundingClientRect().right > {room})"
        ):
            wide.append((width, "strings"))
        hints = "[...document.querySelectorAll('.hint')].filter(e => e.checkVisibility())"
        if page.evaluate(f"{hints}.some(e => e.getBoundingClientRect().width < 110)"):
            wide.append((width, "hints"))
    assert wide == []


def test_signing_up_sends_the_time_zone_of_the_device(transactional_db: None, visit: Callable[..., Any]) -> None:
    page = visit("/accounts/signup/", timezone_id="Asia/Tokyo")
    assert page.input_value("[name=time_zone]") == "Asia/Tokyo"


@pytest.mark.parametrize("options", [NARROW, {**PHONE, "java_script_enabled": False}], ids=["narrow", "no-script"])
def test_why_opens_by_key_and_touch_and_shows_the_chain(visit: Callable[..., Any], duel: Fight, options: Any) -> None:
    duel.turns([("S/-", "-/-"), ("D/-", "P/-")])
    page = visit(battle(duel), duel.user("Froodal"), **options)
    told = page.locator(".sums > li", has_text="shield stops")
    chain = told.locator(".chain")
    assert not chain.is_visible()
    told.locator("summary").focus()
    page.keyboard.press("Enter")
    chain.wait_for()
    assert "because of the Shield that Bung cast on turn 2." in chain.inner_text()
    assert overflow(page) <= 0 if "java_script_enabled" not in options else chain.bounding_box()["width"] < 390
    told.locator("summary").click()
    chain.wait_for(state="hidden")
    if "java_script_enabled" not in options:
        told.locator("summary").click()
        assert list_faults(page) == []


def choose(page: Any, left: str, right: str) -> None:
    for hand, gesture in (("LH", left), ("RH", right)):
        page.click(f"label.key:has(input[name={hand}][value='{gesture}'])")


def chosen(page: Any) -> list[str]:
    return [page.locator(f"input[name={hand}]:checked").get_attribute("value") for hand in ("LH", "RH")]


def test_two_letters_are_a_turn_and_enter_sends_it(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.focus("#pad-LH input")
    page.keyboard.press("f")
    page.keyboard.press("d")
    assert chosen(page) == ["F", "D"]
    assert page.input_value("#line") == "F/D"
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are ready.")
    assert page.evaluate("document.activeElement.id") == "call"
    assert page.title().startswith("Turn 1: waiting for Bung")


def test_a_guess_stays_in_the_browser(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    page.locator(".side-above ~ .board .guess").first.select_option("W")
    page.wait_for_timeout(400)
    # The test's server has no socket, so the page asks how far the battle is.
    asks = (f"/api/v1/battles/{duel.number}/ None", "waiting.svg None")  # how far the battle is, and the tab's icon
    assert [each for each in sent if not each.endswith(asks)] == []
    assert page.locator(".guess").first.evaluate("list => [list.name, list.form]") == ["", None]
    page.reload()
    assert page.locator(".bead.guessed").inner_text() == "W"


def test_a_choice_that_the_server_never_got_is_still_there_after_a_reload(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    choose(page, "S", "W")
    page.wait_for_selector("[data-kept]:text('Draft saved')")
    page.context.set_offline(True)
    choose(page, "F", "D")
    page.context.set_offline(False)
    page.reload()
    assert chosen(page) == ["F", "D"]


def test_a_turn_that_resolves_ends_the_change_of_its_orders(visit: Callable[..., Any], duel: Fight) -> None:
    duel.order("Froodal", "P/D")
    page = visit(f"{battle(duel)}?change=1", duel.user("Froodal"), **DESK)
    duel.order("Bung", "D/W")
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")
    # Orders from another page of the same user show here too, as they would not during a change.
    duel.order("Froodal", "P/D")
    page.wait_for_selector("#state[data-state=sealed]", state="attached")
    assert "change" not in page.url


def test_a_menu_closes_by_escape_or_a_press_elsewhere(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    menu, chat = page.locator("details.menu:not(.chat-fold)"), page.locator(".chat-fold")
    menu.locator("summary").click()
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert menu.locator("summary").evaluate("each => each === document.activeElement")
    chat.locator("> summary").click()
    menu.locator("summary").click()
    assert chat.get_attribute("open") is None
    choose(page, "S", "W")
    assert menu.get_attribute("open") is None and chosen(page) == ["S", "W"]


def test_the_order_line_sets_the_pads_and_escape_leads_back(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.focus("#pad-LH input")
    page.keyboard.press("/")
    page.keyboard.type("w .")
    assert chosen(page) == ["W", ">"]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.value") == "W"


def test_a_clap_takes_both_hands_and_can_be_halved(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    page.click("label.key:has(input[name=LH][value=C])")
    assert chosen(page) == ["C", "C"]
    page.click("label.key:has(input[name=RH][value=S])")
    assert chosen(page) == ["C", "S"]
    page.wait_for_selector("text=A clap with one hand")


def test_a_draft_survives_leaving_the_page(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    choose(page, "P", "D")
    page.wait_for_selector("text=Draft saved")
    page.goto("/")
    page.goto(battle(duel))
    assert chosen(page) == ["P", "D"]
    assert "1" in page.inner_text(".crumb"), "a draft does not count as ready"


def test_without_a_network_ready_says_so_and_the_draft_follows_once_it_is_back(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.context.set_offline(True)
    choose(page, "P", "D")
    page.wait_for_selector("#review >> text=You are offline. P/D is saved on this device.")
    page.click("#ready", force=True)
    page.wait_for_selector("#problems >> text=You are offline.")
    page.context.set_offline(False)
    page.wait_for_selector("#ready:not([aria-disabled])")


def wait_for_request(page: Any, held: list[Any]) -> Any:
    """Return the route of the next request, which a test holds back."""
    while not held:
        page.wait_for_timeout(10)
    return held.pop()


def choose_missile_and_hold_drafts(page: Any) -> tuple[Any, list[Any]]:
    """Return the list of targets of a Magic Missile, and the drafts from now on, which the test lets through."""
    choose(page, "D", "W")
    target = page.locator("[data-slot='TARGET LH']")
    target.wait_for()
    page.wait_for_selector("text=Draft saved")
    held: list[Any] = []
    page.route(re.compile("draft"), lambda route: held.append(route))
    return target, held


def test_an_answer_outlasts_the_response_to_an_earlier_choice(visit: Callable[..., Any], duel: Fight) -> None:
    duel.turn("S/-", "-/-")
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    target, held = choose_missile_and_hold_drafts(page)
    choose(page, "D", "P")
    first = wait_for_request(page, held)
    target.select_option(label="nobody")
    with page.expect_response(re.compile("draft")):
        first.continue_()
    wait_for_request(page, held).continue_()
    page.locator("[data-slot='TARGET RH']").wait_for()
    page.wait_for_selector("text=Draft saved")
    assert page.input_value("#line") == "D/P; TARGET LH nobody"
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")
    assert "TARGET LH nobody" in duel.combatant("Froodal").sheets.latest("pk").lines


def test_an_open_list_of_targets_is_not_replaced_until_it_is_closed(visit: Callable[..., Any], duel: Fight) -> None:
    for orders in ("D/-", "S/-"):
        duel.turn(orders, "-/-")
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    target, held = choose_missile_and_hold_drafts(page)
    page.click("label.key:has(input[name=LH][value='F'])")
    first = wait_for_request(page, held)
    target.click()
    with page.expect_response(re.compile("draft")):
        first.continue_()
    page.wait_for_timeout(300)
    assert target.evaluate("each => each.matches(':open')")
    assert page.locator("text=Confusion on").count() == 0
    target.press("Escape")
    page.wait_for_selector("text=Confusion on")
    assert not held


def test_a_list_of_targets_stays_open_while_another_question_comes_and_goes(
    visit: Callable[..., Any], duel: Fight
) -> None:
    duel.turn("S/-", "-/-")
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    choose(page, "D", "W")
    target, other = page.locator("[data-slot='TARGET LH']"), page.locator("[data-slot='TARGET RH']")
    # An element that is replaced closes.
    target.evaluate("each => { each.isSame = true; }")
    for gesture, state in (("P", "attached"), ("W", "detached")):
        choose(page, "D", gesture)
        other.wait_for(state=state)
        assert target.evaluate("each => each.isSame")


def test_a_user_logged_out_meanwhile_sees_that_and_keeps_the_draft(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    session = next(each for each in page.context.cookies() if each["name"] == "sessionid")
    page.context.clear_cookies(name="sessionid")
    choose(page, "P", "D")
    page.wait_for_selector("text=You are logged out.")
    page.click("#ready", force=True)
    page.wait_for_url(f"**/accounts/login/?next=%2Fbattles%2F{duel.number}%2F")
    page.context.add_cookies([session])
    page.goto(battle(duel))
    page.wait_for_selector("text=Draft saved")
    assert chosen(page) == ["P", "D"]


def test_a_new_turn_scrolls_back_to_its_top(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.evaluate("window.scrollTo(0, 400)")
    duel.turn("P/D", "D/W")
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")
    assert page.evaluate("document.getElementById('call').getBoundingClientRect().top") >= 0


def test_a_page_that_waits_on_a_challenge_moves_to_the_battle(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    froodal, bung = make_mage("Froodal"), make_mage("Bung")
    challenge = create_challenge(challenger=froodal, terms=Terms(), open_to_all=True, limit=2, now=NOW)
    page = visit(f"/challenges/{challenge.number}/", froodal.user)
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    page.wait_for_url(f"**/battles/{challenge.number}/")


def test_the_page_of_a_link_leads_its_host_to_the_battle(visit: Callable[..., Any], transactional_db: None) -> None:
    froodal, bung = make_mage("Froodal"), make_mage("Bung")
    challenge = create_challenge(challenger=froodal, terms=Terms(), open_to_all=False, by_link=True, limit=2, now=NOW)
    page = visit(f"/challenges/{challenge.number}/", froodal.user, **PHONE)
    page.click("text=Create link")
    address = page.input_value("#link")
    assert list_faults(page) == []
    page.click("text=Copy link")
    page.reload()
    assert page.input_value("#link") == address
    join_by_link(token=address.rstrip("/").rpartition("/")[2], mage=bung, now=timezone.now())
    page.wait_for_url(f"**/battles/{challenge.number}/")


def test_an_unknown_order_is_reported_and_stays_in_the_form(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    choose(page, "P", "D")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.fill("#line", "P/D; TARGET RH Bunk")
    page.click("#ready")
    page.wait_for_selector("#problems p")
    assert page.input_value("#line") == "P/D; TARGET RH Bunk"
    assert "Bunk" in page.inner_text("#problems")


def test_a_wrong_line_is_named_while_typing_and_does_not_change_the_pads(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **DESK)
    choose(page, "P", "D")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.fill("#line", "xx")
    page.wait_for_selector("#problems p")
    assert "xx is not an order." in page.inner_text("#problems")
    assert page.get_attribute("#line", "aria-invalid") == "true"
    assert chosen(page) == ["P", "D"]
    assert page.locator("[data-now=LH]").get_attribute("data-gesture") == "P"
    page.fill("#line", ">/>")
    page.wait_for_selector("text=You stab Bung.")
    page.wait_for_selector("#problems p", state="detached")
    assert page.get_attribute("#line", "aria-invalid") == "false"


def test_nothing_overlaps_at_any_scroll_position(visit: Callable[..., Any]) -> None:
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac", "Dorn")))
    for hands in ("S/W", "F/F", "W/P", "-/-"):
        melee.turn(f"{hands}", *["P/W", "W/P", "P/F"])
        while melee.key().stage:
            for name in melee.names:
                melee.order(name, "END")
    page = visit(battle(melee), melee.user("Ayla"), **DESK)
    over = []
    for width, height in ((1280, 800), (1280, 600), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for top in (0, 150, 400, 700, 5000):
            page.evaluate(f"window.scrollTo(0, {top})")
            over += [(width, height, top, *pair) for pair in page.evaluate(OVERLAPS)]
    assert over == []


# Pairs of neighbours that overlap: blocks in the page's flow, and the keys of a pad.
OVERLAPS = """() => {
  const groups = ['.story-column', '.battle-main', '.orders', '.folds', '.keys', '.face', '.top'];
  const found = [];
  for (const group of groups.flatMap((each) => [...document.querySelectorAll(each)])) {
    const boxes = [...group.children]
      .filter((each) => each.checkVisibility() && !each.matches('.order-bar, .vh, .tie') &&
        !['absolute', 'fixed'].includes(getComputedStyle(each).position))
      .map((each) => [each, each.getBoundingClientRect()])
      .filter(([, box]) => box.width > 1 && box.height > 1);
    for (const [index, [one, a]] of boxes.entries()) {
      for (const [other, b] of boxes.slice(index + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 1) {
          found.push([one.className || one.tagName, other.className || other.tagName]);
        }
      }
    }
  }
  return found;
}"""


def test_orders_are_changed_until_the_turn_resolves(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    choose(page, "P", "D")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.click(".sealed-row a.button")
    assert chosen(page) == ["P", "D"]
    choose(page, "S", "W")
    page.wait_for_selector("text=Draft saved")
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.dblclick("#ready")
    page.wait_for_selector("text=You are ready.")
    # The draft of the second hand may still be on its way.
    assert len([url for url in sent if not url.endswith("/draft/")]) == 1
    duel.order("Bung", "D/D")
    assert re.search(r"Turn 1: snap", spoken_of(page, duel))


def spoken_of(page: Any, duel: Fight) -> str:
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")
    return str(page.inner_text("ol[aria-label='Your left hand']"))


def test_the_page_turns_by_itself_even_without_a_socket(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.evaluate("window.stayed = true")
    duel.turn("P/D", "D/W")
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")
    assert page.evaluate("window.stayed") is True
    assert page.title().startswith("● Turn 2: your move")


def test_a_player_who_waits_sees_the_turn_although_its_wake_up_got_lost(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit("/privacy/", duel.user("Froodal"))
    page.route_web_socket(re.compile("/ws/"), lambda _socket: None)  # stays open and never says a word
    page.clock.install()
    duel.order("Froodal", "P/D")
    page.goto(battle(duel))
    page.wait_for_selector("#state[data-state=sealed]", state="attached")
    page.wait_for_selector("[data-live=yes]", state="attached")
    duel.order("Bung", "D/W")
    page.clock.fast_forward(21_000)
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")


def test_a_player_who_waits_for_several_reads_who_is_still_missing(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    melee = start_fight(make_mage("Froodal"), make_mage("Bung"), make_mage("Ulf"))
    page = visit("/privacy/", melee.user("Froodal"))
    page.clock.install()
    melee.order("Froodal", "P/D")
    page.goto(battle(melee))
    page.wait_for_selector("text=Your orders stay sealed until Bung and Ulf are ready too.")
    melee.order("Bung", "D/W")
    page.clock.fast_forward(21_000)
    page.wait_for_selector("text=Your orders stay sealed until Ulf is ready too.")


def test_a_rematch_asked_for_while_the_page_loads_appears_even_without_a_socket(
    visit: Callable[..., Any], duel: Fight
) -> None:
    duel.order("Froodal", "P/P", confirmed=True)
    duel.order("Bung", "D/W")
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.wait_for_selector("text=Bung wins")
    ask_for_rematch(number=duel.number, mage=duel.combatant("Bung").mage, now=timezone.now())
    page.wait_for_selector("text=Bung wants a rematch.")


def test_without_scripts_the_pads_are_a_form(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), java_script_enabled=False, **PHONE)
    choose(page, "P", "D")
    page.click("text=Preview")
    assert chosen(page) == ["P", "D"]
    assert "Shield" in page.inner_text("#pad-LH dl")
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")


def test_everything_to_touch_on_the_phone_is_large_enough(visit: Callable[..., Any], duel: Fight) -> None:
    duel.turn("LH S RH W", "LH D RH P")
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    # A link in a text has a larger touch area than its letters, through ::after.
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, summary, label.key, .turn-numbers a, .crumb')]
          .filter((each) => each.checkVisibility() && !each.matches('.key input, .line-box input, [type=hidden]'))
          .filter((each) => {
            const after = getComputedStyle(each, '::after');
            const reach = after.position === 'absolute' ? Math.min(0, parseFloat(after.top) || 0) : 0;
            return each.getBoundingClientRect().height - 2 * reach < 44;
          })
          .map((each) => each.outerHTML.slice(0, 90))"""
    )
    assert small == []


# These must be visible at once while giving orders: last gestures, hit points, keys, the order line and the button.
UNSEEN = """(wanted) => {
  const boxes = wanted.flatMap((each) => [...document.querySelectorAll(each)].map((one) => [each, one]));
  const holds = '.string, .dock, .call, .mage-head';
  const hidden = ([, one]) => {
    const box = one.getBoundingClientRect();
    if (!box.width) return true;
    const seen = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const whole = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
    return !whole || !seen.some((each) => one.contains(each) || each.contains(one) && each.closest(holds));
  };
  return boxes.filter(hidden).map(([name, one]) => `${name}: ${one.textContent.trim().slice(0, 20)}`);
}"""
ALWAYS = ["#call", "#line", "#ready", ".question.open .card"]
KEYS = ".pads .hand-pad.shown .key"
OF_DUEL = [".mage-head .hp b", *(f".string li.c{n} .bead" for n in (3, 4, 5, 6, 7))]
OF_MELEE = [".lane .hp b", ".lane .being .name", *(f".lane .string li.c{n} .bead" for n in (5, 6, 7))]
MOVES = ("S/W", "F/S", "D/F", "F/S", "W/W")


def test_on_a_phone_a_choice_that_must_be_made_takes_the_place_of_the_keys(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac", "Dorn")))
    for hands in MOVES:
        melee.turn(*[hands] * 4)
    page = visit(battle(melee), melee.user("Ayla"), **PHONE)
    choose(page, "S", "D")
    page.wait_for_selector(".question.open .card")
    assert not page.is_visible("#pad-LH")
    assert page.evaluate(UNSEEN, [*ALWAYS, *OF_MELEE]) == []
    assert list_faults(page) == []
    page.click("[data-pad=LH]")
    assert page.is_visible("#pad-LH")
    page.click("#ready", force=True)
    page.wait_for_selector(".question.open input:focus")
    page.check(".question.open .card:has-text('Borin') input")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")


def test_on_a_phone_a_question_after_the_gestures_can_be_answered(visit: Callable[..., Any], duel: Fight) -> None:
    charm_for_good(duel.battle, "Froodal", by="Bung")
    duel.turn("S/-", "-/-\nDIRECT LH P Froodal")
    assert duel.key().stage == 1
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.select_option(".question [data-slot='TARGET LH']", label="nobody")
    page.click("text=Say something")
    page.fill("#say", "Who moved my hand?")
    page.click("#ready")
    page.wait_for_selector("#state[data-stage^='2.']", state="attached")


def test_on_a_phone_a_mage_can_speak_before_anything_is_chosen(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    page.click("text=Say…")
    with page.expect_response(re.compile("draft")):
        page.keyboard.type("Have at you")
    page.reload()
    assert page.input_value("#say") == "Have at you"
    choose(page, "F", "F")
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")
    assert "SAY Have at you" in duel.combatant("Froodal").sheets.get().lines


ROWS_OF_KEYS = """() => [...document.querySelectorAll('.hand-pad')].map((pad) =>
  [...pad.querySelectorAll('.face')].map((face) => face.getBoundingClientRect()).map((box) => [box.top, box.bottom]))"""


def test_a_key_that_completes_three_spells_leaves_both_pads_level_and_the_own_strings_in_view(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([(hands, "-/-") for hands in ("F/D", "P/S", "S/W", "F/D")])
    page = visit(battle(fight), fight.user("Froodal"), **PHONE)
    notes = page.locator("#hint-LH-W .key-note")
    assert " ".join(notes.all_inner_texts()).replace("\n", " ") == "● Summon Troll +2"
    assert page.evaluate(UNSEEN, [".side-below ~ .board .bead.mine", ".string li.c8 .bead", *ALWAYS]) == []
    for width, height in ((390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        left, right = page.evaluate(ROWS_OF_KEYS)
        assert left == right, width
    choose(page, "W", "W")
    page.wait_for_selector("[data-part=becomes-LH] >> text=choose one of 3")


def test_on_a_phone_a_surrender_is_confirmed_by_one_of_two_buttons_side_by_side(
    visit: Callable[..., Any], duel: Fight
) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    choose(page, "P", "P")
    page.wait_for_selector("#review >> text=You surrender. The duel ends.")
    page.click("#ready")
    page.wait_for_selector("[name=confirmed]", state="attached")
    back, ready = (page.locator(each).bounding_box() for each in (".order-row > a", "#ready"))
    assert back["y"] == ready["y"] and back["width"] == ready["width"] and ready["y"] + ready["height"] <= 844
    assert not page.is_visible("#line") and not page.is_visible(".switch")
    assert page.evaluate(UNSEEN, [".string li.c8 .bead"]) == []
    page.click("text=Keep fighting")
    page.wait_for_selector("#pad-LH")
    assert page.is_visible("#line")


def test_orders_that_are_slow_to_arrive_are_said_to_be_on_their_way(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(battle(duel), duel.user("Froodal"), **PHONE)
    choose(page, "P", "D")
    page.wait_for_selector("#ready:not([aria-disabled])")
    before, held = page.inner_text("#review"), []
    page.route(
        "**/battles/**", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    page.click("#ready")
    page.wait_for_selector("#review >> text=Sending…")
    held.pop().abort()
    page.wait_for_selector("#problems >> text=You are offline.")
    assert page.inner_text("#review") == before


def test_two_pairs_of_gestures_are_four_letters_and_fit_the_narrow_phone(
    visit: Callable[..., Any], transactional_db: None
) -> None:
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="waving-hands")
    fight.turns([(hands, "-/-") for hands in ("P/-", "W/-", "P/-", "W/-", "W/-", "C/C")])
    page = visit(battle(fight), fight.user("Froodal"), **NARROW)
    assert overflow(page) <= 0
    page.focus("#pad-LH input")
    for letter in "s-dw":
        page.keyboard.press(letter)
    assert page.input_value("#line") == "S/-; LH2 D; RH2 W"
    page.click("[data-pad=LH2]")
    page.wait_for_selector("[data-pad=LH2] .tab-note:text('Magic Missile')")
    assert list_faults(page) == []
    page.wait_for_selector("#ready:not([aria-disabled])")
    page.click("#ready")
    page.wait_for_selector("text=You are ready.")
    fight.order("Bung", "-/-")
    assert fight.battle.state["wizards"][1]["hp"] == 14
