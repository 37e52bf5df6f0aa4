"""`python -m rules_engine`: every command, and its error messages."""

import dataclasses
import io
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rules_engine
from rules_engine import KeyedDice, new_duel, write_state
from rules_engine.__main__ import main
from rules_engine.records import complete_record, parse_record, verify_record, write_record
from tests.rules_engine.forgeries import write_true_record

ROOT = Path(rules_engine.__file__).parents[1]
DRAFT = """\
record 1
battle 7
ruleset firetop-standard
mage Ayla Pat
mage Crom Sam
seed "s"
turn 1
orders Ayla
  s/w
orders Crom
  lh > rh p
turn 2
orders Ayla
  D/- LH Crom
  say Hello
orders Crom
  S/S
"""


@pytest.fixture
def recorded(tmp_path):
    """The path of the completed draft."""
    draft, path = tmp_path / "draft.txt", tmp_path / "record.txt"
    draft.write_text(DRAFT)
    assert main(["record", str(draft), "-o", str(path)]) == 0
    return path


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_record_plays_a_draft_with_shorthand_and_writes_the_results(recorded):
    record = parse_record(recorded.read_text())
    assert [dict(turn.stages[0])["Ayla"] for turn in record.turns] == [
        ("LH S", "RH W"),
        ("LH D", "RH -", "TARGET LH Crom", "SAY Hello"),
    ]
    assert [turn.result.hp["Crom"] for turn in record.turns] == [15, 14]
    assert record.seed == "s" and record.turns[0].throws == ()
    assert verify_record(record) == ()


def test_a_record_recorded_again_is_the_same(recorded, capsys):
    assert run(capsys, "record", recorded) == (0, recorded.read_text(), "")


def test_record_reads_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(DRAFT))
    assert "casts Ayla LH Magic Missile at Crom" in run(capsys, "record", "-")[1]


def test_illegal_orders_are_reported_with_turn_and_mage(tmp_path, capsys):
    path = tmp_path / "draft"
    path.write_text(DRAFT.replace("s/w", "s/q").replace("lh > rh p", "TARGT LH Ayla"))
    code, out, err = run(capsys, "record", path)
    assert (code, out) == (2, "")
    assert "turn 1, Crom: TARGT is not an order. Did you mean: TARGET" in err and "turn 1, Ayla:" in err


def test_verify_says_which_records_match_and_what_differs(recorded, tmp_path, capsys):
    other = tmp_path / "other.txt"
    other.write_text(recorded.read_text().replace("hp Crom 14", "hp Crom 15"))
    bare = "  no end: the battle was still running, or the rest of the record is missing\n"
    bare += "  no commitments: orders and rolls are only compared with the record itself\n"
    assert run(capsys, "verify", recorded) == (0, f"{recorded}: holds (2 turns)\n{bare}", "")
    assert run(capsys, "verify", recorded, other) == (
        1,
        f"{recorded}: holds (2 turns)\n{bare}{other}: differs (2 turns)\n"
        f"  turn 2: hit points of Crom: recorded 15, played 14\n{bare}",
        "",
    )


def test_verify_counts_commitments_and_finds_those_you_noted(tmp_path, capsys):
    path, text = tmp_path / "proven.txt", write_true_record(random.Random(4), proven=True)
    path.write_text(text)
    there = re.search(r"^commit \S+ (\S+)$", text, re.M)[1]
    code, out, _ = run(capsys, "verify", path, "--noted", there)
    assert code == 0 and "commitments hold, and every roll comes from the seed" in out
    code, out, _ = run(capsys, "verify", path, "--noted", there, "--noted", "0" * 64)
    assert code == 1 and f"commitment {'0' * 64}: noted, but not in the record" in out


def test_verify_can_ignore_the_digests_of_events(recorded, capsys):
    text = recorded.read_text()
    digest = next(line.split()[2] for line in text.split("\n") if "told" in line)
    recorded.write_text(text.replace(digest, "00"))
    assert run(capsys, "verify", recorded)[0] == 1
    assert run(capsys, "verify", "--no-events", recorded)[0] == 0


def test_show_and_describe_print_the_battle(recorded, capsys):
    code, table, _ = run(capsys, "show", recorded)
    assert code == 0 and "  2 : D* -  14 MM" in table
    code, story, _ = run(capsys, "describe", recorded)
    assert code == 0 and "In Round 2:\nAyla says: Hello\n" in story


def test_describe_can_say_why_under_each_sentence(recorded, capsys):
    plain = run(capsys, "describe", recorded)[1]
    code, story, _ = run(capsys, "describe", "--why", recorded)
    assert code == 0
    assert "    Rule FM-MISSILE-2.\n    Turn 2: Magic Missile hits Crom. [FM-MISSILE-2]\n" in story
    assert "\n".join(line for line in story.split("\n") if not line.startswith("    ")) == plain.rstrip() + "\n"


def test_replay_prints_turns_and_conditions_for_one_viewer(recorded, capsys):
    code, told, _ = run(capsys, "replay", recorded, "--mage", "Crom", "--turn", "2")
    assert code == 0
    assert "Ayla casts Magic Missile at you." in told and "Turn 1." not in told
    assert "Crom                  14  B>S  BPS" in told


def test_replay_hides_what_a_mage_cannot_see_in_a_running_battle(tmp_path, capsys):
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("s"))
    state.wizards["Crom"].marks["invisible"] = 5
    record = dataclasses.replace(parse_record(DRAFT, free_orders=True), start=write_state(state))
    path = tmp_path / "unseen.txt"
    path.write_text(write_record(complete_record(record)))
    gestures = "Crom plays stab (left hand) and palm (right hand)."
    told = {who: run(capsys, "replay", path, *who)[1] for who in ((), ("--mage", "Ayla"), ("--all",))}
    assert [gestures in text for text in told.values()] == [False, False, True]
    assert "Crom                  15  B??  B??" in told["--mage", "Ayla"]
    assert "You play stab (left hand)" in run(capsys, "replay", path, "--mage", "Crom")[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "{missing}"], "No such file or directory"),
        (["show", "{broken}"], "broken.txt:2: No line of a record begins with x."),
        (["replay", "{file}", "--turn", "9"], "no turn 9; there are: 1, 2"),
        (["replay", "{file}", "--mage", "Edda"], "no mage Edda; there are Ayla, Crom"),
        (["bench", "--ruleset", "firetop-standart"], "did you mean firetop-standard?"),
        (["bench", "--calibrate", "{missing}"], "missing.txt. Give --calibrate"),
        (["rules", "{file}"], "record.txt: "),
    ],
)
def test_a_failed_command_prints_why_on_standard_error_and_exits_with_2(recorded, tmp_path, capsys, arguments, told):
    (tmp_path / "broken.txt").write_text("record 1\nx\n")
    paths = {"missing": tmp_path / "missing.txt", "broken": tmp_path / "broken.txt", "file": recorded}
    code, out, err = run(capsys, *(argument.format(**paths) for argument in arguments))
    assert (code, out) == (2, "") and told in err


def test_it_starts_as_a_module_and_survives_a_closed_pipe(recorded):
    shell = f"{sys.executable} -m rules_engine describe {recorded} | head -1"
    done = subprocess.run(["sh", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("Battle 7 between Ayla(Pat) and Crom(Sam)\n", "")
