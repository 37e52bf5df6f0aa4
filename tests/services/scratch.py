"""The temporary folder of one test run; the next run removes the folders of killed runs."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "firetop-test-"


def make_scratch_folder() -> Path:
    """Return a new folder, named after its process. Others may pass through it but not list it."""
    sweep_scratch_folders()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    # PostgreSQL refuses to run as root, so its own user must be able to reach its folder in here.
    folder.chmod(0o711)
    return folder


def sweep_scratch_folders() -> None:
    """Remove the folders of this user whose process is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
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
