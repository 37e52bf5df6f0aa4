"""How the site knows that it was down, and what it does until the lost time is given back."""

from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.services.users import create_user
from notifications.services.outbox import write_notice
from operations.models import Heartbeat, Maintenance, Outage
from operations.selectors import latest_beat, list_outages_to_give_back, measure_lost_time, read_site_state
from operations.services.outages import (
    end_maintenance,
    forget_heartbeat,
    mark_outage_given_back,
    mark_part_failing,
    mark_part_working,
    record_heartbeat,
    start_maintenance,
    watch_parts,
)
from tests.scenes import DAY, HOUR, NOW
from tests.services.plugin import LONG

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def keeper(db):
    return create_user(name="Keeper", now=NOW)


def give_back(now):
    for outage in list_outages_to_give_back():
        assert mark_outage_given_back(outage=outage, now=now)


def spans():
    return [(row.part, row.started_at, row.ended_at) for row in Outage.objects.order_by("started_at", "pk")]


def test_a_site_with_regular_heartbeats_has_no_outage_and_no_doubt():
    for minute in range(0, 60, 5):
        watch_parts(now=NOW + minute * MINUTE)
    state = read_site_state(NOW + HOUR)
    assert (spans(), bool(state.doubts), latest_beat().get()) == ([], False, NOW + 55 * MINUTE)


def test_a_gap_is_recorded_once_and_leaves_doubt_until_its_time_is_given_back():
    watch_parts(now=NOW)
    back = NOW + 5 * HOUR
    # before the first heartbeat
    assert "(Asia/Tokyo)" in read_site_state(back, ZoneInfo("Asia/Tokyo")).doubts[0]
    watch_parts(now=back)
    watch_parts(now=back + MINUTE)
    assert spans() == [("beat", NOW, back)]
    assert read_site_state(back + MINUTE).doubts == ("Battles have not yet got back the time they lost in an outage.",)
    give_back(back + MINUTE)
    assert not read_site_state(back + MINUTE).doubts
    assert not mark_outage_given_back(outage=Outage.objects.get(), now=back + HOUR)


def test_an_email_worker_that_keeps_failing_is_an_outage():
    watch_parts(now=NOW)
    record_heartbeat(part="mail_out", now=NOW)
    for minute in range(1, 31):
        mark_part_failing(part="mail_out", now=NOW + minute * MINUTE)
        watch_parts(now=NOW + minute * MINUTE)
    assert spans() == [("mail_out", NOW + MINUTE, None)]
    assert read_site_state(NOW + 30 * MINUTE).doubts
    record_heartbeat(part="mail_out", now=NOW + 31 * MINUTE)
    watch_parts(now=NOW + 31 * MINUTE)
    assert read_site_state(NOW + 31 * MINUTE).doubts  # running, and still failing
    assert mark_part_working(part="mail_out", now=NOW + 31 * MINUTE)
    watch_parts(now=NOW + 31 * MINUTE)
    assert spans() == [("mail_out", NOW + MINUTE, NOW + 31 * MINUTE)]


def test_a_process_that_is_shut_down_on_purpose_is_not_missed():
    watch_parts(now=NOW)
    record_heartbeat(part="mail_in", now=NOW)
    assert forget_heartbeat(part="mail_in") and not forget_heartbeat(part="mail_in")
    for minute in range(5, 60, 5):
        watch_parts(now=NOW + minute * MINUTE)
    assert spans() == []


def test_two_things_that_fail_at_once_are_one_outage():
    for part in ("mail_in", "site"):
        record_heartbeat(part=part, now=NOW)
    for minute in range(0, 30, 5):
        watch_parts(now=NOW + minute * MINUTE)
    record_heartbeat(part="site", now=NOW + 30 * MINUTE)
    watch_parts(now=NOW + 30 * MINUTE)
    assert spans() == [("mail_in site", NOW, None)]
    record_heartbeat(part="mail_in", now=NOW + 35 * MINUTE)
    watch_parts(now=NOW + 35 * MINUTE)
    assert spans() == [("mail_in site", NOW, NOW + 35 * MINUTE)]


