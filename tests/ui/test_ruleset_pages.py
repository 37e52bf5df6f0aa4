"""A page for every ruleset, and comparisons of two."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

import rules_engine
from duels.rule_anchors import find_place
from duels.terms import list_offers, list_rulesets
from rules_engine import RULESETS, get_ruleset
from studies.rulebook.comparison import compare_rulesets
from studies.rulebook.spells import ORDERS, list_spells
from tests.duels.fights import start_fight
from tests.duels.test_editions import NOW_EDITION, make_next_edition, release  # noqa: F401  # a fixture
from tests.html import flat
from tests.rules_engine.random_play import play_battle
from tests.scenes import make_mage

pytestmark = pytest.mark.once

NAMES = [name for name, _ in list_rulesets()]
BEADS = re.compile(r'<span class="bead([^"]*)">([A-Z])')


def read(path: str, **fields: str) -> str:
    answer = Client().get(path, fields)
    assert answer.status_code == 200
    return unescape(flat(answer))


def read_series(html: str) -> list[str]:
    """The series on a page, as written: small letters for both hands."""
    rows = (row.partition("</p>")[0].partition(">or<")[0] for row in html.split('<span class="row">')[1:])
    return ["".join(a.lower() if "double" in look else a for look, a in BEADS.findall(row)) for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_lists_its_differences_with_clauses_and_all_its_spells(name: str, db: None) -> None:
    rules, html = RULESETS[name], read(f"/rules/{name}/")
    assert f"<h1>{rules.title}</h1>" in html
    for difference in rules.differences:
        assert f'{difference.text}</span><span class="clause">{difference.clause}</span></li>' in html
    assert [s for s in rules.order if f"{s}</h3>" not in html] == []
    assert f"{', '.join(rules.order)}." in html
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def every_clause() -> set[str]:
    """The clauses in the engine's source, among which are those of all events."""
    text = "".join(path.read_text() for path in Path(rules_engine.__file__).parent.rglob("*.py"))
    return set(re.findall(r"\b(?:FM|WH|SC|WL)-[A-Z]+-[0-9]+\b", text))


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_links_to_an_existing_place(name: str, db: None) -> None:
    """Every event's clause is at a difference, a spell or a section, never at the top of a page."""
    rules = RULESETS[name]
    pages = {path: set(re.findall(r'\sid="([^"]+)"', read(path))) for path in ("/rules/", f"/rules/{name}/")}
    for order in ORDERS:
        assert set(re.findall(r'\sid="([^"]+)"', read(f"/rules/{name}/", order=order))) == pages[f"/rules/{name}/"]
    for clause in every_clause():
        path, _, anchor = find_place(rules, clause, f"/rules/{name}/").partition("#")
        assert anchor in pages[path], clause
    played = (stage for seed in range(1, 12) for _, stage in play_battle(seed, name, turns=4))
    told = {event.clause for stage in played for event in stage.events if event.clause}
    assert len(told) > 30
    assert [clause for clause in told if find_place(rules, clause, "").endswith("#differences")] == []


@pytest.mark.parametrize(("order", "turn"), [("gestures", 1), ("backwards", -1)])
def test_in_the_orders_by_gestures_every_series_has_its_row(order: str, turn: int, db: None) -> None:
    """FM-SPN-2, SC-UI-14, WH-SHEET-7."""
    found = read_series(read("/rules/warlocks/", order=order))
    assert sorted(found) == sorted(RULESETS["warlocks"].series)
    turned = [text[::turn].upper() for text in found]
    assert turned == sorted(turned)


def test_the_sheets_of_the_paper_game_have_its_41_series(db: None) -> None:
    """WH-SHEET-1, WH-SHEET-2: read backwards, Dispel Magic is W P D c, and nothing is W D D c."""
    forwards, backwards = (
        read_series(read("/rules/waving-hands/", order=order)) for order in ("gestures", "backwards")
    )
    assert len(forwards) == len(backwards) == 41
    turned = [text[::-1] for text in backwards]
    assert "WPDc" in turned and "WDDc" not in turned


