"""Count how often a bot casts each spell of the book when it can: in how many of its turns in which one gesture of a
hand (of both, if both must make it) completes the spell, it does.

Turns in which the mage's hands are not wholly its own don't count. The bot plays itself, and others in turn. With
--plans, each game brings about a position for one series of the book: after some turns of a Magus, a mage plays the
series, as well as that allows, until one gesture is left; then the bot decides, and the game ends. So rare spells are
counted too, and an Archmage thinks only where it matters. With --weigh, a tree looks at each of these positions too: is
the best move with the spell as good as the best one without? A spell below half a per cent is marked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from rules_engine.beings import ORDERS, Wizard
from rules_engine.bots import prior
from rules_engine.bots.aims import completable
from rules_engine.bots.chance import Chance
from rules_engine.bots.mixed_strategies import solve_some
from rules_engine.bots.move_parts import list_cast
from rules_engine.bots.moves import COLUMNS, Moves
from rules_engine.bots.play_turn import play_turn
from rules_engine.bots.pool import PROGRAMS, make_program
from rules_engine.bots.search import ROOT_MOVES, Search, SearchResult
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS, Player, moves_of
from rules_engine.bots.styles import LEARNT
from rules_engine.bots.tools.matches import MAGES, Chooser, make_player, play_game
from rules_engine.bots.tree import grow_tree
from rules_engine.errors import UnknownRuleset
from rules_engine.orders import Sheet
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Book, Series
from rules_engine.state import State

SELDOM: Final = 0.005
ITSELF, WEAKER, POOL = "itself", "weaker", "pool"
QUICK: Final = "Magus"
"""The bot that plays until a plan begins, and the opponent of plans."""
LATEST: Final = 16
"""A plan begins after fewer turns."""
ITERATIONS: Final = 300
WEIGHED, OTHERS = 2, 3
"""How many moves that cast a spell a tree looks at, and how many that don't: the best ones by the next position."""
LIKELY: Final = 0.05
"""A foe's move with a smaller part in the mix is not looked at."""
AS_GOOD: Final = 0.01


@dataclass(slots=True)
class Count:
    """In how many turns of some mages one gesture could complete each spell, and in how many it did."""

    mages: frozenset[str]
    able: Counter[str] = field(default_factory=Counter)
    cast: Counter[str] = field(default_factory=Counter)
    gains: list[tuple[str, float]] = field(default_factory=list)
    """Spells, each with what its best move gains over the best other move in one position."""

    def heed(self, state: State, sheets: Mapping[str, Sheet]) -> None:
        """Count the orders of one turn."""
        for name, sheet in sheets.items():
            if name in self.mages and sheet.has_both and is_free(state.wizards[name]):
                able = completable(state.wizards[name])
                self.able.update(able)
                self.cast.update(able.intersection(list_cast(state, name, sheet).values()))

    def add(self, able: Mapping[str, int], cast: Mapping[str, int], gains: Sequence[tuple[str, float]]) -> None:
        """Add what was counted in a game."""
        self.able.update(able)
        self.cast.update(cast)
        self.gains += gains

    def share(self, spell: str) -> float:
        """Return the part of the turns in which the spell could be completed, and was; 1 if there was none."""
        return self.cast[spell] / self.able[spell] if self.able[spell] else 1.0


class Decided(Exception):
    """The bot has decided where its plan had one gesture left."""


def is_free(wizard: Wizard) -> bool:
    """Return whether a mage gives orders for hands that are wholly their own."""
    return wizard.phase == ORDERS and not wizard.stuck and prior.HELD.isdisjoint(wizard.marks)


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    spells = commands.add_parser("spells", help="how often a bot casts each spell when it can", description=__doc__)
    spells.add_argument("bot", choices=list(STRENGTHS))
    spells.add_argument("--games", type=int, default=100)
    spells.add_argument("--first", type=int, default=0, metavar="K", help="begin with the game of this number")
    spells.add_argument("--ruleset", default="firetop-standard")
    spells.add_argument("--seed", default="spells")
    spells.add_argument("--against", nargs="+", default=[ITSELF, POOL], choices=[ITSELF, WEAKER, POOL])
    spells.add_argument("--plans", action="store_true", help="bring about positions for each spell of the book")
    spells.add_argument("--weigh", action="store_true", help="with --plans: whether the spell would be best")
    spells.add_argument(
        "--keep", type=Path, metavar="FILE", help="a line for each game; those that it has are not played again"
    )
    spells.set_defaults(run=run_spells)


