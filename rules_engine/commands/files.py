"""Reads records from files, and lists their problems."""

from __future__ import annotations

import sys
from pathlib import Path

from rules_engine.errors import InvalidRecord, RulesError
from rules_engine.records import Record, parse_record


class CommandFailed(Exception):
    """The command cannot do its work; the message is for the user."""


def read_record(path: str, *, free_orders: bool = False) -> Record:
    """Return the record in a file (`-` is standard input). Raises CommandFailed, which names every wrong line."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        return parse_record(text, free_orders=free_orders)
    except InvalidRecord as error:
        raise CommandFailed(name_problems(path, error)) from error


def name_problems(path: str, error: RulesError) -> str:
    """Return one line for each problem, with its place and the nearest valid form."""
    if not isinstance(error, InvalidRecord):
        return f"{path}: {error}"
    return "\n".join(
        f"{path}:{f'{p.line}:' if p.line else ''} {p.message}" + (f" Did you mean: {p.nearest}" if p.nearest else "")
        for p in error.problems
    )
