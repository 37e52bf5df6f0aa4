"""The sweep over clocks when something is wrong with one battle, and what it reads."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import User
from duels.models import Battle, ClockTrouble, Deadline
from duels.selectors.due import list_battles_due, list_battles_with_stops_due, list_clock_updates_due
from duels.services.clocks.outages import give_back_outages
from duels.services.clocks.sweep import start_missing_clocks, sweep_deadlines
from moderation.desk import list_sections
from operations.models import Outage
from tests.duels.fights import start_fight
from tests.query_plans import explain
from tests.scenes import NOW, make_mage, make_user

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def broken_and_sound():
    """Two duels that are due together; nobody can read the terms of the first."""
    broken = start_fight(make_mage("Ayla"), make_mage("Crom"))
    sound = start_fight(make_mage("Dorn"), make_mage("Elke"))
    Battle.objects.filter(pk=broken.battle.pk).update(terms={"pace": "of a snail"})
    return broken.battle, sound.battle


def steps_of(battle):
    return set(Deadline.objects.filter(battle=battle).values_list("reminders", flat=True))


def test_a_broken_battle_does_not_delay_others(broken_and_sound, caplog):
    broken, sound = broken_and_sound
    assert sweep_deadlines(now=NOW + 7 * DAY) == 2
    assert steps_of(sound) == {1}
    assert steps_of(broken) == {0}, "it stays due until it is mended"
    assert "deadlines not processed" in caplog.text
    Battle.objects.filter(pk=broken.pk).update(terms=sound.terms)
    assert sweep_deadlines(now=NOW + 7 * DAY) == 0
    assert sweep_deadlines(now=NOW + 7 * DAY + 5 * MINUTE) == 2
    assert steps_of(broken) == {1}
    assert not ClockTrouble.objects.exists()


def test_battles_that_fail_each_time_step_back_so_that_others_are_reached(broken_and_sound):
    """However few battles a sweep takes at a time."""
    broken, sound = broken_and_sound
    now = NOW + 7 * DAY
    Deadline.objects.filter(battle=broken).update(due_at=now - DAY)
    assert [sweep_deadlines(now=now, limit=1), sweep_deadlines(now=now, limit=1)] == [0, 2]
    assert (steps_of(broken), steps_of(sound)) == ({0}, {1})
    tried = []
    for minutes in range(1, 60):
        sweep_deadlines(now=now + minutes * MINUTE)
        trouble = ClockTrouble.objects.get(battle=broken)
        tried += [minutes] if trouble.failures == len(tried) + 2 else []
    assert tried == [5, 15, 35]
    (section,) = [each for each in list_sections(make_user("Keeper"), now) if "clocks" in each.title]
    assert [(row.what, row.moment) for row in section.items] == [(str(broken), now)]
    sweep_deadlines(now=now + 30 * DAY)
    assert ClockTrouble.objects.get().retry_at == now + 30 * DAY + 80 * MINUTE


def test_a_battle_whose_clocks_cannot_start_does_not_delay_others(broken_and_sound):
    Deadline.objects.all().delete()
    assert start_missing_clocks(now=NOW) == 1
    assert set(Deadline.objects.values_list("battle", flat=True)) == {broken_and_sound[1].pk}


def test_a_battle_whose_rests_cannot_be_computed_gets_all_its_time_back(broken_and_sound):
    """No broken battle keeps the site in doubt forever, because then nobody would get reminders."""
    before = NOW + 2 * DAY
    Deadline.objects.update(running_since=before, settled_at=before, rest={"zone": "UTC", "weekends": True})
    outage = Outage.objects.create(part="beat", started_at=NOW + 3 * DAY, ended_at=NOW + 5 * DAY)
    give_back_outages(now=NOW + 5 * DAY)
    outage.refresh_from_db()
    assert outage.given_back_at
    assert {row.forfeit_at for row in Deadline.objects.filter(battle=broken_and_sound[0])} == {NOW + 23 * DAY}


@pytest.mark.postgres
def test_due_rows_are_read_by_their_indexes():
    """So few rows are sooner read as a whole; forbidden to do that, the database shows which indexes hold them all."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    due = explain(lambda: list_battles_due(now=NOW, limit=10))
    assert "deadline_due" in due[0]
    assert "Sort" not in due[0], due
    stops = explain(lambda: list_battles_with_stops_due(now=NOW, limit=10))
    assert "clock_stop_ends" in stops[0] and "clock_stop_long" in stops[1], stops
    updates = explain(lambda: list_clock_updates_due(now=NOW, limit=10))
    assert "clock_update_due" in updates[0], updates
    # Among a handful of users a join may well begin at the battles; by itself the condition is that of the index.
    mute = explain(lambda: list(User.objects.filter(mail_fails_since__isnull=False).values_list("pk")))
    assert "user_mail_fails" in mute[0], mute
