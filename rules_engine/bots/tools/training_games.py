"""Games to learn from: the Magus against itself, the pool and blind scripts, with slips, so that all kinds of positions
occur.

Before each turn a search looks ahead, with everything in sight. Its mixes are what the Magus plays here, and its value
is what the fit learns from, together with what happened later in the game. A value depends far less on chance than the
result, so that a thousand games are enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rules_engine.bots import prior
from rules_engine.bots.chance import Chance
from rules_engine.bots.features import list_inputs
from rules_engine.bots.pool import PROGRAMS, make_program, reading
from rules_engine.bots.search import Search, SearchResult
from rules_engine.bots.seen import Seen
from rules_engine.bots.strengths import STRENGTHS, Player, moves_of
from rules_engine.bots.styles import LEARNT
from rules_engine.bots.sure_moves import find_sure
from rules_engine.bots.tools.hunt import HandScript, make_up_script
from rules_engine.bots.tools.matches import MAGES, Chooser, play_game
from rules_engine.bots.tree import grow_tree
from rules_engine.bots.worth import Weights
from rules_engine.gestures import LEFT, RIGHT
from rules_engine.state import State

MAGUS: Final = "Magus"
MADE_UP: Final = "made up"
"""A blind script that is made up for this game, or that a hunt has found: the pool's are too few to learn from."""
OPPONENTS: Final = {
    MAGUS: 12.0,
    "greedy": 4.5,
    "matrix": 3.0,
    "holder": 1.5,
    "bolt-holder": 1.0,
    "stormer": 0.3,
    "summoner": 0.3,
    "waiter": 0.2,
    "rusher": 0.5,
    "poisoner": 0.7,
    "Warder": 0.5,
    MADE_UP: 4.0,
}
"""How often the Magus meets each of them."""
HUNTED: Final = 0.6
"""How often a blind script is one that a hunt has found, if there is any."""
SLIPS: Final = (0.06, 0.15, 0.3)
"""How often the Magus plays any sensible move; each game has one of these."""
OPENING, OPENING_SLIPS = 3, 0.25
"""The turns in which the Magus plays so many sensible moves besides, so that games begin differently."""
PROGRAM_SLIPS: Final = 0.1
NOT_FREE: Final = prior.HELD | {"permanency", "delay"}
"""Marks with which a program does not slip: what it may play then is not simply any column."""
LONGEST: Final = 70
SURE: Final = 0.97
SURE_TURNS: Final = 3
"""A game is over if one mage's chance is above that in so many positions in a row."""


class Position(NamedTuple):
    """A duel before a turn: both mages' inputs, by how much the first is stronger by the weights alone, and the first's
    chance to win by a search."""

    mine: list[str]
    theirs: list[str]
    ahead: float
    value: float


class TrainingGame(NamedTuple):
    """The positions of a game, and the first mage's share of it."""

    positions: list[Position]
    share: float


class Lessons(NamedTuple):
    """Which games to play: `iterations` of the search tree of a position, or none to look one turn ahead, as the Magus
    does; the turns after which a game is cut; and the `scripts` that a hunt has found."""

    ruleset: str
    seed: str
    iterations: int
    longest: int
    scripts: tuple[HandScript, ...] = ()


class Decided(Exception):
    """A search is sure who wins, so that the rest of the game would teach nothing."""


def play_training_game(lessons: Lessons, weights: Weights, number: int) -> TrainingGame:
    """Play the game of this number. One that is cut, or as good as won, is worth what the last search says."""
    ruleset, seed = lessons.ruleset, lessons.seed
    chance = Chance(seed, number)
    other = list(OPPONENTS)[chance.draw(list(OPPONENTS.values()))]
    kinds = [MAGUS, other] if chance.random() < 0.5 else [other, MAGUS]
    teacher = Teacher(lessons, weights, number)
    players: dict[str, Chooser] = {}
    for mage, kind in zip(MAGES, kinds, strict=False):
        name = f"{seed} {number} {mage}"
        if kind in PROGRAMS:
            players[mage] = SlippingProgram(make_program(kind, name), name)
        elif kind == MADE_UP:
            script = choose_script(lessons, Chance(seed, number, "script"))
            players[mage] = SlippingProgram(script.make_player(name), name)
        else:
            players[mage] = teacher.seat(mage, kind)
    try:
        game = play_game(ruleset, players, f"{seed} {number}", longest=lessons.longest, watch=teacher.watch)
        share = teacher.positions[-1].value if game.reason == "too long" else game.shares[MAGES[0]]
    except Decided:
        share = teacher.positions[-1].value
    return TrainingGame(teacher.positions, share)


