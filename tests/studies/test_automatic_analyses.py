"""Analyses that begin by themselves: after a battle with a person or a rated bot, and for a guest once a day."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Mage
from accounts.services.users import create_guest, create_guest_mage
from duels.models import Battle
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from operations import workers
from studies import tasks
from studies.models import Analysis
from studies.selectors.turning_points import is_analysis_coming
from studies.services.analyses import analyse_next_turn, ask_for_analysis, queue_fresh_battles
from tests.bots import bring_bots
from tests.duels.fights import Fight, start_fight
from tests.scenes import DAY, NOW, make_mage, make_user
from tests.studies.fights import fight_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("shallow")]


@pytest.fixture
def bots(db):
    bring_bots(now=NOW)


def surrender(mage, *, stakes="friendly", now=NOW):
    """Play a battle against the first Apprentice that ends in its first turn, and return it."""
    pipkin = Mage.objects.select_related("user").get(name="Pipkin")
    made = start_battle(number=take_number(), terms=Terms(stakes=stakes, pace="own"), mages=[mage, pipkin], now=now)
    fight = Fight(made, {mage.name: mage, "Pipkin": pipkin})
    fight.order("Pipkin", "W/F", now=now)
    fight.order(mage.name, "P/P", confirmed=True, now=now)
    assert Battle.objects.get(pk=made.pk).is_over
    return Battle.objects.get(pk=made.pk)


def queued():
    return list(Analysis.objects.order_by("battle__number").values_list("battle__number", flat=True))


def test_a_battle_between_people_is_analysed_once_however_often_the_task_runs():
    ended = fight_to_the_end()
    assert is_analysis_coming(number=ended.number, now=NOW)
    assert queue_fresh_battles(now=NOW) == 1 and queue_fresh_battles(now=NOW) == 0
    found = Analysis.objects.get()
    assert (found.battle_id, found.asked_by, found.total, found.strength) == (ended.battle.pk, None, 5, "Magus")
    assert is_analysis_coming(number=ended.number, now=NOW)
    while analyse_next_turn(now=NOW):
        pass
    assert not is_analysis_coming(number=ended.number, now=NOW) and Analysis.objects.get().done_at is not None


def test_the_end_of_a_battle_wakes_the_worker(monkeypatch, django_capture_on_commit_callbacks):
    woken = []
    monkeypatch.setattr(workers.current_app, "send_task", lambda task, **about: woken.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        fight_to_the_end()
    assert "studies.tasks.analyse_battles" in woken


def test_pages_of_the_battle_are_woken_when_the_analysis_is_done(monkeypatch, django_capture_on_commit_callbacks):
    woken = []
    ended = fight_to_the_end()
    monkeypatch.setattr("studies.services.analyses.wake_watchers_on_commit", woken.append)
    assert sum(iter(tasks.analyse_battles, 0)) == 5
    assert woken == [ended.number]


def test_an_analysis_that_was_asked_for_is_not_made_twice():
    ended = fight_to_the_end()
    ask_for_analysis(battle=ended.battle, user=ended.user("Bung"), now=NOW)
    assert queue_fresh_battles(now=NOW) == 0


def test_a_rated_battle_with_a_bot_is_analysed_and_practice_of_a_user_is_not(bots):
    user = make_user("Froodal_user")
    rated = surrender(make_mage("Froodal", user), stakes="bots")
    practice = surrender(make_mage("Zorn", user))
    assert queue_fresh_battles(now=NOW) == 1 and queued() == [rated.number]
    assert not is_analysis_coming(number=practice.number, now=NOW)


def test_a_guest_gets_one_analysis_a_day(bots):
    guest = create_guest(now=NOW)
    mage = create_guest_mage(user=guest, now=NOW)
    first = surrender(mage)
    assert queue_fresh_battles(now=NOW) == 1
    second = surrender(mage, now=NOW + timedelta(hours=2))
    assert queue_fresh_battles(now=NOW + timedelta(hours=2)) == 0 and queued() == [first.number]
    assert not is_analysis_coming(number=second.number, now=NOW)
    third = surrender(mage, now=NOW + timedelta(hours=25))
    assert queue_fresh_battles(now=NOW + timedelta(hours=25)) == 1 and third.number in queued()


def test_practice_with_oneself_old_battles_and_battles_without_a_turn_are_left_alone():
    user = make_user("Alone")
    start_fight(make_mage("Ayla", user), make_mage("Crom", user)).order("Ayla", "P/P", confirmed=True)
    fight_to_the_end()
    assert queue_fresh_battles(now=NOW + 2 * DAY) == 0
    assert timezone.now() < NOW
