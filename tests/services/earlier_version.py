"""An earlier version of this checkout whose rows we can upgrade: for upgrades, and for old processes beside new."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


@cache
def list_migrations(commit: str) -> dict[str, str]:
    """Return the contents' hashes of a commit's migrations, by their paths in the folder that their app was in."""
    lines = (line.split("\t") for line in git("ls-tree", "-r", commit).splitlines())
    return {"/".join(path.split("/")[-3:]): told.split()[2] for told, path in lines if "/migrations/0" in path}


@cache
def list_upgradable_commits() -> list[str]:
    """Return the commits with new migrations, earliest first, all of whose migrations we still have as they were."""
    ours = list_migrations("HEAD").items()
    changes = git("log", "--first-parent", "--format=%H", "--", "*/migrations/0*").split()
    theirs = {commit: list_migrations(commit).items() for commit in reversed(changes)}
    return [commit for commit, migrations in theirs.items() if migrations and migrations <= ours]


def find_earlier_commit() -> str:
    """Return the earliest of these that is started as today, or the latest commit where git has no others."""
    startable = (commit for commit in list_upgradable_commits() if git("ls-tree", commit, "fm_site/run/web.py"))
    return next(startable, git("rev-parse", "HEAD").strip())


def check_out(commit: str, folder: Path) -> None:
    """Make `folder` with the files of that commit."""
    folder.mkdir()
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", commit], check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], check=True, input=packed)
