""".ci/check_files.py finds what should not be in a text file, and .ci/check_styles.py in a style sheet."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / ".ci" / "check_files.py"


def check(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, path], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.py", "a = 1 \n", ":1: blanks at the end of a line"),
        ("a.md", "one\ntwo\r\n", ":2: a carriage return"),
        ("a.css", "<<<<<<< ours\n", ":1: a merge marker"),
        ("a.py", "a = 1", "does not end with exactly one newline"),
        ("a.html", "<p>\n\n", "does not end with exactly one newline"),
    ],
)
def test_forbidden_data_is_found(tmp_path, name, content, problem):
    path = tmp_path / name
    path.write_bytes(content.encode())
    found = check(path)
    assert found.returncode == 1
    assert problem in found.stdout


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.py", "a = 1\n"), ("a.html", "<b>part of a line</b>"), ("a.eml", "To: us \r\n"), ("empty.py", "")],
)
def test_allowed_data_passes(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content.encode())
    found = check(path)
    assert (found.returncode, found.stdout) == (0, "")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a { color: red;\n b }\n", ":2: "),
        ("a { color: red; }\n}\n", ":2: "),
        ("a {\n  color: var(--nope);\n}\n", ":2: --nope is not set anywhere"),
        ("@media print { a { color: red; color: red; } }\n", ":1: sets color twice"),
        ("a { color: var(--nope, red); width: 10px; width: 1dvw; --x: 1; top: var(--x); }\n", ""),
    ],
)
def test_faults_of_a_style_sheet_are_found(tmp_path, content, problem):
    path = tmp_path / "a.css"
    path.write_text(content)
    script = SCRIPT.with_name("check_styles.py")
    found = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=False)
    assert (found.returncode, bool(found.stdout)) == (int(bool(problem)),) * 2
    assert problem in found.stdout


@pytest.mark.parametrize(
    ("answer", "reaches"),
    [
        ('{"dependencies": [{"name": "django", "version": "3.0", "vulns": [{"id": "CVE-2020-7471"}]}]}', True),
        ('{"dependencies": [{"name": "django", "version": "3.0", "vulns": []}]}', False),
        ('{"dependencies": [{"name": "django", "skip_reason": "could not be audited"}]}', False),
        ("", False),
    ],
)
def test_the_audit_is_skipped_only_where_pip_audit_does_not_know_a_known_hole(answer, reaches):
    checks = runpy.run_path(str(SCRIPT.with_name("checks.py")))
    program = [sys.executable, "-c", f"print({answer!r})"]
    assert checks["finds_known_holes"](program) is reaches


def test_the_checks_name_no_package_index():
    texts = [path.read_text(encoding="utf-8") for path in SCRIPT.parent.iterdir() if path.is_file()]
    assert [text for text in texts if "pypi.org" in text] == []
