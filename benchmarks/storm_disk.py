"""A small disk that can fill up and lose its power: an ext4 image, mounted on a loop device (needs root)."""

import contextlib
import fcntl
import os
import struct
import subprocess
from pathlib import Path

# FS_IOC_SHUTDOWN of Linux, without flushing the journal: what was not synced never reaches the image.
SHUTDOWN, NO_FLUSH = 0x8004587D, struct.pack("I", 2)
# PostgreSQL's programs may be copied there, and it keeps old WAL.
MEGABYTES = 700


class NoDisk(Exception):
    """This user or machine cannot mount an image."""


class Disk:
    """An ext4 in `image`, mounted at `folder` until `close`."""

    def __init__(self, folder: Path, megabytes: int = MEGABYTES) -> None:
        """Raises NoDisk if that is not possible here."""
        self.folder, self.image = folder, folder.with_suffix(".img")
        folder.mkdir()
        with self.image.open("wb") as file:
            file.truncate(megabytes * 1_000_000)
        try:
            self._run("mkfs.ext4", "-q", "-F", "-m", "0", str(self.image))
            self.mount()
        except (OSError, subprocess.CalledProcessError) as error:
            self.image.unlink()
            folder.rmdir()
            raise NoDisk(str(error)) from error
        folder.chmod(0o711)

    def mount(self) -> None:
        self._run("mount", "-o", "loop", str(self.image), str(self.folder))

    @property
    def ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Leave no block free."""
        state = os.statvfs(self.folder)
        with self.ballast.open("wb") as file:
            with contextlib.suppress(OSError):
                os.posix_fallocate(file.fileno(), 0, state.f_bavail * state.f_frsize)
            # The rest is less than the file system needs for itself, which cannot be predicted.
            os.lseek(file.fileno(), 0, os.SEEK_END)
            with contextlib.suppress(OSError):
                while os.write(file.fileno(), bytes(4096)):
                    pass

    def clear(self) -> None:
        """Free what `fill` took."""
        self.ballast.unlink(missing_ok=True)

    def lose_power(self) -> None:
        """Stop all writing at once: from now on every access fails, and what was not synced is gone."""
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, SHUTDOWN, NO_FLUSH)
        finally:
            os.close(folder)

    def return_power(self) -> None:
        """Mount the image again, as after a power cut. Nobody may have a file of it open."""
        self._run("umount", str(self.folder))
        self.mount()

    def close(self) -> None:
        self._run("umount", "-l", str(self.folder))
        self.image.unlink()

    def _run(self, *command: str) -> None:
        subprocess.run(command, check=True, capture_output=True)
