"""Look for blind scripts that beat a bot: what a player could learn by heart, and play without looking at their foe.

A script is what each hand casts, one series after the other, and how many of the last series it repeats for ever.
The hunt begins with the scripts of the pool, makes up others, changes the best ones a little, and gives most games to
those that take most. Selection flatters: of a thousand scripts some are lucky. So the best of them then play --confirm
games with other numbers, and only these count.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rules_engine.bots.chance import Chance
from rules_engine.bots.pool import PROGRAMS, reading
from rules_engine.bots.pool.scripts import Script
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import Chooser, Tally, make_player, play_match
from rules_engine.errors import UnknownRuleset
from rules_engine.gestures import GESTURES, HANDS
from rules_engine.rulesets import get_ruleset

FIRST_GAMES: Final = 3
"""A new script plays so many games."""
MORE_GAMES: Final = 5
"""One that has taken anything, or is the most promising, plays so many more at a time."""
MOST_GAMES: Final = 100
"""No script plays more than that before the last trial."""
PARENTS: Final = 12
"""So many of the best scripts are changed."""
MADE_UP: Final = 0.35
"""How often a new script is made up instead of changed from a good one."""
LONGEST: Final = 4
"""A hand has at most so many series."""
SINGLE: Final = ("P", "F", "FFF", "SD")
"""What a hand may repeat besides whole series: a shield, or a gesture to hold another mage with."""
EXPECTED, WEIGHT = 0.05, 10
"""A script counts as if it had already taken such a share of so many games: three lucky games say little."""
HOPE: Final = 0.3
"""How much a script with few games may be better than it looks, divided by the square root of its games."""

Maker = Callable[[object], Chooser]


class Blind(NamedTuple):
    """A script as a value."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    again: int

    def __str__(self) -> str:
        return f"{' '.join(self.left)} / {' '.join(self.right)} / {self.again}"

    def make_player(self, seed: object) -> Chooser:
        """Return the script as a player. It leaves to chance only what the program of the pool does."""
        script = Script(self.left, self.right, self.again)

        def play(seen: Seen) -> list[str]:
            return reading.play(seen, script, Chance("pool", seed, seen.mage, seen.facts["seq"], seen.facts["stage"]))

        return play


def read_script(text: str) -> Blind:
    """Read ``DSF / F P PWPFSSSD / 1``; without the number, each hand repeats its last series. Raises ValueError."""
    parts = [part.split() for part in text.split("/")]
    if len(parts) == 2:
        parts.append(["1"])
    if len(parts) != 3 or not all(parts) or len(parts[2]) != 1 or not parts[2][0].isdigit() or parts[2][0] == "0":
        raise ValueError(f"'{text}' is no script: give the series of both hands, as in 'DSF / F P PWPFSSSD / 1'")
    for series in (*parts[0], *parts[1]):
        for letter in series:
            if letter.upper() not in GESTURES:
                raise ValueError(f"'{series}' has the gesture {letter}: there are {' '.join(GESTURES)}")
    return Blind(tuple(parts[0]), tuple(parts[1]), int(parts[2][0]))


def list_series(ruleset: str) -> tuple[str, ...]:
    """Return what a hand of a made-up script may play: the ruleset's series, and SINGLE twice as often."""
    return (*sorted({series.text for series in get_ruleset(ruleset).book.series}), *SINGLE * 2)


def make_up_script(series: Sequence[str], chance: Chance) -> Blind:
    """Return a script of one to three of these series for each hand."""
    left, right = (tuple(chance.choose(series) for _ in range(chance.choose((1, 1, 2, 2, 3)))) for _ in HANDS)
    return Blind(left, right, chance.choose((1, 1, 2)))


