"""The presence check of live battles: both are here and the clocks run, or the battle is called off at no cost."""

from datetime import timedelta

import pytest

from accounts.models import Engagement, Mage
from challenges.services.play_now import play_bot
from duels.models import Battle, ClockStop, Deadline
from duels.paces import PACES, PRESENCE_TIME, describe_pace, explain_pace, get_pace
from duels.selectors.viewer import get_battle_for_viewer, get_combatant_for_user
from duels.services.clocks.battle_clocks import record_presence
from duels.services.clocks.pauses import pause_battle, resume_battle
from duels.services.clocks.sweep import sweep_deadlines
from ladder.models import BattleSide, ScoreEntry
from moderation.services.battles.change_clocks import pause_for_janitor, resume_for_janitor
from moderation.services.battles.undo import undo_battle_entry
from operations.policy import Policy
from tests.bots import bring_bots
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY
from tests.refusals import refused
from tests.scenes import NOW, make_mage
from tests.ui.rendering import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LATER = NOW + PRESENCE_TIME + timedelta(seconds=1)


def start_live(**terms):
    return start_fight(make_mage("Swift"), make_mage("Rapid"), **{"pace": "live1", "stakes": "ladder"} | terms)


def combatant(fight, name):
    return get_combatant_for_user(number=fight.number, user=fight.user(name), mage_name=name)


def run(fight, now):
    sweep_deadlines(now=now)
    fight.battle.refresh_from_db()
    return fight.battle


def test_clocks_run_when_both_are_here_and_not_before():
    fight = start_live()
    assert all(row.is_stopped for row in Deadline.objects.filter(battle=fight.battle))
    assert record_presence(combatant=combatant(fight, "Swift"), now=NOW) == ("Rapid",)
    assert record_presence(combatant=combatant(fight, "Swift"), now=NOW) == ("Rapid",)
    assert run(fight, NOW + timedelta(minutes=5)).status == Battle.Status.RUNNING
    then = NOW + timedelta(minutes=6)
    assert record_presence(combatant=combatant(fight, "Rapid"), now=then) == ()
    rows = list(Deadline.objects.filter(battle=fight.battle))
    assert [row.running_since for row in rows] == [then, then]
    # Late and twice: nothing changes.
    assert record_presence(combatant=combatant(fight, "Rapid"), now=LATER) == ()
    assert not ClockStop.objects.filter(ended_at=None).exists()


@pytest.mark.parametrize("here", [(), ("Swift",)])
def test_a_battle_whose_players_do_not_all_come_is_called_off_at_no_cost(here):
    fight = start_live()
    for name in here:
        record_presence(combatant=combatant(fight, name), now=NOW)
    battle = run(fight, LATER)
    assert battle.is_over and battle.result["reason"] == "called_off"
    assert Mage.objects.filter(died_at=None, name__in=fight.names).count() == 2
    assert not Engagement.objects.exists() and not ScoreEntry.objects.exists()
    assert not BattleSide.objects.filter(counts=True).exists()
    assert run(fight, LATER + timedelta(hours=1)).result["reason"] == "called_off"


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_pause_makes_the_players_time_to_come_no_shorter(janitor, is_undone):
    fight = start_live()
    minute = timedelta(minutes=1)
    details = {"battle": fight.battle, "by": janitor, "reason": WHY}
    entry = pause_for_janitor(now=NOW + minute, **details)
    record_presence(combatant=combatant(fight, "Swift"), now=NOW + 20 * minute)
    assert run(fight, NOW + 60 * minute).status == Battle.Status.RUNNING
    if is_undone:
        undo_battle_entry(entry=entry, by=janitor, reason=WHY, now=NOW + 60 * minute)
    else:
        resume_for_janitor(now=NOW + 60 * minute, **details)
    assert run(fight, NOW + 69 * minute).status == Battle.Status.RUNNING
    assert all(row.is_stopped for row in Deadline.objects.all()), "the battle still waits for Rapid"
    with refused("not_paused"):
        resume_for_janitor(now=NOW + 69 * minute, **details)
    assert run(fight, NOW + 70 * minute).result["reason"] == "called_off"


