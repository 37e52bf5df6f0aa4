#!/usr/bin/env python3
"""Everything that has to hold before a change is taken, from a clean clone; prints what each step took.

`.ci/run` starts this; `.ci/run --list` only names the steps.

Needs Python 3.11 or newer and, to install Chromium where there is none, apt and the right to use it.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = str(ROOT / ".venv" / "bin" / "python")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STRICT = ("services", "selectors", "receive", "commands", "compose", "deliver", "text")


def main():
    os.chdir(ROOT)
    os.environ["CI"] = "true"
    steps = [
        ("Chromium", install_chromium),
        ("set-up", command(sys.executable, "run", "setup")),
        ("ruff check", command(PYTHON, "-m", "ruff", "check", ".")),
        ("ruff format", command(PYTHON, "-m", "ruff", "format", "--check", ".")),
        ("mypy", run_mypy),
        ("architecture", command(PYTHON, "-m", "pytest", "-q", "tests/test_architecture.py")),
        ("migrations", check_migrations),
        ("tests", command(sys.executable, "run", "test")),
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


def command(*arguments):
    return lambda: subprocess.call(arguments)


def install_chromium():
    """Install Debian's Chromium where no browser is found; browser tests fail without one."""
    if os.environ.get("FM_CHROMIUM") or any(map(shutil.which, BROWSERS)):
        return 0
    if shutil.which("apt-get") is None:
        print("No Chromium, and no apt-get to install it with. Install one, or name it in FM_CHROMIUM.")
        return 1
    first = [] if os.getuid() == 0 else ["sudo"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [*first, "apt-get", "install", "-y", "-q", "chromium"]
    # A machine whose package lists are fresh needs no update.
    if subprocess.call(install, env=environment) == 0:
        return 0
    return subprocess.call([*first, "apt-get", "update", "-q"]) or subprocess.call(install, env=environment)


def run_mypy():
    """Check strictly what decides: the engine, every module of services and selectors, and the stages of an email."""
    apps = [path.parent for path in sorted([*ROOT.glob("*/apps.py"), *ROOT.glob("fm_site/*/apps.py")])]
    targets = ["rules_engine"]
    for app in apps:
        for name in STRICT:
            targets += [str(path) for path in (app / name, app / f"{name}.py") if path.exists()]
    return subprocess.call([PYTHON, "-m", "mypy", *targets])


def check_migrations():
    environment = {**os.environ, "DEBUG": "1", "FM_DATA_DIR": str(ROOT / "var" / "ci")}
    return subprocess.call([PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], env=environment)


if __name__ == "__main__":
    sys.exit(main())