def run_spells(arguments: argparse.Namespace) -> int:
    """Print the table, the rarest spell first. The exit code is 1 if some spell is cast too seldom, 2 if nothing could
    be played."""
    bot, ruleset, seed = arguments.bot, arguments.ruleset, arguments.seed
    try:
        book = get_ruleset(ruleset).book
    except UnknownRuleset as error:
        print(f"spells: {error}", file=sys.stderr)
        return 2
    kind = "-".join(arguments.against)
    if arguments.plans:
        kind = "plans weighed" if arguments.weigh else "plans"
    total = Count(frozenset())
    kept = {} if arguments.keep is None else read_kept(arguments.keep, [bot, ruleset, seed, kind])
    for game in range(arguments.first, arguments.games):
        if game in kept:
            total.add(*kept[game])
            continue
        if arguments.plans:
            count = follow_plan(bot, ruleset, book, seed, game, weigh=arguments.weigh)
        else:
            count = count_game(bot, ruleset, list_opponents(bot, arguments.against), seed, game)
        total.add(count.able, count.cast, count.gains)
        if arguments.keep is not None:
            with arguments.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps([[bot, ruleset, seed, kind], game, count.able, count.cast, count.gains]) + "\n")
    print(f"{bot}, {ruleset}, {kind}, games {arguments.first} to {arguments.games - 1}, seed {seed}")
    return 1 if print_table(total, book) else 0


def print_table(total: Count, book: Book) -> bool:
    """Print the rows of all spells, the rarest first; return whether any of them is cast too seldom."""
    spells = sorted({series.spell for series in book.series}, key=lambda spell: (total.share(spell), spell))
    for spell in spells:
        print(write_row(total, spell))
    return any(total.share(spell) < SELDOM for spell in spells)