def test_everyone_who_comes_during_a_pause_is_here_and_the_clocks_start_with_its_end():
    fight = start_live()
    pause_battle(battle=fight.battle, now=NOW)
    for name in fight.names:
        record_presence(combatant=combatant(fight, name), now=NOW)
    assert all(row.is_stopped for row in Deadline.objects.all())
    resume_battle(battle=fight.battle, now=LATER)
    assert {row.running_since for row in Deadline.objects.all()} == {LATER}


def test_orders_say_that_a_player_is_here():
    fight = start_live()
    fight.order("Swift", "S/W")
    record_presence(combatant=combatant(fight, "Rapid"), now=NOW)
    assert not ClockStop.objects.filter(ended_at=None).exists()
    assert run(fight, NOW + timedelta(seconds=30)).status == Battle.Status.RUNNING
    # From now on, whose time is up dies, if they have ever moved.
    fight.order("Rapid", "LH S", ready=False)
    for seconds in range(40, 200, 10):
        run(fight, NOW + timedelta(seconds=seconds))
    assert fight.battle.result["winners"] == ["Swift"]


def test_both_players_who_order_at_once_simply_play():
    fight = start_live()
    fight.turn("S/W", "W/F")
    assert fight.battle.seq == 2 and not ClockStop.objects.filter(ended_at=None).exists()
    assert run(fight, NOW + timedelta(seconds=10)).status == Battle.Status.RUNNING


def test_only_live_battles_of_two_people_wait():
    start_fight(make_mage("Ayla"), make_mage("Borin"), pace="day")
    twin = make_mage("Crom")
    start_fight(twin, make_mage("Ulf", twin.user), pace="live3")
    bring_bots(now=NOW)
    play_bot(mage=make_mage("Pip"), strength="Apprentice", pace="live", now=NOW)
    assert not ClockStop.objects.exists()


def test_the_page_asks_who_is_not_here_and_only_them():
    fight = start_live()
    path = f"/battles/{fight.number}/"
    swift, rapid = client_of(fight.user("Swift")), client_of(fight.user("Rapid"))
    assert "I'm here" in swift.get(path).content.decode()
    assert "I'm here" not in client_of().get(path).content.decode()
    page = swift.post(f"{path}time/", {"act": "here", "mage": "Swift"}, follow=True).content.decode()
    assert 'value="here"' not in page and "Rapid has not pressed" in page
    assert client_of(make_mage("Zex").user).post(f"{path}time/", {"act": "here"}).status_code == 403
    page = rapid.post(f"{path}time/", {"act": "here", "mage": "Rapid"}, follow=True).content.decode()
    assert "Everyone is here. The clocks are running." in page
    assert get_battle_for_viewer(number=fight.number, user=None).deadline is not None


def test_the_paces_people_expect_are_on_offer():
    words = {name: describe_pace(get_pace(name, Policy())) for name in PACES}
    assert words["live1"] == "live pace, 1 minute a turn" and words["live"] == "live pace, 12 minutes a turn"
    assert words["day"] == "daily pace" and words["threeday"] == "three-day pace"
    assert {"live3", "live5", "classic", "bank"} <= set(words)


def test_a_pace_mentions_no_reminder_that_would_come_too_late_to_be_sent():
    words = {name: explain_pace(get_pace(name, Policy())) for name in PACES}
    for name in ("day", "fast", "threeday"):
        assert "A reminder is sent after" in words[name] and "and then every" not in words[name]
    assert "Reminders are sent after 5 days and then every 3 days." in words["slow"]


@pytest.mark.parametrize(("seconds", "asked"), [(39, 0), (41, 1)])
def test_a_page_with_a_deadline_that_has_passed_has_it_processed_at_once(monkeypatch, seconds, asked):
    fight = start_live()
    for name in fight.names:
        record_presence(combatant=combatant(fight, name), now=NOW)
    woken = []
    monkeypatch.setattr("duels.wakeups.wake_worker", woken.append)
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW + timedelta(seconds=seconds))
    for name in fight.names:
        assert client_of(fight.user(name)).get(f"/battles/{fight.number}/").status_code == 200
    assert woken == ["duels.tasks.sweep_deadlines"] * asked
