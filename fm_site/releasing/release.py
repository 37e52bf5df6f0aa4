"""./run release: make what a release consists of, and its annotated tag.

    ./run release               make the release of the version in pyproject.toml, and tag the commit
    ./run release --dry-run     only check, and say what would be made
    ./run release --to FOLDER   make it there, not in releases/ in the data folder

The version gets its section in CHANGELOG.md first, and everything is committed. The same commit gives the same bytes.
Nothing is published: the command ends with what to push.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from fm_site.compiling.choice import ROOT
from fm_site.compiling.compiler import CannotCompile, build_wheel

NAME = "firetop-mountain"
SUMS = "SHA256SUMS"
TAG_TEXT = "tag.txt"
# The tools that only a release needs, by their own lock.
TOOLS_LOCK = "requirements-release.txt"


class CannotRelease(Exception):
    """No release is possible; the message says why and what to do."""


@dataclass(frozen=True)
class Release:
    """What a commit is released as."""

    root: Path
    version: str
    text: str
    commit: str
    epoch: str

    @property
    def tag(self) -> str:
        return f"v{self.version}"

    @property
    def folder_name(self) -> str:
        return f"{NAME}-{self.version}"

    def list_packages(self) -> list[Path]:
        """Return the folders of the packages that get a wheel."""
        return [path.parent for path in sorted(self.root.glob("packages/*/pyproject.toml"))]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. The exit code is 0, or 2 if there is no release."""
    parser = argparse.ArgumentParser(
        prog="./run release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--to", type=Path, metavar="FOLDER", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    try:
        release = check_release(ROOT)
        data_dir = Path(os.environ.get("FM_DATA_DIR") or ROOT / "var")
        folder = given.to or data_dir / "releases" / release.tag
        if folder.exists() and any(folder.iterdir()):
            raise CannotRelease(f"{folder} is not empty: remove it, or choose another with --to")
        if given.dry_run:
            print(f"Would make {release.tag} of commit {release.commit[:10]} in {folder}:")
            print("\n".join(f"  {name}" for name in list_names(release)))
            print(f"The text of the tag:\n\n{release.text}")
            return 0
        make_release(release, folder)
        tagged = tag_commit(release)
    except (CannotRelease, CannotCompile) as reason:
        print(f"release: {reason}", file=sys.stderr)
        return 2
    print(f"The release is in {folder}.")
    print(f"The tag {release.tag} {'is new' if tagged else 'was there'}. To publish it: git push origin {release.tag}")
    return 0


# --- What is released -------------------------------------------------------------------------------------------------


def check_release(root: Path) -> Release:
    """Return what the checkout's commit is released as. Raises CannotRelease."""
    version = read_version(root)
    text = write_tag_text(version, (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if ask_git(root, "status", "--porcelain"):
        raise CannotRelease("there are changes that are not committed, or files that git does not know")
    release = Release(
        root=root,
        version=version,
        text=text,
        commit=ask_git(root, "rev-parse", "HEAD"),
        epoch=ask_git(root, "log", "-1", "--format=%ct"),
    )
    tagged = read_tagged_commit(release)
    if tagged not in (None, release.commit):
        raise CannotRelease(
            f"the tag {release.tag} is on another commit ({tagged[:10]}): check that out, or write the next version"
            " into pyproject.toml"
        )
    return release


def read_version(root: Path) -> str:
    """Return the version, from the one place that has it."""
    version: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return version


def write_tag_text(version: str, changelog: str) -> str:
    """Return the text of the version's tag: its section of the changelog. Raises CannotRelease."""
    parts = re.split(r"^## (.+)\n", changelog, flags=re.M)
    sections = {title.strip(): text.strip() for title, text in zip(parts[1::2], parts[2::2], strict=True)}
    if not sections.get(version):
        raise CannotRelease(f"CHANGELOG.md has nothing about {version}, the version in pyproject.toml")
    if sections.get("Unreleased"):
        raise CannotRelease(
            "CHANGELOG.md has lines under Unreleased: put them under the version that they are released with, and write"
            " that version into pyproject.toml"
        )
    # A tag has no links, so it names the page.
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", r"\1 (\2)", sections[version])
    return f"Firetop Mountain {version}\n\n{text}\n"


def read_tagged_commit(release: Release) -> str | None:
    """Return the commit that has the release's tag; None if there is no such tag."""
    if not ask_git(release.root, "tag", "--list", release.tag):
        return None
    return ask_git(release.root, "rev-parse", f"{release.tag}^{{commit}}")


def tag_commit(release: Release) -> bool:
    """Give the commit its annotated tag; return False if it has it."""
    if read_tagged_commit(release) is not None:
        return False
    # Without this, git would leave out headings as comments.
    text = ("--cleanup=whitespace", "--message", release.text)
    ask_git(release.root, "tag", "--annotate", *text, release.tag, release.commit)
    return True


def ask_git(root: Path, *arguments: str) -> str:
    return run_git(root, *arguments).decode().strip()


def run_git(root: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    except FileNotFoundError:
        raise CannotRelease("git is not installed") from None
    if done.returncode != 0:
        raise CannotRelease(f"git {arguments[0]} says: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


# --- What a release consists of ---------------------------------------------------------------------------------------


def list_names(release: Release) -> list[str]:
    wheels = [f"{package.name}-{release.version}-py3-none-any.whl" for package in release.list_packages()]
    return sorted([f"{release.folder_name}.tar.gz", f"{release.folder_name}.cdx.json", *wheels, SUMS, TAG_TEXT])


def make_release(release: Release, folder: Path) -> None:
    """Make every file of the release in the folder, which is complete or not there. Raises CannotRelease."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as scratch:
        made = Path(scratch, release.tag)
        made.mkdir()
        source = write_archive(release, made, Path(scratch, "source"))
        write_wheels(release, source, made)
        write_bill_of_materials(release, source, made)
        (made / TAG_TEXT).write_text(release.text, encoding="utf-8")
        write_sums(made)
        if sorted(path.name for path in made.iterdir()) != list_names(release):
            raise CannotRelease(f"not what was to be made: {sorted(path.name for path in made.iterdir())}")
        if folder.exists():
            folder.rmdir()
        made.rename(folder)


def write_archive(release: Release, made: Path, unpacked: Path) -> Path:
    """Write the source archive: what the commit has, no other file of the checkout. Return it unpacked."""
    prefix = f"--prefix={release.folder_name}/"
    tar = run_git(release.root, "-c", "tar.umask=0022", "archive", "--format=tar", prefix, release.commit)
    # The header has no name and no time of packing; that of `gzip.compress` is not the same in every Python.
    with (
        (made / f"{release.folder_name}.tar.gz").open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as packed,
    ):
        packed.write(tar)
    with tarfile.open(fileobj=BytesIO(tar)) as archive:
        archive.extractall(unpacked, filter="data")
    return unpacked / release.folder_name


def write_wheels(release: Release, source: Path, made: Path) -> None:
    """Build the wheels of the packages from the unpacked archive. Raises CannotCompile."""
    for package in release.list_packages():
        unpacked = source / package.relative_to(release.root)
        build_wheel(made, compiled=False, package=unpacked, SOURCE_DATE_EPOCH=release.epoch)


def write_bill_of_materials(release: Release, source: Path, made: Path) -> None:
    """Write a list of all that the site installs, with hashes, in CycloneDX's format (an SBOM)."""
    file = made / f"{release.folder_name}.cdx.json"
    done = subprocess.run(
        [
            *(str(install_tools(release.root)), "-W", "ignore", "-m", "cyclonedx_py", "requirements"),
            *("--pyproject", "pyproject.toml", "--output-reproducible", "--output-file", str(file)),
            "requirements.txt",
        ],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": release.epoch},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CannotRelease(f"the bill of materials failed:\n{done.stderr.strip()[-1500:]}")


def install_tools(root: Path, lock: str = TOOLS_LOCK) -> Path:
    """Install what a lock lists, and only a release (or one test) needs, into an environment of its own, once; return
    its Python."""
    listed = (root / lock).read_bytes()
    folder = root / "var" / "release-tools" / hashlib.sha256(listed + sys.version.encode()).hexdigest()[:20]
    python, done = folder / "bin" / "python", folder / "complete"
    if done.exists():
        return python
    print(f"Preparing the tools of {lock} (only once; needs the network) ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes"]
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), *install, "--requirement", str(root / lock)],
    ):
        told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if told.returncode != 0:
            raise CannotRelease(f"the tools cannot be installed:\n{told.stdout.strip()[-1500:]}")
    done.touch()
    return python


def write_sums(made: Path) -> None:
    """Write the hash of each file, as `sha256sum --check` reads it."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(made.iterdir())]
    (made / SUMS).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
