"""Calling a battle off at its start: who can, when, what it changes, and what nobody may learn by it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Engagement
from accounts.services.tokens import issue_api_token
from accounts.services.vacations import start_vacation
from duels.models import Battle, OrderSheet
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.pauses import ask_pause, pause_battle
from duels.services.clocks.sweep import sweep_deadlines
from ladder.models import MageRecord, Placing, RatingEntry, ScoreEntry
from ladder.tasks import sweep_unrated_battles
from notifications.models import Notice
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight, start_fight
from tests.refusals import refused
from tests.scenes import DAY, HOUR, NOW, log_in, make_mage, make_user

pytestmark = pytest.mark.django_db
SECRET = "LH W\nRH F\nSAY antidisestablishment"


def call_off(fight: Fight, name: str, at=NOW + DAY, **more: bool):
    return call_off_battle(combatant=fight.combatant(name), now=at, **more)


def status(fight: Fight) -> str:
    fight.battle.refresh_from_db()
    return fight.battle.status


def test_a_player_who_is_ready_calls_a_duel_off_after_a_day_and_nothing_changes(duel):
    duel.order("Froodal", SECRET)
    with refused("first_turn_waits"):
        call_off(duel, "Froodal", NOW + DAY - timedelta(seconds=1))
    assert call_off(duel, "Froodal").missing == ()
    assert status(duel) == Battle.Status.FINISHED
    result = duel.battle.result
    assert (result["reason"], result["by"], result["turn"], result["winners"]) == ("called_off", "Froodal", "1", [])
    assert not Engagement.objects.exists(), "both mages are free"
    assert not ScoreEntry.objects.exclude(change=0).exists()
    told = Notice.objects.filter(kind="battle_finished")
    assert {notice.user.username for notice in told} == {"Froodal_user", "Bung_user"}
    with refused("not_late_enough"):
        call_off(duel, "Froodal", NOW + 2 * DAY)
    assert told.count() == 2


@pytest.mark.parametrize("name", ["Froodal", "Bung"])
def test_who_still_owes_orders_cannot_call_it_off(duel, name):
    if name == "Bung":
        duel.order("Froodal", SECRET)
    duel.order(name, "LH F", ready=False)
    with refused("first_turn_waits"):
        call_off(duel, name, NOW + 3 * DAY)
    assert status(duel) == Battle.Status.RUNNING


def test_once_the_first_turn_is_over_nobody_can(duel):
    duel.turn("F/F", "S/S")
    duel.order("Froodal", SECRET)
    with refused("not_late_enough"):
        call_off(duel, "Froodal", NOW + 9 * DAY)


def test_a_live_duel_waits_a_minute():
    duel = start_fight(make_mage("Ayla"), make_mage("Crom"), pace="live5")
    duel.order("Ayla", "F/F")
    with refused("first_turn_waits"):
        call_off(duel, "Ayla", NOW + timedelta(seconds=59))
    call_off(duel, "Ayla", NOW + timedelta(seconds=60))
    assert status(duel) == Battle.Status.FINISHED


def test_in_a_melee_everyone_who_is_ready_agrees(melee):
    melee.order("Ayla", "F/F")
    melee.order("Borin", "F/F")
    assert call_off(melee, "Ayla").missing == ("Borin",)
    assert status(melee) == Battle.Status.RUNNING
    assert Notice.objects.filter(kind="call_off_wanted").count() == 2
    call_off(melee, "Ayla", agrees=False)
    assert call_off(melee, "Borin").missing == ("Ayla",)
    assert call_off(melee, "Ayla").agreed == ("Borin",)
    assert status(melee) == Battle.Status.FINISHED


def test_a_wish_to_call_off_is_over_once_the_late_player_has_moved(melee):
    melee.order("Ayla", "F/F")
    melee.order("Borin", "F/F")
    call_off(melee, "Ayla")
    melee.order("Cormac", "F/F")
    with refused("not_late_enough"):
        call_off(melee, "Borin")


def test_a_pause_is_kept_and_a_vacation_is_no_reason_to_wait(duel):
    duel.order("Froodal", SECRET)
    start_vacation(user=duel.user("Bung"), days=20, now=NOW + HOUR)
    sweep_deadlines(now=NOW + 2 * HOUR)
    for name in duel.names:
        ask_pause(combatant=duel.combatant(name), days=3, now=NOW + 3 * HOUR)
    with refused("first_turn_waits"):
        call_off(duel, "Froodal", NOW + 2 * DAY)
    call_off(duel, "Froodal", NOW + 4 * DAY)
    assert status(duel) == Battle.Status.FINISHED


def test_a_janitor_who_has_paused_it_keeps_it(duel):
    duel.order("Froodal", SECRET)
    pause_battle(battle=duel.battle, now=NOW)
    with refused("first_turn_waits"):
        call_off(duel, "Froodal", NOW + 2 * DAY)


def test_a_duel_of_a_league_has_its_own_rule(duel):
    duel.order("Froodal", SECRET)
    Battle.objects.filter(pk=duel.battle.pk).update(terms=duel.battle.terms | {"stakes": "league"})
    with refused("event_call_off"):
        call_off(duel, "Froodal", NOW + 2 * DAY)


def test_it_counts_in_no_record_and_no_rating(duel):
    duel.order("Froodal", SECRET)
    call_off(duel, "Froodal")
    sweep_unrated_battles()
    count_finished_battles()
    assert not RatingEntry.objects.exists() and not MageRecord.objects.filter(battles__gt=0).exists()
    assert not Placing.objects.filter(battle__practice=False).exists()


def test_the_orders_of_the_turn_that_was_never_played_are_erased(duel):
    duel.order("Froodal", SECRET)
    call_off(duel, "Froodal")
    sheet = OrderSheet.objects.get(combatant=duel.combatant("Froodal"))
    assert (sheet.lines, sheet.text, sheet.draft, sheet.commitments) == ([], "", "", None)


@pytest.fixture
def waiting(monkeypatch) -> Fight:
    """A duel that began 25 hours ago by the machine's clock, for pages and calls; Froodal is ready."""
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now() - 25 * HOUR)
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.order("Froodal", SECRET)
    return fight


