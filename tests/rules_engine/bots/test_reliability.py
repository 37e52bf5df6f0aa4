"""The chances to win that people are shown: fitted to how often such mages win, and counted in tenths."""

import re
from functools import partial

import pytest

from rules_engine import Sheet
from rules_engine.bots.__main__ import main
from rules_engine.bots.analyse import analyse_turn, weigh_position
from rules_engine.bots.chance import Chance
from rules_engine.bots.shown_chances import OF_MANY, SLOPE, SURE, UPSETS, show_chance, show_chances, shown_worth
from rules_engine.bots.tools import reliability
from rules_engine.bots.tools.matches import play_game
from rules_engine.bots.tools.reliability import (
    Judged,
    Slopes,
    Watched,
    fit_slope,
    fit_slopes,
    judge_game,
    sort_tenths,
    watch_game,
)
from rules_engine.bots.worth import Worth
from rules_engine.positions import set_up
from rules_engine.records.chronicle import PlayedTurn

AHEAD = """ruleset firetop-standard
mage Ayla 13
left SW
right WP
mage Crom 8
left DW
right WS
"""
WAIT = {"Ayla": Sheet({"LH": "W", "RH": "S"}), "Crom": Sheet({"LH": "W", "RH": "S"})}


def play_by(slope, *others, games=2000):
    """Chances in play, and shares of games that are won as often as with this slope; the others never win."""
    chance = Chance("reliability", slope)
    for _ in range(games):
        first = chance.random()
        chances = [first, 1.0 - first, *others]
        won = chance.random() < show_chances(chances, slope, slope)[0]
        yield Judged(chances, [float(won), float(not won), *(0.0 for _ in others)])


@pytest.mark.parametrize("slope", (0.6, 1.0, 1.7))
def test_the_fit_finds_the_slope_by_which_games_were_won(slope):
    assert fit_slope(list(play_by(slope))) == pytest.approx(slope, abs=0.15)


def test_a_tenth_is_off_by_what_its_mages_won_more_than_they_were_shown():
    tenths = sort_tenths([Judged([0.62, 0.38], [1.0, 0.0]), Judged([0.68, 0.32], [0.5, 0.5])])
    assert (tenths[6].tally.games, tenths[6].tally.share, round(tenths[6].off, 6)) == (2, 0.75, 10.0)
    assert (tenths[3].tally.games, tenths[3].tally.share, round(tenths[3].off, 6)) == (2, 0.25, -10.0)
    assert sum(tenth.tally.games for tenth in tenths) == 4


def test_an_analysis_shows_the_fitted_chance():
    state = set_up(AHEAD)
    turn = PlayedTurn(state.label, state.seq, state, state, ())
    shown = analyse_turn(turn, WAIT, seed="seed")["chances"]["Ayla"]
    fitted, in_play = (
        weigh_position(state, WAIT, worth=worth, seed="seed")[0]
        for worth in (shown_worth("firetop-standard"), Worth("firetop-standard"))
    )
    assert shown == pytest.approx(fitted, abs=0.001)
    assert abs(fitted - in_play) > 0.01


def test_three_mages_have_a_slope_of_their_own_and_the_last_two_that_of_a_duel():
    state = set_up(f"{AHEAD}mage Dara 15\nleft WD\nright SW\n")
    plain, shown = Worth("firetop-standard"), shown_worth("firetop-standard")
    unused = 9.0
    assert shown.chances(state) == pytest.approx(show_chances(plain.chances(state), unused, OF_MANY))
    assert shown.chances(state) != pytest.approx(show_chances(plain.chances(state), SLOPE, unused))
    state.out.append("Dara")
    assert shown.chances(state) == pytest.approx(show_chances(plain.chances(state), SLOPE, unused))


def test_positions_of_many_mages_and_of_two_are_fitted_apart():
    judged = [*play_by(1.7), *play_by(0.6, 1e-9)]
    slopes = fit_slopes([Watched(number, "firetop-standard", (), (each,), ()) for number, each in enumerate(judged)])
    assert slopes == pytest.approx((1.7, 0.6), abs=0.15)


