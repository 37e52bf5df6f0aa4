"""How the Apprentice plays in a lesson: every spell of its that hurts can be seen coming, and the duel is soon over.

Each hand begins a short attack and finishes it, whatever happens: what the strings threaten is what follows. It never
guards itself. While it is not behind, it often stumbles over its own fingers: the attack hits its own mage.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules_engine.bots.chance import Chance
from rules_engine.bots.moves import Move
from rules_engine.gestures import HANDS, LEFT, RIGHT
from rules_engine.orders import Sheet
from rules_engine.state import State

ATTACKS = {"Magic Missile": "SD", "Cause Light Wounds": "WFP"}
"""The two attacks that a beginner learns first, and their series."""
_STUMBLES, _STUMBLES_BEHIND = 0.5, 0.3


def choose_shown_move(moves: Sequence[Move], state: State, name: str, chance: Chance) -> Move:
    """Return the move among `moves` that is nearest to what each hand of the mage has announced."""
    wizard = state.wizards[name]
    begun = {hand: _find_next(string) for hand, string in ((LEFT, wizard.left), (RIGHT, wizard.right))}
    wanted = {hand: begun[hand][0] or chance.choose([series[0] for series in ATTACKS.values()]) for hand in HANDS}
    move = max(moves, key=lambda each: (sum(each.sheet.get(hand) == wanted[hand] for hand in HANDS), each.worth))
    foes = [each.hp for each in state.wizards.values() if each.name != name]
    stumbles = _STUMBLES if wizard.hp >= max(foes, default=0) else _STUMBLES_BEHIND
    for hand in HANDS:
        gesture, spell = begun[hand]
        casts = spell and move.sheet.get(hand) == gesture and move.sheet.get(f"CHOOSE {hand}") in (None, spell)
        if casts and chance.random() < stumbles:
            return Move(move.sheet.merged(Sheet({f"TARGET {hand}": name})), move.worth)
    return move


def _find_next(string: str) -> tuple[str, str]:
    """Return the gesture that continues the longest attack this hand has begun, and the spell if that completes it;
    both are "" if it has begun none."""
    for length in (2, 1):
        for spell, series in ATTACKS.items():
            if length < len(series) and string.endswith(series[:length]):
                return series[length], spell if length + 1 == len(series) else ""
    return "", ""
