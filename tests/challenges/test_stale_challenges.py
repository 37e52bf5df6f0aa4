"""Challenges in which nothing happens: reminders, then closed, with their mages free (firetop-server 6.7)."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import Engagement
from accounts.services.vacations import start_vacation
from challenges.inactivity import judge_challenge, notice_time
from challenges.models import Challenge
from challenges.services.answers import accept_challenge
from challenges.services.close_stale import sweep_stale_challenges
from notifications.models import Delivery, Notice
from operations.models import Outage
from operations.policy import Policy
from tests.challenges.conftest import make_challenge
from tests.scenes import DAY, NOW

pytestmark = pytest.mark.once


def sweep_until(start, end):
    now = start
    while now <= end:
        sweep_stale_challenges(now=now)
        Delivery.objects.update(state=Delivery.State.SENT, sealed_mail="")
        due = (
            Challenge.objects.filter(status="open").order_by("stale_check_at").values_list("stale_check_at", flat=True)
        )
        if not due:
            return
        now = due[0] if due[0] > now else now + DAY


def notified(kind):
    rows = Notice.objects.filter(kind=kind).order_by("created_at", "user__username")
    return [(name, (at - NOW).days) for name, at in rows.values_list("user__username", "created_at")]


def test_the_challenger_is_reminded_twice_and_then_everyone_is_notified_and_free(froodal, bung, ayla):
    challenge = make_challenge(froodal, bung, ayla)
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    sweep_until(NOW, NOW + 14 * DAY - timedelta(seconds=1))
    assert notified("challenge_prodded") == [("Froodal_user", 5), ("Froodal_user", 10)]
    said = Notice.objects.filter(kind="challenge_prodded").values_list("facts__closes_at", flat=True)
    assert set(said) == {(NOW + 14 * DAY).isoformat()}, "each reminder says when it is closed, not when the next comes"
    assert Engagement.objects.count() == 2
    sweep_until(NOW + 14 * DAY, NOW + 14 * DAY)
    challenge.refresh_from_db()
    assert challenge.status == "stale" and not Engagement.objects.exists()
    assert notified("challenge_closed") == [("Ayla_user", 14), ("Bung_user", 14), ("Froodal_user", 14)]


def test_any_activity_restarts_its_time(froodal, bung, ayla):
    challenge = make_challenge(froodal, bung, ayla)
    sweep_until(NOW, NOW + 13 * DAY)
    accept_challenge(number=challenge.number, mage=bung, now=NOW + 13 * DAY)
    sweep_until(NOW + 13 * DAY, NOW + 27 * DAY - timedelta(seconds=1))
    challenge.refresh_from_db()
    assert challenge.status == "open"
    assert [day for _, day in notified("challenge_prodded")] == [5, 10, 18, 23]
    sweep_until(NOW + 27 * DAY, NOW + 27 * DAY)
    challenge.refresh_from_db()
    assert challenge.status == "stale"


def test_it_waits_while_its_challenger_is_away_or_the_site_is_down(froodal):
    challenge = make_challenge(froodal)
    start_vacation(user=froodal.user, days=20, now=NOW + DAY)
    Outage.objects.create(part="beat", started_at=NOW + 22 * DAY, ended_at=NOW + 24 * DAY, given_back_at=NOW + 24 * DAY)
    sweep_until(NOW, NOW + 28 * DAY)
    assert notified("challenge_prodded") == [("Froodal_user", 28)]
    sweep_until(NOW + 29 * DAY, NOW + 37 * DAY)
    challenge.refresh_from_db()
    assert challenge.status == "stale"


def test_a_late_sweep_reminds_before_it_closes(froodal):
    challenge = make_challenge(froodal)
    sweep_until(NOW + 50 * DAY, NOW + 54 * DAY - timedelta(seconds=1))
    challenge.refresh_from_db()
    assert (challenge.status, notified("challenge_prodded")) == ("open", [("Froodal_user", 50)])
    sweep_until(NOW + 54 * DAY, NOW + 54 * DAY)
    challenge.refresh_from_db()
    assert challenge.status == "stale"


@given(interval=st.integers(1, 20), more=st.integers(1, 40), late=st.integers(0, 60))
def test_with_any_numbers_nothing_is_closed_without_notice_or_kept_forever(interval, more, late):
    policy = Policy(challenge_prod_days=interval, challenge_close_days=interval + more)
    idle_for, reminded, reminders, said = late * DAY, None, 0, timedelta(0)
    for _ in range(200):
        verdict = judge_challenge(idle_for=idle_for, reminded=reminded, policy=policy)
        if verdict.action == "close":
            break
        assert verdict.recheck_in > timedelta(0)
        if verdict.action == "remind":
            reminders, reminded, said = reminders + 1, timedelta(0), max(said, idle_for + verdict.ends_in)
        idle_for += verdict.recheck_in
        reminded = None if reminded is None else reminded + verdict.recheck_in
    else:
        raise AssertionError("never closed")
    ends = max((interval + more) * DAY, max(late, interval) * DAY + notice_time(policy))
    assert idle_for >= said, "what a reminder says is held"
    assert reminders >= 1 and reminded >= notice_time(policy)
    assert (interval + more) * DAY <= idle_for <= ends + interval * DAY
    if late <= interval:
        assert idle_for == (interval + more) * DAY


@pytest.mark.django_db
def test_its_page_and_its_email_say_what_happened_to_it(client, froodal, bung):
    challenge = make_challenge(froodal, bung)
    sweep_until(NOW, NOW + 15 * DAY)
    page = client.get(f"/challenges/{challenge.number}/").content.decode()
    assert "nothing happened for too long" in page
