"""Users who stay away: without mages, as guests, after unfinished sign-ups, and on vacation."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Min
from hypothesis import given
from hypothesis import strategies as st

from accounts.absence import UserFacts, judge_user
from accounts.models import Mage, User, Vacation
from accounts.services.absence import sweep_absent_users, sweep_vacations
from accounts.services.mages import kill_mage, register_mage, touch_activity
from accounts.services.users import create_guest, create_user
from accounts.services.vacations import start_vacation
from notifications.models import Delivery, Notice
from operations.models import Outage
from operations.policy import Policy
from tests.races import at_once, watch_statements
from tests.scenes import DAY, NOW

SECOND = timedelta(seconds=1)


def sweep_until(start, end):
    now = start
    while now <= end:
        sweep_absent_users(now=now)
        Delivery.objects.update(state=Delivery.State.SENT, sealed_mail="")  # the email worker runs
        due = User.objects.filter(is_active=True).aggregate(due=Min("idle_check_at"))["due"]
        if due is None:
            return
        now = due if due > now else now + DAY


def make_users_with_mages(*names):
    users = [create_user(name=name, email=f"{name}@example.org", now=NOW, email_verified=True) for name in names]
    for user in users:
        register_mage(user=user, name=f"{user.username}belle", now=NOW)
    return users


def mails(user):
    rows = Notice.objects.filter(user=user).order_by("created_at")
    return [(kind, (at - NOW).days) for kind, at in rows.values_list("kind", "created_at")]


def is_open(user):
    return User.objects.get(pk=user.pk).is_active


def test_a_user_without_a_mage_is_warned_after_three_weeks_and_closed_after_forty_days(anna):
    """FM-ORDUSR-15, done by the site; a closed user may come back as a new one (FM-ORDUSR-17)."""
    sweep_until(NOW, NOW + 41 * DAY - SECOND)
    assert is_open(anna) and mails(anna) == [("user_mageless_warning", 22)]
    sweep_until(NOW + 41 * DAY, NOW + 41 * DAY)
    assert not is_open(anna) and mails(anna)[1:] == [("user_closed", 41)]
    # The address is free, but the last email still went there.
    assert not EmailAddress.objects.exists()
    assert Delivery.objects.get(notice__kind="user_closed").address == "anna@example.org"


def test_a_user_with_a_retired_or_fighting_mage_stays(anna):
    register_mage(user=anna, name="Froodal", now=NOW)
    Mage.objects.update(retired_at=NOW)
    sweep_until(NOW, NOW + 100 * DAY)
    assert is_open(anna) and mails(anna) == []


def test_users_who_stay_are_rescheduled_together(db):
    make_users_with_mages("Anna", "Bert", "Carl")
    with watch_statements(lambda number: None) as seen:
        assert sweep_absent_users(now=NOW) == 3
    assert sum(sql.startswith("UPDATE") for sql in seen) == 1
    assert {*User.objects.values_list("idle_check_at", flat=True)} == {NOW + 7 * DAY}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_locked_user_is_skipped_and_stays_due():
    anna, *_ = make_users_with_mages("Anna", "Bert", "Carl")
    with transaction.atomic():
        touch_activity(user=anna, now=NOW + DAY)
        assert at_once(lambda: sweep_absent_users(now=NOW)) == [3]
    assert [*User.objects.order_by("pk").values_list("idle_check_at", flat=True)] == [NOW, NOW + 7 * DAY, NOW + 7 * DAY]


def test_nobody_is_closed_within_a_week_of_the_warning_even_if_their_last_mage_dies_late(anna):
    """The old server closed a user whose last mage had just gone without notice."""
    mage = register_mage(user=anna, name="Froodal", now=NOW)
    sweep_until(NOW, NOW + 60 * DAY)
    kill_mage(mage=mage, now=NOW + 60 * DAY)
    sweep_until(NOW + 60 * DAY, NOW + 90 * DAY)
    (first, warned), (second, closed) = mails(anna)
    assert (first, second) == ("user_mageless_warning", "user_closed")
    assert 60 <= warned <= 67 and closed - warned == 7


@pytest.mark.parametrize("doing", ["something", "a vacation", "an outage"])
def test_activity_after_the_warning_keeps_the_account(anna, doing):
    sweep_until(NOW, NOW + 30 * DAY)
    if doing == "something":
        touch_activity(user=anna, now=NOW + 30 * DAY)
    elif doing == "a vacation":
        start_vacation(user=anna, days=20, now=NOW + 30 * DAY)
    else:
        Outage.objects.create(
            part="beat", started_at=NOW + 30 * DAY, ended_at=NOW + 35 * DAY, given_back_at=NOW + 35 * DAY
        )
    sweep_until(NOW + 36 * DAY, NOW + 46 * DAY - SECOND)
    assert is_open(anna)


def test_a_janitor_without_a_mage_is_not_closed(anna):
    User.objects.update(is_staff=True)
    sweep_until(NOW, NOW + 100 * DAY)
    assert is_open(anna) and mails(anna) == []


def test_guests_and_unfinished_sign_ups_are_removed_without_notice(db):
    guest = create_guest(now=NOW)
    unproven = create_user(name="Boris", email="boris@example.org", now=NOW)
    player = create_user(name="Cedric", email="cedric@example.org", now=NOW)
    kill_mage(mage=register_mage(user=player, name="Crom", now=NOW), now=NOW)
    sweep_until(NOW, NOW + 14 * DAY - SECOND)
    assert is_open(guest) and is_open(unproven)
    sweep_until(NOW + 14 * DAY, NOW + 31 * DAY)
    assert (is_open(guest), is_open(unproven), is_open(player)) == (False, False, True)
    assert not Notice.objects.filter(user__in=[guest, unproven]).exists()


def test_a_site_in_doubt_closes_nobody_and_welcomes_nobody(anna):
    start_vacation(user=anna, days=3, now=NOW)
    Outage.objects.create(part="site", started_at=NOW)
    sweep_absent_users(now=NOW + 100 * DAY)
    assert sweep_vacations(now=NOW + 100 * DAY) == 0
    assert is_open(anna) and mails(anna) == []


def test_the_end_of_a_vacation_is_notified_once_and_keeps_its_planned_time(anna):
    """FM-ORDUSR-6"""
    start_vacation(user=anna, days=3, now=NOW)
    assert sweep_vacations(now=NOW + 3 * DAY - SECOND) == 0
    assert sweep_vacations(now=NOW + 4 * DAY) == 1
    assert sweep_vacations(now=NOW + 4 * DAY) == 0
    assert Vacation.objects.get().ended_at == NOW + 3 * DAY
    assert mails(anna) == [("vacation_over", 4)]


@given(
    idle_for=st.integers(0, 60),
    warned=st.none() | st.integers(0, 30),
    has_mages=st.booleans(),
    is_guest=st.booleans(),
    is_unconfirmed=st.booleans(),
    is_staff=st.booleans(),
)
def test_every_decision_about_a_user_follows_the_simple_rules(
    idle_for, warned, has_mages, is_guest, is_unconfirmed, is_staff
):
    facts = UserFacts(
        idle_for * DAY, None if warned is None else warned * DAY, has_mages, is_guest, is_unconfirmed, is_staff
    )
    if has_mages or is_staff:
        expected = "wait"
    elif is_guest:
        expected = "close" if idle_for >= 30 else "wait"
    elif is_unconfirmed:
        expected = "close" if idle_for >= 14 else "wait"
    elif idle_for <= 21:
        expected = "wait"
    elif warned is None:
        expected = "warn"
    else:
        expected = "close" if idle_for > 40 and warned >= 7 else "wait"
    verdict = judge_user(facts, Policy())
    assert verdict.action == expected
    if expected in ("wait", "warn"):
        assert verdict.recheck_in > timedelta(0)
