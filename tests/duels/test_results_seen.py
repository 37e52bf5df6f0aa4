"""Home shows how battles ended, and their cost, until the player has seen it."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Mage
from duels.models import Battle, Combatant, OrderSheet
from duels.selectors.result_news import count_unseen, list_unseen_results
from duels.services.clocks.deadlines import process_deadlines
from duels.services.finish import mark_results_seen
from tests.duels.fights import start_fight
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db


def open_pages(fight, name):
    client = log_in(fight.user(name))
    return client


def home(client):
    return client.get("/").content.decode()


def let_die(fight, *late):
    """Let time run out for those who are late, while the others are ready."""
    fight.stir()
    for name in fight.names:
        if name not in late:
            fight.order(name, "-/-")
    for day in range(23):
        process_deadlines(battle_id=fight.battle.pk, now=NOW + timedelta(days=day))
    fight.battle.refresh_from_db()


def test_a_mage_who_ran_out_of_time_reads_of_the_death_first(duel):
    let_die(duel, "Bung")
    page = home(open_pages(duel, "Bung"))
    assert "<h1>Bung is dead</h1>" in page
    assert "Bung died because no orders came before the deadline. Victory to Froodal." in page
    assert "A dead mage cannot fight again." in page
    assert "Nothing is waiting for you" not in page
    assert re.search("<title>\\s*● Bung is dead", page)
    won = home(open_pages(duel, "Froodal"))
    assert "<h1>Froodal has won Duel" in won
    assert "Score: 0 to 1." in won


def test_all_who_died_in_a_melee_are_notified(melee):
    let_die(melee, *melee.names)
    assert melee.battle.status == Battle.Status.FINISHED
    for name in melee.names:
        page = home(open_pages(melee, name))
        assert f"<h1>{name} is dead</h1>" in page
        assert "Nobody won." in page


def test_mages_who_surrender_together_have_drawn_and_the_dead_have_lost(duel, melee):
    """FM-SURR-7."""
    duel.turn("P/P", "P/P")
    page = home(open_pages(duel, "Bung"))
    assert f"<h1>Duel {duel.number} is a draw</h1>" in page and "has lost" not in page
    result = {"winners": [], "sharing": ["Borin", "Cormac"], "reason": "all_surrendered"}
    Combatant.objects.filter(battle=melee.battle).update(standing="surrendered")
    Battle.objects.filter(pk=melee.battle.pk).update(status="finished", finished_at=NOW, result=result)
    shared = home(open_pages(melee, "Borin"))
    assert f"<h1>Melee {melee.number} is a draw</h1>" in shared
    assert "Borin surrendered. A draw between Borin and Cormac." in shared and "Nobody won" not in shared
    assert f"<h1>Ayla has lost Melee {melee.number}</h1>" in home(open_pages(melee, "Ayla"))


def test_a_claimed_mage_is_shown_as_out_of_the_melee(melee):
    combatant = melee.combatant("Ayla")
    OrderSheet.objects.filter(combatant=combatant).update(via=OrderSheet.Via.CLOCK)
    Combatant.objects.filter(pk=combatant.pk).update(standing="surrendered")
    page = home(open_pages(melee, "Ayla"))
    assert f"<h1>Ayla is out of Melee {melee.number}</h1>" in page
    assert "Ayla was away for too long, which counts as a surrender. The battle continues." in page
    assert "Ayla lives, and loses one point." in page


def test_dismissing_a_result_holds_on_every_device_and_may_happen_twice(duel):
    duel.turn("P/P", "-/-")
    one, other = open_pages(duel, "Bung"), open_pages(duel, "Bung")
    assert "has won" in home(one)
    for _ in range(2):
        assert one.post("/battles/seen/", {"number": duel.number}).status_code == 302
    for client in (one, other):
        assert "<h1>Nothing is waiting for you</h1>" in home(client)
    assert "has lost" in home(open_pages(duel, "Froodal"))


def test_opening_the_battle_counts_as_seen_unless_the_page_is_hidden(duel):
    duel.turn("P/P", "-/-")
    client = open_pages(duel, "Bung")
    client.get(f"/battles/{duel.number}/", headers={"X-Page": "hidden"})
    client.get(f"/battles/{duel.number}/", headers={"Sec-Purpose": "prefetch"})
    client.head(f"/battles/{duel.number}/")
    open_pages(duel, "Froodal").get(f"/battles/{duel.number}/")
    assert count_unseen(duel.user("Bung"))[0] == 1
    client.get(f"/battles/{duel.number}/")
    assert count_unseen(duel.user("Bung"))[0] == 0


def test_several_results_stand_one_below_the_other_deaths_first():
    user = make_user("Many")
    won = start_fight(make_mage("Adept", user), make_mage("Fenwick"))
    lost = start_fight(make_mage("Burned", user), make_mage("Rival"))
    running = start_fight(make_mage("Clever", user), make_mage("Third"))
    won.turn("-/-", "P/P")
    let_die(lost, "Burned")
    client = log_in(user)
    page = home(client)
    assert "<h1>Burned is dead</h1>" in page
    assert page.index("Burned is dead</h2>") < page.index("Adept has won") < page.index("Play turn 1")
    client.post("/battles/seen/", {"number": [won.number, lost.number, running.number, 10**14]})
    assert "<h1>One battle is waiting for you</h1>" in home(client)


def test_nobody_can_dismiss_another_users_results(duel):
    duel.turn("P/P", "-/-")
    stranger = make_user("Stranger")
    assert mark_results_seen(user=stranger, numbers=[duel.number]) == 0
    assert count_unseen(duel.user("Bung"))[0] == 1
    nonsense = open_pages(duel, "Bung").post("/battles/seen/", {"number": ["x", "-1", "9" * 40]})
    assert nonsense.status_code == 302
    assert count_unseen(duel.user("Bung"))[0] == 1


def test_a_death_in_a_continuing_melee_is_shown_at_once_and_again_with_the_result(melee):
    combatant = melee.combatant("Ayla")
    Combatant.objects.filter(pk=combatant.pk).update(standing="dead")
    client = open_pages(melee, "Ayla")
    page = home(client)
    assert f"<h1>Ayla died in Melee {melee.number}</h1>" in page
    assert "The battle continues." in page
    client.post("/battles/seen/", {"number": melee.number})
    assert count_unseen(melee.user("Ayla"))[0] == 0
    Battle.objects.filter(pk=melee.battle.pk).update(status="finished", finished_at=NOW, result={"winners": ["Borin"]})
    assert [row.has_won for row in list_unseen_results(melee.user("Ayla"))] == [False]


def test_a_battle_that_ends_again_is_news_again(duel):
    duel.turn("P/P", "-/-")
    mark_results_seen(user=duel.user("Bung"), numbers=[duel.number])
    Battle.objects.filter(pk=duel.battle.pk).update(finished_at=NOW + timedelta(hours=1))
    assert count_unseen(duel.user("Bung"))[0] == 1


def test_practice_sends_no_notices_and_costs_nothing(practice):
    practice.turn("P/P", "-/-")
    assert count_unseen(practice.user("Lefty"))[0] == 0
    Mage.objects.filter(name="Lefty").update(died_at=NOW)  # where the site lets practice kill
    Combatant.objects.filter(mage__name="Lefty").update(standing="dead")
    assert [row.mage for row in list_unseen_results(practice.user("Lefty"))] == ["Lefty"]


def test_a_friendly_death_says_that_the_mage_lives_on():
    fight = start_fight(make_mage("Gentle"), make_mage("Kind"), stakes="friendly")
    let_die(fight, "Kind")
    page = home(open_pages(fight, "Kind"))
    assert "The death was not real: Kind lives. No score was at stake." in page
    assert "<h1>Kind has lost Duel" in page


def test_a_page_that_is_open_elsewhere_asks_whether_anything_waits(duel):
    client = open_pages(duel, "Bung")
    assert client.get("/waiting/").json()["count"] == 1
    duel.turn("-/-", "P/P")
    assert client.get("/waiting/").json()["count"] == 1
    client.get(f"/battles/{duel.number}/")
    assert client.get("/waiting/").json()["count"] == 0
    assert Client().get("/waiting/").json()["count"] == 0


def test_the_count_beside_battles_holds_results_too(duel):
    duel.turn("P/P", "-/-")
    count = r'<span class="count" data-count[^>]*>\s*<span aria-hidden="true">1</span>\s*<span class="vh">{}</span>'
    bung = open_pages(duel, "Bung")
    assert re.search(count.format("1 is waiting for you"), bung.get("/rules/").text)
    german = bung.get("/rules/", headers={"Accept-Language": "de"}).text
    assert re.search(count.format("1 wartet auf dich"), german) and 'data-more="{n} warten auf dich"' in german
