"""Look for what beats a bot and could be learnt by heart: blind players, who never look at their foe.

A script is what each hand casts, one series after the other, and how many of the last series it repeats for ever. The
hunt begins with the scripts of the pool, makes up others, and changes the best ones a little. A line is what both hands
play turn by turn. Such a hunt lets the bot play itself: after a random opening or the beginning of a good line, what
wins is a new line. The hunt gives most games to those that take most. Selection flatters: of a thousand, some are
lucky. So the best of them then play --confirm games with other numbers, and only these count.
"""

from __future__ import annotations

import argparse
import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

from rules_engine.bots.chance import Chance
from rules_engine.bots.pool import PROGRAMS, reading
from rules_engine.bots.pool.scripts import Script
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import Chooser, Tally, make_player, play_game, play_match, seat_players
from rules_engine.errors import UnknownRuleset
from rules_engine.gestures import GESTURES, HANDS
from rules_engine.orders import Sheet
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State

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
HOLDING: Final = 0.33
"""How often a made-up script holds the other mage by Paralysis with one hand, turn after turn."""
FOLLOWED: Final = 0.8
"""How often a new line begins as a good one does."""
OPENING: Final = (0, 1, 2, 3, 4, 5)
"""After so many random turns another new line begins."""
LONGEST: Final = 4
"""A hand has at most so many series."""
SINGLE: Final = ("P", "F", "FFF", "SD")
"""What a hand may repeat besides whole series: a shield, or a gesture to hold another mage with."""
EXPECTED, WEIGHT = 0.05, 10
"""A script counts as if it had already taken such a share of so many games: three lucky games say little."""
HOPE: Final = 0.3
"""How much a script with few games may be better than it looks, divided by the square root of its games."""

Maker = Callable[[object], Chooser]


@dataclass(frozen=True, slots=True)
class HandScript(Script):
    """A script of the pool's kind that can be printed and played."""

    def __str__(self) -> str:
        return f"{' '.join(self.left)} / {' '.join(self.right)} / {self.again}"

    def make_player(self, seed: object) -> Chooser:
        """Return the script as a player. It leaves to chance only what the program of the pool does."""
        return reading.make_player(self, seed)


class Turn(NamedTuple):
    """Both hands' gestures, and the spells chosen where they complete several."""

    column: str
    spells: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.column}({', '.join(self.spells)})" if self.spells else self.column


PAUSE: Final = Turn(reading.HARMLESS * 2)
"""A turn in which the mage was not asked for gestures."""


class Line(NamedTuple):
    """What both hands play turn by turn; at its end it begins again."""

    turns: tuple[Turn, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.turns))

    def make_player(self, seed: object) -> Chooser:
        """Return the line as a player."""
        return reading.make_player(lambda table, chance: self.turns[(table.facts["seq"] - 1) % len(self.turns)], seed)


Blind = HandScript | Line
Kind = TypeVar("Kind", HandScript, Line)


def read_script(text: str) -> HandScript:
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
    return HandScript(tuple(parts[0]), tuple(parts[1]), int(parts[2][0]))


def list_series(ruleset: str) -> tuple[str, ...]:
    """Return what a hand of a made-up script may play: the ruleset's series, and SINGLE twice as often."""
    return (*sorted({series.text for series in get_ruleset(ruleset).book.series}), *SINGLE * 2)


def list_holds(ruleset: str) -> list[tuple[str, str]]:
    """Return what a hand plays to hold another mage in every turn that the rules allow: a series of Paralysis, and what
    completes it again from then on."""
    texts = [series.text for series in get_ruleset(ruleset).book.series if series.spell == "Paralysis"]
    lengths = [next(n for n in range(1, len(text) + 1) if (text + text[-n:]).endswith(text)) for text in texts]
    return [(text, text[-length:]) for text, length in zip(texts, lengths, strict=True)]


