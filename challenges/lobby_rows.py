"""The rows of the lobby, drawn the same on the page and for its sockets.

A row says nothing about its reader. So it is drawn once for each language, and a page that is open gets the rows that
changed, with the order of all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import ngettext

from challenges.selectors.lobby import ShownLobby

Rows = Mapping[str, str]
# How many of the last lines an open page gets when it connects; it has the others.
LIVE_LINES = 10
PARTS = {"own": "_own_seek", "seeks": "_seek", "here": "_here", "lines": "_room_line"}


@dataclass(frozen=True)
class DrawnLobby:
    """What one reader sees of the lobby: for each part, its rows by key, in order; and how many people are here."""

    parts: Mapping[str, Rows]
    count: str

    def list_changes(self, before: "DrawnLobby | None") -> dict[str, Any]:
        """Return what a page needs that shows `before`: for each part that changed its `order` and the `rows` that are
        new or different."""
        changes: dict[str, Any] = {}
        for name, rows in self.parts.items():
            old = before.parts[name] if before is not None else {}
            fresh = {key: html for key, html in rows.items() if old.get(key) != html}
            if before is None or fresh or list(old) != list(rows):
                changes[name] = {"order": list(rows), "rows": fresh}
        if before is None or before.count != self.count:
            changes["count"] = self.count
        return changes


class RowPainter:
    """Draws rows in the language of the moment, each once."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._drawn: dict[tuple[str, int], str] = {}

    def draw(self, shown: ShownLobby) -> DrawnLobby:
        parts = {
            name: {
                str(each.key): self._drawn.get((name, each.key)) or self._draw_row(name, each)
                for each in getattr(shown, name)[-LIVE_LINES if name == "lines" else 0 :]
            }
            for name in PARTS
        }
        return DrawnLobby(parts, describe_count(shown))

    def _draw_row(self, name: str, row: Any) -> str:
        context = {"template": f"challenges/{PARTS[name]}.html", "shown": row}
        html: str = render_to_string("challenges/_live_row.html", context).strip()
        self._drawn[name, row.key] = html
        return html


def describe_count(shown: ShownLobby) -> str:
    """Return how many people are here, and were in the last hour."""
    here = ngettext("%(count)d person", "%(count)d people", shown.number_here) % {"count": shown.number_here}
    return f"{here}, " + ngettext("%(count)d in the last hour", "%(count)d in the last hour", shown.in_last_hour) % {
        "count": shown.in_last_hour
    }