def test_maintenance_is_an_outage_from_its_first_moment_to_its_last(keeper):
    watch_parts(now=NOW)
    first = start_maintenance(by=keeper, reason="New cellar.", now=NOW)
    assert start_maintenance(by=keeper, reason="Another.", now=NOW + MINUTE) == first
    watch_parts(now=NOW + 5 * MINUTE)
    state = read_site_state(NOW + 5 * MINUTE)
    assert (state.is_closed, state.maintenance, bool(state.doubts)) == (True, "New cellar.", True)
    assert end_maintenance(by=keeper, now=NOW + 9 * MINUTE) and not end_maintenance(by=keeper, now=NOW + 9 * MINUTE)
    assert spans() == [("maintenance", NOW, NOW + 9 * MINUTE)]
    give_back(NOW + 9 * MINUTE)
    assert not read_site_state(NOW + 9 * MINUTE).doubts
    assert Maintenance.objects.get().ended_by == keeper


def test_the_operator_starts_and_ends_maintenance_on_the_machine_itself(db, capsys):
    for words, told in (
        (["on", "New", "release."], "under maintenance: New release."),
        ([], "under maintenance: New release."),
        (["off"], "is open"),
    ):
        call_command("maintenance", *words)
        assert told in capsys.readouterr().out
    row = Maintenance.objects.get()
    assert (row.started_by, row.ended_by) == (None, None) and row.ended_at
    with pytest.raises(CommandError, match="Say why"):
        call_command("maintenance", "on")


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_clock_that_jumps_causes_doubt_and_never_takes_time_away(jump):
    watch_parts(now=NOW)
    assert read_site_state(NOW + jump).doubts
    watch_parts(now=NOW + jump)
    give_back(NOW + jump)
    assert measure_lost_time(NOW, NOW + 2 * DAY) == max(jump, timedelta(0))
    assert not read_site_state(NOW + jump).doubts
    watch_parts(now=NOW + jump + MINUTE)
    assert Heartbeat.objects.get(part="beat").beat_at == NOW + jump + MINUTE


def test_email_that_does_not_move_causes_doubt(keeper):
    anna = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    write_notice(key="n", user=anna, kind="turn_resolved", facts={}, now=NOW)
    assert not read_site_state(NOW + 30 * MINUTE).doubts
    assert read_site_state(NOW + 31 * MINUTE).doubts


STEPS = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.sampled_from(["watch", "site", "mail_out", "fails", "works", "close", "open", "give back"]),
    ),
    max_size=25,
)


@settings(max_examples=400 if LONG else 8)
@given(steps=STEPS)
def test_every_minute_of_maintenance_counts_exactly_once(steps):
    Heartbeat.objects.all().delete()
    Outage.objects.all().delete()
    Maintenance.objects.all().delete()
    user = create_user(name=f"U{User.objects.count()}", now=NOW)
    now, closed_at, closed = NOW, None, timedelta(0)
    for minutes, step in steps:
        now += minutes * MINUTE
        if step == "watch":
            watch_parts(now=now)
        elif step in ("site", "mail_out"):
            record_heartbeat(part=step, now=now)
        elif step == "fails":
            mark_part_failing(part="mail_out", now=now)
        elif step == "works":
            mark_part_working(part="mail_out", now=now)
        elif step == "close":
            start_maintenance(by=user, reason="Closed.", now=now)
            closed_at = closed_at or now
        elif step == "open" and end_maintenance(by=user, now=now):
            closed, closed_at = closed + (now - closed_at), None
        elif step == "give back":
            give_back(now)
    rows = spans()
    for (_, _, end), (_, start, _) in pairwise(rows):
        assert end is not None and end <= start
    closed += now - closed_at if closed_at else timedelta(0)
    assert closed <= measure_lost_time(NOW, now) <= now - NOW
