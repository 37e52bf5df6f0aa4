"""The files of a dump: an index, and for each month the battles as JSON lines and their records as text."""

import gzip
import hashlib
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

FORMAT = 1
INDEX = "index.json"
SUMS = "SHA256SUMS"
NAME = re.compile(r"(battles-\d{4}-\d{2}\.jsonl\.gz|records-\d{4}-\d{2}\.zip|index\.json|SHA256SUMS)")
EARLIEST = (1980, 1, 1, 0, 0, 0)
CHUNK = 1 << 20


@dataclass(frozen=True)
class DumpPart:
    """One file: the number of battles, the size in bytes, the SHA-256, and a `mark` of the data it was written from."""

    name: str
    month: str
    battles: int
    size: int
    sha256: str
    mark: str


def write_line(battle: Mapping[str, Any]) -> bytes:
    """Return a battle as one line of JSON; the same battle always gives the same bytes."""
    return json.dumps(battle, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def write_month(folder: Path, month: str, battles: Iterable[Mapping[str, Any]], mark: str) -> list[DumpPart]:
    """Write both files of a month, each replaced in one step, so that readers get either the old or the new one."""
    count = 0
    lines, records = folder / f"battles-{month}.jsonl.gz", folder / f"records-{month}.zip"
    with (
        _replacing(lines) as raw,
        _replacing(records) as packed,
        gzip.GzipFile(fileobj=raw, filename="", mode="wb", mtime=0) as file,
        zipfile.ZipFile(packed, "w") as archive,
    ):
        for battle in battles:
            count += 1
            file.write(write_line(battle))
            if battle["record"] is not None:
                info = zipfile.ZipInfo(f"battle-{battle['battle']}.txt", EARLIEST)
                archive.writestr(info, battle["record"], zipfile.ZIP_DEFLATED)
    return [describe_file(path, month, count, mark) for path in (lines, records)]


def describe_file(path: Path, month: str, battles: int, mark: str) -> DumpPart:
    return DumpPart(path.name, month, battles, path.stat().st_size, hash_file(path), mark)


def hash_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def write_index(folder: Path, parts: Iterable[DumpPart], *, written_at: str) -> None:
    """Write the checksums and then the index, and delete files that are in neither."""
    listed = sorted(parts, key=lambda part: part.name)
    with _replacing(folder / SUMS) as file:
        file.write("".join(f"{part.sha256}  {part.name}\n" for part in listed).encode())
    content = {"format": FORMAT, "written_at": written_at, "parts": [asdict(part) for part in listed]}
    with _replacing(folder / INDEX) as file:
        file.write(json.dumps(content, indent=1).encode() + b"\n")
    kept = {part.name for part in listed} | {SUMS, INDEX}
    for path in folder.iterdir():
        if NAME.fullmatch(path.name) and path.name not in kept:
            path.unlink(missing_ok=True)


def read_index(folder: Path) -> tuple[str, list[DumpPart]]:
    """Return when the dump was written ("" for never) and its files."""
    try:
        return parse_index((folder / INDEX).read_bytes())
    except FileNotFoundError:
        return parse_index(b"")


def parse_index(text: bytes) -> tuple[str, list[DumpPart]]:
    """Return when the dump with this index was written ("" for never) and its files."""
    if not text:
        return "", []
    content = json.loads(text)
    return content["written_at"], [DumpPart(**part) for part in content["parts"]]


def find_part(folder: Path, name: str) -> Path | None:
    """Return the path of that file if it belongs to the dump and exists."""
    path = folder / name
    return path if NAME.fullmatch(name) and path.is_file() else None


class _replacing:
    """A temporary file that replaces `path` once it is complete, or is deleted on failure."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> IO[bytes]:
        handle, self.temporary = tempfile.mkstemp(dir=self.path.parent, prefix=".dump-")
        Path(self.temporary).chmod(0o644)
        self.file: IO[bytes] = io.FileIO(handle, "w+")
        return self.file

    def __exit__(self, kind: type[BaseException] | None, *_more: object) -> None:
        self.file.close()
        if kind is None:
            Path(self.temporary).replace(self.path)
        else:
            Path(self.temporary).unlink(missing_ok=True)
