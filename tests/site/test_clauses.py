"""`./run clauses` names what no test and no ruling cites, and there is nothing to name."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clauses import (
    CASES,
    NoList,
    find_citations,
    main,
    read_all_citations,
    read_citations,
    read_clauses,
    read_kept,
    report,
)

ROOT = Path(__file__).resolve().parents[2]
LIST = """# A list

- `ZZ-ONE-1` [E] A thing happens.
- `ZZ-ONE-2` [E] Another happens.
- `ZZ-ONE-3` [E] WITHDRAWN (same as ZZ-ONE-1): A thing happens.
- `ZZ-TWO-1` [S] A mail is sent.
"""


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "list.md"
    path.write_text(LIST)
    return path


def test_every_clause_has_a_case_a_test_or_a_ruling():
    lines = report(read_kept(), in_cases=read_citations(CASES, "*.txt"), in_tests=read_all_citations())
    assert [line for line in lines if line.startswith("missing")] == []


def test_no_clause_is_cited_that_is_not_in_the_documents():
    """A typo would cite a clause that does not exist, and leave the real one without a test."""
    known = {clause.id for clause in read_kept()}
    documents = {clause.partition("-")[0] for clause in known}
    cited = {clause for clause in read_all_citations() if clause.partition("-")[0] in documents}
    assert cited - known == set()


def test_withdrawn_clauses_are_not_counted(listed):
    assert [clause.id for clause in read_clauses(listed)] == ["ZZ-ONE-1", "ZZ-ONE-2", "ZZ-TWO-1"]


def test_a_clause_of_the_engine_needs_a_rule_case(listed):
    lines = list(report(read_clauses(listed), in_cases={"ZZ-ONE-1"}, in_tests={"ZZ-ONE-2", "ZZ-TWO-1"}))
    assert lines == ["missing ZZ-ONE-2 [E] Another happens.", "ZZ E 1/2", "ZZ S 1/1"]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("cites ZZ-ONE-1, ZZ-TWO-2", ["ZZ-ONE-1", "ZZ-TWO-2"]),
        ("(ZZ-ONE-1, -3 and -5)", ["ZZ-ONE-1", "ZZ-ONE-3", "ZZ-ONE-5"]),
        ("ZZ-ONE-7 to -9.", ["ZZ-ONE-7", "ZZ-ONE-8", "ZZ-ONE-9"]),
        ("ZZ-ONE-4..6", ["ZZ-ONE-4", "ZZ-ONE-5", "ZZ-ONE-6"]),
        ("ZZ-ONE-1, 3 turns later", ["ZZ-ONE-1"]),
        ("engine 12.3, B4", []),
    ],
)
def test_citations_may_be_shortened(text, cited):
    assert list(find_citations(text)) == cited


def test_citations_are_found_in_every_file_below_a_folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_a.py").write_text('"""Mails (ZZ-TWO-1)."""')
    (tmp_path / "deep" / "notes.md").write_text("ZZ-TWO-2")
    assert read_citations(tmp_path, "*.py") == {"ZZ-TWO-1"}


def test_a_missing_list_is_named(tmp_path, capsys):
    assert main(["--list", str(tmp_path / "nowhere.md")]) == 2
    assert f"{tmp_path}/nowhere.md: no such file" in capsys.readouterr().err


def test_a_list_without_clauses_is_an_error(tmp_path):
    (tmp_path / "empty.md").write_text("# nothing\n")
    with pytest.raises(NoList, match=r"empty\.md: lists no clause"):
        read_clauses(tmp_path / "empty.md")


def test_the_command_ends_with_one_line_per_document_and_kind(listed):
    done = subprocess.run(
        [sys.executable, "run", "clauses", "--list", str(listed)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    # No rule case cites them; this file itself does.
    assert [line for line in done.stdout.splitlines() if line.startswith("ZZ")] == ["ZZ E 0/2", "ZZ S 1/1"]
    assert "not in clauses.txt: ZZ-ONE-1 E" in done.stdout
