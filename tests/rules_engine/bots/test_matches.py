"""Matches: the last line, programs on the line protocol, and what happens to illegal orders."""

import io
import json
import re
import sys

import pytest

from rules_engine import Sheet
from rules_engine.battle import advance, new_duel
from rules_engine.beings import Monster
from rules_engine.bots.__main__ import main
from rules_engine.bots.seen import see
from rules_engine.bots.tools.matches import Tally, make_player, play_game
from rules_engine.bots.tools.programs import answer_lines
from rules_engine.dice import KeyedDice
from tests.rules_engine.random_play import new_battle

PLAY = f"{sys.executable} -m rules_engine.bots play"


def test_a_match_ends_with_the_share_and_its_range(capsys):
    assert main(["match", "Warder", "Apprentice", "--games", "6", "--seed", "line"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch(r"Warder \d+\.\d % ±\d+\.\d \(6 games\)", last)


def test_the_same_seed_plays_the_same_match_however_many_processes_share_it(capsys):
    results = []
    for processes in ("1", "2"):
        main(["match", "Warder", "Apprentice", "--games", "4", "--mages", "4", "--processes", processes])
        results.append(capsys.readouterr().out.splitlines()[-1])
    assert results[0] == results[1]


def test_a_program_on_the_line_protocol_plays_like_the_bot(capsys):
    assert main(["match", f"{PLAY} Warder", "Apprentice", "--games", "2", "--seed", "program"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("(2 games)")


@pytest.mark.parametrize(
    ("program", "told"),
    (
        ("print('LH Q', flush=True); print('END', flush=True)", "Q is not a gesture"),
        ("pass", "the program has stopped"),
        ("input(); import os; os.write(1, b'LH Q' + b'\\n\\xef\\xbb\\xbfend\\n'); input()", "Q is not a gesture"),
        ("input(); import os; os.write(1, b'LH \\xff' * 20 + b'\\nEND\\n'); input()", "is not a gesture"),
        ("[print('x' * 70000, flush=True) for _ in iter(int, 1)]", "bytes and no END"),
        ("import subprocess; subprocess.run(['sleep', '60'])", "did not answer within 0.3 seconds"),
    ),
    ids=("no gesture", "stops", "a byte order mark", "not text", "floods", "hangs with a child"),
)
def test_a_program_without_orders_loses_and_the_match_reports_it(capsys, program, told):
    command = f'{sys.executable} -S -c "{program}"'
    patience = "0.3" if "did not" in told else "30"
    assert main(["match", command, "Apprentice", "--games", "2", "--patience", patience]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("illegal: ") and told in line for line in lines)
    assert all(len(line) < 320 for line in lines)
    assert " 0.0 % " in lines[-1]


def test_a_program_that_never_answers_is_not_started_forever(capsys, tmp_path):
    started = tmp_path / "started"
    command = f"{sys.executable} -S -c \"open('{started}', 'a').write('x')\""
    assert main(["match", command, "Apprentice", "--games", "5"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith(" 0.0 % ±21.7 (5 games)")
    assert started.read_text() == "xxx"


def test_programs_of_a_melee_play_on_in_the_next_game(capsys, tmp_path):
    started = tmp_path / "started"
    answers = "[print('LH W', 'RH W', 'END', sep=chr(10), flush=True) for line in open(0)]"
    program = f"open('{started}', 'a').write('x'); {answers}"
    command = f'{sys.executable} -S -c "{program}"'
    assert main(["match", "Warder", command, "--games", "3", "--mages", "3"]) in (0, 1)
    assert len(started.read_text()) == 2


@pytest.mark.parametrize("command", ("/no/such/program", "python 'x", ""))
def test_a_command_that_cannot_be_started_is_said_before_the_match(capsys, command):
    assert main(["match", "Apprentice", command, "--games", "2"]) == 2
    assert capsys.readouterr().err.startswith("match: ")


@pytest.mark.parametrize("games", ("0", "-2", "many"))
def test_a_match_of_no_games_is_refused(capsys, games):
    with pytest.raises(SystemExit):
        main(["match", "Warder", "Apprentice", "--games", games])
    assert f"{games!r} is no number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize("patience", ("nan", "inf", "0", "soon"))
def test_a_time_that_does_not_end_is_refused(capsys, patience):
    with pytest.raises(SystemExit):
        main(["match", "Warder", "Apprentice", "--patience", patience])
    assert f"{patience!r} is no number of seconds up to 3600" in capsys.readouterr().err


def test_bots_may_be_named_in_any_case(capsys):
    assert main(["match", "warder", "APPRENTICE", "--games", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Warder ")


def write_question(of_mages=(), **changed):
    """A line that asks for orders, with these members changed, and these of each mage."""
    state = new_battle(3, mages=2)
    facts = see(state, state.mages[0]).facts
    mages = [{**mage, **dict(of_mages)} for mage in facts["mages"]]
    return json.dumps({"kind": "orders", **facts, "mages": mages, **changed})


@pytest.mark.parametrize(
    ("line", "told"),
    (
        ("LH P", "line 1 is no JSON"),
        ("[" * 100_000, "line 1 is no JSON"),
        ("", "line 1 is no JSON"),
        ("[]", "line 1 is no JSON object"),
        ('{"kind": "orders"}', "line 1 is not what a mage sees: 'mage' is missing"),
        (write_question(ruleset="unheard-of"), "line 1 is not what a mage sees: no ruleset unheard-of"),
        (write_question(of_mages={"left": ""}), "line 1 is not what a mage sees: string index out of range"),
    ),
)
def test_a_line_that_asks_nothing_ends_play_with_a_sentence(capsys, monkeypatch, line, told):
    monkeypatch.setattr("sys.stdin", io.StringIO(line + "\n"))
    assert main(["play", "Warder"]) == 2
    assert capsys.readouterr().err == f"play: {told}\n"


def test_an_unknown_ruleset_suggests_the_nearest(capsys):
    assert main(["match", "Warder", "Apprentice", "--ruleset", "warlock"]) == 2
    assert "did you mean warlocks?" in capsys.readouterr().err


def test_every_question_is_one_line_and_every_answer_ends_with_end():
    given = io.StringIO(write_question() + "\n" + json.dumps({"kind": "over", "share": 1.0}) + "\n")
    answers = io.StringIO()
    answer_lines(given, answers, "Warder", "seed")
    lines = answers.getvalue().splitlines()
    assert lines[-1] == "END" and lines.count("END") == 1
    assert {line.split()[0] for line in lines[:2]} == {"LH", "RH"}


def test_a_game_that_does_not_end_is_a_draw():
    players = {mage: lambda seen: ["LH P", "RH D"] for mage in ("Ayla", "Crom")}
    game = play_game("firetop-standard", players, "long", longest=12)
    assert (game.shares, game.reason) == ({"Ayla": 0.5, "Crom": 0.5}, "too long")


def test_the_range_is_a_wilson_interval():
    tally = Tally(games=400, points=340.0)
    assert tally.line("A") == "A 85.0 % ±3.5 (400 games)"
    assert Tally(games=10, points=10.0).margin > 0.1


def test_a_doomed_bot_surrenders_only_if_allowed():
    """The mage dies of poison at the end of this turn, whatever they do: no remedy is near."""
    state = new_battle(5, mages=2)
    lost = state.mages[0]
    state.wizards[lost].marks["poisoned"] = 1
    seen = see(state, lost)
    assert make_player("Warder", 1, may_surrender=True)(seen) == ["LH P", "RH P"]
    assert make_player("Warder", 1)(seen) != ["LH P", "RH P"]


def test_a_bot_does_not_surrender_while_an_unlikely_gesture_of_the_foe_would_save_it():
    """Poison kills Ayla this turn, unless Crom completes Dispel Magic."""
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("dispel"))
    for mine, theirs in (("WW", "CC"), ("WW", "DD"), ("WW", "PD")):
        orders = {"Ayla": mine, "Crom": theirs}
        sheets = {mage: Sheet({"LH": column[0], "RH": column[1]}) for mage, column in orders.items()}
        state = advance(state, sheets, KeyedDice("dispel", state.seq)).state
    state.wizards["Ayla"].marks["poisoned"] = 1
    assert make_player("Warder", 1, may_surrender=True)(see(state, "Ayla"))[:2] != ["LH P", "RH P"]


def test_a_bot_does_not_surrender_because_each_of_two_foes_is_about_to_kill_it():
    """Crom and Dara can both complete Cause Light Wounds; both may also do something else."""
    state = new_battle(5, mages=3)
    lost, *foes = state.mages
    for theirs in ("WD", "FS"):
        sheets = {mage: Sheet({"LH": theirs[0], "RH": theirs[1]}) for mage in foes}
        state = advance(state, {lost: Sheet({"LH": "D", "RH": "D"}), **sheets}, KeyedDice("two", state.seq)).state
    state.wizards[lost].hp = 1
    for name, (master, prey) in {"RedGiant": foes, "PinkGiant": foes[::-1]}.items():
        state.monsters[name] = Monster(name, "Giant", master, prey)
    for strength in ("Apprentice", "Warder"):
        assert make_player(strength, 1, may_surrender=True)(see(state, lost))[:2] != ["LH P", "RH P"]
