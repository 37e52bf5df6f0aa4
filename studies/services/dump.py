"""Writing the dump of all finished battles."""

import datetime
from pathlib import Path

from studies.dump.files import DumpPart, find_part, read_index, write_index, write_month
from studies.selectors.dump import list_months, mark_month, read_month


def write_dump(*, folder: Path, now: datetime.datetime) -> int:
    """Update the files of the dump; return how many months were written.

    Can be interrupted at any moment: each file is replaced as a whole, and the index is written last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, list[DumpPart]] = {}
    for part in read_index(folder)[1]:
        known.setdefault(part.month, []).append(part)
    parts: list[DumpPart] = []
    written = 0
    for month in list_months():
        mark, old = mark_month(month), known.get(month, [])
        if old and all(part.mark == mark and find_part(folder, part.name) for part in old):
            parts += old
            continue
        parts += write_month(folder, month, read_month(month), mark)
        written += 1
    write_index(folder, parts, written_at=now.astimezone(datetime.UTC).isoformat(timespec="seconds"))
    return written
