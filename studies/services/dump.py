"""Writing the dump of all finished battles."""

import datetime
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

from django.conf import settings

from operations.remote_files import delete_file, list_files, read_file, send_file
from studies.dump.files import INDEX, NAME, SUMS, DumpPart, parse_index, read_index, write_index, write_month
from studies.selectors.dump import list_months, mark_month, read_month

# The name of the nightly chore.
DUMP = "dump"


def update_dump(*, now: datetime.datetime) -> int:
    """Update the dump where this site keeps it; return how many months were written. Raises ProgramFailed."""
    if settings.FM_DUMP_TO:
        return write_remote_dump(to=settings.FM_DUMP_TO, scratch=settings.DATA_DIR, now=now)
    return write_dump(folder=settings.FM_DUMP_DIR, now=now)


def write_dump(*, folder: Path, now: datetime.datetime) -> int:
    """Update the files of the dump; return how many months were written.

    Can be interrupted at any moment: each file is replaced as a whole, and the index is written last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = {path.name for path in folder.iterdir()}
    parts, written = _write_changed_months(folder, read_index(folder)[1], names)
    write_index(folder, parts, written_at=_write_moment(now))
    return written


def write_remote_dump(*, to: str, scratch: Path, now: datetime.datetime) -> int:
    """Update the dump in a target of rclone, as `write_dump` does in a folder; what stays the same is not read. Each
    new file is in `scratch` for a while. Raises ProgramFailed."""
    names = set(list_files(to))
    _, known = parse_index(read_file(to, INDEX))
    with tempfile.TemporaryDirectory(dir=scratch, prefix="dump-") as made:
        folder = Path(made)
        parts, written = _write_changed_months(folder, known, names)
        for path in sorted(folder.iterdir()):
            send_file(path, to)
        write_index(folder, parts, written_at=_write_moment(now))
        for name in (SUMS, INDEX):
            send_file(folder / name, to)
    for name in sorted(names - {part.name for part in parts} - {SUMS, INDEX}):
        if NAME.fullmatch(name):
            delete_file(to, name)
    return written


def _write_changed_months(
    folder: Path, known: Iterable[DumpPart], names: Collection[str]
) -> tuple[list[DumpPart], int]:
    """Write the months that differ from the `known` files, or whose files are not among `names`, into the folder;
    return all files of the dump, and how many months were written."""
    of_month: dict[str, list[DumpPart]] = {}
    for part in known:
        of_month.setdefault(part.month, []).append(part)
    parts: list[DumpPart] = []
    written = 0
    for month in list_months():
        mark, old = mark_month(month), of_month.get(month, [])
        if old and all(part.mark == mark and part.name in names for part in old):
            parts += old
            continue
        parts += write_month(folder, month, read_month(month), mark)
        written += 1
    return parts, written


def _write_moment(now: datetime.datetime) -> str:
    return now.astimezone(datetime.UTC).isoformat(timespec="seconds")
