"""The files and commands of docs/hosting.md, and of the pages about what comes later."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
MACHINES = (ROOT / "docs" / "many-machines.md").read_text(encoding="utf-8")
QUOTED = re.compile(r"^`(deploy/[\w./-]+)`:\n\n```\w*\n(.*?)^```$", re.M | re.S)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
BLOCK = re.compile(r"^```.*?^```$", re.M | re.S)
PROGRAMS = r"firetop|deploy/install|systemctl|systemd-analyze|docker|apt-get|echo|opendkim-testkey|pip|\./run"


def read_quotes() -> dict[str, str]:
    """Return the files that the document and its page about several machines quote, by their paths."""
    return dict(quote for text in (TEXT, MACHINES) for quote in QUOTED.findall(text))


def list_blocks(page: str) -> list[list[str]]:
    """Return the commands of a page of docs/, in their order, by the blocks in which they stand."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return [[line for line in block.splitlines() if line] for block in COMMANDS.findall(text)]


def list_commands(page: str = "hosting") -> list[str]:
    """Return the commands of a page of docs/, in their order."""
    return [line for block in list_blocks(page) for line in block]


def list_mentioned_commands() -> list[str]:
    """Return the commands that stand in the document's sentences and tables, in their order, each once."""
    return list(dict.fromkeys(re.findall(rf"`((?:{PROGRAMS}) [^`\n]+)`", BLOCK.sub("", TEXT))))
