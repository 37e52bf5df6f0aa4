"""`.ci/run` starts however it is called: by its own name or handed to a shell, from any folder."""

import os
import re
import subprocess

import pytest

from tests.running import WITH_BROWSER
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


def test_the_browser_pass_searches_the_right_folders():
    marked = re.compile(r"mark\.(browser|journey)\b")
    found = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py") if marked.search(path.read_text())}
    assert found == set(WITH_BROWSER)
