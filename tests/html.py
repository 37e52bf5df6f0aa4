"""Pages as tests compare them: without the white space that templates put between tags."""

import re
from typing import Any


def flat(answer: Any) -> str:
    """Return the page of a response (or its text) in one line, without white space where it cannot be seen: between
    tags, after a start tag and before an end tag."""
    page = answer if isinstance(answer, str) else answer.content.decode()
    parts = re.split(r"(<pre.*?</pre>)", page, flags=re.DOTALL)
    return "".join(part if part.startswith("<pre") else _flatten(part) for part in parts)


def _flatten(html: str) -> str:
    html = re.sub(r"(<[a-z][^<>]*>)\s+", r"\1", re.sub(r"\s+", " ", html))
    return html.replace(" </", "</").replace("> <", "><")
