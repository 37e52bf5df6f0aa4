"""Running the site, in a real browser: time in a battle, vacation, reports, warnings, the janitors' desk."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from duels.services.clocks.pauses import ask_pause
from moderation.services.reports import answer_report, assign_report, make_report, suspend_user, warn_user
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import make_janitor
from tests.scenes import make_mage
from tests.services.axe import list_faults
from tests.ui.test_browser import BY_PHONE, NARROW, overflow, visit
from tests.ui.test_challenge_browser import become, press_tab_until

pytestmark = pytest.mark.browser
__all__ = ["visit"]


@pytest.fixture
def duel(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Fight:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "P/-")
    return fight


def open_folds(page: Any) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true })")


@pytest.mark.parametrize("options", BY_PHONE)
def test_axe_finds_nothing_serious_on_pages_of_janitors_and_settings(
    visit: Callable[..., Any], live_server: Any, duel: Fight, options: Any
) -> None:
    now = timezone.now()
    janitor, bung, froodal = make_janitor(), duel.user("Bung"), duel.user("Froodal")
    reports = [
        make_report(reporter=froodal, about_user=bung, about_battle=duel.number, text=text, now=now)
        for text in ("They wait too long.", "They said a bad word.", "Look here.")
    ]
    assign_report(report=reports[1], by=janitor)
    answer_report(report=reports[2], by=janitor, answer="We have spoken with them.", now=now)
    warn_user(user=bung, by=janitor, text="Mind your words.", now=now)
    suspend_user(user=bung, by=janitor, reason="Three insults.", ends_at=now + timedelta(days=3), now=now)
    pages = [
        (froodal, [f"/battles/{duel.number}/", "/accounts/vacation/", "/reports/", "/reports/new/"]),
        (bung, ["/accounts/hold/"]),
        # tests/journeys/test_janitors_desk.py checks the desk itself and the pages of a battle.
        (janitor, [reverse("admin:accounts_user_change", args=[bung.pk])]),
    ]
    page = visit("/rules/", **options)
    found, wide = [], []
    for user, paths in pages:
        become(page, user, live_server.url)
        for path in paths:
            page.goto(path)
            open_folds(page)
            found += list_faults(page)
            if not path.startswith("/admin/"):
                page.set_viewport_size(NARROW["viewport"])
                wide += [(path, overflow(page))] if overflow(page) > 0 else []
                page.set_viewport_size(options["viewport"])
    page.goto(reverse("admin:duels_battle_act", args=[duel.battle.pk, "look"]))
    page.select_option("[name=mage]", "Bung")
    page.fill("[name=reason]", "Which turn went wrong?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You see the battle as Bung does.")
    found += list_faults(page)
    assert (found, wide) == ([], [])


def test_time_is_asked_for_and_a_report_written_with_keys_alone(visit: Callable[..., Any], duel: Fight) -> None:
    page = visit(f"/battles/{duel.number}/", duel.user("Bung"))
    press_tab_until(page, ".time-box > summary")
    page.keyboard.press("Enter")
    press_tab_until(page, "button[value=take]")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your deadline is extended.")
    # As in the emails.
    page.goto(f"/battles/{duel.number}/#time")
    press_tab_until(page, "#pause-days")
    page.keyboard.press("Control+A")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You asked the other players for a pause.")
    # The other player's page updates by itself: without a socket server, it polls.
    other = visit(f"/battles/{duel.number}/#time", duel.user("Froodal"))
    ask_pause(combatant=duel.combatant("Bung"), days=9, now=timezone.now())
    other.wait_for_selector("text=Bung asks for a pause of 9 days.")
    press_tab_until(page, "a[href='/accounts/vacation/']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/accounts/vacation/")
    press_tab_until(page, "[name=days]")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are on vacation until")
    page.goto("/reports/new/")
    press_tab_until(page, "[name=about]")
    page.keyboard.type(str(duel.number))
    press_tab_until(page, "[name=text]")
    page.keyboard.type("It is stuck.")
    press_tab_until(page, "main button")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=New")


def test_a_chosen_length_of_a_pause_outlasts_the_news_of_another_players_wish(
    visit: Callable[..., Any], transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), pace="live")
    fight.turn("S/W", "P/-")
    page = visit(f"/battles/{fight.number}/#time", fight.user("Bung"))
    page.locator("#pause-length").focus()
    page.keyboard.press("End")
    ask_pause(combatant=fight.combatant("Froodal"), minutes=30, now=timezone.now())
    page.wait_for_event("response", lambda answer: "fragment=board" in answer.url)
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.id") == "pause-length"
    assert page.input_value("#pause-length") == "1440"
    page.evaluate("document.activeElement.blur()")
    page.wait_for_selector("text=Froodal asks for a pause of 30 minutes.")