class Hunt:
    """Scripts and the points that they have taken from a bot."""

    def __init__(self, make_bot: Maker, ruleset: str, seed: str) -> None:
        self.make_bot, self.ruleset, self.seed = make_bot, ruleset, seed
        self.chance = Chance("hunt", seed)
        self.series = list_series(ruleset)
        self.tallies: dict[Blind, Tally] = {}
        self.played = 0

    def run(self, games: int) -> None:
        """Play about so many games."""
        for script in PROGRAMS.values():
            if isinstance(script, Script):
                self.play(Blind(tuple(script.left), tuple(script.right), script.again), FIRST_GAMES)
        while self.played < games:
            if self.chance.random() < MADE_UP:
                new = make_up_script(self.series, self.chance)
            else:
                new = self._change(self.chance.choose(self.best()))
            if new not in self.tallies:
                self.play(new, FIRST_GAMES)
                if self.tallies[new].points:
                    self.play(new, MORE_GAMES)
            again = [script for script in self.best() if self.tallies[script].games < MOST_GAMES]
            if again:
                self.play(max(again, key=self._hope), MORE_GAMES)

    def play(self, script: Blind, games: int) -> None:
        """Play the next games of a script."""
        tally = self.tallies.setdefault(script, Tally())
        numbers = range(tally.games, tally.games + games)
        tally.merge(play_script(script, self.make_bot, self.ruleset, numbers, self.seed))
        self.played += games

    def best(self, count: int = PARENTS) -> list[Blind]:
        """Return the scripts that have taken most, the best first."""
        return sorted(self.tallies, key=self._value, reverse=True)[:count]

    def _value(self, script: Blind) -> float:
        tally = self.tallies[script]
        return (tally.points + EXPECTED * WEIGHT) / (tally.games + WEIGHT)

    def _hope(self, script: Blind) -> float:
        return self._value(script) + HOPE / math.sqrt(1 + self.tallies[script].games)

    def _change(self, script: Blind) -> Blind:
        hands = [list(script.left), list(script.right)]
        hand, again = self.chance.choose(hands), script.again
        place = int(self.chance.random() * len(hand))
        change = self.chance.choose(("replace", "replace", "replace", "add", "drop", "repeat", "swap"))
        if change == "add" and len(hand) < LONGEST:
            hand.insert(place, self.chance.choose(self.series))
        elif change == "drop" and len(hand) > 1:
            del hand[place]
        elif change == "repeat":
            again = self.chance.choose((1, 2, 3))
        elif change == "swap":
            hands.reverse()
        else:
            hand[place] = self.chance.choose(self.series)
        return Blind(tuple(hands[0]), tuple(hands[1]), again)


def play_script(script: Blind, make_bot: Maker, ruleset: str, numbers: Sequence[int], seed: str) -> Tally:
    """Return what a script takes from a bot in the games with these numbers."""
    tally = Tally()
    for game, mage in play_match((script.make_player, make_bot), ruleset, numbers, seed):
        tally.add(game, mage)
    return tally


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    hunt = commands.add_parser("hunt", help="look for blind scripts that beat a bot", description=__doc__)
    hunt.add_argument("bot", nargs="?", default="Magus")
    hunt.add_argument("--ruleset", default="firetop-standard")
    hunt.add_argument("--games", type=int, default=3000, help="how many games to hunt in")
    hunt.add_argument("--confirm", type=int, default=200, help="the games of the best scripts that count")
    hunt.add_argument("--best", type=int, default=3, help="how many scripts play these games")
    hunt.add_argument("--script", action="append", metavar="'LEFT / RIGHT / REPEATED'", help="only try this one")
    hunt.add_argument("--seed", default="hunt")
    hunt.set_defaults(run=run_hunt)


def run_hunt(arguments: argparse.Namespace) -> int:
    """Print what the best scripts take. The exit code is 1 if someone gave illegal orders, 2 for a mistake."""
    problems = []
    if arguments.bot not in STRENGTHS:
        problems.append(f"there is no bot {arguments.bot}: there are {', '.join(STRENGTHS)}")
    try:
        get_ruleset(arguments.ruleset)
    except UnknownRuleset as error:
        problems.append(str(error))
    scripts = []
    for text in arguments.script or ():
        try:
            scripts.append(read_script(text))
        except ValueError as error:
            problems.append(str(error))
    if problems:
        print("\n".join(f"hunt: {problem}" for problem in problems), file=sys.stderr)
        return 2

    def make_bot(seed: object) -> Chooser:
        return make_player(arguments.bot, seed)

    print(f"{arguments.bot}, {arguments.ruleset}, seed {arguments.seed}", flush=True)
    illegal: list[str] = []
    if not scripts:
        hunt = Hunt(make_bot, arguments.ruleset, arguments.seed)
        hunt.run(arguments.games)
        scripts = hunt.best(arguments.best)
        tried = list(hunt.tallies.values())
        once = sum(tally.games <= FIRST_GAMES for tally in tried)
        print(f"{hunt.played} games of {len(tried)} scripts; {once} of these played {FIRST_GAMES} games only")
        for script in scripts:
            print(f"found: {hunt.tallies[script].line(str(script))}", flush=True)
        illegal += (problem for tally in tried for problem in tally.illegal)
    for script in scripts:
        numbers = range(arguments.confirm)
        tally = play_script(script, make_bot, arguments.ruleset, numbers, f"{arguments.seed} confirmed")
        turns = tally.turns / max(tally.games, 1)
        print(f"takes: {tally.line(str(script))}, {turns:.1f} turns a game, {tally.draws} draws", flush=True)
        illegal += tally.illegal
    for problem in illegal[:5]:
        print(f"illegal: {problem}")
    return 1 if illegal else 0


__all__ = ["Blind", "Hunt", "list_series", "make_up_script", "play_script", "read_script"]
