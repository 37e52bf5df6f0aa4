"""The page of a mage's death, and what home says is still missing in a turn."""

import re

import pytest
from django.test import Client

from accounts.models import Mage
from accounts.services.leave import remove_free_mage
from accounts.services.ties import follow_user
from duels.models import Combatant
from duels.services.orders import save_draft
from ladder.services.refresh_ladders import refresh_ladders
from studies.lesson_tasks import LESSONS
from studies.progress import COOKIE
from tests.duels.fights import changed_state, start_fight
from tests.duels.test_results_seen import home, let_die, open_pages
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_the_page_shows_how_it_ended_what_is_lost_and_what_to_do_next(duel):
    duel.turn("S/W", "W/P")
    let_die(duel, "Bung")
    mine = open_pages(duel, "Bung")
    assert 'href="/mages/Bung/end/"' in home(mine)
    page = mine.get("/mages/Bung/end/").content.decode()
    for part in (
        "<h1>Bung</h1>",
        "because no orders came before the deadline",
        "It was turn 2 of",
        "How it happened",
        "Duel score",
        'href="/mages/Froodal/"',
        'value="Bung2"',
        "Begin again",
    ):
        assert part in page, part
    # It counts as seen.
    assert "<h1>Bung is dead</h1>" not in home(mine)
    answer = mine.post("/accounts/mages/new/", {"name": "Bung2", "next": "/play/"})
    assert answer["Location"] == "/play/" and Mage.objects.filter(name="Bung2").exists()


def test_the_causes_of_a_death_stand_in_the_order_in_which_they_happened(duel):
    with changed_state(duel.battle) as state:
        state.wizards["Bung"].hp = 2
    duel.turns([("S/-", "-/-"), ("F/S", "-/-"), ("W/F", "-/-"), ("-/W", "-/-")])
    causes = re.findall(r"Turn (\d): Froodal casts", Client().get("/mages/Bung/end/").content.decode())
    assert causes == ["3", "4"]


def test_what_is_gone_names_the_place_on_the_ladder(duel):
    let_die(start_fight(make_mage("Ayla"), make_mage("Crom")), "Crom")
    refresh_ladders(now=NOW)
    let_die(duel, "Bung")
    page = flat(open_pages(duel, "Bung").get(f"/battles/{duel.number}/").content.decode())
    assert "<dt>Gone</dt><dd>Score 0, place 2</dd>" in page
    refresh_ladders(now=NOW)
    again = flat(open_pages(duel, "Bung").get(f"/battles/{duel.number}/").content.decode())
    assert "<dt>Gone</dt><dd>Score 0, place " in again


def test_the_page_of_the_battle_leads_to_it(duel):
    let_die(duel, "Bung")
    pages = {name: open_pages(duel, name).get(f"/battles/{duel.number}/").content.decode() for name in duel.names}
    link = 'href="/mages/Bung/end/">Bung is remembered on the ladder.</a>'
    assert link in pages["Bung"] and '<button class="button">Rematch' in flat(pages["Bung"])
    assert '<button class="button main">Begin again</button>' in flat(pages["Bung"])
    assert "Gone" in pages["Bung"] and "Yours to keep" in pages["Bung"]
    assert link not in pages["Froodal"]


def test_the_ladder_and_the_home_of_followers_lead_to_it(duel):
    fan = make_user("Fan")
    follow_user(user=fan, followed=duel.user("Bung"), now=NOW)
    assert "/mages/Bung/end/" not in home(log_in(fan))
    let_die(duel, "Bung")
    refresh_ladders(now=NOW)
    client = log_in(fan)
    [line] = re.findall(r'href="(/news/\d+/)">.{0,40}Bung died', flat(home(client)))
    assert client.get(line).headers["Location"] == "/mages/Bung/end/"
    assert '<a href="/mages/Bung/end/">Bung</a>' in flat(Client().get("/ladder/").content.decode())
    assert "/mages/Bung/end/" not in home(log_in(make_user("Stranger")))


def test_others_read_it_but_are_not_asked_to_begin_again(duel):
    let_die(duel, "Bung")
    for client in (Client(), open_pages(duel, "Froodal")):
        page = client.get("/mages/Bung/end/").content.decode()
        assert "<h1>Bung</h1>" in page and "Begin again" not in page and "Name your next mage" not in page
    # A stranger's visit is not the player's.
    assert not Combatant.objects.get(battle=duel.battle, mage__name="Bung").result_seen


def test_living_mages_have_no_such_page_and_mages_who_left_have_no_last_turn(duel):
    assert Client().get("/mages/Bung/end/")["Location"] == "/mages/Bung/"
    assert Client().get("/mages/Nobody1/end/").status_code == 404
    assert Client().get("/mages/bung/end/").status_code == 302
    gone = make_mage("Zex")
    remove_free_mage(mage=gone, now=NOW)
    page = Client().get("/mages/Zex/end/").content.decode()
    assert "Zex left on" in page and "The last turn" not in page


def test_home_says_what_is_missing(duel):
    client = open_pages(duel, "Froodal")
    assert "Nothing chosen yet." in home(client)
    combatant = Combatant.objects.get(battle=duel.battle, mage__name="Froodal")
    save_draft(combatant=combatant, text="LH P", stage=duel.key())
    assert "Your draft is saved." in home(client) and "Nothing chosen yet." not in home(client)
    # The other's draft is nobody's business.
    assert "Nothing chosen yet." in home(open_pages(duel, "Bung"))


def test_home_names_one_next_step(db):
    newcomer = make_user("Newby")
    client = log_in(newcomer)
    page = home(client)
    assert "<h1>Welcome, Newby</h1>" in page and "Start lesson 1" in page and "Register your mage" in page
    mage = make_mage("Emberlin")
    client.force_login(mage.user)
    client.cookies[COOKIE] = "hands-1"
    page = home(client)
    assert "Continue with lesson 1" in page and "Register your mage" not in page
    client.cookies[COOKIE] = ".".join(f"{each.slug}-{n}" for each in LESSONS for n in range(1, len(each.tasks) + 1))
    assert "<h2>Play a bot</h2>" in home(client)
    fight = start_fight(mage, make_mage("Quillon"))
    fight.turn("P/P", "W/W")
    fight.battle.refresh_from_db()
    assert fight.battle.is_over and "One of your mages is free." in home(client)
