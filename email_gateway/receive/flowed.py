"""Lines that a mail program broke softly (format=flowed, RFC 3676), put together again."""

import re

SIGNATURE = "-- "


def unwrap_flowed(text: str, *, delete_space: bool = False) -> str:
    """Join each line that ends in a space to the next one of the same depth of quoting."""
    out: list[tuple[int, list[str]]] = []
    goes_on = False
    for line in text.split("\n"):
        depth, body = split_quote(line)
        joins = goes_on and out[-1][0] == depth and body != SIGNATURE
        goes_on = body.endswith(" ") and body != SIGNATURE
        if goes_on and delete_space:
            body = body[:-1]
        if joins:
            out[-1][1].append(body)
        else:
            out.append((depth, [body]))
    return "\n".join("> " * depth + "".join(pieces) for depth, pieces in out)


def split_quote(line: str) -> tuple[int, str]:
    """Part a line into its depth of quoting and its text, without the space that stuffing put before it."""
    marks = re.match(r">*", line)
    depth = marks.end() if marks else 0
    body = line[depth:]
    return depth, body[1:] if body.startswith(" ") else body
