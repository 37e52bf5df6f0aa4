"""The shapes that arms are drawn from, as paths of SVG in boxes of 48; charges are in boxes of 32."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class Part:
    """A piece of a charge: `line` is a stroke in its tincture, `hole` and `cut` are in the field's."""

    d: str
    paint: Literal["fill", "line", "hole", "cut"]
    width: float = 0
    evenodd: bool = False


_read: dict[str, Any] = json.loads(Path(__file__).with_name("parts.json").read_text())

SHAPES: tuple[str, ...] = tuple(_read["shapes"].values())
SEAL: str = _read["seal"]
HEXAGON: str = _read["hexagon"]
# Name and path of the second part of a field. The bordure has no path: it is a stroke along the edge.
DIVISIONS: tuple[tuple[str, str | None], ...] = tuple((each["name"], each["path"]) for each in _read["divisions"])
CHARGES: tuple[tuple[Part, ...], ...] = tuple(
    tuple(Part(**part) for part in each["parts"]) for each in _read["charges"]
)
# What is on the hexagons of the site's bots: the faces of their mages, and the sigils of their strengths.
FACES: dict[str, str] = _read["faces"]
SIGILS: dict[str, str] = _read["sigils"]
