"""FM's scoring table, every row: clauses FM-WIN-4, FM-WIN-5, FM-WIN-8, FM-WIN-9, FM-SURR-5 to FM-SURR-8."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ladder.scoring import award, battle_kind, penalize, settle

NAMES = ["Anselm", "Brid", "Cuno", "Dorn", "Edda", "Falk"]


def settled(players, winners=(), dead=(), before=5, **more):
    names = NAMES[:players]
    result = settle(players=names, winners=winners, dead=dead, scores=dict.fromkeys(names, before), **more)
    return {change.mage: change.change for change in result.changes}, result.deaths


@pytest.mark.parametrize(
    ("story", "players", "winners", "dead", "expected"),
    [
        ("a duel won by a kill", 2, ["Anselm"], ["Brid"], [1, 0]),
        ("a duel won by a surrender", 2, ["Anselm"], [], [1, 0]),
        ("a duel in which both die", 2, [], ["Anselm", "Brid"], [0, 0]),
        ("a duel in which both surrender", 2, [], [], [0, 0]),
        ("a duel in which both surrender, told as two winners", 2, ["Anselm", "Brid"], [], [0, 0]),
        ("a duel whose last one alive surrendered as the other died", 2, [], ["Brid"], [0, 0]),
        ("a melee of three with one winner", 3, ["Cuno"], ["Anselm", "Brid"], [0, 0, 2]),
        ("a melee of four with one winner", 4, ["Dorn"], ["Anselm"], [0, 0, 0, 3]),
        ("a melee of six with one winner", 6, ["Edda"], ["Anselm", "Brid", "Cuno"], [0, 0, 0, 0, 5, 0]),
        ("two who share after two fell", 4, ["Anselm", "Brid"], ["Cuno"], [1, 1, 0, 0]),
        ("two who share after three fell: one point is lost", 5, ["Anselm", "Brid"], [], [1, 1, 0, 0, 0]),
        ("three who share after one fell: all is lost", 4, ["Anselm", "Brid", "Cuno"], ["Dorn"], [0, 0, 0, 0]),
        ("a melee in which all surrender at once", 3, ["Anselm", "Brid", "Cuno"], [], [0, 0, 0]),
        ("a melee in which all die", 3, [], ["Anselm", "Brid", "Cuno"], [0, 0, 0]),
    ],
)
def test_the_end_of_a_battle_gives_the_points_of_the_classic_rules(story, players, winners, dead, expected):
    changes, deaths = settled(players, winners, dead)
    assert list(changes.values()) == expected, story
    assert list(deaths) == dead


@pytest.mark.parametrize(
    ("players", "sharing", "dead", "expected", "reasons"),
    [
        (4, ["Anselm", "Brid"], ["Cuno"], [1, 1, 0, 0], ["shared", "shared", "died", "drew"]),
        (3, ["Anselm", "Brid", "Cuno"], [], [0, 0, 0], ["shared"] * 3),
    ],
)
def test_a_draw_by_common_surrender_shares_the_points_and_nobody_wins(players, sharing, dead, expected, reasons):
    """FM-SURR-7."""
    changes, deaths = settled(players, (), dead, sharing=sharing)
    assert list(changes.values()) == expected and list(deaths) == dead
    result = settle(players=NAMES[:players], winners=(), dead=dead, sharing=sharing, scores=dict.fromkeys(NAMES, 0))
    assert [change.reason for change in result.changes] == reasons


@pytest.mark.parametrize(("score", "change"), [(0, 0), (1, -1), (7, -1)])
def test_a_surrender_costs_a_point_but_no_score_falls_below_zero(score, change):
    paid = penalize("Anselm", score)
    assert (paid.before, paid.change, paid.after, paid.reason) == (score, change, score + change, "surrendered")


def test_practice_changes_no_score_and_its_deaths_are_not_real():
    assert settled(2, ["Anselm"], ["Brid"], practice=True) == ({}, ())


def test_under_the_classic_servers_preset_practice_deaths_are_real():
    changes, deaths = settled(2, ["Anselm"], ["Brid"], practice=True, practice_deaths_are_real=True)
    assert (changes, deaths) == ({}, ("Brid",))


def test_every_player_learns_their_fate():
    result = settle(players=NAMES[:4], winners=["Anselm", "Brid"], dead=["Cuno"], scores=dict.fromkeys(NAMES, 0))
    assert [change.reason for change in result.changes] == ["shared", "shared", "died", "lost"]
    drawn = settle(players=NAMES[:2], winners=[], dead=[], scores=dict.fromkeys(NAMES, 0))
    assert [change.reason for change in drawn.changes] == ["drew", "drew"]


@pytest.mark.parametrize(
    ("players", "winners", "dead"),
    [(["Anselm", "Brid"], ["Anselm"], ["Anselm"]), (["Anselm", "Brid"], ["Cuno"], []), (["Anselm"] * 2, [], [])],
)
def test_an_impossible_result_is_rejected(players, winners, dead):
    with pytest.raises(ValueError):
        settle(players=players, winners=winners, dead=dead, scores=dict.fromkeys(NAMES, 0))


@pytest.mark.parametrize(("players", "kind"), [(2, "duel"), (3, "melee"), (6, "melee")])
def test_two_make_a_duel_and_more_a_melee(players, kind):
    assert battle_kind(NAMES[:players]) == kind


def test_one_mage_makes_no_battle():
    with pytest.raises(ValueError):
        battle_kind(["Anselm"])


@st.composite
def results(draw):
    players = NAMES[: draw(st.integers(2, 6))]
    winners = draw(st.sets(st.sampled_from(players)))
    dead = draw(st.sets(st.sampled_from(players))) - winners
    scores = {name: draw(st.integers(0, 50)) for name in players}
    return players, winners, dead, scores


@given(results())
def test_no_battle_gives_more_points_than_it_has_losers(result):
    players, winners, dead, scores = result
    changes = settle(players=players, winners=winners, dead=dead, scores=scores).changes
    gained = sum(change.change for change in changes)
    assert 0 <= gained <= len(players) - len(winners)
    assert all(change.change == 0 for change in changes if change.mage not in winners)
    assert len({change.change for change in changes if change.mage in winners}) <= 1


@given(results())
def test_the_order_of_the_players_does_not_matter(result):
    players, winners, dead, scores = result
    there = settle(players=players, winners=winners, dead=dead, scores=scores)
    back = settle(players=players[::-1], winners=winners, dead=dead, scores=scores)
    assert set(there.changes) == set(back.changes) and set(there.deaths) == set(back.deaths)


@given(st.integers(2, 8), st.integers(0, 9))
def test_an_award_is_what_is_lost_divided_and_rounded_down(players, winners):
    assume(not (players == 2 and winners == 2))
    each = award(players, winners)
    if 0 < winners <= players:
        assert each * winners <= players - winners < (each + 1) * winners
    else:
        assert each == 0
