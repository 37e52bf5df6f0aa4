"""The battle page in another language: none of its own texts stays in English, in any state.

The sentences and names of the rules have a catalogue of their own, so what the view already says is not looked at.
"""

import pytest
from django.test import Client
from django.utils import translation

from accounts.services.users import set_language
from duels.board import SentOrders
from duels.errors import DuelsError, NoSuchRuleset, NotYourCombatant
from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import get_battle_for_viewer
from duels.services.clocks.pauses import ask_pause
from duels.terms import Terms, name_spells
from rules_engine import RULESETS
from rules_engine.glossary import name_spell
from rules_engine.text import use_language
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW, make_mage
from tests.site.test_translated_pages import CLOSE, OPEN, list_english_spells, list_unmarked, marked, marks
from tests.ui.rendering import draw
from tests.ui.sample_battle import see, start_duel
from tests.ui.test_board import see_sample

__all__ = ["marked", "marks"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STATES = (
    "chosen",
    "empty",
    "half clap",
    "surrender",
    "wrong",
    "spectator",
    "other ready",
    "sealed",
    "next turn",
    "over",
)
SPELLS = {spell for ruleset in RULESETS.values() for spell in ruleset.spells}
with use_language("de"):
    SPELLS |= set(map(name_spell, SPELLS))
TITLES = {title for ruleset in RULESETS.values() for title in (name_spells(ruleset.name), ruleset.title)}
# The gestures and hands by letter, the mages and their users, and what the terms say (the ladder's words).
ALIKE = {"F", "P", "S", "W", "D", "C", "B", "L", "R", "Froodal", "Bung", "Ayla", "ladder", "friendly"}


def list_english(page: str, view: BattleView, *, inside: str = "body") -> list[str]:
    """Return the texts of the page that are neither marked nor told by the rules."""
    sentences = [line.text for story in view.stories for line in story.summary.lines]
    told = " ".join([repr(view), *sentences, *SPELLS, *TITLES]).casefold()
    found = list_unmarked(f"<body>{page}</body>", inside=inside)
    return [text for text in found if text not in ALIKE and text.strip(": ").casefold() not in told]


def test_no_state_of_the_page_keeps_english_words(marked):
    views, left = see_sample.__wrapped__(), {}  # played here: what a view says is looked up in its rows
    for state in STATES:
        with translation.override("de"):
            page = draw(views[state], sent=SentOrders(ask_to_confirm=state == "surrender", stale=state == "next turn"))
        assert OPEN in page and CLOSE in page
        found = list_english(page, views[state])
        if found:
            left[state] = found
    assert left == {}
    assert list_english("<p>An unmarked text</p>", views["over"]) == ["An unmarked text"]


def open_in_german(fight: Fight, name: str | None) -> tuple[str, BattleView]:
    """Return the page of a battle for the user of a mage, or a spectator, in German."""
    browser = Client(headers={"Accept-Language": "de"})
    if name:
        set_language(user=fight.user(name), language="de")
        browser.force_login(fight.user(name), backend="accounts.backends.ByName")
    answer = browser.get(f"/battles/{fight.number}/")
    assert answer.status_code == 200 and answer.headers["Content-Language"] == "de"
    with translation.override("de"):
        return answer.content.decode(), see(fight, name)


def test_the_whole_page_is_in_the_language_of_its_reader(marked):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), make_mage("Ayla"))
    fight.turn("S/P", "W/D", "P/F")
    ask_pause(combatant=fight.combatant("Bung"), days=3, minutes=0, now=NOW)
    for name in ("Froodal", None):
        page, view = open_in_german(fight, name)
        assert list_english(page, view, inside="main") == []
        assert f"{OPEN}Draft saved on this device{CLOSE}" in page, "what the scripts say"
    fight.turn("P/P", "P/P", "W/D")
    for name in ("Froodal", None):
        page, view = open_in_german(fight, name)
        assert view.over and list_english(page, view, inside="main") == []


def test_the_page_names_spells_in_german_while_they_are_chosen_and_once_sent():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/P", "W/D")
    for ready in (False, True):
        fight.order("Froodal", "P/W", ready=ready)
        page, _view = open_in_german(fight, "Froodal")
        assert "vollendet Schild" in page and ("Führt zu" in page) != ready
        assert list_english_spells(page) == []


def test_errors_speak_the_language_of_the_request():
    """Texts are written when the error is raised, and hold no lazy strings."""
    fight = start_duel()
    with translation.override("de"):
        errors: list[DuelsError] = [NoSuchRuleset("warlock", ["warlocks"]), NotYourCombatant(7, "Bung", ["Froodal"])]
    assert all(type(part) is str for error in errors for part in error.args)
    answer = Client(headers={"Accept-Language": "de"}).get(f"/api/battles/{fight.number}/record/")
    assert answer.json()["code"] == "not_over", "codes are the same in every language"


def test_stored_and_compared_values_do_not_depend_on_the_language():
    with translation.override("en"):
        english, told = start_duel(), Terms(pace="slow").to_json()
    with translation.override("de"):
        assert Terms(pace="slow").to_json() == told
        view = get_battle_for_viewer(number=english.number, user=english.user("Bung"), mage_name="Bung")
    assert view.battle.kind == "duel" and view.terms.to_json()["pace"] == "classic"