def test_the_button_stands_under_time_for_who_is_ready_alone(waiting):
    pages = {
        name: log_in(waiting.user(name)).get(f"/battles/{waiting.number}/").content.decode() for name in waiting.names
    }
    words = "The first turn has waited long enough for Bung. You can call the battle off"
    assert words in pages["Froodal"] and "Call the battle off" in pages["Froodal"]
    assert words not in pages["Bung"] and "Call the battle off" not in pages["Bung"]
    assert words not in Client().get(f"/battles/{waiting.number}/").content.decode()
    form = {"mage": "Bung", "act": "end"}
    assert log_in(waiting.user("Froodal")).post(f"/battles/{waiting.number}/time/", form).status_code == 403
    assert log_in(make_user("Stranger")).post(f"/battles/{waiting.number}/time/", form).status_code == 403
    told = log_in(waiting.user("Bung")).post(f"/battles/{waiting.number}/time/", form, follow=True).content.decode()
    assert "Until the first turn resolves, you can call the battle off if" in told
    assert status(waiting) == Battle.Status.RUNNING
    form["mage"] = "Froodal"
    ended = log_in(waiting.user("Froodal")).post(f"/battles/{waiting.number}/time/", form, follow=True).content.decode()
    assert "The battle is over. No score changes and nobody dies." in ended
    for name in waiting.names:
        page = log_in(waiting.user(name)).get(f"/battles/{waiting.number}/").content.decode()
        assert "The battle is called off" in page
        assert "Froodal called it off: its first turn had waited too long." in page
    home = log_in(waiting.user("Bung")).get("/").content.decode()
    assert "called off" in home


def test_a_program_calls_it_off_by_the_call_for_absences(waiting):
    def call(name: str, expect: int, method: str = "post", path: str = "call-off/"):
        token = issue_api_token(user=waiting.user(name), name="t", scopes=["read", "play"], now=timezone.now())[1]
        client = Client(headers={"Authorization": f"Bearer {token}"})
        more = {"data": {}, "content_type": "application/json"} if method == "post" else {}
        answer = getattr(client, method)(f"/api/v1/battles/{waiting.number}/{path}", **more)
        assert answer.status_code == expect, answer.content
        return answer.json()

    assert call("Bung", 200, "get", "time/")["call_off"] is None
    assert call("Bung", 409)["reason"] == "first_turn_waits"
    assert call("Froodal", 200, "get", "time/")["call_off"]["absent"] == ["Bung"]
    assert call("Froodal", 200)["done"] is True
    assert call("Froodal", 409)["reason"] == "not_late_enough"
