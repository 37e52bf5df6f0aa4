"""Draw the sprite of the eight signs: ``python -m duels.hands`` writes ``duels/templates/duels/hands.svg``."""

from __future__ import annotations

from pathlib import Path

from duels.hands.outline import Point, contours, cut, melt, simplify
from duels.hands.path import smooth, straight
from duels.hands.skeletons import SIGNS, SLEEVE, Sign

SPRITE = Path(__file__).resolve().parents[1] / "templates" / "duels" / "hands.svg"
NAMES = {"&gt;": "stab", "-": "nothing"}


def mirror(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the same points for the other hand."""
    return tuple((32 - x, y) for x, y in points)


def draw(sign: Sign) -> str:
    """Return the ``d`` attribute of one sign."""
    parts: list[tuple[Point, ...]] = []
    if sign.bones:
        for line in contours(melt(sign.bones, sign.softness)):
            for part in cut(line, lambda x, y: y < sign.open_below and sign.keep(x, y)):
                parts.append(tuple(simplify(part, sign.slack)))
    parts.extend(sign.curves)
    sleeve = (SLEEVE,) if sign.sleeve and not sign.mirrored_twin else ()
    d = "".join(smooth(p) for p in (*parts, *sleeve)) + "".join(straight(p) for p in sign.lines)
    if sign.mirrored_twin:
        d += "".join(smooth(mirror(p)) for p in parts) + "".join(straight(mirror(p)) for p in sign.lines)
    return d


def sprite() -> str:
    """Return the whole hidden sprite: one symbol per sign, ``h-F`` to ``h-C``, ``h-stab`` and ``h-nothing``."""
    symbols = "\n".join(
        f'<symbol id="h-{NAMES.get(s.letter, s.letter)}" viewBox="0 0 32 32"><path d="{draw(s)}"/></symbol>'
        for s in SIGNS
    )
    return f'<svg class="sprite" aria-hidden="true" focusable="false">\n{symbols}\n</svg>\n'


def main() -> None:
    """Write the sprite."""
    SPRITE.write_text(sprite(), encoding="utf-8")


if __name__ == "__main__":
    main()
