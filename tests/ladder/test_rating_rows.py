"""Ratings are stored once per battle, in the order of the ends, and are the same however they are computed."""

from datetime import date, timedelta
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.services.mages import register_mage
from ladder.models import RatingEntry, StaleRating, UserRating
from ladder.rating import KINDS, NEW_DUEL
from ladder.selectors.ratings import describe_rating, find_rating, list_rating_entries
from ladder.services.apply_results import BattleResult, apply_result
from ladder.services.rate_battles import rate_battles, rebuild_ratings
from ladder.services.revise_results import annul_result, correct_result, reopen_result, restore_result
from ladder.tasks import sweep_unrated_battles
from tests.scenes import NOW, make_mage
from tests.services.plugin import LONG


def fight(battle, winner, *losers, hours=0, **more):
    result = BattleResult([winner, *losers], winners=[winner])
    facts = {"practice": False, "now": NOW + timedelta(hours=hours)} | more
    return apply_result(battle=battle, kind="duel" if len(losers) == 1 else "melee", result=result, **facts)


def entries():
    rows = RatingEntry.objects.order_by("kind", "ended_at", "battle", "user").values()
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


def figures():
    rows = UserRating.objects.order_by("user", "kind").values()
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


@pytest.fixture
def rated(mages):
    """Four duels on three days and a melee, rated."""
    froodal, bung, wart, _ = mages
    fight(1, froodal, bung)
    fight(2, bung, froodal, hours=1)
    fight(3, wart, froodal, hours=30)
    fight(4, froodal, bung, wart, hours=31)
    fight(5, wart, bung, hours=200)
    assert sweep_unrated_battles() == 5
    return mages


def test_each_battle_is_rated_once_however_often_the_sweep_comes(rated):
    before = entries()
    assert len(before) == 4 * 2 + 3
    assert sweep_unrated_battles() == 0
    assert entries() == before


def test_every_entry_continues_from_the_last_and_the_final_one_is_the_rating(rated):
    for mage in rated[:3]:
        series = list(list_rating_entries(mage.user, "duel"))
        assert series[0].rating_before == NEW_DUEL.rating and [each.battles for each in series] == [
            *range(1, len(series) + 1)
        ]
        assert all(b.rating_before == a.rating and b.elo_before == a.elo for a, b in pairwise(series))
        assert UserRating.objects.get(user=mage.user, kind="duel").rating == series[-1].rating
    assert find_rating(rated[3].user, "duel", today=NOW.date()) is None


def test_ratings_rebuilt_from_the_battles_are_identical(rated):
    before, stood = entries(), figures()
    told = StringIO()
    call_command("rebuild_ratings", stdout=told)
    assert (entries(), figures()) == (before, stood)
    assert told.getvalue().splitlines() == [
        "duels: 4 battles read, no rating changed",
        "melees: 1 battles read, no rating changed",
        "duels with bots: 0 battles read, no rating changed",
    ]


def test_rebuilding_ratings_reports_whose_were_wrong(rated):
    UserRating.objects.filter(user=rated[1].user, kind="duel").update(rating=1)
    assert rebuild_ratings(kind="duel").changed_users == {rated[1].user.pk}
    assert UserRating.objects.get(user=rated[1].user, kind="duel").rating > 1000


def test_a_battle_that_is_counted_late_is_rated_in_its_place(rated):
    froodal, bung, *_ = rated
    fight(6, bung, froodal, hours=2)
    assert sweep_unrated_battles() > 1
    late = entries()
    assert not rebuild_ratings(kind="duel").changed_users
    assert entries() == late


def test_annulled_battles_are_not_rated_and_restored_ones_are_rated_as_before(rated):
    before, stood = entries(), figures()
    annul_result(battle=2, now=NOW)
    sweep_unrated_battles()
    assert not RatingEntry.objects.filter(battle=2).exists() and entries() != before
    assert not rebuild_ratings(kind="duel").changed_users
    restore_result(battle=2, now=NOW)
    sweep_unrated_battles()
    assert (entries(), figures()) == (before, stood)
    assert not StaleRating.objects.exists()


def test_corrected_and_replayed_battles_are_rated_again(rated):
    froodal, bung, wart, _ = rated
    correct_result(battle=3, winners=[froodal], dead=[], now=NOW)
    sweep_unrated_battles()
    assert RatingEntry.objects.get(battle=3, user=froodal.user).score == 1
    reopen_result(battle=5, now=NOW)
    sweep_unrated_battles()
    assert not RatingEntry.objects.filter(battle=5).exists()
    fight(5, bung, wart, hours=300)
    sweep_unrated_battles()
    assert RatingEntry.objects.get(battle=5, user=bung.user).score == 1


def test_practice_very_friendly_battles_and_battles_against_oneself_are_not_rated(mages):
    froodal, bung, *_ = mages
    second = register_mage(user=froodal.user, name="Fritha", now=NOW)
    third = register_mage(user=froodal.user, name="Frithb", now=NOW)
    fight(1, froodal, second, practice=True)
    fight(2, froodal, bung, stakes="very-friendly")
    fight(3, froodal, second, third)
    assert sweep_unrated_battles() == 3 and not RatingEntry.objects.exists()
    fight(4, froodal, bung, stakes="friendly")
    fight(5, bung, froodal, second)
    sweep_unrated_battles()
    assert RatingEntry.objects.filter(battle=4).count() == 2
    assert RatingEntry.objects.filter(battle=5).count() == 2, "one user counts once in a melee"


def test_a_rating_is_shown_in_whole_points_with_its_uncertainty(rated):
    froodal = rated[0]
    shown = find_rating(froodal.user, "duel", today=date(2031, 5, 5))
    assert shown.is_provisional and shown.battles == 3 and 1300 < shown.rating < 1600
    later = find_rating(froodal.user, "duel", today=date(2035, 5, 5))
    assert later.deviation > shown.deviation and later.rating == shown.rating
    melee = describe_rating(UserRating.objects.get(user=froodal.user, kind="melee"), today=date(2031, 5, 5))
    assert 1500 < melee.rating < 2000 and melee.elo is None


class AnyOrder(TestCase):
    """Battles counted in any order, rated at any time, annulled or not: a rebuild changes nothing."""

    @settings(max_examples=60 if LONG else 6, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), st.sampled_from("frf ar")), max_size=10))
    def test_ratings_are_what_the_battles_make_them(self, story):
        mages = [make_mage(f"Mage_{n}", f"Owner_{n}") for n in range(3)]
        for number, (hours, who, then) in enumerate(story, start=1):
            fight(number, mages[who], mages[who - 1], hours=hours)
            if then == "r":
                sweep_unrated_battles()
            if then == "a":
                annul_result(battle=number // 2 + 1, now=NOW)
        sweep_unrated_battles()
        before, stood = entries(), figures()
        assert not any(rebuild_ratings(kind=kind).changed_users for kind in KINDS)
        assert (entries(), figures()) == (before, stood)


def test_a_sweep_in_small_steps_ends_with_the_same_ratings_as_a_single_one(mages):
    for number in range(1, 6):
        fight(number, mages[number % 3], mages[3], hours=number * 7)
    while rate_battles(kind="duel", limit=2):
        pass
    assert RatingEntry.objects.count() == 10
    assert not rebuild_ratings(kind="duel").changed_users
