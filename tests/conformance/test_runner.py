"""The runner itself, on small invented games: what passes, what it finds, and its messages about bad files."""

import copy
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import rules_engine
from tests.conformance import replay
from tests.conformance.__main__ import main
from tests.conformance.files import Record as Record_
from tests.conformance.formats import replay_record
from tests.conformance.shapes import DROPPED, OTHERS, Place, change, list_kinds

Record = dict[str, Any]


def wizard(hp: int, left: str, right: str, **more: Any) -> Record:
    standing = {"alive": True, "surrendered": False, "state": "orders", "enchantments": {}}
    return {"hp": hp, "lh": left, "rh": right, **standing, **more}


def missile(**more: Any) -> Record:
    aimed = {"target": "Crom", "outcome": ["DoSpell"], "final_target": "Crom"}
    return {"caster": "Ayla", "hand": "LH", "spell": "Magic Missile", **aimed, **more}


def turn(label: str, ayla: str, crom: str, after: Record, **more: Any) -> Record:
    return {
        "turn": label,
        "extra": None,
        "acting": ["Ayla", "Crom"],
        "orders": {"Ayla": {"lh": ayla, "rh": "-"}, "Crom": {"lh": crom, "rh": "-"}},
        "random": {},
        "gestures": {"Ayla": [ayla, "-"], "Crom": [crom, "-"]},
        "resolved": {},
        "spells": [],
        "after": {"wizards": after, "monsters": [], "dead_monsters": []},
        "next": {"turn": str(int(label) + 1), "extra": None, "to_act": ["Ayla", "Crom"]},
        **more,
    }


@pytest.fixture
def record() -> Record:
    """Ayla plays S and D: a missile at Crom, then the record ends."""
    return {
        "format": 1,
        "id": "made-up-1",
        "spellbook": "Standard",
        "type": "duel",
        "practice": False,
        "wizards": [{"name": name, "user": name[0], "duel_score": 0, "melee_score": 0} for name in ("Ayla", "Crom")],
        "monster_colours": ["Green", "Pink", "Blue", "Orange", "Mauve", "White", "Yellow", "Red"],
        "turns": [
            turn("1", "S", "-", {"Ayla": wizard(15, "BS", "B-"), "Crom": wizard(15, "B-", "B-")}),
            turn(
                "2", "D", "-", {"Ayla": wizard(15, "BSD", "B--"), "Crom": wizard(14, "B--", "B--")}, spells=[missile()]
            ),
        ],
        "result": {"finished": False, "winners": [], "reason": "unfinished"},
    }


