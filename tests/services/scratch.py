"""The temporary folder of one test run, in memory if there is room; the next run removes the folders of killed runs.

A cluster of PostgreSQL is a thousand files: on a disk, making or copying them takes longer than most tests.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "firetop-tests-"
MEMORY = Path("/dev/shm")
# What the whole suite writes, with much to spare.
ROOM = 4 * 1024**3


# The folders of this process, open and locked until it ends.
locks: list[int] = []
# A folder is locked a moment after it was made.
SECONDS_TO_LOCK = 60


def make_scratch_folder() -> Path:
    """Return a new folder, named after its process. Others may pass through it but not list it."""
    sweep_scratch_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=choose_place()))
    locks.append(os.open(folder, os.O_RDONLY))
    fcntl.flock(locks[-1], fcntl.LOCK_EX)
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
        with contextlib.suppress(OSError):
            about = folder.stat()
            is_old = time.time() - about.st_mtime > SECONDS_TO_LOCK
            if about.st_uid == os.getuid() and is_old and not is_locked(folder):
                shutil.rmtree(folder, ignore_errors=True)


def is_locked(folder: Path) -> bool:
    """Return whether the process that made this folder is running. Its number does not tell: a container has numbers of
    its own, and may share the place."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
