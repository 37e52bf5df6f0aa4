"""Real battle views for every state: a duel before turn 8, and others played for one test."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from duels.selectors.battle_view import BattleView
from duels.selectors.viewer import get_battle_for_viewer
from rules_engine import MageView
from tests.duels.fights import Fight, start_fight
from tests.scenes import NOW as STARTED
from tests.scenes import make_mage

NOW = STARTED + timedelta(hours=5)
# Froodal and Bung. Bung's Counter Spell stops the Confusion; the Paralysis turns Bung's clap into fingers in turn 6.
MOVES = (
    ("W/D", "W/P"),
    ("S/S", "W/S"),
    ("F/F\nTARGET RH Bung", "S/D"),
    ("W/F", ">/P"),
    (">/F\nTARGET RH Bung", "C/C"),
    ("C/C\nTARGET BH Bung\nPARALYZE RH Bung", "D/C"),
    ("P/W", "P/>"),
)
CHOSEN = "LH P\nRH D"


def start_duel(**terms: Any) -> Fight:
    return start_fight(make_mage("Froodal"), make_mage("Bung"), **terms)


def play_sample() -> Fight:
    """The duel before turn 8."""
    fight = start_duel()
    fight.turns(MOVES)
    return fight


def see(fight: Fight, name: str | None, **more: Any) -> BattleView:
    """The battle as that mage sees it, or as a spectator does."""
    return get_battle_for_viewer(number=fight.number, user=fight.user(name) if name else None, mage_name=name, **more)


def play_turns(moves: list[tuple[str, str]], viewer: str, **terms: Any) -> BattleView:
    """Return a duel after these turns, as `viewer` sees it."""
    fight = start_duel(**terms)
    fight.turns(moves)
    return see(fight, viewer)


def with_mages(view: BattleView, **changes: dict[str, Any]) -> BattleView:
    """The view with some facts of some mages changed."""
    mages: tuple[MageView, ...] = tuple(replace(mage, **changes.get(mage.name, {})) for mage in view.view.mages)
    return replace(view, view=replace(view.view, mages=mages))
