"""The pages of cups in a browser: they fit a phone, axe finds nothing, and a running cup is read again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from league.models import Cup
from league.services.run_cups import advance_cup, make_next_cups
from tests.league.cups import DAY, MINUTE, begin, enter, find_game, finish, list_names, make_cup, order, user_of
from tests.services.axe import list_faults
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
SELDOM_SIZES = [pytest.param(PHONE, id="phone", marks=SELDOM), pytest.param(DESK, id="desk", marks=SELDOM)]
EIGHT = ("Moldavar", "Yarrow", "Kestrel", "Ottokar", "Quillon", "Wanda", "Emberlin", "Sorrel")


def make_cups() -> list[str]:
    """Return the pages of a knock-out that runs, an evening and a round robin in their second round, and a cancelled
    cup."""
    now = timezone.now()
    knockout = make_cup(begins_at=now - 5 * DAY)
    enter(knockout, *EIGHT)
    begin(knockout)
    for winner, loser in (("Moldavar", "Sorrel"), ("Yarrow", "Emberlin"), ("Wanda", "Kestrel")):
        finish(knockout, winner, winner, loser, now=knockout.begins_at)
    advance_cup(cup_id=knockout.pk, now=knockout.begins_at)
    evening = make_cup(Cup.Kind.EVENING, begins_at=now - 14 * MINUTE)
    enter(evening, "Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")
    begin(evening)
    for game in evening.pairings.filter(second__isnull=False):
        finish(evening, list_names(game)[0], *list_names(game), now=evening.begins_at)
    for minutes in (1, 5):
        advance_cup(cup_id=evening.pk, now=evening.begins_at + minutes * MINUTE)
    robin = make_cup(Cup.Kind.ROUND_ROBIN, begins_at=now - 14 * MINUTE)
    enter(robin, *(f"Clockwork{number}" for number in range(8)))
    begin(robin)
    for game in robin.pairings.all():
        finish(robin, list_names(game)[0], *list_names(game), now=robin.begins_at)
    for minutes in (1, 5):
        advance_cup(cup_id=robin.pk, now=robin.begins_at + minutes * MINUTE)
    lost = make_cup(key="lost", begins_at=now - 40 * DAY)
    enter(lost, "Solo")
    begin(lost)
    make_next_cups(now=now)
    return ["/cups/", *(f"/cups/{each.pk}/" for each in Cup.objects.order_by("pk"))]


@pytest.mark.parametrize("options", [pytest.param(NARROW, id="narrow"), *SELDOM_SIZES])
def test_the_pages_of_cups_fit(visit: Callable[..., Any], transactional_db: None, options: Any) -> None:
    paths = make_cups()
    page = visit(paths[0], user_of("Yarrow"), **options)
    for path in paths:
        page.goto(path)
        assert overflow(page) <= 0, path
        assert list_faults(page) == [], path


def test_an_open_page_of_a_cup_shows_the_next_turn_by_itself(visit: Callable[..., Any], transactional_db: None) -> None:
    cup = make_cup(begins_at=timezone.now() - 5 * DAY)
    enter(cup, *EIGHT)
    begin(cup)
    page = visit("/cups/", None, **PHONE)
    page.clock.install()
    page.goto(f"/cups/{cup.pk}/")
    page.get_by_text("turn 1").first.wait_for()
    # Arms that the page did not have come with a refresh, and stay after the next one.
    arms = page.evaluate("(symbol => (symbol.remove(), symbol.id))(document.querySelector('symbol[id^=arms-]'))")
    for turn in (2, 3):
        for name in ("Moldavar", "Sorrel"):
            order(find_game(cup, "Sorrel").battle, name, "W/S", cup.begins_at)
        page.clock.fast_forward(31_000)
        page.get_by_text(f"turn {turn}").wait_for()
        assert page.locator(f"[id='{arms}']").count() == 1
    assert list_faults(page) == []
