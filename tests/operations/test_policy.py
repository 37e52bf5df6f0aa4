"""The site's numbers: two presets, bounds, and a history."""

from dataclasses import asdict

import pytest
from django.db import IntegrityError, transaction

from accounts.services.users import create_user
from operations.errors import InvalidPolicy
from operations.models import SitePolicy
from operations.policy import FOR_JANITORS, PRESETS, SETTINGS, Policy, describe_policy, find_policy_problems
from operations.request_policy import recall_policy, remember_policy
from operations.selectors import read_policy
from operations.services.policy import set_policy
from tests.scenes import NOW


def test_the_documents_periods_are_the_default():
    """FM-SLOW-2, FM-SLOW-4: a reminder after a week, the end after three."""
    policy = PRESETS["document"]
    assert policy == Policy() and (policy.classic_reminder_days, policy.classic_forfeit_days) == (7, 21)
    assert (PRESETS["server"].classic_reminder_days, PRESETS["server"].classic_forfeit_days) == (4, 14)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_within_its_bounds(name):
    assert find_policy_problems(asdict(PRESETS[name])) == []


def test_every_number_is_rejected_beyond_its_bounds_with_the_nearest_one():
    for setting in SETTINGS.values():
        low, high = (find_policy_problems({setting.name: number}) for number in (setting.least - 1, setting.most + 1))
        assert (low[0].name, low[0].nearest) == (setting.name, setting.least)
        assert (high[0].name, high[0].nearest) == (setting.name, setting.most)


def test_a_warning_comes_before_what_it_warns_of():
    problems = find_policy_problems({"classic_reminder_days": 30, "mageless_warn_days": 40})
    assert [(each.name, each.nearest) for each in problems] == [
        ("classic_reminder_days", 20),
        ("mageless_warn_days", 39),
    ]


@pytest.mark.django_db
def test_a_janitors_numbers_apply_and_the_old_ones_are_kept():
    keeper = create_user(name="Keeper", now=NOW)
    assert read_policy() == Policy()
    set_policy(by=keeper, why="Summer.", numbers={"classic_forfeit_days": 28}, now=NOW)
    set_policy(by=keeper, why="Faster.", numbers={"idle_user_days": 30}, now=NOW)
    assert read_policy() == Policy(classic_forfeit_days=28, idle_user_days=30)
    assert [(row.why, row.classic_forfeit_days, row.idle_user_days) for row in SitePolicy.objects.all()] == [
        ("Faster.", 28, 30),
        ("Summer.", 28, 21),
    ]


@pytest.mark.django_db
def test_contradictory_numbers_can_be_set_neither_by_services_nor_in_the_table():
    keeper = create_user(name="Keeper", now=NOW)
    with pytest.raises(InvalidPolicy) as refused:
        set_policy(by=keeper, why="", numbers={"classic_forfeit_days": 5, "guest_keep_days": 0}, now=NOW)
    assert {problem.name for problem in refused.value.problems} == {"classic_reminder_days", "guest_keep_days"}
    for numbers in ({"classic_forfeit_days": 5}, {"guest_keep_days": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            SitePolicy.objects.create(set_by=keeper, set_at=NOW, why="", **numbers)
    assert not SitePolicy.objects.exists()


def test_every_number_has_a_text_for_readers():
    described = dict(describe_policy(Policy(classic_reminder_days=1)))
    assert described["A mage who owes orders is reminded after"] == "1 day"
    assert len(described) == len(SETTINGS) - len(FOR_JANITORS) and "7 backups" not in described.values()


@pytest.mark.django_db
def test_a_request_reads_the_numbers_once_and_the_next_one_reads_them_anew(django_assert_num_queries):
    keeper = create_user(name="Keeper", now=NOW)
    respond = remember_policy(lambda request: [recall_policy().wins_that_count for _ in range(3)])
    for number in (2, 4):
        set_policy(by=keeper, why="", numbers={"wins_that_count": number}, now=NOW)
        with django_assert_num_queries(1):
            assert respond(None) == [number] * 3
    with django_assert_num_queries(2):
        assert recall_policy() == recall_policy()
