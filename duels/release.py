"""Which release of the rules this process runs."""

import functools
import hashlib
from pathlib import Path

import duels
import rules_engine


@functools.cache
def current_release() -> str:
    """Return a mark that changes whenever the code that resolves turns does.

    It is made of the source itself, so that a house that is updated by hand, by git or by an image is told alike.
    """
    digest = hashlib.sha256()
    for package in (rules_engine, duels):
        folder = Path(package.__path__[0])
        for file in sorted(folder.rglob("*.py")):
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
