"""Profiles of users and mages, statistics and openings, from real battles."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from accounts.models import User
from duels.models import OrderSheet
from duels.selectors.reliability import recall_answer_time
from duels.terms import name_ruleset
from ladder.selectors.profiles import read_mage_profile, read_user_profile
from ladder.services.refresh_ladders import refresh_ladders
from ladder.tasks import sweep_unrated_battles
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
MISSILES = [("S/-", "P/-"), ("D/-", "-/-")]


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker):
    """Anna's Froodal beats Boris's Bung twice and is in a third battle. Shared by all tests, each of which rolls back
    its changes."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield play()
        transaction.set_rollback(True)


def play():
    anna, boris = make_user("Anna"), make_user("Boris")
    User.objects.filter(pk=anna.pk).update(email="anna@example.org")
    froodal, bung = make_mage("Froodal", anna), make_mage("Bung", boris)
    fights = [start_and_end(froodal, bung) for _ in range(2)]
    running = start_fight(froodal, bung)
    running.turns([("W/-", "W/-"), ("F/C", "F/-")])
    count_finished_battles()
    sweep_unrated_battles()
    refresh_ladders(now=NOW)
    return {"anna": anna, "boris": boris, "froodal": froodal, "bung": bung, "running": running, "numbers": fights}


def start_and_end(*mages):
    fight = start_fight(*mages)
    fight.turns([*MISSILES, ("-/-", "P/P")])
    return fight.number


def read(address):
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_a_users_profile_has_all_their_mages_battles_and_a_mages_its_own(site):
    profile = read_user_profile(site["anna"])
    assert [(row.kind, row.battles, row.won, row.lost) for row in profile.records] == [("duel", 2, 2, 0)]
    assert [(each.opponent.username, each.battles, each.won) for each in profile.rivalries] == [("Boris", 2, 2)]
    assert [(each.name, each.times, each.good) for each in profile.spells] == [("Magic Missile", 2, 2)]
    assert [(each.name, each.times, each.good) for each in profile.openings] == [("-S-D", 2, 2)]
    assert [(each.kind, each.times, each.mage) for each in profile.trophies] == [("unhurt", 2, "Froodal")]
    mage = read_mage_profile(site["bung"])
    assert [(row.won, row.lost) for row in mage.records] == [(0, 2)]
    assert mage.trophies == ()
    (met,) = mage.rivalries
    assert (met.opponent.name, met.battles, met.won, met.lost) == ("Froodal", 2, 0, 2)


def test_an_opening_by_other_rules_names_them(site):
    assert "classic" not in read("/users/Anna/")
    fight = start_fight(make_mage("Ibis", site["anna"]), make_mage("Crane"), ruleset="firetop-classic")
    fight.turns([*MISSILES, ("-/-", "P/P")])
    count_finished_battles()
    page = read("/users/Anna/")
    rows = re.findall(r'<a href="/openings/\?ruleset=([\w-]+)&amp;kind=duel&amp;line=-S-D">.*?</a>', page, re.DOTALL)
    assert sorted(rows) == ["firetop-classic", "firetop-standard"]
    assert page.count(f'<span class="small quiet">{name_ruleset("firetop-classic")}</span></a>') == 1


def test_pages_show_the_figures_and_the_graph_and_link_to_battles(site):
    page = read("/users/Anna/")
    # The rating comes first.
    assert page.index("<dt>Duel rating</dt>") < page.index("<dt>Battles that count</dt>") < page.index("<h2>Mages</h2>")
    assert "Won unhurt" in page and f"/battles/{site['numbers'][0]}/" in page and "<polyline" in page
    # The graph says in words what it shows.
    assert "From " in page and "in 2 battles" in page
    mage = read("/mages/Bung/")
    assert "A mage of" in mage and "/users/Boris/" in mage

    # Nobody's address, and nothing of the battle that is running: its claps would be the only ones.
    for address in ("/users/Anna/", "/mages/Froodal/", "/statistics/", "/openings/", "/ladder/"):
        page = read(address)
        assert "example.org" not in page
        assert "C/" not in page and "/C" not in page, address


@pytest.mark.parametrize("address", ["/users/Anna/", "/statistics/"])
def test_drawings_are_the_same_in_every_language(site, address):
    def list_places(language):
        page = Client(headers={"Accept-Language": language}).get(address).content.decode()
        drawings = "".join(re.findall(r"<svg viewBox.*?</svg>", page, re.DOTALL))
        return re.findall(r' (?:points|[xy][12]?|width|height)="([^"]+)"', drawings)

    places = list_places("de")
    assert any("." in each for each in places)
    assert places == list_places("en")


def test_the_users_reliability_is_beside_the_name(site, monkeypatch):
    running = f"/battles/{site['running'].number}/"
    pages = ("/users/Anna/", "/mages/Bung/", running)
    assert all("new here" in read(page) for page in pages)
    monkeypatch.setattr("duels.selectors.reliability.FEWEST_TURNS", 5)
    assert all("100% reliable" in read(page) for page in pages[1:])
    assert "% of turns on time" in read(pages[0]) or "100% reliable" in read(pages[0])
    assert "reliable" not in read(f"/battles/{site['numbers'][0]}/"), "it is over"


def test_the_form_and_the_meetings_are_on_the_page(site):
    page = flat(read("/users/Anna/"))
    assert '<span class="form-mark w" aria-hidden="true">W</span>' in page and "won, won" in page
    assert '<h3><a href="/users/Boris/">Boris</a></h3>' in page and "2 won, 0 lost, 0 drawn" in page
    assert "You and Anna" not in page
    page = flat(read("/mages/Bung/"))
    assert "lost, lost" in page and "last five" in page and "0 won, 2 lost, 0 drawn" in page
    assert page.count("<polyline") == 1, "Boris's rating in Bung's battles"


