"""Finds the records in a file: JSON (one record, or a list of them) or JSON lines, plain or gzipped."""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.errors import UnreadableFile

GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class Record:
    """One JSON object and its place, such as `games.jsonl:12`."""

    place: str
    data: dict[str, Any]


def read_records(path: Path) -> Iterator[Record]:
    """Yields every record of the file. Raises UnreadableFile, which names the file and, if known, the line."""
    text = _read_text(path)
    whole = _parse_or_none(text)
    if isinstance(whole, list):
        yield from (_as_record(f"{path}[{n}]", item) for n, item in enumerate(whole))
    elif whole is not None:
        yield _as_record(str(path), whole)
    else:
        yield from _read_lines(path, text)


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if raw.startswith(GZIP_MAGIC) else raw).decode("utf-8")
    except FileNotFoundError:
        raise UnreadableFile(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as problem:
        raise UnreadableFile(f"{path}: cannot be read ({problem})") from problem


def _parse_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _read_lines(path: Path, text: str) -> Iterator[Record]:
    lines = [(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise UnreadableFile(f"{path}: holds nothing")
    for n, line in lines:
        try:
            yield _as_record(f"{path}:{n}", json.loads(line))
        except json.JSONDecodeError as problem:
            raise UnreadableFile(f"{path}:{n}: not JSON ({problem})") from problem


def _as_record(place: str, data: Any) -> Record:
    if not isinstance(data, dict):
        raise UnreadableFile(f"{place}: a record is a JSON object, this is {type(data).__name__}")
    return Record(place, data)
