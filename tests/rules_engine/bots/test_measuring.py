"""Measuring the bots: matches with aims, judged surrenders, and players that try to exploit them."""

import re

import pytest

from rules_engine import KeyedDice, Sheet, advance
from rules_engine.bots.__main__ import main
from rules_engine.bots.moves import Move, Moves
from rules_engine.bots.seen import see
from rules_engine.bots.strengths import STRENGTHS, Player, choose_orders
from rules_engine.bots.tools import bench as benches
from rules_engine.bots.tools import exploit
from rules_engine.bots.tools.bench import Bench, Judge, Plan
from rules_engine.bots.tools.exploiters import Opener, Remembered, Responder, opening_of
from rules_engine.bots.tools.matches import make_player, play_game
from rules_engine.bots.worth import Worth
from rules_engine.positions import set_up
from tests.rules_engine.random_play import new_battle

PALMS = Sheet({"LH": "P", "RH": "P"})
WAVES = Sheet({"LH": "W", "RH": "W"})


def test_a_match_that_clearly_misses_its_aim_is_reported_and_counted(capsys):
    bench = Bench(long=True)
    bench.play(Plan("Apprentice", "Warder", 1.0, 2, 1.0))
    assert bench.missed == ["Apprentice over Warder in firetop-standard, duels"]
    assert re.search(r"Apprentice over Warder \d+\.\d % ±\d+\.\d \(2 games\), aim 100 %", capsys.readouterr().out)
    bench.missed.clear()
    bench.play(Plan("Warder", "Apprentice", 0.1, 2, 1.0))
    assert bench.missed == []
    assert len(bench.seconds["Warder"]) > 10


def test_a_short_match_ends_on_time(capsys):
    bench = Bench(long=False)
    tally = bench.play(Plan("Apprentice", "Apprentice", 0.5, 1000, 0.0))
    assert tally.games == 2


def test_a_surrender_is_unforced_if_some_column_survives():
    state = new_battle(5, mages=2)
    one, other = state.mages
    judge = Judge(Moves(Worth(state.ruleset.name)))
    judge.heed(state, {one: PALMS, other: WAVES})
    assert (judge.surrenders, len(judge.unforced)) == (1, 1)
    state.wizards[one].marks["poisoned"] = 1
    judge.heed(state, {one: PALMS, other: WAVES})
    assert (judge.surrenders, len(judge.unforced)) == (2, 1)
    judge.heed(state, {one: WAVES, other: WAVES})
    assert judge.surrenders == 2


def test_knowing_the_moves_of_an_apprentice_beats_it(capsys):
    assert main(["exploit", "Apprentice", "--games", "1", "--seed", "know"]) == 0
    assert capsys.readouterr().out.startswith("Apprentice against the seer of its next move 0.0 % ")


def test_knowing_the_mix_of_an_apprentice_beats_it(capsys):
    assert main(["exploit", "Apprentice", "--games", "0", "--responses", "1", "--seed", "know"]) == 1
    assert re.match(
        r"Apprentice against the best response to its mix 0\.0 % \S+ \(1 games\) which thinks [\d.]+ times as long",
        capsys.readouterr().out,
    )


DUEL = """ruleset firetop-standard
mage Ayla 9
left WF
right DS
mage Crom 2
left DW
right SP
"""


@pytest.mark.parametrize("played", ("PW", "WD", "PS"))
def test_the_best_response_kills_what_the_mix_lets_die(played):
    """Crom has two points left: a Shield (P) stops one missile and a stab, but not Cause Light Wounds (W F P)."""
    state = set_up(DUEL)
    mix = {Move(Sheet({"LH": played[0], "RH": played[1]}), 0.0): 1.0}
    reply = Responder("firetop-standard", "Crom", "Magus", "kill").reply(state, "Ayla", mix)
    sheets = {"Ayla": reply.sheet, "Crom": next(iter(mix)).sheet}
    assert "Crom" in advance(state, sheets, KeyedDice("kill")).state.out


def test_a_bot_plays_what_its_mix_has():
    state = new_battle(5, mages=2)
    seen = see(state, state.mages[0])
    for seed in range(5):
        player = Player(seen, STRENGTHS["Magus"], seed)
        mix = player.mix_moves(player.search_worlds())
        lines = choose_orders(seen, mage=seen.mage, strength="Magus", seed=seed)
        assert lines in [move.sheet.lines() for move in mix] and min(mix.values()) > 0.0


def test_a_bot_that_is_asked_twice_thinks_once():
    state = new_battle(5, mages=2)
    asked = []
    player = Remembered(lambda seen: asked.append(seen) or ["LH W", "RH W"])
    for _ in range(2):
        assert player(see(state, state.mages[0])) == ["LH W", "RH W"]
    assert len(asked) == 1


def test_an_opening_is_repeated_when_allowed():
    columns = ["WP", "SD", "PP", "WF"]  # two palms would be a surrender
    states = []
    opener = Opener(columns, make_player("Warder", "opener"))

    def watch(state):
        states.append(state)
        opener.watch(state)

    players = {"Ayla": opener, "Crom": make_player("Apprentice", "rival")}
    play_game("firetop-nomonsters", players, "opening", longest=5, watch=watch)
    made = opening_of(states[-1], "Ayla")
    assert made[:2] == ["WP", "SD"]


def test_the_bench_says_what_a_seer_and_a_repeated_opening_gain(capsys, monkeypatch):
    for where, name, value in (
        (benches, "EXPLOITED", "Apprentice"),
        (benches, "EXPLOIT_SECONDS", 0.0),
        (exploit, "OPENING_WITH", "Warder"),
    ):
        monkeypatch.setattr(where, name, value)
    bench = Bench(long=False)
    benches.check_exploits(bench)
    told = capsys.readouterr().out
    assert re.search(
        r"^Apprentice against the seer of its next move \d+\.\d % ±\d+\.\d \(2 games\), aim 30 %$", told, re.M
    )
    assert re.search(r"^Warder that repeats (\S\S ?)+ \d+\.\d % ±\d+\.\d \(2 games\) against Apprentice,$", told, re.M)
    assert re.search(r"^one that opens freely \d+\.\d % ±\d+\.\d \(2 games\); aim: no more$", told, re.M)
