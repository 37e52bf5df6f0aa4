"""`python -m tests.engines [--turns N] [--ruleset NAME] [--conformance FOLDER]`: compares build and source.

Both play N random turns of every ruleset, and every recorded game in the folders of FOLDER (those of `firetop` by the
rules of the original server). The exit code is 0 if all results are the same, 1 if not, 2 without a build or folder.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from fm_site.compiling.choice import ROOT, find_build
from fm_site.compiling.compiler import CannotCompile, digest_games

# Folder of recorded games → their ruleset; "": each names its own.
FOLDERS = {"firetop": "firetop-server", "ravenblack": "", "seeds": "", "spellweavers": ""}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("--turns", type=int, default=1000, metavar="N")
    parser.add_argument("--ruleset", action="append", default=[], metavar="NAME")
    parser.add_argument("--conformance", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    build = find_build(Path(os.environ.get("FM_DATA_DIR") or ROOT / "var"))
    if build is None:
        print("engines: there is no build of this source: ./run compile", file=sys.stderr)
        return 2
    if asked.conformance is not None and not asked.conformance.is_dir():
        print(f"engines: {asked.conformance} is not there: --conformance wants a folder of games", file=sys.stderr)
        return 2
    wanted = ["--turns", str(asked.turns), *(f"--ruleset={name}" for name in asked.ruleset)]
    try:
        same = compare("random turns", digest_games(None, *wanted), digest_games(build, *wanted))
    except CannotCompile as reason:
        print(f"engines: {reason}", file=sys.stderr)
        return 2
    for name, ruleset in FOLDERS.items() if asked.conformance else ():
        games = sorted(map(str, (asked.conformance / name).glob("*.jsonl.gz" if ruleset else "*.json*")))
        if games:
            options = ["--verbose", *(["--ruleset", ruleset] if ruleset else []), *games]
            same &= compare(f"recorded games: {name}", replay(None, options), replay(build, options))
    return 0 if same else 1


def replay(build: Path | None, options: Sequence[str]) -> str:
    """The output of tests.conformance for these games with the build, or with the source."""
    folders = [str(folder) for folder in (build, ROOT) if folder]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-P", "-m", "tests.conformance", *options]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def compare(what: str, source: str, build: str) -> bool:
    """Print the output of both, or the lines that differ."""
    ours, theirs = source.splitlines(), build.splitlines()
    if ours == theirs:
        print("\n".join([f"{what}: the same", *(ours if len(ours) < 30 else ours[-1:])]), flush=True)
        return True
    print(f"{what}: NOT the same", flush=True)
    for line in [line for line in ours if line not in theirs][:20]:
        print(f"  source  {line}")
    for line in [line for line in theirs if line not in ours][:20]:
        print(f"  build   {line}")
    return False


if __name__ == "__main__":
    sys.exit(main())
