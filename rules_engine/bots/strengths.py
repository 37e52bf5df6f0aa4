"""The five computer opponents: Apprentice, Journeyman, Warder, Magus, Archmage.

They differ in style and in search depth, not in time: the same view, seed and strength give the same orders
everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rules_engine.beings import ORDERS
from rules_engine.bots.aims import Situation
from rules_engine.bots.answer_questions import answer_questions
from rules_engine.bots.chance import Chance
from rules_engine.bots.fallible import NO_MISTAKES, Mistakes, expect_mistakes
from rules_engine.bots.imagine import doubt, hides_something, imagine
from rules_engine.bots.lesson import choose_shown_move
from rules_engine.bots.moves import COLUMNS, Move, Moves
from rules_engine.bots.search import Search, SearchResult
from rules_engine.bots.seen import Seen, see
from rules_engine.bots.styles import LEARNT, PATIENT, RECKLESS, RESTLESS, TRICKY, Style
from rules_engine.bots.sure_moves import find_sure
from rules_engine.bots.tree import grow_tree
from rules_engine.bots.wider_look import add_better
from rules_engine.bots.wins_in_two import find_win_in_two
from rules_engine.bots.worth import Weights, Worth
from rules_engine.gestures import LEFT, RIGHT
from rules_engine.orders import Sheet
from rules_engine.questions import complete_surrender
from rules_engine.rulesets import get_ruleset
from rules_engine.state import State

SLIPS_AMONG = 18
"""From how many moves a random one is picked."""
NEAR_BEST = 0.12
"""A move that is worth so much less than the best one was picked by chance."""
SELDOM = 0.02
"""Moves with a smaller part in the mix are not played."""
NEARLY, FURTHEST = 0.02, 0.06
"""A part of the mix goes to moves that are nearly as good as the best: one whose chance is `NEARLY` less gets e times
less of it than the best, and one that is `FURTHEST` behind gets none."""
CLOSE, FAVOURED = 0.02, 0.2
"""Moves with a favourite spell and a chance this close to the best one's get this part of the mix."""
WORLDS = 3
"""How many imagined positions to search if something is hidden."""
MANY_SAVING = 24
"""How many moves that save a mage's life are weighed for hints."""
HOPELESS = 0.1
"""A bot considers surrender only if its chance is below this."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong an opponent plays, and how it likes to play. `iterations` of its tree.

    `heed`: which part of a threat counts that does not kill; with 0 a bot ignores those that do, too. `teaches`: it
    plays what its hands announce, and never gives up. `slips`: how often it plays any sensible move, in games to learn
    from. `varied`: the part of its mix that goes to moves nearly as good as the best. `mistakes`: which ones of the
    other mage it expects in a duel.
    """

    name: str
    slips: float = 0.0
    heed: float = 1.0
    looks_ahead: bool = False
    iterations: int = 0
    varied: float = 0.3
    mistakes: Mistakes = NO_MISTAKES
    teaches: bool = False
    style: Style = LEARNT


LESSON = Strength("Apprentice", heed=0.0, teaches=True, style=Style())
"""The Apprentice in a first duel."""
STRENGTHS = {
    strength.name: strength
    for strength in (
        Strength("Apprentice", heed=0.0, style=RECKLESS),
        Strength("Journeyman", style=RESTLESS),
        Strength("Warder", style=PATIENT),
        Strength("Magus", looks_ahead=True, mistakes=Mistakes(careless=0.1), style=TRICKY),
        Strength(
            "Archmage",
            looks_ahead=True,
            iterations=2000,
            varied=0.15,
            mistakes=Mistakes(careless=0.15, short_sighted=0.15),
        ),
    )
}


def get_strength(name: str) -> Strength:
    """Return the strength of that name, in any case. Raises ValueError with a list of all."""
    for strength in STRENGTHS.values():
        if strength.name.casefold() == name.casefold():
            return strength
    raise ValueError(f"no strength {name}; there are {', '.join(STRENGTHS)}")


def choose_orders(
    battle: State | Seen,
    *,
    mage: str,
    strength: str | Strength,
    seed: object,
    may_surrender: bool = True,
    weights: Weights | None = None,
) -> list[str]:
    """Return the order lines of `mage` for the present stage: complete and legal.

    Uses only what `see` shows of a `State`. The lines give gestures, choices, targets, powers and the answers that a
    turn stops for. Raises ValueError if the mage owes no orders.
    """
    seen = battle if isinstance(battle, Seen) else see(battle, mage)
    player = strength if isinstance(strength, Strength) else get_strength(strength)
    return Player(seen, player, seed, weights).choose(may_surrender=may_surrender).lines()


