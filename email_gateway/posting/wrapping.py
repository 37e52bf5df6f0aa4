"""Long lines of a mail, broken."""

import textwrap

WIDTH = 72


def wrap(text: str) -> str:
    """Break long lines; lines that are indented stay as they are."""
    rows = []
    for row in text.split("\n"):
        rows += [row] if row.startswith(" ") or len(row) <= WIDTH else textwrap.wrap(row, WIDTH, break_long_words=False)
    return "\n".join(rows)


def indent(text: str, columns: int, *, first: str = "") -> str:
    """Break one paragraph into lines that are indented so far; `first` stands before the first of them."""
    blank = " " * columns
    head = f"{first:<{columns}}"
    return textwrap.fill(text, WIDTH, initial_indent=head, subsequent_indent=blank, break_long_words=False)
