"""Chooses the rules engine: the source, or the build that `./run compile` made from exactly this source.

Both play the same (tests/engines.py compares them); the compiled one is faster. A build's folder is named after its
source, so a build of changed source is not used.
"""

import hashlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "rules_engine"
PACKAGE = ROOT / "packages" / "rules_engine"

AUTO: Final = "auto"
"""The build if there is one, else the source."""
PURE: Final = "pure"
COMPILED: Final = "compiled"
"""The build; without one the site does not start."""
CHOICES = (AUTO, PURE, COMPILED)


class NoSuchEngine(Exception):
    """The settings ask for an engine that is not there."""


def builds_folder(data_dir: Path) -> Path:
    return data_dir / "engine"


def fingerprint() -> str:
    """Return a hash of a build's inputs: the source, the build settings, and the Python version."""
    digest = hashlib.sha256(EXTENSION_SUFFIXES[0].encode())
    files = [path for path in SOURCE.rglob("*") if path.suffix not in (".pyc", ".mo") and path.is_file()]
    for path in sorted([*files, PACKAGE / "setup.py", PACKAGE / "pyproject.toml"]):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(ROOT)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:20]


def find_build(data_dir: Path) -> Path | None:
    """Return the folder to import the compiled engine from; None if there is no build of exactly this source."""
    folder = builds_folder(data_dir)
    if not folder.is_dir():
        return None
    build = folder / fingerprint()
    return build if build.is_dir() else None


def choose_engine(wanted: str, data_dir: Path) -> str:
    """Let this process import the chosen engine (one of CHOICES); return PURE or COMPILED, whichever it will be.

    Call it before anything imports the engine. Raises NoSuchEngine.
    """
    if wanted not in CHOICES:
        raise NoSuchEngine(f"FM_ENGINE is {wanted!r}: it may be {', '.join(CHOICES)}")
    build = None if wanted == PURE else find_build(data_dir)
    if build is None:
        if wanted == COMPILED:
            raise NoSuchEngine(f"FM_ENGINE is compiled, but {builds_folder(data_dir)} has no build: ./run compile")
        return PURE
    if "rules_engine" not in sys.modules:
        sys.path.insert(0, str(build))
    elif not is_compiled():
        raise NoSuchEngine("the source of the rules engine was imported before a build of it could be chosen")
    return COMPILED


def is_compiled() -> bool:
    from rules_engine import turn

    return not turn.__file__.endswith(".py")
