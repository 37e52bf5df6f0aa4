"""Going away and coming back (FM-ORDUSR-6, FM-ORDUSR-7)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.errors import InvalidVacation
from accounts.models import User, Vacation
from accounts.selectors.absence import find_users_away, find_vacation
from accounts.services.users import create_user
from accounts.services.vacations import end_vacation, start_vacation
from fm_site.operations.policy import Policy

MOST_DAYS = Policy().vacation_most_days
pytestmark = pytest.mark.django_db
NOW = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def anna() -> User:
    return create_user(name="Anna", now=NOW)


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
        vacation = start_vacation(user=user, days=days, now=now)
        assert timedelta(0) < vacation.until - vacation.starts_at <= MOST_DAYS * DAY
        assert vacation.until > now
    assert Vacation.objects.filter(user=user, ended_at=None).count() == 1
