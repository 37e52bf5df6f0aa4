"""A duel without talk offers nothing to say, also not in the bar of a phone."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.duels.fights import start_fight
from tests.scenes import make_mage
from tests.ui.test_browser import PHONE, battle, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]


def test_the_bar_of_a_phone_has_no_button_to_speak(visit: Callable[..., Any], transactional_db: None) -> None:
    shown = []
    for number, chat in enumerate((True, False)):
        duel = start_fight(make_mage(f"Froodal{number}"), make_mage(f"Bung{number}"), stakes="league", chat=chat)
        page = visit(battle(duel), duel.user(f"Bung{number}"), **PHONE)
        page.wait_for_function("() => document.querySelector('.dock')?.dataset.face === 'keys'")
        shown.append(page.locator("[data-switch]").is_visible())
        assert overflow(page) <= 0
    assert shown == [True, False]
