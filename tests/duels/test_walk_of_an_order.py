"""The way of an order is short enough to follow: how many modules it passes until the next turn is stored.

`docs/architecture.md` walks along it ("An order").
"""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from accounts.services.vacations import start_vacation
from duels.models import Turn
from tests import architecture_rules as rules
from tests.scenes import NOW

CLOCKS = "duels/services/clocks/battle_clocks.py"
MOST_MODULES, MOST_RETURNS_TO_THE_CLOCKS = 27, 8


class Walk:
    """The modules of the site that run between the call of `submit_orders` and the moment at which the next turn is
    stored, with its sheets and clocks. The engine is a project of its own, and is not counted."""

    def __init__(self) -> None:
        self.modules: list[str] = []
        self.visits: list[str] = []
        self.has_begun = self.is_over = False

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        name, module = frame.f_code.co_name, find_module(frame)
        if module == "duels/services/orders.py" and name == "submit_orders" and event == "call":
            self.has_begun = True
        if not self.has_begun or self.is_over:
            return
        if event == "return":
            self.is_over = module == "duels/services/turns.py" and name == "open_turn"
        elif event == "call" and module:
            if module not in self.modules:
                self.modules.append(module)
            if frame.f_back is None or find_module(frame.f_back) != module:
                self.visits.append(module)


def find_module(frame: FrameType) -> str:
    """Return the path of a frame's module if it is one of ours, else ""."""
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(rules.ROOT):
        return ""
    place = path.relative_to(rules.ROOT)
    return place.as_posix() if place.parts[0] in rules.APPS else ""


@pytest.mark.parametrize("is_away", [False, True], ids=["usual", "on vacation"])
def test_an_order_passes_few_modules_until_the_next_turn_is_stored(melee, is_away):
    if is_away:  # then the order does not take the short way (docs/performance.md)
        start_vacation(user=melee.user("Cormac"), days=5, now=NOW)
    melee.order("Ayla", "P/D")
    melee.order("Borin", "F/F")
    walk = Walk()
    sys.setprofile(walk)
    try:
        melee.order("Cormac", "W/S")
    finally:
        sys.setprofile(None)
    assert Turn.objects.filter(battle=melee.battle, seq=2).exists()
    assert walk.is_over and 20 < len(walk.modules) <= MOST_MODULES, walk.modules
    assert 1 < walk.visits.count(CLOCKS) <= 1 + MOST_RETURNS_TO_THE_CLOCKS, walk.visits
