"""The chances to win that people are shown: fitted to how often such mages win, and counted in tenths."""

import re
from functools import partial

import pytest

from rules_engine import Sheet
from rules_engine.bots.__main__ import main
from rules_engine.bots.analyse import analyse_turn, weigh_position
from rules_engine.bots.chance import Chance
from rules_engine.bots.shown_chances import OF_MANY, OTHERS, SLOPES, UPSETS, show_chance, shown_worth, steepen
from rules_engine.bots.tools import reliability
from rules_engine.bots.tools.matches import play_game
from rules_engine.bots.tools.reliability import (
    MANY,
    Judged,
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


def play_by(slope, games=2000):
    """Chances, and shares of games that are won as often as with this slope."""
    chance = Chance("reliability", slope)
    for _ in range(games):
        first = chance.random()
        won = chance.random() < steepen([first, 1.0 - first], slope)[0]
        yield Judged([first, 1.0 - first], [1.0, 0.0] if won else [0.0, 1.0])


@pytest.mark.parametrize("slope", (0.6, 1.0, 1.7))
def test_the_fit_finds_the_slope_by_which_games_were_won(slope):
    assert fit_slope([[each] for each in play_by(slope)]) == pytest.approx(slope, abs=0.15)


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
    assert shown.chances(state) == pytest.approx(steepen(plain.chances(state), OF_MANY))
    state.out.append("Dara")
    assert shown.chances(state) == pytest.approx(steepen(plain.chances(state), SLOPES["firetop-standard"]))


def test_positions_of_many_mages_and_of_two_are_fitted_apart():
    duels = [[each] for each in play_by(1.7)]
    melees = [[Judged([*each.chances, 1e-9], [*each.shares, 0.0])] for each in play_by(0.6)]
    games = [Watched(number, "firetop-standard", (), tuple(each), ()) for number, each in enumerate([*duels, *melees])]
    slopes = fit_slopes(games)
    assert slopes["firetop-standard"] == pytest.approx(1.7, abs=0.15)
    assert slopes[MANY] == pytest.approx(0.6, abs=0.15)


def test_what_is_shown_keeps_what_is_certain_and_who_is_ahead():
    for certain in (0.0, 1e-9, 0.5, 1.0 - 1e-9, 1.0):
        assert show_chance(certain, "firetop-standard") == round(certain, 6)
    assert steepen([0.0, 1.0, 0.0], 1.5) == [0.0, 1.0, 0.0]
    assert steepen([0.5, 0.3, 0.2, 0.0], 1.5) == pytest.approx([0.571, 0.27, 0.159, 0.0], abs=0.02)


def test_nothing_but_the_end_is_shown_as_certain():
    """Some battles are won from any position: of the mages who were far behind, one in fifty wins."""
    assert show_chance(0.9999, "firetop-standard") == pytest.approx(1.0 - UPSETS / 2, abs=0.001)
    state = set_up(AHEAD)
    state.wizards["Crom"].hp = 1
    state.wizards["Crom"].marks = {"poisoned": 1}
    assert UPSETS / 2 < shown_worth("firetop-standard").chances(state)[1] < 0.1


def test_a_game_counts_once_however_long_it_lasts():
    short, long = [Judged([0.7, 0.3], [1.0, 0.0])], [Judged([0.7, 0.3], [0.0, 1.0])] * 50
    shown = steepen([0.7, 0.3], fit_slope([short] * 7 + [long] * 3))
    assert shown == pytest.approx([0.7, 0.3], abs=0.001)


def test_a_game_that_nobody_has_won_does_not_count(monkeypatch):
    monkeypatch.setattr(reliability, "play_game", partial(play_game, longest=3))
    assert [watch_game(number, seed="cut", positions=1).judged for number in range(3)] == [()] * 3


def test_mages_who_are_shown_a_good_chance_win_more_often():
    """Every position of some games, by the evaluation alone."""
    judge = partial(judge_game, halves=[{"": OTHERS, MANY: OF_MANY}] * 2, seed="few")
    games = [watch_game(number, seed="few", positions=0) for number in range(12)]
    judged = [each for game in games for _, each in judge(game)]
    ahead = [(chance, share) for each in judged for chance, share in zip(*each, strict=True) if chance > 0.65]
    shown, won = (sum(numbers) / len(ahead) for numbers in zip(*ahead, strict=True))
    assert len(ahead) > 50 and abs(shown - won) < 0.15, (shown, won)


def test_the_command_prints_slopes_and_tenths(capsys):
    assert main(["reliability", "--games", "1", "--seed", "quick"]) in (0, 1)
    told = capsys.readouterr().out
    assert re.search(rf"^1 of 1 games ended, seed quick; slopes .*\nothers \d\.\d+ \({OTHERS:.2f}\)\n", told, re.M)
    assert re.search(rf"^{MANY} \d\.\d+ \({OF_MANY:.2f}\)$", told, re.M)
    assert re.search(r"^all rulesets, 1 positions:", told, re.M)
    assert re.search(r"^ +\d+ to +\d+ %: +\d+ mages, +[\d.]+ % shown, +[\d.]+ % ±[\d.]+ won, [+-][\d.]+$", told, re.M)
