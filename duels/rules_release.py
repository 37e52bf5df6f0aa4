"""The release of the rules that this process runs."""

import functools
import hashlib
from pathlib import Path

import duels
import rules_engine


@functools.cache
def current_rules_release() -> str:
    """Return a hash that changes whenever the code that resolves turns changes.

    It is computed from the source, so it works however the site is updated: by hand, by git or by an image.
    """
    digest = hashlib.sha256()
    for package in (rules_engine, duels):
        folder = Path(package.__path__[0])
        for file in sorted(folder.rglob("*.py")):
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()
