"""The layout of an email in plain text: line breaks, indents and quotations."""

import textwrap

WIDTH = 72
# Before each line that someone else wrote.
MARGIN = "  | "


def quote(text: str) -> str:
    """Mark someone else's words, so that they can't be taken for ours."""
    return "\n".join(f"{MARGIN}{row}".rstrip() for row in str(text).split("\n"))


def wrap(text: str) -> str:
    """Break long lines, including those of a quotation; other indented lines stay as they are."""
    return "\n".join(line for row in text.split("\n") for line in wrap_row(row))


def wrap_row(row: str) -> list[str]:
    if len(row) <= WIDTH or (row.startswith(" ") and not row.startswith(MARGIN)):
        return [row]
    margin = MARGIN if row.startswith(MARGIN) else ""
    broken = textwrap.wrap(row.removeprefix(margin), WIDTH - len(margin), break_long_words=False)
    return [f"{margin}{part}" for part in broken]


def indent(text: str, columns: int, *, first: str = "") -> str:
    """Break one paragraph into lines with this indent; the first line begins with `first`."""
    blank = " " * columns
    head = f"{first:<{columns}}"
    return textwrap.fill(text, WIDTH, initial_indent=head, subsequent_indent=blank, break_long_words=False)
