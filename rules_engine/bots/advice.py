"""Comments of a computer opponent on moves: explanations afterwards, and hints beforehand.

Both come from the search itself and know only what the mage knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules_engine.beings import ORDERS
from rules_engine.bots.aims import Situation, completable
from rules_engine.bots.deadly_turns import MOVED_HANDS
from rules_engine.bots.findings import How, Part, name_move
from rules_engine.bots.move_parts import list_cast, list_parts, write_gestures
from rules_engine.bots.moves import Move
from rules_engine.bots.search import Search, SearchResult
from rules_engine.bots.seen import Seen, see
from rules_engine.bots.shown_chances import show_chance
from rules_engine.bots.strengths import Player, Strength, get_strength
from rules_engine.bots.wider_look import rank_moves
from rules_engine.gestures import SURRENDER as TWO_PALMS
from rules_engine.glossary import name_spell
from rules_engine.orders import Sheet
from rules_engine.state import State
from rules_engine.text import mark_text, say

SEARCH, THUMB, SLIP, SURRENDER = "search", "thumb", "slip", "surrender"
"""How a bot came to its move."""
_MANNERS = {
    THUMB: (
        mark_text("{bot} played {move} by rules of thumb."),
        mark_text("{bot} played {move} by rules of thumb; the worst answer to it was {worst}."),
    ),
    SLIP: (
        mark_text("{bot} picked {move} at random."),
        mark_text("{bot} picked {move} at random; the worst answer to it was {worst}."),
    ),
}
MOST_THREATS = 3
HINTS = 3
LOSES_BELOW = 0.25
AS_GOOD = 0.02
REMARKABLE_HARM = 0.05


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """A move as facts: order lines, gestures as ``P/D``, the spells they complete, how often the mix plays it, and what
    it does besides its gestures: spells with powers and targets, and what others are made to do."""

    mage: str
    lines: tuple[str, ...]
    gestures: str
    spells: tuple[str, ...]
    share: float
    parts: tuple[Part, ...] = ()

    def text(self) -> str:
        """Return the move in words, in the active language."""
        return name_move(self.gestures or say("no gestures"), self.parts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a bot played a move. Chances are the mage's, from 0 to 1; None if nobody else moves.

    `manner`: one of SEARCH, THUMB, SLIP, SURRENDER. `expected`: the foe's expected move; `worst`: the worst answer to
    the move; `rejected`: the best of the other moves by rules of thumb, and `refutation`: the move it loses to. For a
    bot that does not look ahead, these are a Magus's.
    """

    bot: str
    manner: str
    move: MoveFacts
    chance: float
    expected: MoveFacts | None
    worst: MoveFacts | None
    worst_chance: float | None
    rejected: MoveFacts | None
    refutation: MoveFacts | None
    refuted_chance: float | None

    def text(self) -> str:
        """Return two sentences in the active language: how the bot came to its move, and another move. Only a bot that
        looks ahead expected something."""
        if self.manner == SURRENDER:
            return say("{bot} surrendered. It found no move that would have saved its life this turn.", bot=self.bot)
        if self.manner == SEARCH:
            return f"{self._describe_expected()} {self._describe_rejected()}"
        return f"{self._describe_manner()} {self._describe_other()}"

    def _describe_manner(self) -> str:
        alone, answered = _MANNERS[self.manner]
        if self.worst is None:
            return say(alone, bot=self.bot, move=self.move.text())
        return say(answered, bot=self.bot, move=self.move.text(), worst=self.worst.text())

    def _describe_other(self) -> str:
        if self.rejected is None or self.refutation is None or self.refuted_chance is None:
            return say("There was no other move worth playing.")
        slots = {"rejected": self.rejected.text(), "refutation": self.refutation.text()}
        if self.worst_chance is not None and abs(self.refuted_chance - self.worst_chance) <= AS_GOOD:
            return say("{rejected} would have been about as good.", **slots)
        if self.worst_chance is not None and self.refuted_chance > self.worst_chance:
            return say("{rejected} would have been safer.", **slots)
        if self.refuted_chance < LOSES_BELOW:
            return say("Another move, {rejected}, loses to {refutation}.", **slots)
        return say("Another move, {rejected}, does worse against {refutation}.", **slots)

    def _describe_expected(self) -> str:
        if self.expected is None or self.worst is None:
            return say("Nobody else chose gestures, and {bot} played {move}.", bot=self.bot, move=self.move.text())
        if self.expected.text() == self.worst.text():
            return say(
                "{bot} expected {foe} to play {expected}, which was also the worst answer to {move}.",
                bot=self.bot,
                foe=self.expected.mage,
                expected=self.expected.text(),
                move=self.move.text(),
            )
        return say(
            "{bot} expected {foe} to play {expected}; the worst answer to {move} was {worst}.",
            bot=self.bot,
            foe=self.expected.mage,
            expected=self.expected.text(),
            move=self.move.text(),
            worst=self.worst.text(),
        )

    def _describe_rejected(self) -> str:
        if self.rejected is None or self.refutation is None or self.refuted_chance is None:
            return say("It saw no other move worth playing.")
        slots = {"rejected": self.rejected.text(), "refutation": self.refutation.text()}
        if self.worst_chance is not None and self.refuted_chance >= self.worst_chance - AS_GOOD:
            if self.rejected.share > 0.0:
                return say("It could just as well have played {rejected}; chance decided.", **slots)
            return say("{rejected} would have been about as good.", **slots)
        if self.refuted_chance < LOSES_BELOW:
            return say("It rejected {rejected}, which loses to {refutation}.", **slots)
        return say("It rejected {rejected}, which does worse against {refutation}.", **slots)


