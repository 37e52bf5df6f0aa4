"""The catalogues of texts in all languages, and compiling them.

A .po file is the source and is committed. Its .mo file is what gettext reads; each process writes it when it starts, if
the .po file has changed.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Domain:
    """Texts with their own catalogue, and the folders that contain them."""

    name: str
    home: str
    folders: tuple[str, ...]

    def find_catalogue(self, language: str) -> Path:
        return ROOT / self.home / language / "LC_MESSAGES" / f"{self.name}.po"

    def list_languages(self) -> list[str]:
        return sorted(path.parents[1].name for path in (ROOT / self.home).glob(f"*/LC_MESSAGES/{self.name}.po"))


SITE = Domain(
    "django",
    "locale",
    (
        *("accounts", "challenges", "duels", "email_gateway", "fm_site", "ladder"),
        *("league", "moderation", "notifications", "operations", "pictures", "studies"),
    ),
)
# The engine does not use Django, so it has its own catalogue.
ENGINE = Domain("rules_engine", "rules_engine/locale", ("rules_engine",))


def list_domains() -> list[Domain]:
    return [domain for domain in (SITE, ENGINE) if domain.list_languages()]


def compile_catalogues() -> list[Path]:
    """Write the .mo file of each .po file that has changed; return those written. Two processes may do it at once."""
    sources = [domain.find_catalogue(language) for domain in list_domains() for language in domain.list_languages()]
    return [target for target in map(compile_catalogue, sources) if target is not None]


def compile_catalogue(source: Path) -> Path | None:
    """Write the .mo file beside `source`, unless it is up to date.

    Their times of change are made equal, so that a .po file from an older release is noticed too.
    """
    target = source.with_suffix(".mo")
    if not source.exists():
        return None
    changed = source.stat().st_mtime_ns
    with suppress(FileNotFoundError):
        if target.stat().st_mtime_ns == changed:
            return None
    # Not earlier: most processes need none of it.
    from babel.messages.mofile import write_mo

    handle, name = tempfile.mkstemp(dir=source.parent, suffix=".tmp")
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            write_mo(file, read_catalogue(source))
        unfinished.chmod(0o644)
        os.utime(unfinished, ns=(changed, changed))
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


def read_catalogue(path: Path) -> Catalog:
    from babel.messages.pofile import read_po

    return read_po(BytesIO(path.read_bytes()), locale=path.parent.parent.name, ignore_obsolete=True)


if __name__ == "__main__":
    # For an installation whose folder the site itself cannot write (docs/hosting.md).
    compile_catalogues()
