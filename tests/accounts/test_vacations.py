"""Going away and coming back (FM-ORDUSR-6, FM-ORDUSR-7)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.errors import InvalidVacation
from accounts.models import User, Vacation
from accounts.selectors.absence import find_users_away, find_vacation, read_vacation_days
from accounts.services.users import create_user
from accounts.services.vacations import end_vacation, enter_vacation, start_vacation
from accounts.vacation_days import count_days
from operations.policy import Policy
from tests.scenes import DAY, NOW

MOST_DAYS = Policy().vacation_most_days
pytestmark = pytest.mark.django_db


def test_a_vacation_lasts_its_days_and_not_a_moment_longer(anna):
    start_vacation(user=anna, days=3, now=NOW)
    assert find_vacation(anna, now=NOW) and find_vacation(anna, now=NOW + 3 * DAY - timedelta(seconds=1))
    assert find_vacation(anna, now=NOW + 3 * DAY) is None
    assert find_users_away(now=NOW + DAY) == {anna.pk} and find_users_away(now=NOW + 3 * DAY) == frozenset()


@pytest.mark.parametrize("days", [0, -1, MOST_DAYS + 1])
def test_a_vacation_has_one_to_35_days(anna, days):
    with pytest.raises(InvalidVacation):
        start_vacation(user=anna, days=days, now=NOW)
    assert not Vacation.objects.exists()


def test_coming_back_ends_the_offer_and_another_can_follow(anna):
    start_vacation(user=anna, days=10, now=NOW)
    assert end_vacation(user=anna, now=NOW + DAY) is True
    assert end_vacation(user=anna, now=NOW + DAY) is False
    assert find_vacation(anna, now=NOW + DAY) is None
    start_vacation(user=anna, days=2, now=NOW + 2 * DAY)
    assert Vacation.objects.count() == 2


def test_a_finished_vacation_is_not_ended_again_by_a_late_worker(anna):
    start_vacation(user=anna, days=2, now=NOW)
    assert end_vacation(user=anna, now=NOW + 5 * DAY) is False
    assert Vacation.objects.get().ended_at == NOW + 2 * DAY


@given(orders=st.lists(st.tuples(st.integers(0, 20), st.integers(1, MOST_DAYS)), min_size=1, max_size=8))
def test_however_often_it_is_renewed_no_vacation_is_longer_than_35_days(orders):
    user = create_user(name=f"U{User.objects.count()}", now=NOW)
    now = NOW
    for later, days in orders:
        now += later * DAY
        try:
            vacation = start_vacation(user=user, days=days, now=now)
        except InvalidVacation as error:
            assert error.most < days
            continue
        assert timedelta(0) < vacation.until - vacation.starts_at <= MOST_DAYS * DAY
        assert vacation.until > now
    assert Vacation.objects.filter(user=user, ended_at=None).count() <= 1
    assert count_days((each.starts_at, each.until) for each in Vacation.objects.filter(user=user))[2031] <= MOST_DAYS


class TestDaysOfTheYear:
    def test_nobody_renews_a_vacation_forever(self, anna):
        """34 days, orders, and 34 days again: that was possible all year."""
        start_vacation(user=anna, days=34, now=NOW)
        end_vacation(user=anna, now=NOW + 33 * DAY)
        assert read_vacation_days(user=anna).count_left(2031) == 2
        with pytest.raises(InvalidVacation, match="Choose 1 to 2 days"):
            start_vacation(user=anna, days=34, now=NOW + 34 * DAY)
        start_vacation(user=anna, days=2, now=NOW + 34 * DAY)
        with pytest.raises(InvalidVacation, match="used all your vacation days"):
            start_vacation(user=anna, days=1, now=NOW + 40 * DAY)

    def test_a_day_that_has_begun_counts_and_days_after_an_early_return_do_not(self, anna):
        for begun, away, left in ((0, timedelta(minutes=1), 34), (1, DAY, 33), (3, 2 * DAY + timedelta(minutes=1), 30)):
            start_vacation(user=anna, days=9, now=NOW + begun * DAY)
            end_vacation(user=anna, now=NOW + begun * DAY + away)
            assert read_vacation_days(user=anna).count_left(2031) == left

    def test_up_to_ten_unused_days_are_kept_for_the_next_year(self, anna):
        days = read_vacation_days(user=anna)
        assert [days.count_left(year) for year in (2031, 2032, 2033)] == [35, 45, 45]
        start_vacation(user=anna, days=31, now=NOW)
        days = read_vacation_days(user=anna)
        assert [days.count_left(year) for year in (2031, 2032)] == [4, 39]

    def test_a_vacation_over_new_year_uses_days_of_both_years(self, anna):
        start_vacation(user=anna, days=35, now=NOW)
        with pytest.raises(InvalidVacation):
            start_vacation(user=anna, days=2, now=datetime(2031, 12, 31, tzinfo=UTC))
        second = datetime(2032, 12, 30, 18, tzinfo=UTC)
        start_vacation(user=anna, days=35, now=second)
        days = read_vacation_days(user=anna)
        assert (days.used[2032], days.used[2033]) == (2, 33)

    def test_a_changed_vacation_counts_once(self, anna):
        start_vacation(user=anna, days=30, now=NOW)
        start_vacation(user=anna, days=3, now=NOW + DAY)
        assert read_vacation_days(user=anna).count_left(2031) == 31
        assert start_vacation(user=anna, days=35, now=NOW + 2 * DAY).until == NOW + 35 * DAY

    def test_one_entered_by_a_janitor_uses_no_days_and_its_user_cannot_make_it_longer(self, anna):
        start_vacation(user=anna, days=35, now=NOW)
        enter_vacation(user=anna, days=90, most=365, now=NOW + DAY)
        assert read_vacation_days(user=anna).count_left(2031) == 34
        with pytest.raises(InvalidVacation):
            start_vacation(user=anna, days=33, now=NOW + 80 * DAY)
        assert start_vacation(user=anna, days=3, now=NOW + 80 * DAY).until == NOW + 83 * DAY


def test_clocks_are_updated_at_once_when_a_vacation_begins_or_ends(
    anna, monkeypatch, django_capture_on_commit_callbacks
):
    woken = []
    monkeypatch.setattr("accounts.services.vacations.wake_worker", woken.append)
    with django_capture_on_commit_callbacks(execute=True):
        start_vacation(user=anna, days=14, now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        end_vacation(user=anna, now=NOW + DAY)
    assert woken == ["duels.tasks.sweep_deadlines"] * 2
