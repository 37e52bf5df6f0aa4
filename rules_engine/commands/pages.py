"""The command rules: the pages of docs/rules, made from the engine's own data."""

from __future__ import annotations

import argparse
from pathlib import Path

from rules_engine.commands.files import CommandFailed
from rules_engine.rulebook import write_pages


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rules = commands.add_parser("rules", help="write the pages of all rulesets on offer")
    rules.add_argument("folder", metavar="FOLDER", help="docs/rules, for the committed pages")
    rules.set_defaults(run=write_folder)


def write_folder(arguments: argparse.Namespace) -> int:
    """Write every page, and remove pages that no longer exist."""
    folder = Path(arguments.folder)
    pages = write_pages()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.md"):
            if old.name not in pages:
                old.unlink()
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandFailed(f"{folder}: {error.strerror}") from error
    print(f"{len(pages)} pages in {folder}")
    return 0
