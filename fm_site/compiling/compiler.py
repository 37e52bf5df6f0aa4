"""./run compile: make a build of the rules engine with mypyc, and wheels of the engine beside it.

    ./run compile               build, unless there is a build of just this source
    ./run compile --again       build in any case
    ./run compile --path        only print the folder of the build, for PYTHONPATH
    ./run compile --remove      remove the builds: the site plays by the source again

The build is in engine/ in the data folder, and the site uses it from its next start (FM_ENGINE in docs/settings.md).
Needs a C compiler and the headers of Python; the site itself needs neither.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fm_site.compiling.choice import PACKAGE, ROOT, builds_folder, find_build, fingerprint

WHEELS = "wheels"
BUILD_WHEEL = "import sys, setuptools.build_meta as backend; backend.build_wheel(sys.argv[1])"
TURNS_OF_TRIAL = 100
"""How many turns of every ruleset a build must play like the source before it is used."""


class CannotCompile(Exception):
    """No build is possible; the message says why and what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. The exit code is 0, or 2 if nothing could be built."""
    parser = argparse.ArgumentParser(
        prog="./run compile", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--path", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--remove", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    data_dir = Path(os.environ.get("FM_DATA_DIR") or ROOT / "var")
    try:
        if given.remove:
            shutil.rmtree(builds_folder(data_dir), ignore_errors=True)
            return 0
        build = None if given.again else find_build(data_dir)
        if given.path:
            if build is None:
                raise CannotCompile("there is no build of this source: ./run compile")
            print(build)
            return 0
        print(f"The build is in {build or compile_engine(data_dir)}; the site uses it from its next start.")
    except CannotCompile as reason:
        print(f"compile: {reason}", file=sys.stderr)
        return 2
    return 0


def compile_engine(data_dir: Path) -> Path:
    """Build the engine, test it, and move it to where the site finds it; return that folder. Raises CannotCompile."""
    require_compiler()
    folder = builds_folder(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="new-") as scratch:
        made_of = fingerprint()
        wheels, build = Path(scratch, WHEELS), Path(scratch, made_of)
        print("Compiling the rules engine; this takes a minute or two ...", flush=True)
        build_wheel(wheels, compiled=False)
        with zipfile.ZipFile(build_wheel(wheels, compiled=True)) as wheel:
            wheel.extractall(build)
        if made_of != fingerprint():
            raise CannotCompile("the source has changed in the meantime: try again")
        try_build(build)
        # Processes that have the old build open can still read it.
        for old in folder.iterdir():
            if old != Path(scratch):
                shutil.rmtree(old, ignore_errors=True)
        wheels.rename(folder / WHEELS)
        return build.rename(folder / made_of)


def require_compiler() -> None:
    """Raise CannotCompile if the C compiler or Python's headers are missing."""
    name = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(name) is None:
        raise CannotCompile(
            f"there is no C compiler ({name}). Install one (Debian: apt install gcc), or go on without: the site plays"
            " by the source."
        )
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.is_file():
        raise CannotCompile(f"Python's headers are missing ({header}). Install them (Debian: apt install python3-dev).")


def build_wheel(folder: Path, *, compiled: bool, package: Path = PACKAGE, **variables: str) -> Path:
    """Build a wheel of the engine, or of another package, into the folder, without downloading anything.

    Return its path. `variables` are set in the build's environment.
    """
    folder.mkdir(exist_ok=True)
    before = set(folder.iterdir())
    environment = {**os.environ, "RULES_ENGINE_COMPILE": "1" if compiled else "0", **variables}
    done = subprocess.run(
        [sys.executable, "-c", BUILD_WHEEL, str(folder)],
        cwd=package,
        env=environment,
        # The modes in the wheel are the same for every user.
        umask=0o022,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = "\n".join(done.stdout.strip().splitlines()[-15:])
        raise CannotCompile(f"the build failed:\n{last}")
    (made,) = set(folder.iterdir()) - before
    return made


def digest_games(build: Path | None, *arguments: str) -> str:
    """Return the results of random games by the build, or by the source: the output of `python -m rules_engine
    digest`."""
    environment = {**os.environ, "PYTHONPATH": str(build or ROOT), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", "-m", "rules_engine", "digest", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotCompile(f"the {'build' if build else 'source'} fails:\n{done.stderr.strip()[-1500:]}")
    return done.stdout


def try_build(build: Path) -> None:
    """Raise CannotCompile unless the build plays some turns of every ruleset exactly like the source."""
    wanted = ("--turns", str(TURNS_OF_TRIAL))
    if digest_games(build, *wanted) != digest_games(None, *wanted):
        raise CannotCompile("the build plays differently from the source; python -m tests.engines shows where")


if __name__ == "__main__":
    sys.exit(main())