def make_up_script(ruleset: str, chance: Chance) -> HandScript:
    """Return a script of one to three series for each hand, or of a hand that holds the other mage."""
    series = list_series(ruleset)
    left, right = (tuple(chance.choose(series) for _ in range(chance.choose((1, 1, 2, 2, 3)))) for _ in HANDS)
    if chance.random() < HOLDING:
        return HandScript(chance.choose(list_holds(ruleset)), right, 1)
    return HandScript(left, right, chance.choose((1, 1, 2)))


class Hunt(ABC, Generic[Kind]):
    """Blind players, and the points that they have taken from a bot."""

    def __init__(self, make_bot: Maker, ruleset: str, seed: str) -> None:
        self.make_bot, self.ruleset, self.seed = make_bot, ruleset, seed
        self.chance = Chance("hunt", seed)
        self.tallies: dict[Kind, Tally] = {}
        self.played = 0
        self.illegal: list[str] = []

    def run(self, games: int) -> None:
        """Play about so many games."""
        for known in self.list_known():
            self.play(known, FIRST_GAMES)
        while self.played < games:
            new = self.find_new()
            if new is not None and new not in self.tallies:
                self.play(new, FIRST_GAMES)
                if self.tallies[new].points:
                    self.play(new, MORE_GAMES)
            again = [each for each in self.best() if self.tallies[each].games < MOST_GAMES]
            if again:
                self.play(max(again, key=self._hope), MORE_GAMES)

    def list_known(self) -> list[Kind]:
        """Return those to begin with."""
        return []

    @abstractmethod
    def find_new(self) -> Kind | None:
        """Return another one to try, if one was found."""

    def play(self, blind: Kind, games: int) -> None:
        """Play the next games of one."""
        tally = self.tallies.setdefault(blind, Tally())
        numbers = range(tally.games, tally.games + games)
        more = play_blind(blind, self.make_bot, self.ruleset, numbers, self.seed)
        self.illegal += more.illegal
        tally.merge(more)
        self.played += games

    def best(self, count: int = PARENTS) -> list[Kind]:
        """Return those that have taken most, the best first."""
        return sorted(self.tallies, key=self._value, reverse=True)[:count]

    def describe(self, count: int) -> list[str]:
        """Return a line for each of the best: what it is, and what it has taken."""
        return [self.tallies[each].line(str(each)) for each in self.best(count)]

    def _value(self, blind: Kind) -> float:
        tally = self.tallies[blind]
        return (tally.points + EXPECTED * WEIGHT) / (tally.games + WEIGHT)

    def _hope(self, blind: Kind) -> float:
        return self._value(blind) + HOPE / math.sqrt(1 + self.tallies[blind].games)


class ScriptHunt(Hunt[HandScript]):
    """Makes up scripts, and changes the best ones a little."""

    def __init__(self, make_bot: Maker, ruleset: str, seed: str) -> None:
        super().__init__(make_bot, ruleset, seed)
        self.series = list_series(ruleset)

    def list_known(self) -> list[HandScript]:
        programs = [program for program in PROGRAMS.values() if isinstance(program, Script)]
        return [HandScript(tuple(each.left), tuple(each.right), each.again) for each in programs]

    def find_new(self) -> HandScript:
        if self.chance.random() < MADE_UP:
            return make_up_script(self.ruleset, self.chance)
        return self._change(self.chance.choose(self.best()))

    def _change(self, script: HandScript) -> HandScript:
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
        return HandScript(tuple(hands[0]), tuple(hands[1]), again)


