"""What the site's bots did in the pool, offline, and the ratings that they start with because of it.

The file is written by `python -m rules_engine.bots league BOT --write ladder/pool.json`. Pages, the API, ratings and
`docs/bot-strength.md` have their figures from it.
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ladder.rating import NEW, RatingState

FILE = Path(__file__).with_name("pool.json")
DEVIATION = 60.0
"""The deviation of a rating that comes from the pool."""
ABOUT = 20
"""A rating of a bot of the site is only about right before so many rated duels."""


@dataclass(frozen=True)
class PoolResult:
    """The games of a bot against one program of the pool: its share of the points in percent, right within `margin`
    with 95 %."""

    bot: str
    program: str
    games: int
    share: float
    margin: float
    seed: str
    ruleset: str
    date: str


@cache
def _read() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def pool_number() -> int:
    return int(_read()["pool"])


@cache
def list_pool_results() -> tuple[PoolResult, ...]:
    """Return the results of all bots, the weakest bot first."""
    return tuple(PoolResult(**row) for row in _read()["results"])


def find_start(strength: str) -> RatingState | None:
    """Return the rating with which a bot of that strength starts; None if it has no result in the pool."""
    rating = _read()["ratings"].get(strength)
    return None if rating is None else replace(NEW["bots"], rating=float(rating), deviation=DEVIATION)
