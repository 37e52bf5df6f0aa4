"""`.ci/run` starts however it is called: by its own name or handed to a shell, from any folder."""

import os
import subprocess
import threading

import pytest

from tests import running
from tests.running import LONGEST, Pass, find_browser_tests
from tests.services.stack import ROOT

SCRIPT = str(ROOT / ".ci" / "run")


@pytest.mark.parametrize("starter", [[], ["sh"], ["bash"]], ids=["itself", "sh", "bash"])
def test_it_lists_its_steps_however_it_is_started(starter, tmp_path):
    done = subprocess.run([*starter, SCRIPT, "--list"], cwd=tmp_path, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Chromium",
        "set-up",
        "ruff check",
        "ruff format",
        "files",
        "templates",
        "scripts",
        "styles",
        "mypy",
        "architecture",
        "migrations",
        "texts",
        "docs",
        "audit",
        "counts",
        "tests",
    ]


def test_the_browser_pass_is_given_every_browser_test_and_journey():
    marks = [f"mark.{name}" for name in ("browser", "journey")]
    files = (ROOT / "tests").rglob("*.py")
    marked = {path for path in files if any(mark in path.read_text() for mark in marks)}
    given = [ROOT / "tests" / name for name in find_browser_tests()]
    assert marked - {ROOT / "tests" / "running.py"} == set(given)
    assert given[: len(LONGEST)] == [ROOT / "tests" / name for name in LONGEST], "a file was renamed"


def test_the_other_passes_run_beside_the_first_and_a_failure_in_any_is_the_exit_code(monkeypatch, capfd):
    first, second, third = (Pass(name, (name,)) for name in ("first", "second", "third"))
    together = threading.Barrier(2, timeout=20)
    order = []

    def run(one, output):
        order.append(one.name)
        if one is not third:
            together.wait()  # breaks unless both are running
        return (5 if one is third else 0), 1.0, "what the third said" if one is third else ""

    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # as main() does, but for this test alone
    monkeypatch.setattr(running, "run_pass", run)
    monkeypatch.setattr(running, "LANES", ((first,), (second, third)))
    assert running.main([]) == 5
    assert order.index("second") < order.index("third")
    said = capfd.readouterr().out
    assert "=== third ===\nwhat the third said" in said
    assert "FAILED  third" in said and "passed  first" in said
