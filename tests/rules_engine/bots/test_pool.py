"""The pool: programs of other makings, against which the bots are measured."""

import ast
from pathlib import Path

import pytest

from rules_engine.bots.__main__ import main
from rules_engine.bots.pool import BLIND, PROGRAMS, make_program
from rules_engine.bots.tools.matches import Tally, make_player, play_game
from rules_engine.bots.tools.pool_league import is_decided

POOL = Path(__file__).parents[3] / "rules_engine" / "bots" / "pool"
RULESETS = ("firetop-standard", "waving-hands", "spellcast", "warlocks")


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_give_legal_orders(name, ruleset):
    players = {"Ayla": make_program(name, "legal"), "Crom": make_player("Warder", "legal")}
    assert not play_game(ruleset, players, "legal", longest=30).illegal


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_seed_plays_the_same_game(name):
    games = [
        play_game(
            "firetop-standard",
            {"Ayla": make_program(name, "same"), "Crom": make_program("greedy", "other")},
            "same",
            longest=30,
        )
        for _ in range(2)
    ]
    assert games[0] == games[1]


def test_the_pool_shares_nothing_with_the_bots_but_what_a_mage_sees():
    used = set()
    for file in POOL.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rules_engine.bots"):
                used.add(node.module)
    assert {each for each in used if not each.startswith("rules_engine.bots.pool")} == {
        "rules_engine.bots.chance",
        "rules_engine.bots.seen",
    }


@pytest.mark.parametrize("name", sorted(BLIND))
def test_a_blind_program_never_looks_at_its_foe(name):
    """Its gestures are the same, whatever the other mage plays, as long as no enchantment is on it."""
    told = []
    for foe in ("WW", "SS", "FD"):
        opening = []
        program = make_program(name, "blind")

        def note(seen, program=program, opening=opening):
            lines = program(seen)
            if not seen.facts["mages"][0]["marks"] and len(opening) < 2:
                opening.append([line for line in lines if line.startswith(("LH", "RH"))])
            return lines

        play_game(
            "firetop-standard",
            {"Ayla": note, "Crom": lambda seen, foe=foe: [f"LH {foe[0]}", f"RH {foe[1]}"]},
            "blind",
            longest=2,
        )
        told.append(opening)
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(("points", "games", "decided"), [(24, 24, True), (17, 20, False), (10, 20, True)])
def test_a_sequential_test_ends_when_the_share_is_clear(points, games, decided):
    assert is_decided(Tally(games=games, points=points), 0.85) is decided


def test_the_table_names_each_pair(capsys):
    assert main(["league", "Apprentice", "--programs", "rusher", "--games", "2"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("Apprentice over rusher ")
    assert "(2 games)" in line


def test_an_unknown_bot_is_refused(capsys):
    assert main(["league", "Sorcerer"]) == 2
    assert "Warder" in capsys.readouterr().err