@dataclass(frozen=True, slots=True)
class Hint:
    """A move worth considering: its chance, the spells it `threatens` next turn, and the answer that it `risks`."""

    move: MoveFacts
    chance: float
    threatens: tuple[str, ...]
    risks: MoveFacts | None

    def text(self) -> str:
        """Return three short sentences in the active language: the move, its threats, the best answer to it."""
        threats = say("It threatens nothing yet.")
        if self.threatens:
            threats = say("It threatens {spells}.", spells=_list_spells(self.threatens))
        risks = say("Nobody can answer it this turn.")
        if self.risks is not None:
            risks = say("The best answer to it is {answer} by {foe}.", answer=self.risks.text(), foe=self.risks.mage)
        return f"{self.move.text()}. {threats} {risks}"


def explain(
    battle: State | Seen, *, mage: str, strength: str | Strength, seed: object, lines: Sequence[str] | None = None
) -> Explanation | None:
    """Return why a bot gives these orders (`lines`; by default, those it would give). None if it plays no gestures.

    `battle` is as it was when the orders were due. Uses only what `mage` knew then.
    """
    seen = battle if isinstance(battle, Seen) else see(battle, mage)
    player = Player(seen, strength if isinstance(strength, Strength) else get_strength(strength), seed)
    if player.state.wizards[mage].phase != ORDERS:
        return None
    sheet = player.choose() if lines is None else Sheet.from_lines(lines)
    result = player.search_first_world()
    me = result.place(mage)
    place = _find_move(result.moves[me], sheet)
    if place is None:  # a slip, or a surrender: evaluate it with the others
        moves = list(result.moves)
        moves[me] = [*moves[me], Move(sheet, 0.0)]
        result = Search(player.moves, player.chance("explain")).weigh(player.state, mage, result.names, tuple(moves))
        place = len(result.moves[me]) - 1
    index = list(player.state.wizards).index(mage)
    worst = _worst_answer(result, me, place, index)
    foe = _foe_of(player, result)
    expected = None if foe is None else _facts(player, result, foe, _likeliest(result.mixes[foe]))
    others = [each for each in range(len(result.moves[me])) if each != place]
    rejected = max(others, key=lambda each: result.moves[me][each].worth, default=None)
    refuted = None if rejected is None else _worst_answer(result, me, rejected, index)
    return Explanation(
        bot=player.strength.name,
        manner=_manner_of(player, sheet),
        move=_facts(player, result, me, place),
        chance=result.value,
        expected=expected,
        worst=None if worst is None or foe is None else _facts(player, result, foe, worst[0][foe]),
        worst_chance=None if worst is None else worst[1],
        rejected=None if rejected is None else _facts(player, result, me, rejected),
        refutation=None if refuted is None or foe is None else _facts(player, result, foe, refuted[0][foe]),
        refuted_chance=None if refuted is None else refuted[1],
    )


