"""The pool: programs of other makings than the site's bots, against which these are measured.

A pool has a number, and its programs never change in it: a change makes the next pool. They see what a player sees
(rules_engine.bots.seen), and share nothing with the bots but the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rules_engine.bots.pool import beginner, judges, reading, scripts
from rules_engine.bots.seen import Seen

NUMBER: Final = 1
PROGRAMS: Final[dict[str, reading.Chooser]] = {
    "greedy": judges.take_best,
    "matrix": judges.take_mix,
    "holder": scripts.HOLDER,
    "bolt-holder": scripts.HOLDER_WITH_BOLTS,
    "stormer": scripts.STORMER,
    "summoner": scripts.SUMMONER,
    "waiter": scripts.WAITER,
    "rusher": scripts.RUSHER,
    "poisoner": scripts.POISONER,
}
BLIND: Final = frozenset(PROGRAMS) - {"greedy", "matrix"}
"""Those that never look at their foe."""
YARDSTICKS: Final = {"beginner": beginner.make_beginner}
"""Programs beside the pool, for aims of their own; they don't change with it."""


def make_program(name: str, seed: object) -> Callable[[Seen], list[str]]:
    """Return a program of the pool as a player; the same seed plays the same. Raises KeyError."""
    choose = YARDSTICKS[name](seed) if name in YARDSTICKS else PROGRAMS[name]
    return reading.make_player(choose, seed)
