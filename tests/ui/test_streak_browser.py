"""The streak at home and after the puzzle of the day, what was solved, and a month, in a real browser."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from ladder.tasks import sweep_unrated_battles
from studies.models import DailyTry, Puzzle
from studies.selectors.puzzles import find_daily_puzzle, list_committed_puzzles
from studies.services.progress import record_puzzle_try, record_steps
from studies.services.puzzles import add_committed_puzzles
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.scenes import DAY, make_mage, make_user
from tests.services.axe import list_faults
from tests.site.test_months import fight
from tests.studies.test_puzzles import fields
from tests.ui.test_browser import DESK, NARROW, PHONE, SELDOM, overflow, visit

pytestmark = pytest.mark.browser
__all__ = ["visit"]
WIDE = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
DARK = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
SIZES = [
    pytest.param(PHONE, id="phone"),
    *(
        pytest.param(options, id=name, marks=SELDOM)
        for name, options in (("narrow", NARROW), ("wide", WIDE), ("desk-dark", DESK), ("phone-dark", DARK))
    ),
]
# Sends a form as the page would: a solution takes many presses.
SEND = """(fields) => {
  const form = document.createElement("form");
  form.method = "post";
  for (const [name, value] of fields) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}"""


def check(page: Any, name: str, options: Any) -> None:
    page.evaluate("document.fonts.ready")
    kept = os.environ.get("FM_PICTURES")
    if kept:
        size, scheme = options["viewport"]["width"], options.get("color_scheme", "light")
        page.screenshot(path=str(Path(kept) / f"{name}-{size}-{scheme}.png"), full_page=True)
    assert overflow(page) <= 0, name
    assert list_faults(page) == [], name


@pytest.fixture
def anna(transactional_db: None) -> User:
    """A user with a duel that waits, a month of duels, and a streak with a rest day."""
    add_committed_puzzles()
    now = timezone.now()
    anna = make_user("Anna")
    emberlin, ottokar, wanda = make_mage("Emberlin", anna), make_mage("Ottokar"), make_mage("Wanda")
    month = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    for winner, loser in ((emberlin, ottokar), (emberlin, wanda), (emberlin, ottokar), (wanda, ottokar)):
        fight(winner, loser, month)
    count_finished_battles()
    sweep_unrated_battles()
    record_steps(user=anna, steps=["hands-1", "shield-1"], now=now - 9 * DAY)
    for ago in (5, 4, 2, 1):
        at = now - ago * DAY
        puzzle = find_daily_puzzle(today=at.date())
        assert puzzle is not None
        record_puzzle_try(user=anna, puzzle=puzzle, solved=True, now=at)
    start_fight(emberlin, ottokar)
    cache.clear()
    return anna


@pytest.mark.parametrize("options", SIZES)
def test_pages_with_streaks_fit_and_axe_finds_nothing(
    visit: Callable[..., Any], anna: User, options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("/", anna, **options)
    assert page.locator(".streak li").count() == 7
    check(page, "home", options)
    for name, path in (("solved", "/learn/solved/"), ("month", "/months/"), ("profile", "/users/Anna/")):
        page.goto(path)
        check(page, name, options)
    written = next(each for each in list_committed_puzzles() if each["kind"] == "win")
    puzzle = Puzzle.objects.get(key=written["key"])
    for place in ("views.puzzles", "services.progress"):
        monkeypatch.setattr(f"studies.{place}.find_daily_puzzle", lambda *, today: puzzle)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/puzzles/{puzzle.pk}/")
    sent = fields(puzzle, written["solutions"][0].splitlines())
    flat = [(name, each) for name, value in sent.items() for each in (value if isinstance(value, list) else [value])]
    with page.expect_navigation():
        page.evaluate(SEND, flat)
    assert DailyTry.objects.filter(user=anna, solved=True).count() == 5
    line = page.locator(".share-line").inner_text()
    assert line.startswith("Firetop Mountain puzzle, ") and line.endswith("solved at the first try, 5 days in a row")
    check(page, "puzzle", options)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("() => navigator.clipboard.readText()") == f"{line}\n{page.url}"
