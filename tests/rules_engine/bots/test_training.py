"""Learning an evaluation: the network holds what single weights can't, and only a better one is written."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from rules_engine import get_ruleset
from rules_engine.bots.__main__ import main
from rules_engine.bots.chance import Chance
from rules_engine.bots.features import list_inputs
from rules_engine.bots.network import Network, Units
from rules_engine.bots.tools import train
from rules_engine.bots.tools.hunt import ScriptHunt, read_script
from rules_engine.bots.tools.learning import Plan, fit, list_targets
from rules_engine.bots.tools.matches import Game, Tally
from rules_engine.bots.tools.train import Trial
from rules_engine.bots.tools.training_games import Lessons, Position, TrainingGame, choose_script
from rules_engine.bots.worth import Weights, Worth, find_file, load_weights
from tests.rules_engine.random_play import new_battle, stir

RULESET = "firetop-standard"
ROOT = Path(__file__).parents[3]
TINY = ("--games", "3", "--hunt", "0", "--rounds", "2", "--units", "2", "--epochs", "2", "--longest", "4")


def make_units(states, units=3):
    rng = random.Random(1)
    names = {name for state in states for mage in state.still_in for name in list_inputs(state, mage)}
    names |= load_weights(RULESET).values.keys()

    def numbers(count):
        return [rng.uniform(-1, 1) for _ in range(count)]

    return Units([RULESET], numbers(units), numbers(units), {name: numbers(2 * units + 1) for name in sorted(names)})


def test_a_network_looks_at_both_mages_and_adds_to_their_weights():
    rng = random.Random(3)
    states = [stir(new_battle(seed, RULESET, 2), rng) for seed in range(40)]
    units = make_units(states)
    network = Network(units, get_ruleset(RULESET).book)
    plain, corrected = Worth(RULESET), Worth(RULESET, Weights(load_weights(RULESET).values, None, units))
    changed = 0
    for state in states:
        if len(state.still_in) < 2:
            continue
        one, other = state.still_in
        wanted = units.count_for(list_inputs(state, one), list_inputs(state, other))
        assert network.lean(state, one, other) == pytest.approx(wanted)
        assert network.lean(state, other, one) == pytest.approx(-wanted)
        if state.outcome is None:
            assert sum(corrected.chances(state)) == pytest.approx(1.0)
            changed += corrected.chances(state) != plain.chances(state)
    assert changed > 20


def test_a_network_counts_only_in_rulesets_whose_trial_it_has_passed():
    units = make_units([])
    for ruleset, changes in ((RULESET, True), ("firetop-classic", False)):
        weights = load_weights(ruleset).values
        state = new_battle(1, ruleset, 2)
        state.wizards["Ayla"].hp = 5
        corrected = Worth(ruleset, Weights(weights, None, units)).chances(state)
        assert (corrected != Worth(ruleset, Weights(weights)).chances(state)) is changes


def test_what_fear_makes_impossible_has_an_input_of_its_own():
    state = new_battle(1, RULESET, 2)
    state.wizards["Ayla"].marks["afraid"] = 1
    assert "afraid hand:" in list_inputs(state, "Ayla") and "afraid hand:" not in list_inputs(state, "Crom")


def test_hunts_find_what_takes_something_from_the_magus(monkeypatch):
    """Of a wall of shields and a Finger Of Death that holds, against a Magus who only ever plays shields."""
    wall, finger = read_script("P / P / 1"), read_script("PWPFSSSD / FFF F / 1")
    monkeypatch.setattr(train, "HUNTS", 2)
    monkeypatch.setattr(train, "make_magus", lambda weights, seed: wall.make_player(seed))
    monkeypatch.setattr(ScriptHunt, "list_known", lambda hunt: [finger, read_script("W / W / 1")])
    crew, weights = train.Crew(1), find_file(RULESET)
    assert train.hunt_scripts(crew, RULESET, weights, 12, "seed")[0] == finger
    assert train.hunt_scripts(crew, RULESET, weights, 0, "seed") == ()


def test_more_than_half_of_the_blind_scripts_are_those_that_hunts_found():
    found = (read_script("DSF / F P PWPFSSSD / 1"), read_script("SD / P / 1"))
    lessons = Lessons(RULESET, "seed", 0, 4, found)
    chosen = [choose_script(lessons, Chance(number)) for number in range(400)]
    for script in found:
        assert 90 < chosen.count(script) < 150
    assert len(set(chosen)) > 100


def make_games(count):
    """Games in which a grip wins if the foe is poisoned, and means nothing otherwise."""
    rng = random.Random(4)
    games = []
    for _ in range(count):
        grip, ill = rng.random() < 0.5, rng.random() < 0.5
        mine = ["hp"] + ["grip"] * grip
        theirs = ["hp"] + ["ill"] * ill
        value = 0.9 if grip and ill else 0.5
        games.append(TrainingGame([Position(mine, theirs, 0.0, value)], value))
    return games


def test_a_fit_learns_what_two_things_are_worth_together():
    fitted = fit(RULESET, make_games(3000), Plan(units=12, epochs=100), 1)
    assert fitted.after < fitted.before - 0.05
    together = fitted.units.count_for(["hp", "grip"], ["hp", "ill"])
    alone = [
        fitted.units.count_for(["hp", "grip"], ["hp"]),
        fitted.units.count_for(["hp"], ["hp", "ill"]),
        fitted.units.count_for(["hp"], ["hp"]),
    ]
    assert together > 1.5
    assert all(abs(each) < 0.5 for each in alone)


def test_nothing_is_learnt_of_a_resistance():
    """Too few mages ever have one; a network once held it against them."""
    games = [TrainingGame([Position(["hp", "mark:cold_resistant:-1"], ["hp"], 0.0, 0.1)], 0.1) for _ in range(100)]
    fitted = fit(RULESET, games, Plan(units=2, epochs=2), 1)
    assert list(fitted.units.rows) == ["hp"]


def test_a_position_is_worth_what_its_search_says_and_a_part_of_what_followed():
    positions = [Position([], [], 0.0, 0.5), Position([], [], 0.0, 0.8)]
    first, second = list_targets(TrainingGame(positions, 1.0))
    assert 0.5 < first < second < 1.0 and second > 0.8


def test_the_same_seed_writes_the_same_network_on_any_number_of_processes(tmp_path):
    files = []
    for processes in ("1", "2"):
        folder = tmp_path / processes
        folder.mkdir()
        options = (*TINY, "--match", "0", "--pool", "0", "--at-least", "0", "--folder", str(folder))
        options += ("--also", "firetop-classic")
        assert main(["train", RULESET, *options, "--processes", processes]) == 0
        files.append((folder / f"{RULESET}.json").read_bytes())
    assert files[0] == files[1]
    written = Weights.read(tmp_path / "1" / f"{RULESET}.json")
    assert written.units is not None and len(written.units.biases) == 2
    assert written.units.rulesets == [RULESET, "firetop-classic"]
    assert "--seed 1" in written.about["network"] and written.about["network accepted by"]
    assert written.about["network also accepted in"].keys() == {"firetop-classic"}


def test_a_network_that_fails_its_trial_is_not_written(tmp_path, capsys):
    options = (*TINY, "--match", "0", "--pool", "0", "--folder", str(tmp_path))
    assert main(["train", RULESET, *options]) == 1
    assert capsys.readouterr().out.endswith("the old weights stay\n")
    assert not list(tmp_path.iterdir())


def test_a_network_counts_only_in_the_other_rulesets_whose_trial_it_passes(tmp_path, monkeypatch):
    shares = {RULESET: 60, "firetop-classic": 60, "firetop-nomonsters": 40}
    same = tally(1, 0)
    monkeypatch.setattr(
        train, "try_out", lambda crew, ruleset, *more: Trial(tally(shares[ruleset], 100 - shares[ruleset]), same, same)
    )
    also = [option for name in list(shares)[1:] for option in ("--also", name)]
    assert main(["train", RULESET, *TINY, *also, "--folder", str(tmp_path)]) == 0
    written = Weights.read(tmp_path / f"{RULESET}.json")
    assert written.units is not None and written.units.rulesets == [RULESET, "firetop-classic"]
    assert list(written.about["network also accepted in"]) == ["firetop-classic"]


def tally(won, lost):
    counted = Tally()
    for share, games in ((1.0, won), (0.0, lost)):
        for _ in range(games):
            counted.add(Game({"Ayla": share}, 20, "kill"), "Ayla")
    return counted


def test_a_network_must_win_its_match_and_take_no_less_from_the_pool():
    good, bad = tally(55, 45), tally(51, 49)
    assert Trial(good, tally(90, 10), tally(90, 10)).passes(0.52)
    assert not Trial(bad, tally(90, 10), tally(80, 20)).passes(0.52)
    assert not Trial(good, tally(89, 11), tally(90, 10)).passes(0.52)


def test_without_numpy_the_command_says_what_is_missing():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from rules_engine.bots.__main__ import main\n"
        f"sys.exit(main(['train', {RULESET!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "needs numpy" in done.stderr and "./run setup" in done.stderr


def test_an_unknown_ruleset_is_named(capsys):
    assert main(["train", "no-such-rules"]) == 2
    assert "no-such-rules" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--games", "--rounds"])
def test_a_network_is_learnt_from_at_least_one_game(option, capsys):
    assert main(["train", "firetop-standard", option, "0"]) == 2
    assert option in capsys.readouterr().err