class LineHunt(Hunt[Line]):
    """Lets the bot play itself, after a random opening or the beginning of a good line, and keeps what wins."""

    def find_new(self) -> Line | None:
        known = self.best()
        if known and self.chance.random() < FOLLOWED:
            line = self.chance.choose(known)
            begun = int(self.chance.random() * len(line.turns))
        else:
            begun = self.chance.choose(OPENING)
            line = Line(tuple(Turn(self.chance.choose(reading.COLUMNS)) for _ in range(begun)))
        self.played += 1
        return self._go_on(line, begun)

    def _go_on(self, line: Line, begun: int) -> Line | None:
        """Return what a mage plays who follows a line for so many turns and then plays as the bot does, if it wins."""

        def make_teacher(seed: object) -> Chooser:
            follow, go_on = line.make_player(seed) if begun else None, self.make_bot(seed)
            return lambda seen: follow(seen) if follow and seen.facts["seq"] <= begun else go_on(seen)

        number = self.played
        players, mine = seat_players((make_teacher, self.make_bot), 2, f"{self.seed} new", number)
        turns: dict[int, Turn] = {}

        def heed(state: State, sheets: Mapping[str, Sheet]) -> None:
            sheet = sheets.get(mine)
            if sheet is not None and not state.stage:
                chosen = tuple(value for slot, value in sheet if slot.startswith("CHOOSE "))
                turns[state.seq] = Turn("".join(sheet.get(hand) or reading.HARMLESS for hand in HANDS), chosen)

        game = play_game(self.ruleset, players, f"{self.seed} new {number}", heed=heed)
        self.illegal += game.illegal.values()
        if game.shares[mine] < 1.0:
            return None
        return Line(tuple(turns.get(turn, PAUSE) for turn in range(1, max(turns) + 1)))


def play_blind(blind: Blind, make_bot: Maker, ruleset: str, numbers: Sequence[int], seed: str) -> Tally:
    """Return what a blind player takes from a bot in the games with these numbers."""
    tally = Tally()
    for game, mage in play_match((blind.make_player, make_bot), ruleset, numbers, seed):
        tally.add(game, mage)
    return tally


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    hunt = commands.add_parser("hunt", help="look for what beats a bot blindly", description=__doc__)
    hunt.add_argument("bot", nargs="?", default="Magus")
    hunt.add_argument("--ruleset", default="firetop-standard")
    hunt.add_argument("--games", type=int, default=3000, help="how many games to hunt in")
    hunt.add_argument("--confirm", type=int, default=200, help="the games of the best ones that count")
    hunt.add_argument("--best", type=int, default=3, help="how many play these games")
    what = hunt.add_mutually_exclusive_group()
    what.add_argument("--lines", action="store_true", help="hunt for lines, not for scripts")
    what.add_argument("--script", action="append", metavar="'LEFT / RIGHT / REPEATED'", help="only try this one")
    hunt.add_argument("--seed", default="hunt")
    hunt.set_defaults(run=run_hunt)


def run_hunt(arguments: argparse.Namespace) -> int:
    """Print what the best ones take. The exit code is 1 if someone gave illegal orders, 2 for a mistake."""
    problems = []
    if arguments.bot not in STRENGTHS:
        problems.append(f"there is no bot {arguments.bot}: there are {', '.join(STRENGTHS)}")
    try:
        get_ruleset(arguments.ruleset)
    except UnknownRuleset as error:
        problems.append(str(error))
    scripts: list[Blind] = []
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
    tried: Sequence[Blind] = scripts
    if not scripts:
        kind = LineHunt if arguments.lines else ScriptHunt
        hunt: LineHunt | ScriptHunt = kind(make_bot, arguments.ruleset, arguments.seed)
        hunt.run(arguments.games)
        tried = hunt.best(arguments.best)
        tallies = list(hunt.tallies.values())
        once = sum(tally.games <= FIRST_GAMES for tally in tallies)
        noun = "lines" if arguments.lines else "scripts"
        print(f"{hunt.played} games of {len(tallies)} {noun}; {once} of these played {FIRST_GAMES} games only")
        for line in hunt.describe(arguments.best):
            print(f"found: {line}", flush=True)
        illegal += hunt.illegal
    for blind in tried:
        tally = play_blind(blind, make_bot, arguments.ruleset, range(arguments.confirm), f"{arguments.seed} confirmed")
        turns = tally.turns / max(tally.games, 1)
        print(f"takes: {tally.line(str(blind))}, {turns:.1f} turns a game, {tally.draws} draws", flush=True)
        illegal += tally.illegal
    for problem in illegal[:5]:
        print(f"illegal: {problem}")
    return 1 if illegal else 0


__all__ = [
    *("HandScript", "Line", "LineHunt", "ScriptHunt", "Turn"),
    *("list_holds", "make_up_script", "play_blind", "read_script"),
]
