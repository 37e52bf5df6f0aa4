"""Duels against bots to their end: a guest without an account, whose mage then stays, a stranger who also takes the
lessons, and someone who has only email."""

import re
import time
from typing import Any

import pytest

from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.by_mail import join_by_mail, order_as
from tests.journeys.letterbox import Mailbox
from tests.journeys.page_list import PASSWORD
from tests.journeys.secrets_used import Secrets
from tests.services.browser import wait_for_value
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
TURNS = (("S", "W"), ("D", "P"), ("W", "F"))
# The turn that the front page begins with.
FIRST = 4
# From the front page to the end of a practice duel.
MOST_SECONDS = 60


def test_a_guest_plays_the_apprentice_to_the_end(stack: Stack, secrets_used: Secrets, browser: Any):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    guest = BrowserPlayer(page, stack.url, secrets_used)
    begun = time.monotonic()
    guest.open("/")
    # Both sides, all keys and the button stand on the phone's first screen.
    assert wait_for_value(page, "document.getElementById('ready').getBoundingClientRect().bottom <= innerHeight")
    guest.play(*TURNS[0])
    page.wait_for_url(re.compile(r"/battles/\d+/"))
    assert page.get_by_title("A computer opponent").count() == 1
    guest.wait_for_turn(FIRST + 1)
    for turn, (left, right) in enumerate(TURNS[1:], start=FIRST + 1):
        guest.mark_page()
        guest.choose_allowed(left, right)
        guest.finish_turn(turn)
    # Two palms are a surrender, and the page asks for confirmation. The bot's spells may hold a hand or change its
    # gesture, so try again each turn.
    over, turn = page.locator("#state[data-state=over]"), FIRST + len(TURNS)
    while not over.count():
        guest.choose_allowed("P", "P")
        guest.finish_turn(turn)
        turn += 1
    assert time.monotonic() - begun < MOST_SECONDS
    number = page.url.rstrip("/").rpartition("/")[2].partition("?")[0]
    page.get_by_role("link", name="Keep this mage").first.click()
    page.get_by_label("Name", exact=True).fill("Reader_kept")
    page.get_by_label("Name of your mage").fill("Nimblefinger")
    page.get_by_label("Email").fill("reader.kept@example.org")
    page.get_by_label("Password").fill(secrets_used.note("password", PASSWORD))
    page.get_by_role("button", name="Keep this mage").click()
    page.get_by_text("Nimblefinger is yours now.").wait_for()
    guest.open(f"/battles/{number}/")
    assert page.get_by_role("heading", name="Nimblefinger").count() == 1 and "Guest_" not in page.content()
    guest.open("/play/")
    assert page.get_by_role("button", name="Begin the battle").count() == 1
    assert guest.faults == []
    context.close()


def test_a_late_answer_to_orders_never_wipes_out_the_next_choices(stack: Stack, secrets_used: Secrets, browser: Any):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    guest = BrowserPlayer(page, stack.url, secrets_used)
    guest.open("/")
    guest.play(*TURNS[0])
    page.wait_for_url(re.compile(r"/battles/\d+/"))
    guest.wait_for_turn(FIRST + 1)
    held: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.method == "POST" and "act=ready" in (route.request.post_data or "").replace('"\r\n\r\n', "="):
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/battles/**", hold)
    guest.choose_allowed(*TURNS[1])
    guest.ready()
    status = page.locator("#battle").get_attribute("data-api")
    while not held or page.request.get(stack.url + status).json()["key"]["seq"] < FIRST + 2:
        page.wait_for_timeout(100)
    # The turn has been played, and the page has been told so, before the answer to the orders arrives. Were the next
    # one to show now, that answer would replace it and wipe out whatever is chosen by then.
    page.wait_for_timeout(500)
    assert page.locator("#state").get_attribute("data-stage").startswith(f"{FIRST + 1}.")
    route, answer = held[0]
    route.fulfill(response=answer)
    page.unroute("**/battles/**")
    guest.wait_for_turn(FIRST + 2)
    chosen = guest.choose_allowed(*TURNS[2])
    page.wait_for_timeout(300)
    assert guest.read_chosen() == chosen
    guest.finish_turn(FIRST + 2)
    assert page.get_by_text("were not sent").count() == 0
    assert guest.faults == []
    page.close()


def test_a_stranger_duels_and_learns_without_scripts(stack: Stack, browser: Any):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    page = context.new_page()

    def order(left: str, right: str) -> None:
        for hand, gesture in (("LH", left), ("RH", right)):
            page.locator(f"label.key:has(input[name={hand}][value='{gesture}'])").click()
        page.locator("#ready").click(force=True)

    page.goto(stack.url)
    order("S", "P")
    page.wait_for_url(re.compile(r"/battles/\d+/"))
    # The page asks again by itself until the bot has played.
    page.wait_for_selector("#state[data-stage^='5.']", state="attached")
    page.goto(f"{stack.url}/learn/shield/1/")
    order("W", "F")
    page.get_by_text("Not yet.").wait_for()
    order("P", "W")
    page.get_by_role("heading", name="Solved").wait_for()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(re.compile(r"/learn/shield/2/"))
    context.close()


def test_someone_with_only_email_plays_the_warder_to_the_end(mailbox: Mailbox):
    player = join_by_mail(mailbox, "Postina", "Quillback")
    order_as(player, "PLAY Warder")
    begun = player.wait_for(
        lambda letter: re.search(r"begun:\s+Quillback\s+against\s+a\s+bot", letter.text), "news of the duel"
    )
    number = int(re.search(r"(\d+)\s+has\s+begun", begun.text)[1])
    gestures = (*TURNS[:2], ("P", "P"))  # two palms surrender
    for turn, (left, right) in enumerate(gestures, start=1):
        order_as(player, f"GAME {number} Quillback", f"TURN {turn}", f"LH {left}", f"RH {right}", "END")
        report = player.report_of(number, turn)
    assert "surrender" in report.text
    player.wait_for(lambda letter: f"[FM {number}]" in letter.subject and "victory" in letter.text.lower(), "result")
