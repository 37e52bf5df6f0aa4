"""SHOW: a battle as a table, with a row for each turn and for each cut of an Anti Spell (spec: engine 9.4).

While the battle is running, anything that a mage could not see is hidden from every reader, players included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from rules_engine.audience import is_hidden_column
from rules_engine.beings import NO_MASTER, Monster
from rules_engine.gestures import BOTH, BREAK, FIRE, LEFT, RIGHT, SECOND, WAITED
from rules_engine.records.chronicle import Chronicle, PlayedTurn, list_casts

SPELLS, BEASTS = 7, 13
FIRST_PAIR = (LEFT, RIGHT, BOTH, FIRE)
SECOND_PAIR = (SECOND[LEFT], SECOND[RIGHT], SECOND[BOTH], "")  # the second column of a turn, where it has one
HIDDEN = " ?? ?? ## ??????? ?????????????:"
_SMALL_WORDS = frozenset({"Of"})


@dataclass(frozen=True, slots=True)
class _Cell:
    """One mage in one row: gestures with their stars, hit points, and the words of the two wrapped columns."""

    left: str
    right: str
    hp: str
    spells: list[str]
    beasts: list[str]


def show_battle(chronicle: Chronicle) -> str:
    """Return the table. It sorts mages by name; the title has them in the order of joining."""
    names = sorted(chronicle.mages)
    lines = [chronicle.title, "-" * len(chronicle.title), ""]
    lines.append(" " * 5 + "".join(f"    {name:<20}{'':10}:" for name in names) + " Wild")
    lines.append("Turn:" + " LH RH HP Spells  Owned Beasts  :" * len(names) + " Beasts")
    lines.append("-" * len(lines[-1]))
    for turn in chronicle.turns:
        for column in range(turn.column, len(turn.after.columns)):
            lines += _row(chronicle, turn, column, names)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _row(chronicle: Chronicle, turn: PlayedTurn, column: int, names: list[str]) -> Iterator[str]:
    cells = [_cell(chronicle, turn, column, name) for name in names]
    label = turn.after.columns[column]
    number, letter = (label[:-1], label[-1]) if label[-1].isalpha() else (label, " ")
    first = "".join(HIDDEN if cell is None else _write_cell(cell) for cell in cells)
    yield f"{number:>3}{letter}:{first}  {_wild(chronicle, turn)}"
    more = [[] if cell is None else _continue_cell(cell) for cell in cells]
    for parts in zip_longest(*more, fillvalue=" " * 32 + ":"):
        yield "    :" + "".join(parts)


def _cell(chronicle: Chronicle, turn: PlayedTurn, column: int, name: str) -> _Cell | None:
    """Return the cell, or None if it is hidden. The cut of an Anti Spell is hidden if its turn is."""
    state = turn.after
    if chronicle.hides and is_hidden_column(state, name, turn.column):
        return None
    wizard = state.wizards[name]
    left, right = wizard.left[column], wizard.right[column]
    cast = {c.hand: _initials(c.spell) for c in list_casts(turn.events) if c.mage == name}
    if {left, right} <= {WAITED, BREAK}:
        cast = {}
    left_hand, right_hand, hands, bank = SECOND_PAIR if column > turn.column else FIRST_PAIR
    both = hands in cast
    return _Cell(
        left=left + ("*" if both or left_hand in cast else " "),
        right=right + ("*" if both or right_hand in cast else " "),
        hp=f"{wizard.hp:>2}",
        spells=_wrap((cast[slot] for slot in (left_hand, right_hand, hands, bank) if slot in cast), SPELLS),
        beasts=_wrap((_beast(m) for m in state.monsters.values() if m.controller == name), BEASTS),
    )


def _write_cell(cell: _Cell) -> str:
    return f" {cell.left} {cell.right} {cell.hp} {cell.spells[0]:<{SPELLS}} {cell.beasts[0]:<{BEASTS}} :"


def _continue_cell(cell: _Cell) -> list[str]:
    pairs = zip_longest(cell.spells[1:], cell.beasts[1:], fillvalue="")
    return [f"{'':10}{spells:<{SPELLS}} {beasts:<{BEASTS}} :" for spells, beasts in pairs]


def _wild(chronicle: Chronicle, turn: PlayedTurn) -> str:
    """Return the creatures that obey nobody and attack everyone; hidden if any mage was blind."""
    state = turn.after
    if chronicle.hides and any(w.blind_columns[turn.column] == "1" for w in state.wizards.values()):
        return "??"
    return " ".join(_beast(m) for m in state.monsters.values() if m.controller == NO_MASTER)


def _beast(monster: Monster) -> str:
    return f"{_initials(monster.name)}({monster.hp})"


def _initials(name: str) -> str:
    """Return the capitals of a name, without small words: Finger Of Death FD, BlueishRedOgre BRO."""
    return "".join(letter for word in name.split() if word not in _SMALL_WORDS for letter in word if letter.isupper())


def _wrap(words: Iterable[str], width: int) -> list[str]:
    """Wrap words in lines of at most `width` characters; at least one line, and no word is cut."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
