"""Searches for words wherever a stack writes: its log, its files, its rows, its Valkey."""

import base64
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import redis

from fm_site.run.valkey import embedded_redis_url
from tests.services.stack import Stack

# Files that the site stores on purpose: its own key, and static files that came with the program.
KEPT = ("secret_key", "static")
ENCODED = re.compile(rb"[A-Za-z0-9_-]{16,}={0,2}")


def read_places(stack: Stack) -> Iterator[tuple[str, bytes]]:
    """Yield everything written, each with its place."""
    yield "log", stack.read_log().encode()
    for path in sorted(stack.data_dir.rglob("*")):
        if path.is_file() and path.relative_to(stack.data_dir).parts[0] not in KEPT:
            yield f"file {path.name}", path.read_bytes()
    yield from read_rows(stack.data_dir / "db.sqlite3")
    yield from read_valkey(embedded_redis_url(stack.data_dir))


def read_rows(database: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every value of every row. Reading the file is not enough, because SQLite splits long values."""
    rows = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    try:
        names = [name for (name,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in names:
            for row in rows.execute(f'SELECT * FROM "{name}"'):
                for value in row:
                    if isinstance(value, str | bytes):
                        yield f"row of {name}", value if isinstance(value, bytes) else value.encode()
    finally:
        rows.close()


def read_valkey(url: str) -> Iterator[tuple[str, bytes]]:
    with redis.Redis.from_url(url) as valkey:
        for key in valkey.scan_iter(count=500):
            yield "key in Valkey", key
            readers = {b"string": valkey.get, b"hash": valkey.hgetall, b"set": valkey.smembers}
            kind = valkey.type(key)
            if kind in readers:
                yield f"value of {key!r}", repr(readers[kind](key)).encode()
            elif kind == b"list":
                yield f"list {key!r}", repr(valkey.lrange(key, 0, -1)).encode()
            elif kind == b"zset":
                yield f"sorted set {key!r}", repr(valkey.zrange(key, 0, -1)).encode()


def find_words(stack: Stack, words: list[str]) -> dict[str, set[str]]:
    """The places of those `words` that appear anywhere, plain or in base64 (compressed or not)."""
    found: dict[str, set[str]] = {}
    wanted = [(word, word.encode()) for word in words]
    for place, content in read_places(stack):
        plain = content + b"\0" + (unwrap(content) if not place.startswith("file") else b"")
        for word, needle in wanted:
            if needle in plain:
                found.setdefault(word, set()).add(place)
    return found


def unwrap(content: bytes) -> bytes:
    """Return what `content` has in base64, decompressed if needed (as in Django's signed values)."""
    opened = []
    for piece in ENCODED.findall(content):
        try:
            raw = base64.urlsafe_b64decode(piece.rstrip(b"=") + b"=" * (-len(piece.rstrip(b"=")) % 4))
            opened.append(zlib.decompress(raw) if raw[:1] == b"x" else raw)
        except (ValueError, zlib.error):
            continue
    return b"\0".join(opened)