def write_lines(folder: Path, *records: Record, name: str = "games.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[str], str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, [line for line in said.out.splitlines() if not COUNTED.match(line)], said.err


COUNTED = re.compile(r"\d+ facts compared|  \d+ skipped: facts after the first difference$")


def test_a_game_that_the_engine_played_passes(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "--ruleset", "firetop-server", write_lines(tmp_path, record)) == (0, ["1 passed, 0 failed"], "")


def test_json_json_list_lines_and_gzip_are_read_the_same(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "one.json"
    one.write_text(json.dumps(record, indent=1))
    many = tmp_path / "many.json"
    many.write_text(json.dumps([record, record]))
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress((json.dumps(record) + "\n\n" + json.dumps(record)).encode()))
    assert run(capsys, one, many, packed) == (0, ["5 passed, 0 failed"], "")


def test_the_first_difference_is_reported_with_game_turn_and_fact(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record["turns"][1]["after"]["wizards"]["Crom"]["hp"] = 13
    record["turns"][1]["after"]["wizards"]["Crom"]["lh"] = "B-P"
    code, lines, _ = run(capsys, write_lines(tmp_path, record))
    assert code == 1
    assert lines == [
        "games.jsonl: made-up-1: turn 2: Crom hit points: expected 13, got 14",
        "0 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda turn: turn.update(turn="3"), "turn 3: turn label: expected 3, got 2"),
        (lambda turn: turn.update(spells=[]), "turn 2: spells: expected [], got [Ayla LH magic missile at Crom"),
        (lambda turn: turn["spells"][0].update(outcome=["Countering"]), "Countering], got ["),
        (lambda turn: turn["gestures"].update(Crom=["P", "-"]), "turn 2: Crom gestures: expected P/-, got -/-"),
        (
            lambda turn: turn["after"]["wizards"]["Ayla"]["enchantments"].update(shield=2),
            "turn 2: Ayla enchantments: expected {'shield': 2}, got {}",
        ),
        (
            lambda turn: turn["after"]["monsters"].append(
                {"name": "GreenOgre", "type": "Ogre", "hp": 2, "owner": "Ayla", "target": "Crom", "enchantments": {}}
            ),
            "turn 2: monsters: expected [GreenOgre], got []",
        ),
        (lambda turn: turn["next"].update(turn="2H"), "turn 2: next turn: expected 2H, got 3"),
        (lambda turn: turn["next"].update(to_act=["Ayla"]), "turn 2: next movers: expected {}, got {Crom}"),
        (lambda turn: turn.update(final=True), "turn 2: over: expected True, got False"),
        (lambda turn: turn["after"]["wizards"]["Crom"].update(state="Dead"), "turn 2: Crom standing: expected dead"),
        (
            lambda turn: turn.update(late_orders=[{"name": "Crom", "was": "choose-target", "orders": {}}]),
            "turn 2: questions in the turn: expected [Crom: END], got not asked",
        ),
    ],
)
def test_every_kind_of_fact_is_compared(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Any, told: str
) -> None:
    change(record["turns"][1])
    code, lines, _ = run(capsys, write_lines(tmp_path, record))
    assert (code, lines[-1]) == (1, "0 passed, 1 failed")
    assert told in lines[0]


def finish_by_surrender(record: Record) -> None:
    record["wizards"][1]["duel_score"] = 3
    after = {
        "Ayla": wizard(15, "BSD-", "B---", state="Victorious!"),
        "Crom": wizard(14, "B--P", "B--P", alive=False, surrendered=True, state="OUT"),
    }
    last = turn("3", "-", "P", after, final=True)
    del last["next"]
    last["orders"]["Crom"]["rh"] = last["gestures"]["Crom"][1] = "P"
    shield = {"caster": "Crom", "spell": "Shield", "target": "Crom", "outcome": ["DoSpell"], "final_target": "Crom"}
    last["spells"] = [{**shield, "hand": "RH"}, {**shield, "hand": "LH"}]
    record["turns"].append(last)
    record["result"] = {
        "finished": True,
        "winners": ["Ayla"],
        "reason": "surrender",
        "scores": {
            "Ayla": {"duel": 1, "melee": 0, "battles": 1, "removed": False},
            "Crom": {"duel": 2, "melee": 0, "battles": 1, "removed": False},
        },
    }


def test_result_and_scores_are_compared(record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    finish_by_surrender(record)
    assert run(capsys, write_lines(tmp_path, record))[0] == 0
    wrong_winner, wrong_score = copy.deepcopy(record), copy.deepcopy(record)
    wrong_winner["result"]["winners"] = ["Crom"]
    wrong_score["result"]["scores"]["Crom"]["duel"] = 3
    code, lines, _ = run(capsys, write_lines(tmp_path, wrong_winner, wrong_score))
    assert code == 1
    assert "turn end: winners: expected {Crom}, got {Ayla}" in lines[0]
    assert "turn end: scores: expected {'Crom': {'duel': 3, 'melee': 0}}" in lines[1]


def test_turns_after_valid_turns_do_not_count(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record["turns"][1]["after"]["wizards"]["Crom"]["hp"] = 3
    record["valid_turns"] = 1
    assert run(capsys, write_lines(tmp_path, record)) == (0, ["1 passed, 0 failed"], "")


def test_a_roll_missing_from_the_record_is_a_difference(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, (ayla, crom) in enumerate((("D", "W"), ("S", "W"), ("F", "W"), ("-", "W"))):
        record["turns"][number:] = [turn(str(number + 1), ayla, crom, {})]
    record["turns"][2]["spells"] = [missile(spell="Confusion")]
    code, lines, _ = run(capsys, write_lines(tmp_path, record))
    assert code == 1
    assert "turn 4: the turn itself: expected played, got refused: the record has no confused hand for Crom" in lines[0]


def test_an_engine_error_fails_only_its_game(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    breaking = copy.deepcopy(record)
    breaking["id"] = "made-up-2"
    played = []

    def advance(*arguments: Any) -> Any:
        played.append(arguments)
        if len(played) == 2:
            raise KeyError("a defect")
        return rules_engine.advance(*arguments)

    monkeypatch.setattr(replay, "advance", advance)
    code, lines, _ = run(capsys, write_lines(tmp_path, breaking, record))
    assert code == 1
    assert lines == [
        "games.jsonl: made-up-2: turn 2: the engine: expected plays on, got breaks down: KeyError('a defect')",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize("other", OTHERS, ids=lambda other: "dropped" if other is DROPPED else repr(other))
def test_no_shape_of_a_record_breaks_the_runner_and_what_it_lacks_is_named(record: Record, other: Any) -> None:
    """Each key is dropped, and each value replaced: the rest is compared, and the verdict says what was not."""
    whole = replay_record(Record_("whole", record), None)
    for kind, place in list_kinds(record, frozenset({"Ayla", "Crom"})).items():
        if kind == ("format",) and other is not DROPPED:
            continue  # another format
        verdict = replay_record(Record_("changed", change(record, place, other)), None)
        assert "breaks down" not in str(verdict.difference), (kind, verdict)
        is_shorter = other is DROPPED and isinstance(place[-1], int)  # a list without an entry is still a list
        if verdict.difference:
            assert WHERE.match(str(verdict.difference)), (kind, verdict)
            assert is_shorter or is_like(get(record, place), other, place), (kind, verdict)
            assert "facts after the first difference" in verdict.tally.skipped, (kind, verdict)
        elif verdict.tally.compared < whole.tally.compared and kind != ("turns", "*"):
            assert verdict.excepted or verdict.left_out or verdict.tally.skipped, (kind, verdict)


# A difference is named with the turn, the fact, and both values.
WHERE = re.compile(r"turn [0-9a-zHT]+: .+: expected .*, got .+")


def get(record: Record, place: Place) -> Any:
    part: Any = record
    for key in place:
        part = part[key]
    return part


def is_like(value: Any, other: Any, place: Place) -> bool:
    """Whether another value says something false in the same way; a value of another type says nothing."""
    if place[0] == "wizards":
        return True  # a mage's name may stand without the rest
    if place[-1] in ("target", "final_target"):
        return other is None or isinstance(other, str)
    return type(other) is type(value) or (place[-1] == "extra" and isinstance(other, str))


def test_a_record_that_lacks_rolls_is_compared_up_to_there(record: Record) -> None:
    del record["turns"][1]["random"]
    verdict = replay_record(Record_("x", record), None)
    assert verdict.passed and verdict.left_out == ("1 turns, because turn 2 cannot be played (no random)",)


def test_facts_that_a_record_lacks_are_counted(record: Record) -> None:
    del record["turns"][1]["after"]["wizards"]["Crom"]["hp"]
    verdict = replay_record(Record_("x", record), None)
    assert verdict.passed
    assert verdict.tally.skipped == {"a fact that the record lacks or writes in another way (no hp)": 1}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not json", "bad.json:1: not JSON"),
        ('{"format": 1}\n{"format"', "bad.json:1: format 1, which no reader here knows"),
        ('{"format": 7, "id": "x"}', "format 7, which no reader here knows"),
        ('{"id": "x"}', "no format, which no reader here knows"),
        ("[1]", "bad.json[0]: a record is a JSON object, this is int"),
        ("", "bad.json: holds nothing"),
    ],
)
def test_a_file_that_cannot_be_replayed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    code, _, error = run(capsys, path)
    assert code == 2
    assert complaint in error


def test_a_missing_path_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = run(capsys, tmp_path / "nowhere.json")
    assert code == 2
    assert f"{tmp_path / 'nowhere.json'}: no such file" in error


def test_an_unknown_ruleset_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--ruleset", "snap", str(tmp_path / "x.json")])
    assert "invalid choice: 'snap'" in capsys.readouterr().err
