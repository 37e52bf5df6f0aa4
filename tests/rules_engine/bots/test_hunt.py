"""The hunt for blind scripts that beat a bot."""

import pytest

from rules_engine.bots.__main__ import main
from rules_engine.bots.chance import Chance
from rules_engine.bots.pool import PROGRAMS, make_program
from rules_engine.bots.tools.hunt import (
    FIRST_GAMES,
    HandScript,
    Line,
    LineHunt,
    ScriptHunt,
    Turn,
    list_holds,
    make_up_script,
    play_blind,
    read_script,
)
from rules_engine.bots.tools.matches import make_player, play_game
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Series
from tests.rules_engine.bots.bot_games import OFFERED


def make_waiting_bot(seed):
    """Return a player that never does anything, so that any harm beats it."""
    return lambda seen: ["LH W", "RH W"] if any(each["id"] == "LH" for each in seen.questions) else []


def test_a_hunt_finds_what_beats_a_bot_that_does_nothing():
    hunt = ScriptHunt(make_waiting_bot, "firetop-standard", "hunt")
    hunt.run(60)
    best = hunt.tallies[hunt.best()[0]]
    assert best.share == 1.0
    assert best.games > FIRST_GAMES
    assert hunt.played == sum(tally.games for tally in hunt.tallies.values())
    assert len(hunt.tallies) > len(PROGRAMS)


def test_a_hunt_for_lines_finds_what_beats_a_bot_of_few_surprises():
    hunt = LineHunt(lambda seed: make_player("Apprentice", seed), "firetop-standard", "lines")
    hunt.run(120)
    best = hunt.best()[0]
    assert hunt.tallies[best].share > 0.3
    assert hunt.tallies[best].games > FIRST_GAMES
    assert hunt.played >= sum(tally.games for tally in hunt.tallies.values())


def test_a_line_is_played_turn_by_turn_and_begins_again():
    line = Line((Turn("WF"), Turn("FP", ("Shield",)), Turn("SP")))
    played = []

    def heed(state, sheets):
        if not state.stage:
            played.append(sheets["Ayla"].column)

    players = {"Ayla": line.make_player("line"), "Crom": make_waiting_bot("waits")}
    play_game("firetop-standard", players, "line", longest=5, heed=heed)
    assert played[:5] == ["WF", "FP", "SP", "WF", "FP"]
    assert str(line) == "WF FP(Shield) SP"


def test_the_same_seed_hunts_the_same_scripts():
    first, second = (ScriptHunt(make_waiting_bot, "warlocks", "same") for _ in range(2))
    for hunt in (first, second):
        hunt.run(40)
    assert list(first.tallies) == list(second.tallies)
    assert [tally.points for tally in first.tallies.values()] == [tally.points for tally in second.tallies.values()]


@pytest.mark.parametrize("ruleset", OFFERED)
def test_a_hand_that_holds_does_so_again_as_soon_as_the_rules_allow(ruleset):
    holds = list_holds(ruleset)
    for series, again in holds:
        assert Series(series, "Paralysis") in get_ruleset(ruleset).book.series
        made = series + again
        ends = [end for end in range(len(series) + 1, len(made) + 1) if made[:end].endswith(series)]
        assert ends == [len(made)]
    assert holds


def test_some_made_up_scripts_hold_the_other_mage_and_the_others_do_not():
    holds = list_holds("warlocks-parafdf")
    assert holds == [("FDF", "DF"), ("FDFD", "FD")]
    scripts = [make_up_script("warlocks-parafdf", Chance("made up", number)) for number in range(300)]
    assert 60 < sum(script.left in holds for script in scripts) < 150


def test_a_script_of_the_pool_plays_as_the_program_does():
    script = PROGRAMS["rusher"]
    blind = HandScript(tuple(script.left), tuple(script.right), script.again)
    games = [
        play_game(
            "firetop-standard", {"Ayla": maker("same"), "Crom": make_player("Apprentice", "foe")}, "same", longest=30
        )
        for maker in (blind.make_player, lambda seed: make_program("rusher", seed))
    ]
    assert games[0] == games[1]


def test_the_numbers_say_which_games_are_played():
    script = read_script("PWPFSSSD / SD WDD / 1")
    whole = play_blind(script, make_waiting_bot, "firetop-standard", range(4), "parts")
    first, second = (
        play_blind(script, make_waiting_bot, "firetop-standard", numbers, "parts") for numbers in ((0, 1), (2, 3))
    )
    first.merge(second)
    assert whole == first


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("DSF / F P PWPFSSSD / 1", HandScript(("DSF",), ("F", "P", "PWPFSSSD"), 1)),
        ("P/cWSSW F", HandScript(("P",), ("cWSSW", "F"), 1)),
        ("SFW WFP / P / 3", HandScript(("SFW", "WFP"), ("P",), 3)),
    ],
)
def test_a_script_is_read_as_it_is_written(text, script):
    assert read_script(text) == script
    assert read_script(str(script)) == script


@pytest.mark.parametrize("text", ["", "DSF", "DSF / ", "DSF / P / x", "DSF / P / 0", "DSF / P / 1 / 2", "DSF / XW / 1"])
def test_what_is_no_script_is_refused(text):
    with pytest.raises(ValueError, match=r"as in|gesture X: there are F P"):
        read_script(text)


def test_the_command_names_every_mistake(capsys):
    assert main(["hunt", "Sorcerer", "--ruleset", "warlock", "--script", "DSF", "--script", "DSF / XW"]) == 2
    said = capsys.readouterr().err
    assert all(word in said for word in ("Magus", "warlocks", "'DSF' is no script", "gesture X"))


def test_only_games_with_other_numbers_count(capsys):
    arguments = ["hunt", "Apprentice", "--games", "40", "--confirm", "4", "--best", "1"]
    assert main(arguments) == 0
    found, takes = capsys.readouterr().out.splitlines()[-2:]
    script = found.removeprefix("found: ").partition(" / ")[0]
    assert takes.startswith(f"takes: {script} / ")
    assert "(4 games)" in takes
    assert main([*arguments[:2], "--confirm", "2", "--script", "PWPFSSSD / SD WDD DFW / 1"]) == 0
    assert "PWPFSSSD / SD WDD DFW / 1" in capsys.readouterr().out.splitlines()[-1]
