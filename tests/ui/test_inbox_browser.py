"""The inbox in a real browser: list and thread side by side, or as pages of their own on a phone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services.messages import send_message
from accounts.services.ties import block_user
from tests.duels.fights import start_fight
from tests.scenes import make_mage, make_user
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, visit
from tests.ui.test_people_browser import WIDE, check

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SIZES = [
    pytest.param(NARROW, id="narrow"),
    pytest.param(PHONE, id="phone", marks=SELDOM),
    pytest.param(WIDE, id="wide", marks=SELDOM),
    pytest.param(DESK, id="desk-dark", marks=SELDOM),
]
TALK = (
    ("Otto", 26, "Your Shield in turn 7 was cold-blooded. I was sure you would counter.", "page", True),
    ("Anna", 25.5, "I had no choice: the other hand was paralysed.", "page", True),
    ("Otto", 0.7, "The Troll will settle it either way. I enjoy these a lot.", "email", False),
    ("Otto", 0.6, "Again some day? I have an idea for the Troll. " + "W" * 90, "email", False),
)


@pytest.fixture
def anna(transactional_db: None) -> User:
    """Anna has threads with Otto, with unread messages, and with others."""
    anna, otto = make_user("Anna"), make_user("Otto")
    fight = start_fight(make_mage("Emberlin", anna), make_mage("Quillon", otto))
    fight.turn("P/D", "S/W")
    make_mage("Ottokar", otto)
    users, now = {"Anna": anna, "Otto": otto}, timezone.now()
    said = [(name, "Anna", hours, words, "page", False) for name, hours, words in OTHERS]
    said += [(name, "Otto" if name == "Anna" else "Anna", *more) for name, *more in TALK]
    for number, (name, reader, hours, words, channel, is_from_battle) in enumerate(said):
        writer = users.setdefault(name, None) or users.update({name: make_user(name)}) or users[name]
        place = {"battle": fight.number, "turn": 1} if is_from_battle else {}
        at = now - timedelta(hours=hours)
        send_message(
            writer=writer, reader=users[reader], text=words, once=str(number), channel=channel, now=at, **place
        )
    block_user(user=anna, blocked=make_user("Mort"), now=now)
    return anna


OTHERS = (
    ("Wanda", 400, "Well played, and well stabbed."),
    ("Keith", 220, "Sure, a turn a day suits me."),
    ("Marta", 90, "Round 5 then. May the better hand win."),
    ("Clara", 30, "Thanks for the notes on turn 6!"),
)


@pytest.mark.parametrize("options", SIZES)
def test_the_inbox_fits_and_axe_finds_nothing(visit: Callable[..., Any], anna: User, options: Any) -> None:
    page = visit("/inbox/", anna, **options)
    for name, path in (
        ("inbox", "/inbox/"),
        ("thread", "/inbox/Otto/?battle=1"),
        ("thread-blocked", "/inbox/Mort/"),
        ("write", "/messages/new/?to=Otto"),
    ):
        page.goto(path)
        check(page, name, options)


def test_a_thread_is_read_and_answered_on_a_phone(visit: Callable[..., Any], anna: User) -> None:
    page = visit("/inbox/", anna, **NARROW)
    page.locator(".thread").wait_for(state="hidden")
    page.get_by_role("link", name="Otto").click()
    page.locator(".threads").wait_for(state="hidden")
    page.get_by_label("Write to Otto").fill("Tomorrow at nine?")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Tomorrow at nine?", exact=True).wait_for()
    page.get_by_role("link", name="Inbox", exact=True).first.click()
    page.get_by_text("You: Tomorrow at nine?").wait_for()
