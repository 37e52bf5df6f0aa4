#!/usr/bin/env python3
"""Check everything that must hold before a change is merged, from a clean clone; print how long each step took.

`.ci/run` starts this; `.ci/run --list` only lists the steps.

Needs Python 3.11 or newer and, to install Chromium if there is none, apt and the right to use it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = str(ROOT / ".venv" / "bin" / "python")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same browser without its windows: most tests take less time with it.
SHELL = "chromium-headless-shell"
# Everything but the tests, strictly.
TYPED = (
    "accounts",
    "benchmarks",
    "challenges",
    "duels",
    "email_gateway",
    "fm_site",
    "ladder",
    "league",
    "moderation",
    "notifications",
    "operations",
    "pictures",
    "rules_engine",
    "studies",
    "manage.py",
    "packages/firetop_bridge/src",
    "packages/firetop_client/src",
    "packages/firetop_client/write_calls.py",
)


def main():
    os.chdir(ROOT)
    os.environ["CI"] = "true"
    steps = [
        ("Chromium", install_chromium),
        ("set-up", command(sys.executable, "run", "setup")),
        ("ruff check", command(PYTHON, "-m", "ruff", "check", ".")),
        ("ruff format", command(PYTHON, "-m", "ruff", "format", "--check", ".")),
        ("files", command(sys.executable, ".ci/check_files.py")),
        ("templates", command(PYTHON, "-m", "djlint", "--lint", "--quiet", ".")),
        ("scripts", command(str(ROOT / ".venv" / "bin" / "oxlint"), "--deny-warnings", ".")),
        ("styles", command(PYTHON, ".ci/check_styles.py")),
        ("mypy", command(PYTHON, "-m", "mypy", *TYPED)),
        ("architecture", command(PYTHON, "-m", "pytest", "-q", "tests/test_architecture.py")),
        ("migrations", check_migrations),
        ("texts", command(PYTHON, "-m", "fm_site.texts.translations", "--check")),
        ("docs", command(sys.executable, "run", "docs")),
        ("audit", audit_dependencies),
        ("counts", command(PYTHON, "-m", "benchmarks.table", "--counts")),
        # Without the tests that the step "architecture" has run.
        ("tests", command(sys.executable, "run", "test", PYTEST_ADDOPTS="--deselect=tests/test_architecture.py")),
    ]
    if "--list" in sys.argv[1:]:
        print("\n".join(name for name, _ in steps))
        return 0
    results = [(name, *timed(name, step)) for name, step in steps]
    print()
    for name, code, seconds in results:
        print(f"{'passed' if code == 0 else 'FAILED'}  {name:<14}{seconds:7.1f} s")
    return int(any(code for _, code, _ in results))


def timed(name, step):
    print(f"\n=== {name} ===", flush=True)
    begin = time.monotonic()
    return step(), time.monotonic() - begin


def command(*arguments, **variables):
    return lambda: subprocess.call(arguments, env={**os.environ, **variables})


def install_chromium():
    """Install Debian's Chromium if no browser is found: browser tests fail without one. Add its shell if possible."""
    if os.environ.get("FM_CHROMIUM"):
        return 0
    if any(map(shutil.which, BROWSERS)):
        if shutil.which(SHELL) is None and shutil.which("apt-get") and os.getuid() == 0:
            install(SHELL)
        return 0
    if shutil.which("apt-get") is None:
        print("There is no Chromium, and no apt-get to install it. Install one, or set FM_CHROMIUM to its path.")
        return 1
    return install("chromium", SHELL) and install("chromium")


def install(*packages):
    first = [] if os.getuid() == 0 else ["sudo"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = [*first, "apt-get", "install", "-y", "-q", *packages]
    # With fresh package lists, no update is needed.
    if subprocess.call(command, env=environment) == 0:
        return 0
    return subprocess.call([*first, "apt-get", "update", "-q"]) or subprocess.call(command, env=environment)


def audit_dependencies():
    """Ask pip-audit about every dependency. What needs no network must not fail where there is none."""
    folder = ROOT / "var" / "audit"
    python = str(folder / "bin" / "python")
    if not Path(python).exists():
        made = subprocess.call([sys.executable, "-m", "venv", str(folder)])
        if made or subprocess.call([python, "-m", "pip", "install", "-q", "pip-audit>=2.10,<3"]):
            shutil.rmtree(folder, ignore_errors=True)
            print("Skipped: pip-audit cannot be installed here.")
            return 0
    # The exact versions are known, so nothing is installed to find them.
    audit = [python, "-m", "pip_audit", "--disable-pip", "--progress-spinner", "off"]
    if not finds_known_holes(audit):
        print("Skipped: pip-audit reaches no source of advisories.")
        return 0
    files = ("requirements.txt", "requirements-dev.txt", "requirements-release.txt", "requirements-storage.txt")
    options = [part for file in files for part in ("--requirement", file)]
    return subprocess.call([*audit, "--require-hashes", *options])


def finds_known_holes(audit):
    """Return whether pip-audit finds something in a version with known holes: a mirror without advisories would call
    everything well."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
        requirements.write("django==3.0\n")
        requirements.flush()
        options = ("--no-deps", "--format", "json", "--requirement", requirements.name)
        done = subprocess.run([*audit, *options], stdout=subprocess.PIPE, text=True)
    try:
        audited = json.loads(done.stdout)["dependencies"]
    except ValueError:
        # It has said on its error output why there is no answer.
        return False
    for each in audited:
        if "skip_reason" in each:
            print(each["skip_reason"])
    return any(each.get("vulns") for each in audited)


def check_migrations():
    environment = {**os.environ, "DEBUG": "1", "FM_DATA_DIR": str(ROOT / "var" / "ci")}
    return subprocess.call([PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], env=environment)


if __name__ == "__main__":
    sys.exit(main())
