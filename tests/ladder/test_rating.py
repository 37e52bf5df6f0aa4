"""The arithmetic of ratings: Glicko-2 against Glickman's example, melees against a library, the classic Elo."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from ladder.glicko2 import MOST_DEVIATION, START, Encounter, Skill, rate_day, rest
from ladder.rating import ELO_START, RatedBattle, RatingState, is_provisional, is_rated, rate, rate_elo, rest_until

NOON = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)


def duel(number, winner, loser, at=NOON, draw=False):
    winners = frozenset() if draw else frozenset([winner])
    return RatedBattle(number, "duel", at, winners, frozenset([winner, loser]) - winners)


def melee(winners, others):
    return RatedBattle(1, "melee", NOON, frozenset(winners), frozenset(others))


def test_glicko_matches_glickmans_example():
    results = [Encounter(1400, 30, 1), Encounter(1550, 100, 0), Encounter(1700, 300, 0)]
    after = rate_day(Skill(1500, 200, 0.06), results)
    # The paper rounds intermediate results; it prints 1464.06, 151.52 and 0.05999.
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_example_fought_on_one_day_battle_by_battle_ends_as_the_example():
    figures = {
        1: RatingState(1500, 200, 0.06, ELO_START),
        2: RatingState(1400, 30, 0.06, ELO_START),
        3: RatingState(1550, 100, 0.06, ELO_START),
        4: RatingState(1700, 300, 0.06, ELO_START),
    }
    for number, (winner, loser) in enumerate([(1, 2), (3, 1), (4, 1)], start=1):
        figures |= rate(duel(number, winner, loser, NOON + timedelta(hours=number)), figures)
    assert (figures[1].rating, figures[1].deviation) == pytest.approx((1464.06, 151.52), abs=0.01)
    assert figures[1].battles == 3


def test_winners_rise_losers_fall_and_a_draw_brings_ratings_closer():
    figures = rate(duel(1, 1, 2), {})
    assert figures[1].rating > START.rating > figures[2].rating
    drawn = rate(duel(2, 1, 2, NOON + timedelta(days=1), draw=True), figures)
    assert drawn[1].rating < figures[1].rating and drawn[2].rating > figures[2].rating


def test_a_surprising_result_raises_the_volatility():
    calm = rate_day(Skill(1500, 50, 0.06), [Encounter(1500, 50, 0.5)])
    upset = rate_day(Skill(1500, 50, 0.06), [Encounter(2900, 30, 1)] * 3)
    assert calm.volatility < 0.06 < upset.volatility


def test_days_without_a_battle_make_a_rating_less_certain_and_no_worse():
    skill = Skill(1700, 60, 0.06)
    assert rest(skill, 0) == skill
    assert rest(skill, 100).rating == 1700
    assert 60 < rest(skill, 100).deviation < rest(skill, 1000).deviation <= MOST_DEVIATION
    assert rest(skill, 10**6).deviation == MOST_DEVIATION


@pytest.mark.parametrize(("days", "idle"), [(0, 0), (1, 0), (2, 1), (31, 30)])
def test_the_day_of_a_battle_does_not_count_as_idle(days, idle):
    figures = RatingState(1600, 70, 0.06, ELO_START, battles=4, day=date(2031, 5, 4))
    today = date(2031, 5, 4) + timedelta(days=days)
    assert rest_until(figures, today).deviation == rest(figures.skill, idle).deviation


def test_midnight_in_utc_begins_a_new_period():
    late = datetime(2031, 5, 4, 23, 59, tzinfo=UTC)
    one_day = rate(duel(2, 1, 2, late), rate(duel(1, 1, 2, late), {}))
    two_days = rate(duel(2, 1, 2, late + timedelta(minutes=2)), rate(duel(1, 1, 2, late), {}))
    assert one_day[1].rating != two_days[1].rating
    assert two_days[1].start == rest_until(rate(duel(1, 1, 2, late), {})[1], date(2031, 5, 5)).skill


def test_the_elo_of_the_classic_server_is_its_own():
    assert rate_elo(ELO_START, ELO_START, 1) == ELO_START + 2000
    assert rate_elo(ELO_START, ELO_START, 0) == ELO_START - 2000
    assert rate_elo(ELO_START, ELO_START, 0.5) == ELO_START
    # 40 × (1 - 1/(1 + 2^-0.4)) = 17.2435…, cut to hundredths; and rounded towards zero for the loser too.
    assert rate_elo(102000, 98000, 1) == 102000 + 1724
    assert rate_elo(98000, 102000, 0) == 98000 - 1724


@pytest.mark.parametrize(
    ("winners", "others", "ranks"),
    [
        ([1], [2, 3], [1, 2, 2]),
        ([1, 3], [2, 4], [1, 2, 1, 2]),
        ([], [1, 2, 3], [1, 1, 1]),
        ([4], [1, 2, 3], [2, 2, 2, 1]),
    ],
)
def test_a_melee_is_rated_as_the_library_does(winners, others, ranks):
    model = PlackettLuce()
    users = sorted([*winners, *others])
    start = {user: RatingState(20.0 + user, 8.0 - user) for user in users}
    expected = model.rate([[model.rating(mu=20.0 + user, sigma=8.0 - user)] for user in users], ranks=ranks)
    after = rate(melee(winners, others), start)
    assert [(after[user].rating, after[user].deviation) for user in users] == [(r.mu, r.sigma) for [r] in expected]


def test_a_new_user_begins_in_a_melee_where_the_library_begins():
    model = PlackettLuce()
    expected = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 2])
    after = rate(melee([1], [2, 3]), {})
    assert [after[user].rating for user in (1, 2, 3)] == [r.mu for [r] in expected]


def test_a_battle_against_oneself_is_not_rated():
    assert not is_rated(melee([1], [1])) and not is_rated(melee([1], []))
    assert is_rated(duel(1, 1, 2)) and is_rated(melee([], [1, 2]))


def test_ratings_of_beginners_and_of_long_absent_users_are_uncertain():
    assert is_provisional("duel", deviation=START.deviation, battles=0)
    assert not is_provisional("duel", deviation=109.9, battles=12)
    assert is_provisional("melee", deviation=5, battles=9) and not is_provisional("melee", deviation=5, battles=10)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans(), st.integers(0, 90)), max_size=25))
def test_ratings_stay_in_bounds_and_the_sum_of_elo_is_constant(story):
    figures, at = {}, NOON
    for number, (one, other, draw, hours) in enumerate(story):
        if one == other:
            continue
        at += timedelta(hours=hours)
        after = rate(duel(number, one, other, at, draw), figures)
        assert after.keys() == {one, other}
        figures |= after
        assert all(0 < each.deviation <= MOST_DEVIATION and 0 < each.volatility < 1 for each in after.values())
    assert abs(sum(each.elo for each in figures.values()) - ELO_START * len(figures)) <= len(story)


def test_the_order_of_a_days_battles_changes_no_rating():
    story = [duel(1, 1, 2), duel(2, 2, 3), duel(3, 3, 1), duel(4, 1, 3, draw=True)]
    results = []
    for order in (story, story[::-1]):
        figures: dict[int, RatingState] = {}
        for battle in order:
            figures |= rate(battle, figures)
        results.append({user: replace(each, results=(), elo=None) for user, each in figures.items()})
    for user in (1, 2, 3):
        assert results[0][user].rating == pytest.approx(results[1][user].rating, abs=1e-9)
