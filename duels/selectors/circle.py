"""The circle as it is stored: the engine's state of a battle. It holds secrets, and is for this app alone."""

from duels.errors import UnreadableBattle
from duels.models import Battle
from rules_engine import State, UnknownRuleset, UnknownState, read_state


def read_battle_state(battle: Battle) -> State:
    """Return the state at the open stage, or at the end. Raises UnreadableBattle; the row stays as it is."""
    try:
        return read_state(battle.state)
    except (UnknownRuleset, UnknownState) as error:
        raise UnreadableBattle(battle.number, battle.ruleset, battle.edition) from error
