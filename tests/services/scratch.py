"""The temporary folder of one test run, in memory if there is room; the next run removes the folders of killed runs.

A cluster of PostgreSQL is a thousand files: on a disk, making or copying them takes longer than most tests.
"""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "firetop-test-"
MEMORY = Path("/dev/shm")
# What the whole suite writes, with much to spare.
ROOM = 4 * 1024**3


def make_scratch_folder() -> Path:
    """Return a new folder, named after its process. Others may pass through it but not list it."""
    sweep_scratch_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=choose_place()))
    # PostgreSQL refuses to run as root, so its own user must be able to reach its folder in here.
    folder.chmod(0o711)
    return folder


def choose_place() -> Path:
    """Return the file system in memory if programs may run there and it is large enough, else the usual place."""
    try:
        memory = os.statvfs(MEMORY)
    except OSError:
        return Path(tempfile.gettempdir())
    roomy = memory.f_bavail * memory.f_frsize > ROOM and os.access(MEMORY, os.W_OK)
    return MEMORY if roomy and not memory.f_flag & os.ST_NOEXEC else Path(tempfile.gettempdir())


def sweep_scratch_folders() -> None:
    """Remove the folders of this user whose process is gone."""
    places = {Path(tempfile.gettempdir()), MEMORY}
    for folder in (folder for place in places for folder in place.glob(f"{PREFIX}*")):
        with contextlib.suppress(OSError, ValueError):
            pid = int(folder.name.removeprefix(PREFIX).partition("-")[0])
            if folder.stat().st_uid == os.getuid() and not is_running(pid):
                shutil.rmtree(folder, ignore_errors=True)


def is_running(pid: int) -> bool:
    """Return whether a process with this number exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
