"""Deaths that are not real are said to be: on the page, in the news and by email."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.tokens import issue_api_token
from duels.errors import NothingToOrder, TimeIsOver
from duels.services.clocks.deadlines import process_deadlines
from duels.services.clocks.extra_time import extend_deadline
from tests.duels.fights import charm_for_good, start_fight
from tests.html import flat
from tests.scenes import NOW, log_in, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
DAY = timedelta(days=1)
LIVES = "The death is not real: Bung lives on."


def kill(**terms):
    """Bung dies of a missile in the second turn."""
    hit_points = () if terms.get("stakes") == "ladder" else (15, 1)
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), hit_points=hit_points, **terms)
    turns = [("S/W", "W/F"), ("D/F", "F/D")]
    if not hit_points:
        series = "PWPFSSSD"
        turns = [(f"{letter}/{'FW'[place % 2]}", f"{'WF'[place % 2]}/D") for place, letter in enumerate(series)]
        turns[-1] = ("D/W\nCHOOSE LH Finger Of Death", "F/D")
    for mine, theirs in turns:
        fight.turn(mine, theirs)
    assert fight.battle.is_over and fight.battle.result["dead"] == ["Bung"]
    return fight


def read(client, fight):
    return flat(client.get(f"/battles/{fight.number}/").content.decode())


def test_spectators_of_a_friendly_battle_are_told(db):
    fight = kill(stakes="very-friendly")
    assert f"Bung is dead. {LIVES}" in read(Client(), fight)


def test_a_death_for_scores_is_real(db):
    fight = kill(stakes="ladder")
    page = read(Client(), fight)
    assert "Bung is dead." in page and LIVES not in page
    assert "Friendly, so" not in read(log_in(fight.user("Bung")), fight)


def test_the_player_is_told_at_the_end_and_at_home(db):
    fight = kill(stakes="very-friendly")
    assert "Friendly, so your mage lives." in read(log_in(fight.user("Bung")), fight)
    fight = start_fight(
        make_mage("Zorn"), make_mage("Vex"), make_mage("Ulf"), stakes="very-friendly", hit_points=(15, 1)
    )
    for orders in (("S/W", "W/F", "F/W"), ("D/F\nTARGET LH Vex", "F/D", "W/F")):
        fight.turn(*orders)
    assert not fight.battle.is_over
    home = log_in(fight.user("Vex"))
    assert "The death was not real: Vex lives." in flat(home.get("/").content.decode())
    assert "The death is not real: Vex lives on." in read(home, fight)


@pytest.mark.parametrize("stakes", ["very-friendly", "ladder"])
def test_orders_after_the_time_or_the_death_are_refused_with_what_it_means(stakes):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), make_mage("Ulf"), stakes=stakes)
    fight.stir()
    fight.order("Froodal", "W/S")
    extend_deadline(combatant=fight.combatant("Ulf"), length=5 * DAY, now=NOW)
    for day in range(22):
        process_deadlines(battle_id=fight.battle.pk, now=NOW + day * DAY)
    with pytest.raises(TimeIsOver, match="has run out of time and dies") as late:
        fight.order("Bung", "P/F", now=NOW + 22 * DAY)
    fight.order("Ulf", "F/S", now=NOW + 22 * DAY)
    with pytest.raises(NothingToOrder, match="Bung is dead") as dead:
        fight.order("Bung", "P/F", now=NOW + 22 * DAY)
    assert [LIVES in str(each.value) for each in (late, dead)] == [stakes == "very-friendly"] * 2


@pytest.mark.parametrize("stakes", ["very-friendly", "ladder"])
def test_programs_are_told(stakes):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), stakes=stakes, ruleset="warlocks")
    charm_for_good(fight.battle, "Bung", by="Froodal")
    token = issue_api_token(user=fight.user("Bung"), name="test", now=timezone.now())[1]
    headers = {"Authorization": f"Bearer {token}"}
    battle = Client().get(f"/api/battles/{fight.number}/", headers=headers).json()
    assert battle["deaths_are_real"] == (stakes == "ladder")
    receipt = fight.order("Bung", "LH D\nRH -\nSUICIDE")
    assert [LIVES in warning.message for warning in receipt.warnings] == [stakes == "very-friendly"]