def choose_script(lessons: Lessons, chance: Chance) -> HandScript:
    """Return a script that a hunt has found, or one that is made up."""
    if lessons.scripts and chance.random() < HUNTED:
        return chance.choose(lessons.scripts)
    return make_up_script(lessons.ruleset, chance)


class Teacher:
    """Searches each position once, records it, and plays the Magus by what was found."""

    def __init__(self, lessons: Lessons, weights: Weights, number: int) -> None:
        self.weights, self.seed, self.number = weights, lessons.seed, number
        self.iterations = lessons.iterations
        self.moves = moves_of(lessons.ruleset, weights, LEARNT)
        self.slips = Chance(self.seed, number, "slips").choose(SLIPS)
        self.positions: list[Position] = []
        self.found: dict[str, SearchResult] = {}
        self.taught: set[str] = set()

    def seat(self, mage: str, strength: str) -> Chooser:
        """Return a player of this strength; the Magus plays what the search finds, and slips."""
        known, seed = STRENGTHS[strength], f"{self.seed} {self.number} {mage}"
        if strength == MAGUS:
            self.taught.add(mage)

        def play(seen: Seen) -> Sequence[str]:
            if mage not in self.taught:
                return Player(seen, known, seed).choose(may_surrender=False).lines()
            slips = self.slips + (OPENING_SLIPS if seen.facts["seq"] <= OPENING else 0.0)
            player = Taught(seen, replace(known, slips=slips), seed, self.weights)
            player.found = self.found.get(mage)
            return player.choose(may_surrender=False).lines()

        return play

    def watch(self, state: State) -> None:
        """Search a position and record it. Raises Decided."""
        self.found = {}
        if len(state.still_in) != 2 or state.stage:
            return
        first, second = MAGES[:2]
        search = Search(self.moves, Chance(self.seed, self.number, state.seq))
        if self.iterations:
            result = grow_tree(search, state, state.owing[0], self.iterations)
        else:
            result = search.look_ahead(state, state.owing[0])
        strengths = self.moves.worth.strengths(state)
        self.positions.append(
            Position(
                list_inputs(state, first),
                list_inputs(state, second),
                strengths[first] - strengths[second],
                result.expect()[0],
            )
        )
        last = [position.value for position in self.positions[-SURE_TURNS:]]
        if len(last) == SURE_TURNS and (min(last) > SURE or max(last) < 1.0 - SURE):
            raise Decided
        for mage in state.owing:
            if mage in self.taught:
                self.found[mage] = find_sure(search, [state], mage, [result])[0] if len(state.owing) == 2 else result


class Taught(Player):
    """A bot that may be given the result of its search."""

    found: SearchResult | None = None

    def search_worlds(self) -> list[SearchResult]:
        return super().search_worlds() if self.found is None else [self.found]


class SlippingProgram:
    """A program that sometimes plays any column, if none of them can do harm by itself."""

    def __init__(self, program: Chooser, seed: str) -> None:
        self.program, self.seed = program, seed

    def __call__(self, seen: Seen) -> Sequence[str]:
        chance = Chance(self.seed, "slip", seen.facts["seq"], seen.facts["stage"])
        asked = {question["id"] for question in seen.questions}
        marks: Mapping[str, int] = next(each["marks"] for each in seen.facts["mages"] if each["name"] == seen.mage)
        if asked.isdisjoint((LEFT, RIGHT)) or not NOT_FREE.isdisjoint(marks) or chance.random() >= PROGRAM_SLIPS:
            return self.program(seen)
        column = chance.choose(reading.COLUMNS)
        return reading.play(seen, lambda table, dice: (column, ()), chance)