@cache
def moves_of(ruleset: str, weights: Weights | None, style: Style) -> Moves:
    """Return the moves of a ruleset as a style sees them."""
    if weights is None and not style.learnt:
        weights = style.weigh(get_ruleset(ruleset).book)
    return Moves(Worth(ruleset, weights), style.uses)


class Player:
    """One decision of one computer opponent."""

    def __init__(self, seen: Seen, strength: Strength, seed: object, weights: Weights | None = None) -> None:
        self.seen, self.strength = seen, strength
        facts = seen.facts
        self.moves = moves_of(facts["ruleset"], weights, strength.style)
        self.key = (seed, strength.name, seen.mage, facts["seq"], facts["stage"])
        self.state = self.imagine(0)

    def imagine(self, world: int) -> State:
        return imagine(self.seen, self.moves.worth, Chance(*self.key, "world", world))

    def chance(self, *purpose: object) -> Chance:
        """Random numbers for one purpose of this decision."""
        return Chance(*self.key, *purpose)

    def choose(self, *, may_surrender: bool = True) -> Sheet:
        seen, state = self.seen, self.state
        if state.wizards[seen.mage].phase != ORDERS:
            return answer_questions(seen, Situation(state, seen.mage, self.moves.worth))
        if may_surrender and not self.strength.teaches and self.is_lost():
            return complete_surrender(state, seen.mage, Sheet({LEFT: "P", RIGHT: "P"}))
        return self._say_now(self._find_move().sheet)

    def slips(self, sheet: Sheet) -> bool:
        """Return whether chance has picked these orders, and not because they are as good as any."""
        if self.chance("slips").random() < self.strength.slips:
            return True
        if self.strength.looks_ahead:
            return False
        worths = {move.sheet: move.worth for move in self._list_every()}
        return worths.get(sheet, -math.inf) < max(worths.values()) - NEAR_BEST

    def _say_now(self, sheet: Sheet) -> Sheet:
        """Return the orders without answers that these rules ask for only after all gestures are shown."""
        if not self.state.ruleset.rules.targets_are_decided:
            return sheet
        return Sheet({slot: value for slot, value in sheet if not slot.startswith("TARGET ")})

    def _find_move(self) -> Move:
        """Return a random sensible move if the bot slips, or else one by search or by rules of thumb."""
        chance = self.chance("slips")
        if self.strength.teaches:
            return choose_shown_move(self._list_every(), self.state, self.seen.mage, self.chance("lesson"))
        if chance.random() < self.strength.slips:
            return chance.choose(self.moves.find(self.state, self.seen.mage, SLIPS_AMONG, heed=self.strength.heed))
        if self.strength.looks_ahead:
            return self._look_ahead()
        return self.strength.style.draw(self.state, self.seen.mage, self._list_every(), chance)

    def _list_every(self) -> list[Move]:
        return self.moves.find(self.state, self.seen.mage, len(COLUMNS), heed=self.strength.heed)

    def _look_ahead(self) -> Move:
        """Return a move from the mix that a search has found."""
        mix = self.mix_moves(self.search_worlds())
        moves = list(mix)
        return moves[self.chance("mix").draw([mix[move] for move in moves])]

    def mix_moves(self, results: Sequence[SearchResult]) -> dict[Move, float]:
        """Return the moves that the bot plays, given what its searches found, and how often in proportion."""
        options: dict[Sheet, float] = {}
        kept: dict[Sheet, Move] = {}
        for result in results:
            mine = result.place(self.seen.mage)
            for move, share in zip(result.moves[mine], self._vary(result, mine), strict=True):
                options[move.sheet] = options.get(move.sheet, 0.0) + share
                kept.setdefault(move.sheet, move)
        most = max(options.values())
        return {kept[sheet]: share for sheet, share in options.items() if share >= SELDOM * most}

    def _vary(self, result: SearchResult, mine: int) -> list[float]:
        """Return the mix, shared with moves that are nearly as good, so that nothing learnt by heart beats it, and with
        favourites that are close."""
        index = list(self.state.wizards).index(self.seen.mage)
        chances = [result.chance_of(mine, place, index) for place in range(len(result.moves[mine]))]
        best = max(chances)
        near = [math.exp((chance - best) / NEARLY) if chance > best - FURTHEST else 0.0 for chance in chances]
        varied, total = self.strength.varied, sum(near)
        mix = [
            share * (1.0 - varied) + varied * part / total for share, part in zip(result.mixes[mine], near, strict=True)
        ]
        style, me = self.strength.style, self.seen.mage
        close = [place for place, chance in enumerate(chances) if chance >= best - CLOSE]
        liked = [place for place in close if style.likes(self.state, me, result.moves[mine][place])]
        if liked:
            mix = [share * (1.0 - FAVOURED) for share in mix]
        for place in liked:
            mix[place] += FAVOURED / len(liked)
        return mix

    def search_worlds(self) -> list[SearchResult]:
        """Return the search's results for each imagined position."""
        if not hides_something(self.seen):
            return [self.search_first_world()]
        states = [self.state, *map(self.imagine, range(1, WORLDS))]
        return self._search_all(states, states)

    def search_first_world(self) -> SearchResult:
        """Return the result of a search of the first imagined position alone."""
        (result,) = self._search_all([self.state], self._list_alike())
        return result

    def _search_all(self, states: Sequence[State], alike: Sequence[State]) -> list[SearchResult]:
        """Return the results of a search of each of these positions, which share the tree's iterations. They are the
        first of those that look alike to the mage."""
        mage, strength = self.seen.mage, self.strength
        searches = [Search(self.moves, self.chance("search", world)) for world in range(len(states))]
        results = [
            grow_tree(search, state, mage, strength.iterations // len(states))
            if strength.iterations
            else search.look_ahead(state, mage)
            for search, state in zip(searches, states, strict=True)
        ]
        results = find_sure(searches[0], alike, mage, results, self._list_doubted())
        if strength.iterations and not hides_something(self.seen):
            results = [find_win_in_two(searches[0], self.state, mage, *results)]
        return [
            expect_mistakes(state, mage, result, strength.mistakes, self._glance(state, world))
            for world, (state, result) in enumerate(zip(states, results, strict=True))
        ]

    def _glance(self, state: State, world: int) -> SearchResult | None:
        """Return a search that looks one turn ahead, if the bot expects the other mage to look no further."""
        if not self.strength.mistakes.short_sighted or len(state.owing) != 2:
            return None
        return Search(self.moves, self.chance("glance", world)).look_ahead(state, self.seen.mage)

    def search_wider(self) -> SearchResult:
        """Return the result of a Magus's search, with more of the moves that save the mage's life where only some do;
        elsewhere, with moves that it left out where they do clearly better."""
        state, mage = self.state, self.seen.mage
        alike, doubted = self._list_alike(), self._list_doubted()
        search = Search(self.moves, self.chance("search", 0))
        found = search.look_ahead(state, mage)
        (sure,) = find_sure(search, alike, mage, [found], doubted, MANY_SAVING)
        if sure is not found:
            return sure
        wider = add_better(search, state, mage, found)
        return found if wider is found else find_sure(search, alike, mage, [wider], doubted, MANY_SAVING)[0]

    def _list_alike(self) -> list[State]:
        """Return the position that the mage imagines first and, of the last two mages, the others."""
        if len(self.state.still_in) > 2 or not hides_something(self.seen):
            return [self.state]
        return [self.state, *map(self.imagine, range(1, WORLDS))]

    def _list_doubted(self) -> list[State]:
        """Return the worst positions that may be if the last two mages are left and this one is blind."""
        return doubt(self.state, self.seen) if self.seen.facts["blind"] and len(self.state.still_in) == 2 else []

    def is_lost(self) -> bool:
        """Return whether this mage dies this turn with every column, against all likely moves of the others."""
        state, mage = self.state, self.seen.mage
        wizard = state.wizards[mage]
        if {"charmed", "paralysed", "confused", "maladroit"} & set(wizard.marks) or hides_something(self.seen):
            return False
        place = list(state.wizards).index(mage)
        if self.moves.worth.chances(state)[place] > HOPELESS:
            return False
        return not Search(self.moves, self.chance("lost")).may_live(state, mage)
