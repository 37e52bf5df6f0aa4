"""Files in a target of rclone ("offsite:firetop"): S3-compatible storage, SFTP and many others.

rclone reads its own configuration (RCLONE_CONFIG), which has the keys. All functions raise ProgramFailed.
"""

import re
from pathlib import Path

from operations.programs import HOUR, run_program

REMOTE = re.compile(r":?\w[\w.+@ -]*(?:,[^:]*)?:")
# rclone's code for a folder that is not there. Storage without folders has none until it has a file in it.
NO_FOLDER = 3


def is_remote(to: str) -> bool:
    """Return whether a target is rclone's, and not a folder."""
    return REMOTE.match(to) is not None and not Path(to).is_absolute()


def place_of(to: str, name: str) -> str:
    return f"{to}{name}" if to.endswith(":") else f"{to.rstrip('/')}/{name}"


def list_files(to: str, *, seconds: float = HOUR) -> list[str]:
    """Return the names of the files there, not those in folders below."""
    return run_program("rclone", "lsf", "--files-only", to, seconds=seconds, fine=(0, NO_FOLDER)).decode().splitlines()


def send_file(source: Path, to: str) -> None:
    run_program("rclone", "copyto", str(source), place_of(to, source.name))


def read_file(to: str, name: str, *, seconds: float = HOUR) -> bytes:
    """Return the contents of a file; nothing if there is none."""
    return run_program("rclone", "cat", place_of(to, name), seconds=seconds, fine=(0, NO_FOLDER))


def delete_file(to: str, name: str) -> None:
    run_program("rclone", "deletefile", place_of(to, name))


def make_link(to: str, name: str, *, lasts: int, seconds: float = HOUR) -> str:
    """Return an address by which anyone can fetch the file for `lasts` seconds, from the storage itself."""
    command = ("rclone", "link", "--expire", f"{lasts}s", place_of(to, name))
    return run_program(*command, seconds=seconds).decode().strip()
