"""The words that a mage's orders may name besides hands and gestures."""

from dataclasses import dataclass

from duels.models import Combatant
from duels.selectors.battle_rows import read_battle_state
from rules_engine import known_beings
from rules_engine.glossary import list_spell_names
from rules_engine.keywords import read_story_gestures

# "Of" in Finger Of Death says nothing.
SHORTEST_SPELL_WORD = 3


@dataclass(frozen=True)
class OrderWords:
    """Beings that this mage knows and the words of spells, all in small letters, and whether orders now are gestures
    rather than answers to questions."""

    beings: frozenset[str]
    spells: frozenset[str]
    are_gestures_asked: bool


def names_gestures(text: str) -> bool:
    """Return whether a line names a hand and its gesture as a story does, in any language, or nearly so."""
    return read_story_gestures(text) is not None


def list_order_words(combatant: Combatant) -> OrderWords:
    """Return the words that the orders of a mage may name now. Raises UnreadableBattle."""
    state = read_battle_state(combatant.battle)
    mage = combatant.mage.name
    names = (*known_beings(state, mage, with_dead=True), *state.mages)
    spells = [word for spell in state.ruleset.order for name in list_spell_names(spell) for word in name.split()]
    return OrderWords(
        beings=frozenset(name.lower() for name in names),
        spells=frozenset(word.lower() for word in spells if len(word) >= SHORTEST_SPELL_WORD),
        are_gestures_asked=state.stage == 0,
    )