def test_a_spell_says_what_is_different_about_it_here(db: None) -> None:
    html = read("/rules/warlocks/")
    item = html.partition('id="charm-monster"')[2].partition("</li>")[0]
    assert "Remove Enchantment spares a Charm Monster of the same turn, which works at once." in item


def test_the_rules_page_and_a_challenge_lead_to_every_ruleset(db: None) -> None:
    """FM-INTRO-9."""
    html = read("/rules/")
    assert [f'href="/rules/{offer.name}/"' in html for offer in list_offers()] == [True] * len(list_offers())


def test_each_choice_of_warlocks_leads_to_the_ruleset_that_has_it(db: None) -> None:
    html = read("/rules/warlocks-parafc/")
    ways = html.partition('id="choices"')[2].partition("</section>")[0]
    assert re.findall(r'href="/rules/([\w-]+)/"( aria-current="page")?', ways) == [
        ("warlocks", ""),
        ("warlocks-parafc", ' aria-current="page"'),
        ("warlocks-parafdf", ""),
        ("warlocks-parafc", ' aria-current="page"'),
        ("warlocks-parafc-maladroit", ""),
    ]


class TestSideBySide:
    def test_a_rule_of_one_ruleset_is_on_its_side(self, db: None) -> None:
        html = read("/rules/firetop-classic/against/warlocks/")
        here, there = html.partition('id="differences"')[2].partition("</section>")[0].split("<h3>")[1:]
        assert "Summon Fire Elemental is c S W P P" in here and "There is no Raise Dead." in there
        assert "There is no Raise Dead." not in here

    def test_a_spell_missing_from_one_ruleset_cannot_be_cast_there(self, db: None) -> None:
        html = read("/rules/firetop-standard/against/warlocks/")
        raising = html.partition('id="raise-dead"')[2].partition("</section>")[0]
        assert raising.count("Not available.") == 1

    @pytest.mark.parametrize("other", NAMES)
    def test_every_spell_of_either_ruleset_is_listed_once(self, other: str) -> None:
        compared = compare_rulesets(get_ruleset("firetop-standard"), get_ruleset(other))
        names = [pair.name for pair in (*compared.differing, *compared.alike)]
        assert sorted(names) == sorted({s.name for one in ("firetop-standard", other) for s in list_spells(one)})
        assert bool(compared.differing) == (other != "firetop-standard")
        assert all(pair.here and pair.there and pair.here.words == pair.there.words for pair in compared.alike)

    def test_the_form_leads_there(self, db: None) -> None:
        answer = Client().get("/rules/warlocks/", {"with": "firetop-classic"})
        assert (answer.status_code, answer["Location"]) == (302, "/rules/warlocks/against/firetop-classic/")


@pytest.mark.parametrize(
    "path",
    ["/rules/warlokcs/", "/rules/warlocks/against/nothing/", "/rules/warlocks/?with=x", "/rules/warlocks/?edition=9"],
)
def test_unknown_rules_are_not_found(path: str, db: None) -> None:
    assert Client().get(path).status_code == 404


def test_the_page_of_a_battle_leads_to_its_own_rules(db: None) -> None:
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"), ruleset="warlocks-parafdf")
    fight.turn("W/S", "-/-")
    page = flat(Client().get(f"/battles/{fight.number}/"))
    assert f'<a href="/rules/warlocks-parafdf/">{get_ruleset("warlocks-parafdf").title}, ladder</a>' in page
    links = set(re.findall(r'href="(/rules/warlocks-parafdf/)#([\w-]+)"', page))
    assert all(f'id="{anchor}"' in read(path) for path, anchor in links)


def test_a_battle_of_an_older_edition_leads_to_that_edition(release, db: None) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    fight = start_fight(make_mage("Ayla"), make_mage("Crom"))
    release()
    page = flat(Client().get(f"/battles/{fight.number}/"))
    assert f'href="/rules/firetop-standard/?edition={NOW_EDITION}"' in page
    old, new = read("/rules/firetop-standard/", edition=str(NOW_EDITION)), read("/rules/firetop-standard/")
    assert f"This is edition {NOW_EDITION}" in old and "Magic Missile is S W." not in old
    assert make_next_edition().differences[-1].text in new
