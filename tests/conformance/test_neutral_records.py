"""The two formats of other engines' games, on small invented games."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.__main__ import main
from tests.conformance.neutral_records import write_labels
from tests.conformance.newborn import find_newborn
from tests.conformance.ravenblack_records import name_ruleset

Record = dict[str, Any]


def turn(number: int, ash: str, birch: str, hp: tuple[int, int] = (15, 15), **more: Any) -> Record:
    """One turn; gestures as "F/-"."""
    made = {"Ash": ash.split("/"), "Birch": birch.split("/")}
    wizards = {
        name: {"hp": points, "alive": True, "surrendered": False, "enchantments": {}}
        for name, points in zip(made, hp, strict=True)
    }
    return {
        "turn": number,
        "extra": None,
        "acting": ["Ash", "Birch"],
        "orders": {name: {"lh": left, "rh": right} for name, (left, right) in made.items()},
        "gestures": made,
        "spells": [],
        "events": [],
        "after": {"wizards": wizards, "monsters": []},
        **more,
    }


def cast(caster: str, hand: str, spell: str, target: Any, **more: Any) -> Record:
    return {"caster": caster, "hand": hand, "spell": spell, "target": target, "outcome": "cast", **more}


def goblin(name: str = "m1", **more: Any) -> Record:
    there = {"id": name, "type": "goblin", "hp": 1, "alive": True, "owner": "Ash", "target": "Birch"}
    return {**there, "enchantments": {}, **more}


@pytest.fixture
def match() -> Record:
    """Of the open engine: a missile, then a goblin that bites at once."""
    bitten = turn(5, "-/W", "-/-", (15, 13), spells=[cast("Ash", "right", "summon-goblin", "Ash")])
    bitten["after"]["monsters"] = [goblin(summoned_by=["Ash", "right"])]
    return {
        "format": 1,
        "ruleset": "warlocks-parafc-maladroit",
        "id": "wl-made-up",
        "wizards": [{"name": "Ash", "team": 1}, {"name": "Birch", "team": 2}],
        "turns": [
            turn(1, "S/-", "-/-"),
            turn(2, "D/-", "-/-", (15, 14), spells=[cast("Ash", "left", "magic-missile", "Birch")]),
            turn(3, "-/S", "-/-", (15, 14)),
            turn(4, "-/F", "-/-", (15, 14)),
            bitten,
        ],
        "result": {"finished": False, "draw": False, "winners": [], "last_turn": 5},
        "asserted_at_end": [],
        "other_assertions": 0,
    }


@pytest.fixture
def battle() -> Record:
    """A battle of the site: Birch is unseen in the second turn, and wounds Ash in it."""
    return {
        "format": 1,
        "ruleset": "warlocks",
        "id": "rb-made-up",
        "options": {"paralysis": "CF", "dsf": "confusion", "mode": "ladder"},
        "wizards": [{"name": "Ash", "team": 1}, {"name": "Birch", "team": 2}],
        "turns": [
            turn(1, "S/-", "-/-"),
            turn(2, "-/-", "-/-", (9, 15), hidden=["Birch"], gestures={"Ash": ["-", "-"]}),
            turn(3, "S/-", "-/-", (9, 15)),
            turn(4, "D/-", "-/-", (9, 14), spells=[cast("Ash", "left", "magic-missile", "Birch")]),
        ],
        "result": {"finished": False, "draw": False, "winners": [], "last_turn": 4},
        "hp_trusted": True,
    }


def replay(tmp_path: Path, record: Record) -> int:
    path = tmp_path / "games.json"
    path.write_text(json.dumps(record))
    return main([str(path)])


def test_a_match_that_agrees_passes(tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay(tmp_path, match) == 0
    assert capsys.readouterr().out.endswith("facts compared (100.00%)\n1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("place", "key", "value", "told"),
    [
        (1, "hp", 13, "turn 2: Birch hit points: expected 13, got 14"),
        (4, "hp", 14, "turn 5: Birch hit points: expected 14, got 13"),
        (0, "enchantments", {"haste": 3}, "turn 1: Birch enchantments: expected {haste}, got {}"),
        (0, "charmed_by", "Ash", "turn 1: Birch charmed by: expected Ash, got None"),
    ],
)
def test_a_different_state_after_a_turn_is_found(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str], place: int, key: str, value: Any, told: str
) -> None:
    match["turns"][place]["after"]["wizards"]["Birch"][key] = value
    assert replay(tmp_path, match) == 1
    assert f"wl-made-up: {told}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("owner", "Birch", "m1 owner: expected Birch, got Ash"),
        ("hp", 2, "m1 hit points: expected 2, got 1"),
        ("alive", False, "monsters: expected {}, got {m1}"),
    ],
)
def test_monsters_are_compared_under_the_names_of_the_record(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str], key: str, value: Any, told: str
) -> None:
    match["turns"][4]["after"]["monsters"][0][key] = value
    assert replay(tmp_path, match) == 1
    assert told in capsys.readouterr().out


def test_a_different_spell_is_found(tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]) -> None:
    match["turns"][1]["spells"] = []
    assert replay(tmp_path, match) == 1
    assert "turn 2: castings: expected [], got [Ash LH magic-missile at Birch]" in capsys.readouterr().out


def test_a_monster_in_creation_is_ordered_by_its_hand(tmp_path: Path, match: Record) -> None:
    match["turns"][4]["orders"]["Ash"]["monsters"] = {"hand:Ash:right": "nobody"}
    match["turns"][4]["after"]["monsters"][0]["target"] = None
    match["turns"][4]["after"]["wizards"]["Birch"]["hp"] = 14
    assert replay(tmp_path, match) == 0


def test_a_monster_is_targeted_by_its_name(tmp_path: Path, match: Record) -> None:
    stabbed = turn(6, ">/-", "-/-", (15, 12))
    stabbed["orders"]["Ash"]["target"] = {"left": "m1"}
    stabbed["after"]["monsters"] = [goblin(hp=0, alive=False)]
    match["turns"].append(stabbed)
    assert replay(tmp_path, match) == 0


def test_a_game_of_teams_is_compared_except_for_the_winner(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    match["wizards"] = [{"name": name, "team": 1} for name in ("Ash", "Birch")]
    assert replay(tmp_path, match) == 0
    told = capsys.readouterr().out
    assert "2 skipped: who wins among teams" in told
    assert told.endswith("1 passed, 0 failed\n")


def test_the_other_engines_departures_are_excused_by_name(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    match["ruleset"] = "spellbinder"
    shielded = copy.deepcopy(match)
    shielded["turns"] = [turn(n, "W/-" if n < 3 else "P/-", "-/-") for n in (1, 2, 3)]
    shielded["turns"][2]["spells"] = [cast("Ash", "left", "protection", "Ash")]
    shielded["turns"][2]["after"]["wizards"]["Ash"]["enchantments"] = {"protection": 2}
    assert replay(tmp_path, shielded) == 0
    assert "1 excused: Protection ends a turn early there" in capsys.readouterr().out


def test_a_turn_with_an_unseen_mage_is_taken_over_without_comparison(
    tmp_path: Path, battle: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replay(tmp_path, battle) == 0
    assert "turns in which a mage was unseen are not compared: 2" in capsys.readouterr().out


def test_after_an_unseen_turn_everything_is_compared_again(
    tmp_path: Path, battle: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    battle["turns"][2]["after"]["wizards"]["Ash"]["hp"] = 15
    assert replay(tmp_path, battle) == 1
    assert "turn 3: Ash hit points: expected 15, got 9" in capsys.readouterr().out


def test_an_unseen_new_monster_is_there_afterwards(tmp_path: Path, battle: Record) -> None:
    for played in battle["turns"][1:]:
        played["after"]["monsters"] = [goblin("m7", owner="Birch", target="Ash")]
    for played, points in zip(battle["turns"][2:], (8, 7), strict=True):
        played["after"]["wizards"]["Ash"]["hp"] = points
    assert replay(tmp_path, battle) == 0


def test_everything_except_untrusted_hit_points_is_compared(
    tmp_path: Path, battle: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    battle["hp_trusted"] = False
    battle["turns"][3]["after"]["wizards"]["Birch"]["hp"] = 3
    assert replay(tmp_path, battle) == 0
    assert "1 excused: hit points that disagree" in capsys.readouterr().out
    battle["turns"][3]["spells"] = []
    assert replay(tmp_path, battle) == 1


def test_a_mage_without_orders_keeps_what_their_hands_have_begun(tmp_path: Path, battle: Record) -> None:
    battle["turns"] = [
        turn(1, "S/-", "-/-"),
        turn(2, "-/-", "-/-", acting=["Birch"], gestures={"Birch": ["-", "-"]}, orders={}),
        turn(3, "D/-", "-/-", (15, 14), spells=[cast("Ash", "left", "magic-missile", "Birch")]),
    ]
    assert replay(tmp_path, battle) == 0


def test_extra_turns_have_their_own_labels() -> None:
    turns = [{"extra": extra} for extra in (None, "haste", None, "timestop", None)]
    assert list(write_labels(turns)) == ["1", "1H", "2", "3T", "3"]


def test_a_battles_options_select_its_ruleset() -> None:
    named = [name_ruleset({"paralysis": p, "dsf": d}) for p, d in (("CF", "confusion"), ("FDF", "maladroitness"))]
    assert named == ["warlocks", "warlocks-parafdf-maladroit"]


def test_new_monsters_are_matched_by_their_spells(match: Record) -> None:
    assert dict(find_newborn(match["turns"][4], set())) == {"m1": ("Ash", "right")}
    assert dict(find_newborn(match["turns"][4], {"m1"})) == {}
