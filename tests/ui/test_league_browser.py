"""The pages of the league in a browser: they fit a phone, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from tests.league.world import QUIET, League
from tests.scenes import DAY
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SELDOM_SIZES = [pytest.param(PHONE, id="phone", marks=SELDOM), pytest.param(DESK, id="desk", marks=SELDOM)]
NAMES = "(every) => every.map((each) => each.getAttribute('aria-labelledby')).filter(Boolean)"
EIGHT = ("Emberlin", "Quillon", "Marrowick", "Kestrel", "Ottokar", "Sorrel", "Rowena", "Bung")


def draw_season() -> League:
    """A season whose groups are drawn, in which pairs choose their pace."""
    league = League(now=timezone.now() - 40 * DAY)
    league.enter(*EIGHT)
    league.run()
    league.go_to(league.season.draws_at)
    return league


def play(league: League) -> None:
    """Bring the season to its third round, with results of every kind."""
    league.go_to(league.season.begins_at)
    for number in range(1, 4):
        league.begin_round(number)
        for pairing in league.list_round(number):
            if number < 3 and pairing.board != number:
                league.win(pairing, pairing.first.mage.name)
            elif number < 3:
                league.draw(pairing)
            elif pairing.board % 2:
                league.play(pairing, QUIET, QUIET)
        league.run()


@pytest.mark.parametrize("options", [pytest.param(NARROW, id="narrow"), *SELDOM_SIZES])
def test_the_pages_of_a_league_fit(visit: Callable[..., Any], transactional_db: None, options: Any) -> None:
    league = draw_season()
    page = visit("/league/1/1/", league.user("Emberlin"), **options)
    assert page.get_by_role("button", name="I want a time bank").count() == 7
    assert overflow(page) <= 0 and list_faults(page) == []
    play(league)
    for path in ("/league/", "/league/1/1/", "/league/rules/", "/league/join/", "/league/leave/", "/league/hall/"):
        page.goto(path)
        assert overflow(page) <= 0, path
        assert list_faults(page) == [], path
        named = page.locator("main :is(section, [role=region])").evaluate_all(NAMES)
        assert len(named) == len(set(named)), path