def read_kept(path: Path, wanted: Sequence[str]) -> dict[int, tuple[Any, Any, Any]]:
    """Return the counts of the games in a file that were played like this, by their numbers: able, cast, gains."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {game: (able, cast, gains) for played, game, able, cast, gains in lines if played == list(wanted)}


def write_row(count: Count, spell: str) -> str:
    """Return the row of a spell in the table of the document."""
    share = f"{100 * count.share(spell):.1f} %" if count.able[spell] else ""
    cells = [spell, str(count.cast[spell]), str(count.able[spell]), share]
    gains = [gain for name, gain in count.gains if name == spell]
    if gains:
        good = sum(gain >= -AS_GOOD for gain in gains)
        cells += [f"{good} of {len(gains)}", f"{100 * sum(gains) / len(gains):+.1f}"]
    return f"| {' | '.join(cells)} |{' seldom' if count.share(spell) < SELDOM else ''}"


def list_opponents(bot: str, against: Sequence[str]) -> list[str]:
    """Return whom a bot plays in turn: after each other opponent, itself."""
    weaker = list(STRENGTHS)[: list(STRENGTHS).index(bot)] if WEAKER in against else []
    others = [*weaker, *(PROGRAMS if POOL in against else ())]
    if ITSELF not in against:
        return others or [bot]
    return [name for other in others for name in (bot, other)] or [bot]


def make_opponent(name: str, seed: str) -> Chooser:
    return make_player(name, seed) if name in STRENGTHS else make_program(name, seed)


def count_game(bot: str, ruleset: str, opponents: Sequence[str], seed: str, game: int) -> Count:
    """Return what a bot cast in the game of this number, whose seats change."""
    first, second = MAGES[:2] if game // len(opponents) % 2 else MAGES[1::-1]
    other = opponents[game % len(opponents)]
    count = Count(frozenset({first, second} if other == bot else {first}))
    players = {
        first: make_player(bot, f"{seed} {game} {first}"),
        second: make_opponent(other, f"{seed} {game} {second}"),
    }
    play_game(ruleset, {name: players[name] for name in MAGES[:2]}, f"{seed} {game}", heed=count.heed)
    return count


# -- plans ------------------------------------------------------------------------------------------------------------


def follow_plan(bot: str, ruleset: str, book: Book, seed: str, game: int, *, weigh: bool = False) -> Count:
    """Return what a bot cast where the plan of the game of this number had one gesture left. Only the spell of the plan
    counts; nothing, if the game ended before."""
    series = book.series[game % len(book.series)]
    chance = Chance(seed, "plan", game)
    opponents = [name for program in PROGRAMS for name in (QUICK, program)]
    first, second = MAGES[:2] if chance.random() < 0.5 else MAGES[1::-1]
    planner = Planner(bot, series, f"{seed} {game} {first}", int(chance.random() * LATEST))
    other = make_opponent(opponents[game // len(book.series) % len(opponents)], f"{seed} {game} {second}")
    count = Count(frozenset({first}))

    def heed(state: State, sheets: Mapping[str, Sheet]) -> None:
        if planner.decided:
            count.heed(state, sheets)
            if weigh and len(state.owing) == 2:
                finder = moves_of(ruleset, None, LEARNT)
                count.gains += [
                    (series.spell, round(gain, 3)) for gain in weigh_spell(finder, state, first, series.spell)
                ]
            raise Decided

    players = {name: planner if name == first else other for name in MAGES[:2]}
    with suppress(Decided):
        play_game(ruleset, players, f"{seed} {game}", heed=heed)
    for found in (count.able, count.cast):
        for spell in [spell for spell in found if spell != series.spell]:
            del found[spell]
    return count


def weigh_spell(finder: Moves, state: State, mage: str, spell: str) -> Iterator[float]:
    """Yield what the best move of a mage that casts a spell gains over the best that doesn't, if there are both.

    Every column and choice of both mages is solved one turn ahead. The moves that do best there are valued by a tree
    after the turn, against each likely move of the other.
    """
    names = state.owing
    search = Search(finder, Chance("weigh", state.seq, mage))
    found = [finder.find(state, name, len(COLUMNS)) for name in names]
    moves = [[*each, *finder.choose_otherwise(state, name, each)] for name, each in zip(names, found, strict=True)]
    me, place = names.index(mage), state.mages.index(mage)

    @cache
    def gain(mine: int, theirs: int) -> float:
        return search.play(state, names, moves, (mine, theirs) if me == 0 else (theirs, mine))[place]

    begin = (range(min(OTHERS, len(moves[me]))), range(min(OTHERS, len(moves[1 - me]))))
    _, mix, _ = solve_some(len(moves[me]), len(moves[1 - me]), gain, begin=begin)
    answers = {option: share for option, share in enumerate(mix) if share >= LIKELY}

    def look(mine: int) -> float:
        return sum(share * look_further(mine, theirs) for theirs, share in answers.items()) / sum(answers.values())

    def look_further(mine: int, theirs: int) -> float:
        sheets = {mage: moves[me][mine].sheet, names[1 - me]: moves[1 - me][theirs].sheet}
        after = play_turn(state, sheets, finder.worth, search.dice)
        if after.outcome is not None:
            return finder.worth.chances(after)[place]
        mover = after.owing[0]
        value = grow_tree(search, after, mover, ITERATIONS).value
        return value if mover == mage else 1.0 - value

    order = sorted(
        range(len(moves[me])), key=lambda mine: -sum(share * gain(mine, theirs) for theirs, share in answers.items())
    )
    casting = [mine for mine in order if spell in list_cast(state, mage, moves[me][mine].sheet).values()]
    others = [mine for mine in order if mine not in casting]
    if casting and others:
        yield max(map(look, casting[:WEIGHED])) - max(map(look, others[:OTHERS]))


class Planner:
    """Plays a series until one gesture of it is left, and then lets a bot decide."""

    def __init__(self, bot: str, series: Series, seed: str, begins: int) -> None:
        self.bot, self.series, self.seed, self.begins = bot, series, seed, begins
        self.decided = False

    def __call__(self, seen: Seen) -> Sequence[str]:
        player = Player(seen, STRENGTHS[QUICK], self.seed)
        wizard = player.state.wizards[seen.mage]
        if seen.facts["seq"] <= self.begins or not is_free(wizard):
            return player.choose(may_surrender=False).lines()
        if self.series.spell in completable(wizard):
            self.decided = True
            return Player(seen, STRENGTHS[self.bot], self.seed).choose(may_surrender=False).lines()
        mix = player.mix_moves([self._search(player)])
        moves = list(mix)
        return moves[player.chance("mix").draw([mix[move] for move in moves])].sheet.lines()

    def _search(self, player: Player) -> SearchResult:
        """Return the search of a turn in which the mage continues the plan, if it may."""
        state, mage = player.state, player.seen.mage
        search = Search(player.moves, player.chance("search", 0))
        names, moves = search.likely_moves(state, mage)
        columns = set(list_columns(state.ruleset.book, state.wizards[mage], self.series))
        planned = [move for move in player.moves.find(state, mage, len(COLUMNS)) if move.sheet.column in columns]
        if not planned:
            return search.weigh(state, mage, names, moves)
        me = names.index(mage)
        return search.weigh(state, mage, names, (*moves[:me], planned[:ROOT_MOVES], *moves[me + 1 :]))


def list_columns(book: Book, wizard: Wizard, series: Series) -> Iterator[str]:
    """Yield the columns that continue a series with the hand that has made more of it."""
    hands = (wizard.begun.left, wizard.begun.right)
    made = [max([made for begun, made in book.begun(hand) if begun == series], default=0) for hand in hands]
    main = 0 if made[0] >= made[1] else 1
    wanted = series.text[made[main]]
    for column in COLUMNS:
        if column[main] == wanted.upper() and (wanted.isupper() or column[0] == column[1]):
            yield column
