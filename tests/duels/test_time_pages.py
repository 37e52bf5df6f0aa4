"""Time on the pages: what is left, in the reader's own zone, and the buttons."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services.vacations import start_vacation
from duels.models import Battle, ClockStop, Deadline, OrderSheet
from duels.services.clocks.deadlines import process_deadlines
from duels.services.clocks.pauses import pause_battle
from duels.services.orders import save_draft
from notifications.services.preferences import set_preference
from tests.duels.fights import Fight, start_fight
from tests.scenes import DAY, log_in, make_mage

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(monkeypatch):
    now = timezone.now()
    monkeypatch.setattr("tests.duels.fights.NOW", now)
    return start_fight(make_mage("Froodal"), make_mage("Bung"), pace="fast", weekends=True)


def client_of(fight: Fight, name: str) -> Client:
    client = log_in(fight.user(name))
    return client


def page_of(fight: Fight, name: str) -> str:
    return client_of(fight, name).get(f"/battles/{fight.number}/").content.decode()


def press(fight: Fight, name: str, **form: object) -> str:
    answer = client_of(fight, name).post(f"/battles/{fight.number}/time/", {"mage": name, **form}, follow=True)
    return answer.content.decode()


def test_the_page_shows_the_time_left_the_pace_and_the_deadline_in_the_readers_time_zone(duel):
    set_preference(user=duel.user("Bung"), key="time_zone", value="Asia/Kolkata")
    page = page_of(duel, "Bung")
    assert "Fast pace, 4 days a turn, clocks rest on weekends" in page
    assert "Asia/Kolkata" in page
    assert "left" in page
    assert "Asia/Kolkata" not in page_of(duel, "Froodal")
    clocks = list(Deadline.objects.order_by("pk").values())
    for path in (f"/battles/{duel.number}/", "/battles/?before=99"):
        assert "Fast pace" in Client().get(path).content.decode(), path
    assert list(Deadline.objects.order_by("pk").values()) == clocks, "looking moves nothing"
    for path in ("/", "/battles/?before=99"):
        assert "fast pace, clocks rest on weekends" in client_of(duel, "Bung").get(path).content.decode().lower(), path


def test_a_button_takes_more_time_and_another_gives_it(duel):
    row = Deadline.objects.get(combatant=duel.combatant("Bung"))
    assert "Your deadline is extended." in press(duel, "Bung", act="take")
    assert Deadline.objects.get(pk=row.pk).allowed == row.allowed + DAY
    assert "You gave Bung 1 day more." in press(duel, "Froodal", act="give", other="Bung")
    assert Deadline.objects.get(pk=row.pk).allowed == row.allowed + 2 * DAY


def test_the_same_form_sent_later_once_more_extends_nothing(duel):
    row = Deadline.objects.get(combatant=duel.combatant("Bung"))
    for name, act in (("Bung", "take"), ("Froodal", "give")):
        page = page_of(duel, name)
        (form,) = (text for text in re.findall(r"<form.*?</form>", page, re.S) if f'value="{act}"' in text)
        fields = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', form)) | {"act": act}
        fields.pop("csrfmiddlewaretoken")
        before = Deadline.objects.get(pk=row.pk).allowed
        assert "Bung has another deadline" not in press(duel, name, **fields)
        assert "Bung has another deadline now" in press(duel, name, **fields)
        assert Deadline.objects.get(pk=row.pk).allowed == before + DAY
    assert duel.combatant("Bung").extensions_taken == 1


def mark_of(fight: Fight, name: str) -> str:
    """Return the mark that a polling page compares; the page contains it too."""
    mark = client_of(fight, name).get(f"/api/battles/{fight.number}/").json()["time"]
    assert f'data-time="{mark}"' in page_of(fight, name)
    return str(mark)


def test_a_polling_page_sees_changes_of_clocks_and_nothing_about_orders(duel):
    begun = mark_of(duel, "Froodal")
    duel.order("Bung", "LH F", ready=None)
    save_draft(combatant=duel.combatant("Bung"), text="S/S", stage=duel.key())
    process_deadlines(battle_id=duel.battle.pk, now=timezone.now() + timedelta(hours=1))
    assert mark_of(duel, "Froodal") == begun
    marks = {begun}

    def is_new() -> bool:
        mark = mark_of(duel, "Froodal")
        return mark not in marks and not marks.add(mark)

    press(duel, "Bung", act="take")
    assert is_new()
    press(duel, "Bung", act="pause", days="5")
    assert is_new(), "a wish"
    press(duel, "Froodal", act="pause", days="5")
    assert is_new(), "a pause"
    for name in duel.names:
        press(duel, name, act="pause", days="0")
    start_vacation(user=duel.user("Bung"), days=3, now=timezone.now())
    process_deadlines(battle_id=duel.battle.pk, now=timezone.now())
    assert is_new(), "an absence"


def test_a_page_that_polls_sees_that_a_deadline_has_passed(duel):
    duel.order("Froodal", "W/S")
    begun = mark_of(duel, "Froodal")
    deadline = Deadline.objects.get(combatant=duel.combatant("Bung"))
    process_deadlines(battle_id=duel.battle.pk, now=deadline.ends_at + timedelta(minutes=1))
    assert mark_of(duel, "Froodal") != begun


def test_both_agree_to_a_pause(duel):
    assert "You asked the other players for a pause." in press(duel, "Bung", act="pause", days="5")
    assert "Bung asks for a pause of 5 days." in page_of(duel, "Froodal")
    for _click in range(2):
        assert "The battle is paused." in press(duel, "Froodal", act="pause", days="9")
    assert "The clock stands still" not in page_of(duel, "Bung")
    assert "clock stopped (a pause all players agreed to)" in page_of(duel, "Bung")
    assert "End the pause early" in page_of(duel, "Bung") and "Keep the pause" not in page_of(duel, "Bung")
    assert "Keep the pause" in press(duel, "Bung", act="pause", days="0")
    assert "End the pause early" in press(duel, "Bung", act="pause", days="1")
    assert duel.combatant("Bung").pause_asked_at is None


def test_only_a_janitor_ends_a_janitors_pause(duel):
    pause_battle(battle=duel.battle, now=timezone.now())
    page = page_of(duel, "Bung")
    assert "Only a janitor can end that early." in page
    assert "End the pause early" not in page and "Ask for a pause" not in page


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"act": "pause", "days": "x"}, "A battle can pause for 1 to 30 days"),
        ({"act": "pause", "days": "99"}, "not 99"),
        ({"act": "give", "other": "Nobody"}, "is not waiting for Nobody"),
        ({"act": "end"}, "Until the first turn resolves, you can call the battle off if"),
        ({}, "A battle can pause for 1 to 30 days"),
    ],
)
def test_an_impossible_action_is_explained_and_changes_nothing(duel, form, told):
    assert told in press(duel, "Bung", **form)
    assert not ClockStop.objects.exists()
    duel.battle.refresh_from_db()
    assert duel.battle.status == Battle.Status.RUNNING


def test_visitors_cannot_change_clocks(duel):
    stranger = log_in(make_mage("Eve").user)
    assert stranger.post(f"/battles/{duel.number}/time/", {"act": "take"}).status_code == 403
    assert stranger.post(f"/battles/{duel.number}/time/", {"act": "take", "mage": "Bung"}).status_code == 403
    page = stranger.get(f"/battles/{duel.number}/").content.decode()
    assert "Ask for a pause" not in page


def test_the_surrender_link_fills_in_the_orders_and_sends_nothing(duel):
    duel.order("Froodal", "W/S", now=timezone.now())
    for name in ("Bung", "Froodal"):
        page = client_of(duel, name).get(f"/battles/{duel.number}/?mage={name}&resign=1").content.decode()
        assert "Two palms at once are a surrender" in page, name
    assert OrderSheet.objects.get(combatant=duel.combatant("Froodal")).lines == ["LH W", "RH S"]


def test_in_the_grace_period_the_page_says_when_the_mage_dies(duel):
    duel.turn("W/S", "W/S")
    ends = Deadline.objects.get(combatant=duel.combatant("Bung")).ends_at
    process_deadlines(battle_id=duel.battle.pk, now=ends)
    assert "out of time. Bung dies in" in page_of(duel, "Froodal")


def test_a_users_vacation_shows_in_their_battles_and_ends_by_a_button(duel):
    client = client_of(duel, "Bung")
    answer = client.post("/accounts/vacation/", {"days": "9"}, follow=True).content.decode()
    assert "You are on vacation until" in answer
    process_deadlines(battle_id=duel.battle.pk, now=timezone.now())
    assert "clock stopped (vacation)" in page_of(duel, "Froodal")
    assert "Welcome back." in client.post("/accounts/vacation/", {"days": "0"}, follow=True).content.decode()
    assert client.post("/accounts/vacation/", {"days": "36"}).status_code == 422


def test_the_page_shows_the_used_absence_and_lets_the_other_player_end_the_battle(duel):
    now = timezone.now()
    start_vacation(user=duel.user("Bung"), days=35, now=now)
    process_deadlines(battle_id=duel.battle.pk, now=now)
    ClockStop.objects.update(since=now - 9 * DAY - timedelta(hours=1))
    page = page_of(duel, "Froodal")
    assert "9 of the 14 days of absence that a battle allows are used" in page and "Call the battle off" not in page
    ClockStop.objects.update(since=now - 36 * DAY)
    assert "The 14 days of absence that a battle allows are used up" in page_of(duel, "Froodal")
    for button in ("Call the battle off", "Claim the battle", "Let a bot play"):
        assert button in page_of(duel, "Froodal") and button not in page_of(duel, "Bung")
    press(duel, "Froodal", act="end")
    duel.battle.refresh_from_db()
    assert (duel.battle.status, duel.battle.result["reason"]) == (Battle.Status.FINISHED, "called_off")


def test_a_button_claims_the_battle_of_an_absent_player(duel):
    now = timezone.now()
    duel.turn("W/S", "W/S")
    start_vacation(user=duel.user("Bung"), days=35, now=now)
    process_deadlines(battle_id=duel.battle.pk, now=now)
    assert "clock stopped (Bung&#x27;s vacation)" in page_of(duel, "Froodal")
    ClockStop.objects.update(since=now - 15 * DAY)
    assert "The battle is claimed." in press(duel, "Froodal", act="claim")
    duel.battle.refresh_from_db()
    assert duel.battle.result["winners"] == ["Froodal"]


def test_after_the_alarm_the_page_says_that_a_vacation_comes_too_late(duel):
    assert "Go on vacation" in page_of(duel, "Bung")
    Deadline.objects.filter(combatant=duel.combatant("Bung")).update(step="final")
    assert "stop your clock in this turn" in page_of(duel, "Bung")
    assert "stop your clock in this turn" not in page_of(duel, "Froodal")


def test_a_battle_with_less_time_comes_first(duel):
    home = client_of(duel, "Bung").get("/").content.decode()
    assert "left" in home
    start_vacation(user=duel.user("Froodal"), days=3, now=timezone.now())
    assert client_of(duel, "Bung").get("/").status_code == 200


def test_in_a_melee_all_who_are_here_end_it_or_one_would_rather_wait():
    melee = start_fight(*(make_mage(name) for name in ("Ayla", "Borin", "Cormac")))
    now = timezone.now()
    start_vacation(user=melee.user("Borin"), days=35, now=now)
    process_deadlines(battle_id=melee.battle.pk, now=now)
    ClockStop.objects.update(since=now - 36 * DAY)
    assert "The battle can be called off once everyone present agrees" in page_of(melee, "Ayla")
    press(melee, "Ayla", act="end")
    mine, other = page_of(melee, "Ayla"), page_of(melee, "Cormac")
    assert "You agree. Cormac has not agreed yet." in mine and "Keep waiting" in mine
    assert "You can call the battle off" not in mine and "Ayla agrees." in other
    assert "You can call the battle off" in other
    press(melee, "Ayla", act="keep")
    assert "Ayla agrees." not in page_of(melee, "Cormac")
    press(melee, "Cormac", act="end")
    press(melee, "Ayla", act="end")
    melee.battle.refresh_from_db()
    assert melee.battle.result["reason"] == "called_off"


def test_a_battle_of_minutes_pauses_for_minutes(db, monkeypatch):
    monkeypatch.setattr("tests.duels.fights.NOW", timezone.now())
    fight = start_fight(make_mage("Swift"), make_mage("Rapid"), pace="live")
    text = page_of(fight, "Swift")
    offered = text.partition('id="pause-length"')[2].partition("</select>")[0]
    assert re.findall(r">([^<]+)</option>", offered)[:3] == ["15 minutes", "30 minutes", "1 hour"]
    assert 'id="pause-days"' not in text
    press(fight, "Swift", act="pause", minutes="30")
    assert "Swift asks for a pause of 30 minutes." in press(fight, "Rapid", act="pause", minutes="x")
    press(fight, "Rapid", act="pause", minutes="15")
    pause = ClockStop.objects.get(battle=fight.battle, reason="pause")
    assert pause.until - pause.since == timedelta(minutes=15)
    for minutes in ("-1", "43201", "999999"):
        page = press(fight, "Rapid", act="pause", minutes=minutes)
        assert "A battle can pause for 1 to 30 days" in page


def test_before_a_vacation_the_page_says_how_many_days_are_left_and_where_clocks_keep_running(duel):
    client = client_of(duel, "Bung")
    page = " ".join(client.get("/accounts/vacation/").content.decode().split())
    for words in (
        f"You have 35 days of vacation left in {timezone.now().year} (UTC).",
        "In a live battle, no clock stops.",
        "your vacation must begin before the alarm",
        "reach 14 days, the players who are present choose together",
        "A claim counts as your surrender",
        "for 7 days in all",
    ):
        assert words in page
    client.post("/accounts/vacation/", {"days": "9"})
    assert "You have 26 days of vacation left" in " ".join(client.get("/accounts/vacation/").content.decode().split())
