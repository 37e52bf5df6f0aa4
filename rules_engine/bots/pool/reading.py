"""What the programs of the pool share: reading a view, and saying orders. They use nothing else of the bots, so that a
better bot does not make them better, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from rules_engine.bots.chance import Chance
from rules_engine.bots.seen import Seen
from rules_engine.gestures import BOTH, HANDS, LEFT, RIGHT, SECOND, STAB
from rules_engine.orders import Sheet
from rules_engine.rulesets import get_ruleset
from rules_engine.spells import Book, HandStates

COLUMNS: Final = (
    *(left + right for left, right in product("DFPSW", repeat=2) if left + right != "PP"),
    "CC",
    *(STAB + gesture for gesture in "DFPSW"),
    *(gesture + STAB for gesture in "DFPSW"),
)
"""All columns except surrenders, single claps, and hands that do nothing."""
UNSEEN: Final = "?"
FEARED: Final = "CDFS"
HARMLESS: Final = "W"
NO_POINTS_SEEN: Final = 8
"""The hit points of a mage whom nobody sees."""


class Side:
    """One mage as the viewer sees them; hands whose gestures are hidden have begun nothing."""

    def __init__(self, book: Book, facts: Mapping[str, Any]) -> None:
        self.name: str = facts["name"]
        self.hp: int = facts["hp"] if facts["hp"] is not None else NO_POINTS_SEEN
        self.marks: Mapping[str, int] = facts["marks"]
        self.banked: Sequence[str] | None = facts["banked"]
        self.held: str | None = facts["held"]
        self.left, self.right = (facts[hand].replace(UNSEEN, "-") for hand in ("left", "right"))
        self.states: HandStates = book.states_of(self.left, self.right)

    def missing(self, book: Book, spell: str) -> int:
        """Return how many gestures of one hand are missing to the spell."""
        return min(_missing(book, state, spell) for state in (self.states.left, self.states.right))


class Table:
    """A duel as one mage sees it when gestures are due."""

    def __init__(self, seen: Seen) -> None:
        facts = self.facts = seen.facts
        ruleset = get_ruleset(facts["ruleset"], facts["edition"])
        self.book, self.spells = ruleset.book, ruleset.spells
        sides = [Side(self.book, each) for each in facts["mages"] if each["standing"] == "in"]
        self.me = next(each for each in sides if each.name == seen.mage)
        foes = [each for each in sides if each.name != seen.mage]
        self.foe = min(foes, key=lambda each: each.hp) if foes else self.me
        self.monsters: list[Mapping[str, Any]] = facts["monsters"]
        self.bolt_used: bool = facts["own"]["bolt_used"]

    def completed(self, side: Side, column: str) -> Mapping[str, tuple[str, ...]]:
        """Return the spells that a column completes, by hand."""
        reached = side.states.lead_to(column)
        return reached.later if side is self.me and self.bolt_used else reached.first

    def strikes_me(self) -> int:
        """Return how much harm creatures may do to me in this turn."""
        strength = {"Goblin": 1, "Ogre": 2, "Troll": 3, "Giant": 4}
        return sum(strength.get(each["kind"], 3) for each in self.monsters if each["controller"] != self.me.name)

    def allowed(self) -> list[str]:
        """Return the columns that cost nothing: no gestures that Fear forbids, and no palm that may be doubled."""
        marks, banned = self.me.marks, ""
        if "afraid" in marks:
            banned += FEARED
        if marks.keys() & {"confused", "charmed", "maladroit", "paralysed"}:
            banned += "P"
        return [column for column in COLUMNS if not set(column) & set(banned)] or ["WW"]


Chooser = Callable[[Table, Chance], tuple[str, Sequence[str]]]
"""Returns a column, and the spells wanted first where the gestures complete several."""


def play(seen: Seen, choose: Chooser, chance: Chance) -> list[str]:
    """Return the order lines for whatever is due: gestures, or the answers that the turn stops for."""
    table = Table(seen)
    asked = {question["id"]: question for question in seen.questions}
    slots: dict[str, str] = {}
    wanted: Sequence[str] = ()
    if LEFT in asked or RIGHT in asked:
        column, wanted = choose(table, chance)
        for hand, gesture in zip((*HANDS, *SECOND.values()), column * 2, strict=False):
            if hand in asked:
                slots[hand] = gesture if gesture in asked[hand]["options"] else HARMLESS
        slots |= _choose(table.completed(table.me, slots.get(LEFT, "-") + slots.get(RIGHT, "-")), wanted)
    for name, question in asked.items():
        answer = _answer(table, question, wanted, chance)
        if answer:
            slots[name] = answer
    return Sheet(slots).lines()


def make_player(choose: Chooser, seed: object) -> Callable[[Seen], list[str]]:
    """Return a program as a player; the same seed plays the same."""

    def answer(seen: Seen) -> list[str]:
        return play(seen, choose, Chance("pool", seed, seen.mage, seen.facts["seq"], seen.facts["stage"]))

    return answer


def _choose(completed: Mapping[str, tuple[str, ...]], wanted: Sequence[str]) -> dict[str, str]:
    """Return the choice of spells, where the gestures complete several."""

    def rank(spell: str) -> int:
        return wanted.index(spell) if spell in wanted else len(wanted)

    singles = {hand: min(completed[hand], key=rank) for hand in HANDS if completed[hand]}
    both = completed[BOTH]
    if both and singles:
        best = min(both, key=rank)
        if rank(best) <= min(map(rank, singles.values())):
            return {f"CHOOSE {BOTH}": best}
        return {f"CHOOSE {hand}": spell for hand, spell in singles.items()}
    if len(both) > 1:
        return {f"CHOOSE {BOTH}": min(both, key=rank)}
    return {f"CHOOSE {hand}": spell for hand, spell in singles.items() if len(completed[hand]) > 1}


def _answer(table: Table, question: Mapping[str, Any], wanted: Sequence[str], chance: Chance) -> str:
    kind: str = question["kind"]
    options: list[str] = question["options"]
    if question["answered"] or not options or kind == "gesture":
        return ""
    if kind == "monster":
        return table.foe.name if table.foe.name in options else ""
    if kind == "choose":
        return min(options, key=lambda spell: wanted.index(spell) if spell in wanted else len(wanted))
    if kind == "paralyze":
        return _hold(table, question["about"], options)
    if kind == "direct":
        return chance.choose(options)
    if question["required"]:
        return str(question["default"] or options[0])
    return ""


def _hold(table: Table, victim: str, options: Sequence[str]) -> str:
    """Return the hand that has begun most."""
    sides = {side.name: side for side in (table.me, table.foe)}
    if victim not in sides:
        return options[0]
    states = sides[victim].states
    made = {hand: _most_begun(table.book, state) for hand, state in ((LEFT, states.left), (RIGHT, states.right))}
    return max(options, key=lambda hand: made.get(hand, 0))


def _most_begun(book: Book, state: int) -> int:
    return max([made for _series, made in book.begun(state)], default=0)


def _missing(book: Book, state: int, spell: str) -> int:
    texts = [len(series.text) for series in book.series if series.spell == spell]
    begun = [len(series.text) - made for series, made in book.begun(state) if series.spell == spell]
    return min([*texts, *begun], default=99)


__all__ = ["COLUMNS", "HARMLESS", "Chooser", "Side", "Table", "make_player", "play"]
