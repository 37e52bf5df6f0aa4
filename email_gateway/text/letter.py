"""An email as its reader sees it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Letter:
    """An email as a reader sees it. `source` says where the text comes from: a plain part, an HTML one, or nowhere.
    `has_attachment`: a document was attached, which may contain what its writer wants to say."""

    subject: str
    text: str
    source: Literal["plain", "html", "none"]
    sender: str
    message_id: str
    references: tuple[str, ...]
    date: str
    has_attachment: bool = False


def make_storable(text: str) -> str:
    """Replace characters that no database accepts: surrogates that some codecs leave, and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
