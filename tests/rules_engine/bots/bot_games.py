"""Games of computer opponents, with every order checked like a player's."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from rules_engine import RULESETS, State
from rules_engine.bots.tools.matches import MAGES, Game, make_player, play_game

OFFERED = [name for name, ruleset in RULESETS.items() if ruleset.offered]
LONG = bool(os.environ.get("FM_TEST_LONG"))
QUICK = ("Apprentice", "Journeyman", "Warder")


def play(
    ruleset: str,
    strengths: Sequence[str],
    mages: int,
    seed: object,
    *,
    longest: int = 40,
    watch: Callable[[State], None] = lambda state: None,
) -> Game:
    """A game in which the strengths take turns on the seats."""
    players = {
        mage: make_player(strengths[place % len(strengths)], f"{seed} {mage}", may_surrender=True)
        for place, mage in enumerate(MAGES[:mages])
    }
    return play_game(ruleset, players, seed, longest=longest, watch=watch)


def states_of(ruleset: str, mages: int, seed: object, *, longest: int = 14) -> Iterator[State]:
    """The states between the turns of a fast game."""
    states: list[State] = []
    play(ruleset, QUICK, mages, seed, longest=longest, watch=states.append)
    yield from states