def test_what_is_shown_keeps_what_is_certain_and_who_is_ahead():
    for certain in (0.0, 1e-9, 0.5, 1.0 - 1e-9, 1.0):
        assert show_chance([certain, 1.0 - certain], 0) == round(certain, 6)
    assert show_chances([0.0, 1.0, 0.0]) == [0.0, 1.0, 0.0]
    assert show_chances([0.5, 0.0, 0.5]) == [0.5, 0.0, 0.5]
    assert show_chances([0.5, 0.3, 0.2, 0.0]) == pytest.approx([0.419, 0.321, 0.26, 0.0], abs=0.001)
    shown = [show_of_two(chance) for chance in (0.001, 0.1, 0.4, 0.5 - 1e-9, 0.5, 0.5 + 1e-15, 0.6, 0.9, 0.999)]
    assert shown == sorted(set(shown))
    assert [each + other for each, other in zip(shown[:3], shown[:-4:-1], strict=True)] == pytest.approx([1.0] * 3)


def show_of_two(chance):
    return show_chance([chance, 1.0 - chance], 0)


def test_a_small_lead_is_shown_as_more_than_in_play_and_a_large_one_as_less():
    assert show_of_two(0.55) == pytest.approx(0.626, abs=0.001)
    assert show_of_two(0.97) == pytest.approx(0.950, abs=0.001)


def test_nothing_but_the_end_is_shown_as_certain():
    """Some battles are won from any position: of the mages who are far behind, one in a hundred wins."""
    assert 0.98 < show_of_two(1.0 - 2 * SURE) < 1.0 - UPSETS / 2
    state = set_up(AHEAD)
    state.wizards["Crom"].hp = 1
    state.wizards["Crom"].marks = {"poisoned": 1}
    assert UPSETS / 2 < shown_worth("firetop-standard").chances(state)[1] < 0.1


def test_every_position_counts_once_as_in_the_tables():
    won, lost = [Judged([0.7, 0.3], [1.0, 0.0])] * 35, [Judged([0.7, 0.3], [0.0, 1.0])] * 15
    assert show_chances([0.7, 0.3], fit_slope(won + lost)) == pytest.approx([0.7, 0.3], abs=0.001)


def test_a_game_that_nobody_has_won_does_not_count(monkeypatch):
    monkeypatch.setattr(reliability, "play_game", partial(play_game, longest=3))
    assert [watch_game(number, seed="cut", positions=1).judged for number in range(3)] == [()] * 3


def test_mages_who_are_shown_a_good_chance_win_more_often():
    """Every position of some games, by the evaluation alone."""
    judge = partial(judge_game, halves=[Slopes(SLOPE, OF_MANY)] * 2, seed="few")
    games = [watch_game(number, seed="few", positions=0) for number in range(12)]
    judged = [each for game in games for _, each in judge(game)]
    ahead = [(chance, share) for each in judged for chance, share in zip(*each, strict=True) if chance > 0.65]
    shown, won = (sum(numbers) / len(ahead) for numbers in zip(*ahead, strict=True))
    assert len(ahead) > 50 and abs(shown - won) < 0.15, (shown, won)


def test_the_command_prints_slopes_and_tenths(capsys):
    assert main(["reliability", "--games", "1", "--seed", "quick"]) in (0, 1)
    told = capsys.readouterr().out
    assert re.search(rf"^1 of 1 games ended, seed quick; slopes .*\ntwo mages \d\.\d+ \({SLOPE:.2f}\)\n", told, re.M)
    assert re.search(rf"^three or more mages \d\.\d+ \({OF_MANY:.2f}\)$", told, re.M)
    assert re.search(r"^all rulesets, 1 positions:", told, re.M)
    assert re.search(r"^ +\d+ to +\d+ %: +\d+ mages, +[\d.]+ % shown, +[\d.]+ % ±[\d.]+ won, [+-][\d.]+$", told, re.M)
