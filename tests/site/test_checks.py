"""`.ci/run` starts however it is called: by its own name or handed to a shell, from any folder."""

import os
import subprocess

import pytest

from tests.runner import LONGEST, Pass, find_browser_tests, run_pass, run_passes
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
    assert marked - {ROOT / "tests" / "runner.py"} == set(given)
    assert given[: len(LONGEST)] == [ROOT / "tests" / name for name in LONGEST], "a file was renamed"


def make_pass(folder, name, text):
    file = folder / f"test_{name}.py"
    file.write_text(text)
    # Other plugins would take longer to load than these runs take.
    plain = ("-c", os.devnull, "--rootdir", str(folder), "-p", "xdist", str(file))
    return Pass(name, plain, environment={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


def test_passes_at_the_same_time_are_listed_in_order_with_their_output(tmp_path, capfd):
    slow = make_pass(tmp_path, "slow", "import time\ndef test_slow():\n    time.sleep(1)\n")
    broken = make_pass(tmp_path, "broken", "def test_broken():\n    assert 'this one' == ''\n")
    results = run_passes((slow, broken), at_a_time=2)
    assert [(one.name, one.code) for one in results] == [("slow", 0), ("broken", 1)]
    printed = capfd.readouterr().out
    assert printed.index("=== slow ===") < printed.index("=== broken ===") < printed.index("assert 'this one' == ''")


def test_a_few_failures_are_retried_twice_and_always_listed(tmp_path):
    late = make_pass(
        tmp_path,
        "late",
        "import pathlib\ndef test_late():\n    tries = pathlib.Path(__file__).with_suffix('.tries')\n"
        "    done = len(tries.read_text()) if tries.exists() else 0\n    tries.write_text('.' * (done + 1))\n"
        "    if done < 2:\n        raise TimeoutError\n",
    )
    broken = make_pass(tmp_path, "broken", "def test_broken():\n    raise TimeoutError\n")
    results = [run_pass(one, subprocess.PIPE) for one in (late, broken)]
    assert [(one.code, one.failed) for one in results] == [
        (0, ("test_late.py::test_late",)),
        (1, ("test_broken.py::test_broken",)),
    ]
    assert "failed at first: test_late.py::test_late" in str(results[0])
