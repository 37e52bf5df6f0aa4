"""The engine's state of a battle, as stored. It contains secrets and must not leave this app."""

from typing import Any

from duels.errors import UnreadableBattle
from duels.models import Battle
from rules_engine import UnknownRuleset, UnknownState, read_state
from rules_engine.state import State


def read_battle_state(battle: Battle) -> State:
    """Return the state at the open stage, or at the end. Raises UnreadableBattle; the row does not change."""
    return read_state_of(battle, battle.state)


def read_state_of(battle: Battle, written: dict[str, Any]) -> State:
    """Return a state of that battle that is stored elsewhere. Raises UnreadableBattle."""
    try:
        return read_state(written)
    except (UnknownRuleset, UnknownState) as error:
        raise UnreadableBattle(battle.number, battle.ruleset, battle.edition) from error
