"""The files and commands of docs/hosting.md."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
QUOTED = re.compile(r"^`(deploy/[\w./-]+)`:\n\n```\w*\n(.*?)^```$", re.M | re.S)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)


def read_quotes() -> dict[str, str]:
    """Return the files that the document quotes, by their paths."""
    return dict(QUOTED.findall(TEXT))


def list_commands() -> list[str]:
    """Return the document's commands, in their order."""
    return [line for block in COMMANDS.findall(TEXT) for line in block.splitlines() if line]
