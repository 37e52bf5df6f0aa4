"""The files in which the processes of a machine keep their counts, without the danger of the client library's own.

It maps a file with a hole into memory. If the file system is full when a count falls into the hole, the system ends the
process (SIGBUS), and the next one as soon as it counts. Here the whole file is written before it is mapped. If there is
no room for it, the process keeps its counts in its memory: metrics are not worth a page.
"""

import mmap
import struct
from pathlib import Path
from typing import Any

import structlog
from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

log = structlog.get_logger(__name__)
FIRST_BYTES = 65_536
# What an entry needs besides its key: its length, up to eight bytes behind it, two numbers.
ENTRY_BYTES = 4 + 8 + 16
# A file begins with how much of it is used: eight bytes, and these are all.
EMPTY = struct.pack("ii", 8, 0)


class SolidFile(MmapedDict):
    """A file of counts without holes, or the same in this process's memory."""

    _f: Any
    _m: Any
    # Whether a file of this process had no room. Nobody else sees its counts then.
    without_file = False

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        try:
            fill(filename, FIRST_BYTES)
            super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]
        except OSError as error:
            self._f, self._fname, self._positions, self._used = None, filename, {}, len(EMPTY)
            self._keep_in_memory(EMPTY, FIRST_BYTES, error)

    def _init_value(self, key: str) -> None:
        """Add an entry, with more room if necessary. The caller holds the library's lock."""
        wanted = self._capacity
        while self._used + len(key.encode()) + ENTRY_BYTES > wanted:
            wanted *= 2
        if wanted > self._capacity:
            self._grow(wanted)
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _grow(self, size: int) -> None:
        content = self._m[: self._used]
        if self._f is None:
            self._keep_in_memory(content, size)
            return
        try:
            fill(self._fname, size)
            self._m, self._capacity = mmap.mmap(self._f.fileno(), size), size
        except OSError as error:
            self._f.close()
            self._f = None
            self._keep_in_memory(content, size, error)

    def _keep_in_memory(self, content: bytes, size: int, error: OSError | None = None) -> None:
        if error and not SolidFile.without_file:
            log.warning("counts without a file", file=self._fname, error=error.strerror)
            SolidFile.without_file = True
        self._m = mmap.mmap(-1, size)
        self._m[: len(content)] = content
        self._capacity = size


def fill(filename: str, size: int) -> None:
    """Make a file at least `size` bytes long, by writing. Raises OSError if there is no room, and then leaves the file
    as it was."""
    path = Path(filename)
    with path.open("ab", buffering=0) as file:
        before = file.tell()
        missing = size - before
        try:
            while missing > 0:
                missing -= file.write(bytes(missing))
        except OSError:
            file.truncate(before)
            if not before:
                path.unlink()
            raise


def use_solid_files() -> None:
    """Let the client library use them; before the first metric is made."""
    values.MmapedDict = SolidFile  # type: ignore[attr-defined]
