"""A guest without an account plays the Apprentice in a browser, to the end."""

import re
from typing import Any

import pytest

from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.secrets_used import Secrets
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
TURNS = (("S", "W"), ("D", "P"), ("W", "F"))


def test_a_guest_plays_the_apprentice_to_the_end(stack: Stack, secrets_used: Secrets, browser: Any):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    guest = BrowserPlayer(page, stack.url, secrets_used)
    guest.open("/")
    guest.play(*TURNS[0])
    page.wait_for_url(re.compile(r"/battles/\d+/"))
    assert page.get_by_title("A computer opponent").count() == 1
    guest.wait_for_turn(2)
    for turn, (left, right) in enumerate(TURNS[1:], start=2):
        guest.mark_page()
        guest.play(left, right)
        guest.wait_for_turn(turn + 1)
    # Two palms are a surrender, which the page asks about once more.
    guest.play("P", "P")
    page.wait_for_timeout(500)
    guest.ready()
    page.wait_for_selector("#state[data-state=over]", state="attached")
    number = page.url.rstrip("/").rpartition("/")[2].partition("?")[0]
    guest.open("/")
    assert page.get_by_text(re.compile(rf"Duel {number}\b|Nothing is waiting for you")).count() >= 1
    guest.open("/play/")
    assert page.get_by_role("button", name="Begin the battle").count() == 1
    assert guest.faults == []
    context.close()
