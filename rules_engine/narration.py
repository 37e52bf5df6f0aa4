"""English (placeholder while the table of sentences is written)."""

from __future__ import annotations


def name_form(name: str, me: str | None) -> str:
    return name