def test_a_reader_sees_their_own_battles_with_the_user(site):
    boris = log_in(site["boris"])
    for address in ("/users/Anna/", "/mages/Froodal/"):
        page = flat(boris.get(address).content.decode())
        assert "You and Anna" in page and "0 : 2" in page and "?who=Boris&amp;against=Anna" in page
        assert f'You are in <a href="/battles/{site["running"].number}/">' in page
    assert "You and Boris" not in boris.get("/users/Boris/").content.decode()
    assert "You and Anna" not in log_in(make_user("Carl")).get("/users/Anna/").content.decode()


def test_the_usual_time_of_an_answer_is_a_sentence_once_there_are_enough(site, monkeypatch):
    assert "Answers in about" not in read("/users/Anna/")
    monkeypatch.setattr("duels.selectors.reliability.FEWEST_TURNS", 5)
    cache.clear()
    OrderSheet.objects.filter(combatant__mage__user=site["anna"]).update(via="web")
    closed = OrderSheet.objects.filter(combatant__mage__user=site["anna"], stage__closed_at__isnull=False)
    for sheet in closed.select_related("stage"):
        OrderSheet.objects.filter(pk=sheet.pk).update(submitted_at=sheet.stage.opened_at + timedelta(hours=3.6))
    assert "Answers in about 4 hours, 100% of turns on time." in flat(read("/users/Anna/"))
    # A pending answer says nothing.
    before = recall_answer_time(site["anna"].pk)
    OrderSheet.objects.filter(stage__closed_at=None).update(via="web", submitted_at=NOW + timedelta(days=9))
    cache.clear()
    assert recall_answer_time(site["anna"].pk) == before == timedelta(hours=3.6)


def test_every_table_scrolls_in_its_own_box_that_keys_can_reach(site):
    for address in ("/users/Anna/", "/mages/Froodal/", "/statistics/"):
        page = read(address)
        boxes = re.findall(r'<div class="scroll" tabindex="0" role="region" aria-label="[^"]+">\s*<table', page)
        assert len(boxes) == page.count("<table") > 2, address


def test_names_ignore_case_and_users_who_left_have_no_page(site):
    answer = Client().get("/users/ANNA/")
    assert (answer.status_code, answer["Location"]) == (302, "/users/Anna/")
    assert Client().get("/mages/FROODAL/")["Location"] == "/mages/Froodal/"
    for address in ("/users/Nobody/", "/mages/Anna/", "/users/Froodal/", "/users/%00/"):
        assert Client().get(address).status_code == 404, address
    User.objects.filter(pk=site["boris"].pk).update(is_active=False)
    assert Client().get("/users/Boris/").status_code == 404
    assert "a user who has left" in read("/mages/Bung/")


def test_older_battles_stand_on_further_pages(site, monkeypatch):
    monkeypatch.setattr("fm_site.pages.profiles.BATTLES_SHOWN", 1)
    first, second = site["numbers"]
    latest = read("/users/Anna/")
    assert f"Duel {second}:" in latest and f"Duel {first}:" not in latest and f"?before={second}" in latest
    older = read(f"/users/Anna/?before={second}")
    assert f"Duel {first}:" in older and "Older" not in older


def test_the_explorer_leads_to_the_battles_and_statistics_show_spells_and_lengths(site):
    first = read("/openings/")
    assert "line=-S" in first and "line=-P" in first
    second = read("/openings/?line=s-")  # either way round, in any case
    assert "2</b> mages began like this: <b>2</b> won" in second and "line=-S-D" in second
    battle = f"Duel {site['numbers'][0]}"
    assert battle in second and "Froodal won" in second
    assert battle in read("/openings/?line=-S&left=-&right=D")
    assert "Nobody has begun like this" in read("/openings/?line=CC")
    assert Client().get("/openings/?line=SX").status_code == 404
    assert "No finished battles of this kind" in read("/openings/?kind=melee")

    both = read("/openings/?line=-S&against=-P")
    assert "Both mages" in both and "line=-S-D&amp;against=-P" in both and "line=-S&amp;against=-P--" in both
    assert "You won" not in both
    owner = log_in(site["anna"])
    assert "You won" in owner.get("/openings/").content.decode()
    high = read("/openings/?band=high")
    assert "Nobody with this rating" in high and 'value="high" selected' in high
    assert "No duel has reached this point" in read("/openings/?line=CC&against=CC")
    assert "Both mages" not in read("/openings/?kind=melee")
    assert Client().get("/openings/?against=S").status_code == 404

    page = read("/statistics/")
    assert "Magic Missile" in page and "Half of them ended by turn 3" in page
    assert "The last enemy surrenders" in page
    assert "No finished battles of this kind" in read("/statistics/?kind=melee")


def test_the_best_rank_is_that_of_the_living_mage_who_stands_highest(db):
    first, second = make_mage("Zara", "Zed"), make_mage("Yorick", "Yan")
    start_fight(first, second).turn("P/P", "-/-")
    count_finished_battles()
    make_mage("Xandra", "Xenia")
    refresh_ladders(now=NOW)
    figures = [Client().get(f"/users/{name}/").context["figures"] for name in ("Zed", "Yan", "Xenia")]
    loser, winner, newcomer = (dict(each).get("Best rank") for each in figures)
    assert winner < loser and newcomer is None
