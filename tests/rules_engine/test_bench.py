"""The benchmark measures what it says: real turns with legal orders, and lists for every viewer."""

import re

import pytest

from rules_engine import RULESETS, Done, KeyedDice, advance, get_ruleset, read_orders, write_orders
from rules_engine.__main__ import main
from rules_engine.commands.bench import play_game
from rules_engine.commands.random_orders import make_game

LOOP = 'import sys\nprint("2000 loops/s")\n'
SMALL = ["--rounds", "1", "--turns", "20", "--games", "1"]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("mages", (2, 4))
def test_random_orders_are_legal_in_the_eyes_of_their_mage(ruleset, mages):
    rules = get_ruleset(ruleset)
    for n in range(4):
        game = make_game(rules, mages, f"{n}", turns=15, purpose=n / 4)
        state = game.start
        for sheets in game.stages:
            for mage, sheet in sheets.items():
                read = read_orders(state, mage, write_orders(sheet))
                assert (read.problems, read.sheet) == ((), sheet)
            state = advance(state, sheets, KeyedDice(game.seed, state.seq)).state
        assert game.turns == state.seq - (not state.over) <= 15


def test_the_timed_game_is_the_one_that_was_prepared():
    game = make_game(get_ruleset("firetop-standard"), 2, "a", turns=30, purpose=0.5)
    end = play_game(game)
    assert end.seq - (not end.over) == game.turns and game.casts > 5
    state, turns = game.start, 0
    for sheets in game.stages:
        step = advance(state, sheets, KeyedDice(game.seed, state.seq))
        state, turns = step.state, turns + isinstance(step, Done)
    assert turns == game.turns


def test_nobody_surrenders_on_purpose_so_games_last():
    games = [make_game(get_ruleset("firetop-standard"), 2, f"{n}", turns=60) for n in range(20)]
    assert sum(game.turns for game in games) > 20 * 40


def test_figures_and_their_quotients_are_printed(tmp_path, capsys):
    loop = tmp_path / "calibrate.py"
    loop.write_text(LOOP)
    assert main(["bench", "--calibrate", str(loop), *SMALL]) == 0
    out = capsys.readouterr().out
    for kind in ("duel", "duel without events", "melee", "melee without events"):
        speed = int(re.search(rf"^{kind}: (\d+) turns/s$", out, re.M)[1])
        quotient = float(re.search(rf"^{kind}: ([\d.]+) turns per calibration loop$", out, re.M)[1])
        assert quotient == pytest.approx(speed / 2000, abs=0.002)
    assert re.search(r"^turns 290-310 over turns 5-25: \d\.\d\d times the median cost$", out, re.M)


def test_without_the_loop_the_turns_are_printed_and_the_missing_argument_is_named(capsys):
    assert main(["bench", *SMALL]) == 2
    out, err = capsys.readouterr()
    assert re.search(r"^duel: \d+ turns/s$", out, re.M) and "quotient" not in out
    assert "--calibrate PATH is missing" in err


def test_a_silent_loop_is_named(tmp_path, capsys):
    loop = tmp_path / "calibrate.py"
    loop.write_text("print('hello')")
    assert main(["bench", "--calibrate", str(loop), *SMALL]) == 2
    assert f"{loop} printed no loops/s" in capsys.readouterr().err


def test_every_step_of_a_turn_has_its_cost(capsys):
    assert main(["bench", "--steps", "--games", "1"]) == 0
    shown = capsys.readouterr().out
    costs = [line.split(maxsplit=1) for line in shown.splitlines() if line[0] == " "]
    parts = {part: float(cost) for cost, part in costs}
    assert {step.__name__ for step in get_ruleset("firetop-standard").normal} <= set(parts)
    assert all(cost >= 0 for cost in parts.values()) and parts["take_orders"] > 0
    assert [line.split(":")[0] for line in shown.splitlines() if line[0] != " "] == ["duel", "melee"]