def hint(battle: State | Seen, *, mage: str, seed: object = "hint") -> tuple[Hint, ...]:
    """Return the moves that a Magus would consider: up to three, the likeliest first; none without gestures.

    Where a move that its search left out does clearly better, that one comes first.
    """
    seen = battle if isinstance(battle, Seen) else see(battle, mage)
    player = Player(seen, get_strength("Magus"), seed)
    if player.state.wizards[mage].phase != ORDERS:
        return ()
    result = player.search_wider()
    me = result.place(mage)
    index = list(player.state.wizards).index(mage)
    foe = _foe_of(player, result)
    mages = range(len(player.state.wizards))
    hints: dict[str, Hint] = {}
    for place in rank_moves(result, me, index):
        move = _facts(player, result, me, place)
        # Orders that only name the usual target are the same move to a reader.
        if len(hints) == HINTS or move.text() in hints:
            continue
        worst = _worst_answer(result, me, place, index)
        hints[move.text()] = Hint(
            move=move,
            chance=show_chance([result.chance_of(me, place, each) for each in mages], index),
            threatens=_threats(player, result.moves[me][place].sheet),
            risks=None if worst is None or foe is None else _facts(player, result, foe, worst[0][foe]),
        )
    return tuple(hints.values())


def _manner_of(player: Player, sheet: Sheet) -> str:
    # A hand that an enchantment moves plays no palm.
    if sheet.column == TWO_PALMS and MOVED_HANDS.isdisjoint(player.state.wizards[player.seen.mage].marks):
        return SURRENDER
    if player.slips(sheet):
        return SLIP
    return SEARCH if player.strength.looks_ahead else THUMB


def _list_spells(spells: Sequence[str]) -> str:
    return ", ".join(map(name_spell, spells))


def _find_move(moves: Sequence[Move], sheet: Sheet) -> int | None:
    wanted = write_gestures(sheet)
    exact = next((place for place, move in enumerate(moves) if move.sheet == sheet), None)
    alike = next((place for place, move in enumerate(moves) if write_gestures(move.sheet) == wanted), None)
    return alike if exact is None else exact


def _likeliest(mix: Sequence[float]) -> int:
    return max(range(len(mix)), key=lambda place: mix[place])


def _foe_of(player: Player, result: SearchResult) -> int | None:
    """Return the foe whose moves to describe: the target of harm, or else another one who plays gestures."""
    foe = Situation(player.state, player.seen.mage, player.moves.worth).foe
    wizards, me = player.state.wizards, player.seen.mage
    playing = [name for name in result.names if name != me and wizards[name].phase == ORDERS]
    if foe is not None and foe.name in playing:
        return result.place(foe.name)
    return result.place(playing[0]) if playing else None


def _worst_answer(result: SearchResult, me: int, place: int, index: int) -> tuple[tuple[int, ...], float] | None:
    """Return (everyone's moves, the mage's chance) for the worst evaluated outcome of a move."""
    if len(result.names) < 2:
        return None
    cells = [(chances[index], cell) for cell, chances in result.table.items() if cell[me] == place]
    if not cells:
        return None
    chance, cell = min(cells)
    return cell, chance


def _facts(player: Player, result: SearchResult, who: int, place: int) -> MoveFacts:
    sheet, name = result.moves[who][place].sheet, result.names[who]
    parts = list_parts(player.state, name, sheet)
    spells = tuple(list_cast(player.state, name, sheet).values())
    if not sheet.has_both:
        spells = tuple(player.state.wizards[name].spells.values())
        parts = (*((How.CAST, spell, "") for spell in spells), *parts)
    share = result.mixes[who][place] if place < len(result.mixes[who]) else 0.0
    return MoveFacts(name, tuple(sheet.lines()), write_gestures(sheet), spells, share, parts)


def _threats(player: Player, sheet: Sheet) -> tuple[str, ...]:
    """Return what the next turn may bring after this move, the worst first."""
    situation = Situation(player.state, player.seen.mage, player.moves.worth)
    if situation.foe is None or not sheet.has_both:
        return ()
    wizard = situation.me.copy()
    wizard.begun = wizard.begun.after[sheet.column]
    harms = [
        (situation.aim(spell).worth if spell.startswith("Summon") else situation.harm_of(spell, situation.foe), spell)
        for spell in completable(wizard)
    ]
    harms = sorted((each for each in harms if each[0] >= REMARKABLE_HARM), reverse=True)
    return tuple(spell for _, spell in harms[:MOST_THREATS])
