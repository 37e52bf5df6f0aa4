"""The exhibition on the real stack: two bots begin once a page shows them, and the page's socket brings each turn."""

from typing import Any

import pytest

from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser, pytest.mark.slow]

# The sweep comes every 20 seconds; a busy machine is late.
PATIENCE = 90_000


def test_bots_begin_when_a_page_shows_them_and_their_turns_come_by_themselves(browser: Any, stack: Stack) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(text)))
    page.goto(f"{stack.url}/battles/?show=bots")
    page.wait_for_function(
        "() => document.querySelector('.featured').dataset.key.startsWith('exhibition-')", timeout=PATIENCE
    )
    for turn in range(2, 5):
        page.wait_for_function(
            "(turn) => document.querySelector('.featured').dataset.turn === turn", arg=str(turn), timeout=PATIENCE
        )
    assert heard and set(heard) == {'{"board": 0, "changed": true}'}
    assert page.locator("[data-lost]").is_hidden()
    assert page.get_by_text("1 watching").is_visible()
    page.context.close()
