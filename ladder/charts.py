"""Charts as plain numbers for SVG: drawn by the server, readable without colour, and always shown with a table."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.models import RatingEntry
from ladder.selectors.ratings import shown_deviation, shown_rating
from ladder.selectors.statistics import LengthFigures

WIDTH, HEIGHT = 720, 160
MOST_BARS = 60
WIDEST_BAR = 60
# A grid line this near the top has no room for its label.
ROOM_FOR_A_MARK = 16


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: its position and size as SVG writes them in any language, and its labels. `height` is ""
    for no battles."""

    x: str
    y: str
    width: str
    height: str
    label: str
    words: str


@dataclass(frozen=True)
class BarChart:
    """Bars from left to right above a line at `base`; every `step`th bar is labelled."""

    bars: tuple[Bar, ...]
    width: int = WIDTH
    height: int = HEIGHT + 24
    base: int = HEIGHT
    step: int = 1


def draw_lengths(figures: LengthFigures) -> BarChart:
    """Draw how many battles ended after how many turns; the last bar holds all of 60 turns or more."""
    count: dict[int, int] = {}
    for row in figures.rows:
        turns = min(row.turns, MOST_BARS)
        count[turns] = count.get(turns, 0) + row.battles
    if not count:
        return BarChart(())
    last, most = max(count), max(count.values())
    width = min(WIDTH / last, WIDEST_BAR)
    bars = []
    for turns in range(1, last + 1):
        battles = count.get(turns, 0)
        height = max(2.0, battles * (HEIGHT - 8) / most) if battles else 0.0
        bars.append(
            Bar(
                x=f"{(turns - 1) * width:.1f}",
                y=f"{HEIGHT - height:.1f}",
                width=f"{width * 0.8:.1f}",
                height=f"{height:.1f}" if battles else "",
                label=str(turns),
                words=_name_bar(turns, battles),
            )
        )
    return BarChart(tuple(bars), step=1 if last <= 15 else 5)


def _name_bar(turns: int, battles: int) -> str:
    if turns == MOST_BARS:
        sentence = _("%(turns)d or more turns: %(battles)d")
    else:
        sentence = ngettext("%(turns)d turn: %(battles)d", "%(turns)d turns: %(battles)d", turns)
    return sentence % {"turns": turns, "battles": battles}


@dataclass(frozen=True)
class RatingPoint:
    """A rating after a battle, in whole points, as shown."""

    battle: int
    ended_at: datetime
    rating: int
    deviation: int


@dataclass(frozen=True)
class RatingChart:
    """A rating from battle to battle: `curve` and `spread` (one deviation to either side) as points of SVG.

    `marks` are the heights of the grid lines, with their ratings; `words` describe the chart in text.
    """

    curve: str
    spread: str
    marks: tuple[tuple[str, int], ...]
    points: tuple[RatingPoint, ...]
    words: str
    width: int = WIDTH
    height: int = HEIGHT


def draw_rating(entries: Iterable[RatingEntry]) -> RatingChart | None:
    """Draw a rating over time, from entries latest first; None for fewer than two."""
    points = tuple(RatingPoint(row.battle, row.ended_at, *_shown(row)) for row in reversed(list(entries)))
    if len(points) < 2:
        return None
    low = min(point.rating - point.deviation for point in points)
    high = max(point.rating + point.deviation for point in points)
    step = next(size for size in (25, 50, 100, 200, 500, 1000) if (high - low) / size <= 6 or size == 1000)
    scale = HEIGHT / max(high - low, 1)

    def place(number: int, rating: float) -> str:
        return f"{number * WIDTH / (len(points) - 1):.1f},{(high - rating) * scale:.1f}"

    above = [place(at, point.rating + point.deviation) for at, point in enumerate(points)]
    below = [place(at, point.rating - point.deviation) for at, point in enumerate(points)]
    first, last = points[0], points[-1]
    top, bottom = max(p.rating for p in points), min(p.rating for p in points)
    marks = range((low // step + 1) * step, high, step)
    return RatingChart(
        curve=" ".join(place(at, point.rating) for at, point in enumerate(points)),
        spread=" ".join([*above, *reversed(below)]),
        marks=tuple((f"{y:.1f}", mark) for mark in marks if (y := (high - mark) * scale) > ROOM_FOR_A_MARK),
        points=points,
        words=_("From %(first)d to %(last)d in %(battles)d battles; highest %(top)d, lowest %(bottom)d.")
        % {"first": first.rating, "last": last.rating, "battles": len(points), "top": top, "bottom": bottom},
    )


def _shown(row: RatingEntry) -> tuple[int, int]:
    return round(shown_rating(row.kind, row.rating)), round(shown_deviation(row.kind, row.deviation))
