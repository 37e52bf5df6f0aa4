"""Farming: only the first wins over one user within 30 days score and rate, whatever the stakes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from accounts.services.mages import register_mage
from ladder.models import Placing, ScoreEntry, UserRating
from ladder.selectors.scores import find_disagreements
from ladder.services.apply_results import BattleResult, apply_result
from ladder.services.rate_battles import rate_battles, rebuild_ratings
from ladder.services.revise_results import annul_result, correct_result
from operations.services.policy import set_policy
from tests.ladder.scores import score_of
from tests.scenes import DAY, NOW, make_mage

pytestmark = pytest.mark.django_db


def fight(number, winner, *losers, days=0, sharing=(), **more):
    players = [winner, *losers]
    result = BattleResult(players, winners=() if sharing else [winner], sharing=sharing)
    return apply_result(
        battle=number,
        kind="duel" if len(players) == 2 else "melee",
        practice=False,
        result=result,
        now=NOW + days * DAY + timedelta(minutes=number),
        **more,
    )


def reasons(mage):
    return list(ScoreEntry.objects.filter(mage=mage).order_by("pk").values_list("reason", "change"))


def rating_of(mage, kind="duel"):
    rate_battles(kind=kind)
    return UserRating.objects.get(user=mage.user, kind=kind)


def test_twelve_mages_of_one_user_give_three_points_and_three_rated_wins(mages):
    hero, victim, *_ = mages
    fresh = [register_mage(user=victim.user, name=f"Fodder{letter}", now=NOW + 5 * DAY) for letter in "abcde"]
    fresh += [register_mage(user=victim.user, name=f"Fodder{letter}", now=NOW + 7 * DAY) for letter in "fghij"]
    fresh += [register_mage(user=victim.user, name="Fodderk", now=NOW + 9 * DAY)]
    for number, mage in enumerate([victim, *fresh]):
        fight(number, hero, mage)
    assert score_of(hero, "duel") == 3
    assert reasons(hero) == [("won", 1)] * 3 + [("repeated", 0)] * 9
    assert rating_of(hero).battles == 3 == rating_of(victim).battles
    assert not list(find_disagreements())


@pytest.mark.parametrize("stakes", ["ladder", "band", "no-gain"])
def test_the_limit_holds_whatever_stakes_a_challenge_names(mages, stakes):
    hero, victim, *_ = mages
    for number in range(3):
        fight(number, hero, victim, stakes="friendly")
    fight(3, hero, victim, stakes=stakes)
    assert score_of(hero, "duel") == 0
    assert rating_of(hero).battles == 3


def test_losing_to_the_same_user_still_counts_and_so_do_wins_over_others(mages):
    hero, victim, other, _ = mages
    for number in range(4):
        fight(number, hero, victim)
    fight(4, victim, hero)
    fight(5, hero, other)
    assert (score_of(hero, "duel"), score_of(victim, "duel")) == (4, 1)
    assert rating_of(hero).battles == 5


def test_a_win_counts_again_when_one_of_the_three_is_older_than_thirty_days(mages):
    hero, victim, *_ = mages
    for number, day in enumerate((0, 10, 20, 29, 31, 32)):
        fight(number, hero, victim, days=day)
    assert reasons(hero) == [("won", 1)] * 3 + [("repeated", 0), ("won", 1), ("repeated", 0)]


@pytest.mark.parametrize("stakes", ["very-friendly", "bots"])
def test_battles_that_change_nothing_among_people_do_not_use_up_wins(mages, stakes):
    hero, victim, *_ = mages
    for number in range(5):
        fight(number, hero, victim, stakes=stakes)
    fight(5, hero, victim)
    assert score_of(hero, "duel") == 1
    assert not Placing.objects.filter(is_repeated=True).exists()


def test_in_a_melee_only_the_users_beaten_too_often_give_no_point(mages):
    hero, victim, other, third = mages
    for number in range(3):
        fight(number, hero, victim)
    fight(3, hero, victim, other, third)
    assert reasons(hero)[-1] == ("won", 2)
    rated = rating_of(hero, "melee")
    assert rated.battles == 1
    assert not UserRating.objects.filter(user=victim.user, kind="melee").exists()
    fight(4, other, victim, third, sharing=[other, third])
    assert reasons(other)[-1] == ("shared", 0)


def test_two_mages_of_one_user_in_a_melee_are_one_win(mages):
    hero, victim, *_ = mages
    twin = register_mage(user=victim.user, name="Twin", now=NOW)
    for number in range(4):
        fight(number, hero, victim, twin)
    assert reasons(hero) == [("won", 2)] * 3 + [("repeated", 0)]


def test_an_annulled_win_gives_way_to_the_next_and_a_corrected_one_is_judged_anew(mages):
    hero, victim, *_ = mages
    for number in range(3):
        fight(number, hero, victim)
    annul_result(battle=0, now=NOW)
    fight(3, hero, victim)
    assert score_of(hero, "duel") == 3
    fight(4, hero, victim)
    assert reasons(hero)[-1] == ("repeated", 0)
    assert correct_result(battle=4, winners=[victim], dead=[], now=NOW)
    assert score_of(victim, "duel") == 1
    assert correct_result(battle=4, winners=[hero], dead=[], now=NOW)
    assert (score_of(hero, "duel"), score_of(victim, "duel")) == (3, 0)


def test_ratings_can_be_rebuilt(mages):
    hero, victim, *_ = mages
    for number in range(6):
        fight(number, hero, victim)
    before = rating_of(hero).rating
    assert rebuild_ratings(kind="duel").changed_users == frozenset()
    assert rating_of(hero).rating == before


def test_the_number_is_policy(mages):
    hero, victim, *_ = mages
    set_policy(by=hero.user, why="a small club", numbers={"wins_that_count": 5}, now=NOW)
    for number in range(6):
        fight(number, hero, victim)
    assert score_of(hero, "duel") == 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite writes one transaction at a time")
def test_battles_that_end_at_the_same_moment_do_not_count_more_wins():
    heroes, victims = [make_mage("Hero", "Winner")], [make_mage("Victim", "Loser")]
    heroes += [register_mage(user=heroes[0].user, name=f"Hero{x}", now=NOW) for x in "abcd"]
    victims += [register_mage(user=victims[0].user, name=f"Victim{x}", now=NOW) for x in "abcd"]
    barrier = Barrier(5)

    def end(number):
        barrier.wait()
        try:
            fight(number, heroes[number], victims[number])
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(partial(end), range(5)))
    assert sum(ScoreEntry.objects.values_list("change", flat=True)) == 3


@pytest.mark.parametrize("stakes", ["league", "cup", "evening"])
def test_leagues_and_cups_are_apart_from_the_limit(mages, stakes):
    """Nobody chooses their opponent there: such wins always rate, and use up none elsewhere."""
    hero, victim, *_ = mages
    for number in range(4):
        fight(number, hero, victim, stakes=stakes)
    assert rating_of(hero).battles == 4
    assert score_of(hero, "duel") == score_of(victim, "duel") == 0
    for number in range(4, 8):
        fight(number, hero, victim)
    fight(8, hero, victim, stakes=stakes)
    assert reasons(hero) == [("won", 1)] * 3 + [("repeated", 0)]
    assert rating_of(hero).battles == 8 and not Placing.objects.filter(is_real_death=True).exists()


def test_a_death_in_a_league_is_not_real_and_costs_no_score(mages):
    hero, victim, *_ = mages
    fight(0, victim, hero)
    result = BattleResult([hero, victim], winners=[hero], dead=[victim])
    apply_result(battle=1, kind="duel", practice=False, result=result, stakes="league", now=NOW + DAY)
    victim.refresh_from_db()
    assert victim.is_alive and score_of(victim, "duel") == 1
    assert Placing.objects.get(battle__number=1, mage=victim).is_real_death is False
