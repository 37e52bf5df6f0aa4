"""Lines that a mail program broke softly (format=flowed, RFC 3676), put together again."""

import re

SIGNATURE = "-- "


def unwrap_flowed(text: str, *, delete_space: bool = False) -> str:
    """Join each line that ends in a space to the next one of the same depth of quoting."""
    out: list[tuple[int, str, bool]] = []
    for line in text.split("\n"):
        depth, body = split_quote(line)
        soft = body.endswith(" ") and body != SIGNATURE
        if soft and delete_space:
            body = body[:-1]
        if out and out[-1][2] and out[-1][0] == depth and body != SIGNATURE:
            out[-1] = (depth, out[-1][1] + body, soft)
        else:
            out.append((depth, body, soft))
    return "\n".join(("> " * depth + body) for depth, body, _ in out)


def split_quote(line: str) -> tuple[int, str]:
    """Part a line into its depth of quoting and its text, without the space that stuffing put before it."""
    marks = re.match(r">*", line)
    depth = marks.end() if marks else 0
    body = line[depth:]
    return depth, body[1:] if body.startswith(" ") else body
