"""How each bot likes to play: what it sees a use in, how far its plans reach, how much chance decides, its favourites.

A style is no strength of its own: it decides among moves that are about as good, and makes weak bots weak in their own
way instead of at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules_engine.bots import prior
from rules_engine.bots.chance import Chance
from rules_engine.bots.features import key_of_state
from rules_engine.bots.move_parts import list_cast
from rules_engine.bots.moves import Move
from rules_engine.bots.worth import Weights
from rules_engine.spells import Book
from rules_engine.state import State

CREATURES: Final = frozenset({"Summon Goblin", "Summon Ogre", "Summon Troll", "Summon Giant"})
ELEMENTALS: Final = frozenset({"Summon Elemental", "Summon Fire Elemental", "Summon Ice Elemental"})
FAR: Final = 99
FAR_WORSE: Final = 3.0
"""A move that is so many times the heat worse than the best one is never drawn."""
LIKING: Final = 0.1
"""How much better a move with a favourite spell may seem, in log-odds."""


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play.

    `uses`: the only spells that the bot sees a use in; None: all. `horizon`: how many missing gestures ahead it sees a
    series at all; `patience`: the factor on a spell's worth for each of them. `learnt`: it values series and the rest
    of a position by fitted weights instead. `favourites`: the spells that it prefers among moves that are about as
    good. `heat`: how much chance decides: a move that is worth so much less than another, in log-odds of winning, is
    played e times less often.
    """

    uses: frozenset[str] | None = None
    horizon: int = FAR
    patience: float = prior.NEARER
    learnt: bool = False
    favourites: frozenset[str] = frozenset()
    heat: float = 0.1

    def weigh(self, book: Book) -> Weights:
        """Return the weights of a book before any fitting, with series as this style sees them."""
        weights = Weights.of_book(book)
        for state in range(book.size):
            weights.values[f"hand:{key_of_state(book, state)}"] = self._weigh_hand(book, state)
        return weights

    def _weigh_hand(self, book: Book, state: int) -> float:
        worths = prior.worths_of(book)
        promises = [
            worths.get(series.spell, 0.5) * self.patience ** (len(series.text) - made)
            for series, made in book.begun(state)
            if (self.uses is None or series.spell in self.uses) and len(series.text) - made <= self.horizon
        ]
        promises.sort(reverse=True)
        return promises[0] + prior.SECOND_THOUGHTS * sum(promises[1:]) if promises else 0.0

    def likes(self, state: State, name: str, move: Move) -> bool:
        """Return whether a move of this mage casts a favourite spell."""
        return bool(self.favourites) and not self.favourites.isdisjoint(list_cast(state, name, move.sheet).values())

    def draw(self, state: State, name: str, moves: Sequence[Move], chance: Chance) -> Move:
        """Return one of the moves of this mage: the better, the likelier."""
        worths = [move.worth + (LIKING if self.likes(state, name, move) else 0.0) for move in moves]
        best = max(worths)
        odds = [(worth - best) / self.heat for worth in worths]
        return moves[chance.draw([math.exp(each) if each > -FAR_WORSE else 0.0 for each in odds])]


RECKLESS: Final = Style(
    uses=frozenset(prior.HARM_POINTS) - {"Finger Of Death"} | CREATURES | ELEMENTALS,
    horizon=5,
    patience=0.85,
    heat=0.46,
)
"""Attacks with both hands, whatever comes: it never guards itself, and storms hit it as hard as its foe."""
RESTLESS: Final = Style(horizon=4, patience=0.65, heat=0.38)
"""Knows all spells and guards itself, but has no plan that takes longer than four gestures, and often changes it."""
PATIENT: Final = Style(
    learnt=True,
    heat=0.13,
    favourites=frozenset(
        {
            *("Protection", "Counter Spell", "Magic Mirror", "Dispel Magic", "Remove Enchantment"),
            *("Resist Heat", "Resist Cold", "Cure Light Wounds", "Cure Heavy Wounds", "Raise Dead"),
        }
    ),
)
"""Knows what long series are worth, and guards and heals itself where that costs nothing."""
TRICKY: Final = Style(
    learnt=True,
    favourites=frozenset(
        {
            *("Delay Effect", "Permanency", "Magic Mirror", "Fire Storm", "Ice Storm", "Charm Monster", "Charm Person"),
            *ELEMENTALS,
        }
    ),
)
"""Keeps spells for later, throws them back, and brings storms where that costs little."""
LEARNT: Final = Style(learnt=True)
