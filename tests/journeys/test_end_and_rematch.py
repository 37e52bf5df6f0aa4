"""The end of a duel in two browsers: the result and the new rating, a line in the chat, and a rematch by two clicks."""

from typing import Any

import pytest

from tests.journeys.browser_player import BrowserPlayer
from tests.journeys.page_list import PASSWORD, settle
from tests.journeys.secrets_used import Secrets
from tests.services.axe import list_faults
from tests.services.stack import Stack

pytestmark = [pytest.mark.journey, pytest.mark.browser]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def test_after_a_duel_both_see_the_rating_talk_and_play_again(stack: Stack, secrets_used: Secrets, browser: Any):
    people = [settle(stack, f"Reader_{mage}", mage) for mage in ("Loser", "Winner")]
    number = people[0].make_challenge("Loser", against="Winner", stakes="friendly")
    people[1].answer(number, "accept")
    contexts = [browser.new_context(viewport=size, color_scheme="dark") for size in (DESKTOP, PHONE)]
    loser, winner = (BrowserPlayer(context.new_page(), stack.url, secrets_used) for context in contexts)
    for player, person in zip((loser, winner), people, strict=True):
        player.log_in(person.name, PASSWORD)
        player.open(f"/battles/{number}/")
    winner.play("D", "D")
    winner.wait_until_sealed()
    loser.play("P", "P")
    loser.page.wait_for_selector("[name=confirmed]", state="attached")
    # A surrender needs no choice of spell: only the two buttons are left.
    assert not loser.page.locator(".questions").is_visible()
    loser.ready()

    for player, result in ((loser, "Winner wins"), (winner, "You beat Loser")):
        player.page.get_by_role("heading", name=result).wait_for()
        # The rating comes by itself, a moment after the end.
        player.page.locator(".gains", has_text="Your rating").wait_for()
        assert "was rated 1500" in player.page.inner_text(".gains")
        assert list_faults(player.page, of_any_severity=True) == []
    loser.page.click(".chat-fold > summary")
    loser.page.fill("#chat-text", "Well played. Again?")
    loser.page.click(".chat-form button")
    winner.page.click(".chat-fold > summary")
    winner.page.locator(".chat-lines", has_text="Well played. Again?").wait_for()
    winner.page.keyboard.press("Escape")

    loser.page.get_by_role("button", name="Rematch").click()
    loser.page.locator(".end-side", has_text="You asked Winner for a rematch.").wait_for()
    winner.page.locator(".end-side", has_text="Loser wants a rematch.").wait_for()
    winner.page.get_by_role("button", name="Accept rematch").click()
    loser.page.get_by_role("link", name="Play the rematch").click()
    for player in (winner, loser):
        player.page.wait_for_selector("#state[data-stage^='1.'][data-waits=yes]", state="attached")
    assert winner.page.url == loser.page.url != f"{stack.url}/battles/{number}/"
    assert loser.faults == [] and winner.faults == []
    for context in contexts:
        context.close()
