"""The secret key of a site without a SECRET_KEY setting: generated once and kept in the data folder."""

import os
import secrets
from pathlib import Path


def load_or_make_secret_key(path: Path) -> str:
    """Return the key in `path`; if there is none, write a new one that only its owner can read.

    Several processes may start at once: the first to link its file wins, and all of them read that one.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(64))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()
