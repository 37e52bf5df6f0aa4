"""Count how often a bot casts each spell of the book when it can: in how many of its turns in which the next gesture
completes the spell, it does.

The bot plays itself, and the programs of the pool in turn. A spell below half a per cent is marked.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules_engine.beings import ORDERS
from rules_engine.bots.aims import completable
from rules_engine.bots.move_parts import list_cast
from rules_engine.bots.pool import PROGRAMS, make_program
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import MAGES, make_player, play_game
from rules_engine.errors import UnknownRuleset
from rules_engine.orders import Sheet
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State

SELDOM: Final = 0.005


@dataclass(slots=True)
class Count:
    """In how many turns of some mages the next gesture could complete each spell, and in how many it did."""

    mages: frozenset[str]
    able: Counter[str] = field(default_factory=Counter)
    cast: Counter[str] = field(default_factory=Counter)

    def heed(self, state: State, sheets: Mapping[str, Sheet]) -> None:
        """Count the orders of one turn."""
        for name, sheet in sheets.items():
            wizard = state.wizards[name]
            if name not in self.mages or wizard.phase != ORDERS or not sheet.has_both:
                continue
            able = completable(wizard)
            self.able.update(able)
            self.cast.update(able.intersection(list_cast(state, name, sheet).values()))

    def share(self, spell: str) -> float:
        """Return the part of the turns in which the spell could be completed, and was; 1 if there was none."""
        return self.cast[spell] / self.able[spell] if self.able[spell] else 1.0


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    spells = commands.add_parser("spells", help="how often a bot casts each spell when it can", description=__doc__)
    spells.add_argument("bot", choices=list(STRENGTHS))
    spells.add_argument("--games", type=int, default=100)
    spells.add_argument("--ruleset", default="firetop-standard")
    spells.add_argument("--seed", default="spells")
    spells.set_defaults(run=run_spells)


def run_spells(arguments: argparse.Namespace) -> int:
    """Print the table, the rarest spell first. The exit code is 1 if some spell is cast too seldom, 2 if nothing could
    be played."""
    try:
        book = get_ruleset(arguments.ruleset).book
    except UnknownRuleset as error:
        print(f"spells: {error}", file=sys.stderr)
        return 2
    count = count_spells(arguments.bot, arguments.ruleset, arguments.games, arguments.seed)
    print(f"{arguments.bot}, {arguments.ruleset}, {arguments.games} games, seed {arguments.seed}")
    spells = sorted({series.spell for series in book.series}, key=lambda spell: (count.share(spell), spell))
    for spell in spells:
        mark = "  seldom" if count.share(spell) < SELDOM else ""
        print(f"{spell:22} {count.cast[spell]:6} of {count.able[spell]:6}  {100 * count.share(spell):5.1f} %{mark}")
    return 1 if any(count.share(spell) < SELDOM for spell in spells) else 0


def count_spells(bot: str, ruleset: str, games: int, seed: str) -> Count:
    """Return what a bot cast in games against itself, and against each program of the pool in turn."""
    total = Count(frozenset())
    opponents = [program for name in PROGRAMS for program in ("", name)]
    for number in range(games):
        first, second = MAGES[:2] if number // len(opponents) % 2 else MAGES[1::-1]
        program = opponents[number % len(opponents)]
        other = make_program(program, f"{seed} {number}") if program else make_player(bot, f"{seed} {number} {second}")
        count = Count(frozenset({first} if program else {first, second}))
        players = {first: make_player(bot, f"{seed} {number} {first}"), second: other}
        play_game(ruleset, {name: players[name] for name in MAGES[:2]}, f"{seed} {number}", heed=count.heed)
        total.able.update(count.able)
        total.cast.update(count.cast)
    return total
