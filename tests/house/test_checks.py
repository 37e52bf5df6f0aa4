"""`.ci/run` starts however it is called: by its own name or handed to a shell, from any folder."""

import os
import subprocess

import pytest

from tests.services.stack import ROOT

SCRIPT = str(ROOT / ".ci" / "run")


@pytest.mark.parametrize("starter", [[], ["sh"], ["bash"]], ids=["itself", "sh", "bash"])
def test_names_its_steps_however_it_is_started(starter, tmp_path):
    done = subprocess.run([*starter, SCRIPT, "--list"], cwd=tmp_path, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Chromium",
        "set-up",
        "ruff check",
        "ruff format",
        "mypy",
        "architecture",
        "migrations",
        "tests",
    ]
