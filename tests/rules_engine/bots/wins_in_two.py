"""Positions of bots' duels in which a mage can force a win within two turns, but not in one.

    python -m tests.rules_engine.bots.wins_in_two --count 300 --seed mine --try
    python -m tests.rules_engine.bots.wins_in_two --count 40 --seed mine --to positions.txt

A win in two is an order after which, against every order of the other mage and however the dice fall, the mage has won
or has an order that wins the next turn for certain. Every order of the other mage is tried, in both turns; one of those
that make no difference in either turn stands for the others. Positions in which they can't all be listed are left out.
The bots' own proof picks the orders to try: what it finds is proved here a second time, by other lists of orders.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rules_engine import Sheet, State
from rules_engine.bots import choose_orders
from rules_engine.bots.deadly_turns import may_die
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.bots.wins_in_two import TwoTurns as BotsProof
from rules_engine.bots.wins_in_two import list_orders as bots_orders
from rules_engine.errors import InvalidRecord
from rules_engine.positions import set_up
from rules_engine.writing_positions import write_position
from tests.rules_engine.bots.decided_positions import (
    MOST_HP,
    UNSEARCHED,
    WIN,
    _is_forced,
    _name_other,
    _value,
    forces,
    list_positions,
    read_options,
)
from tests.rules_engine.solved_positions import _key, _Orders

FILE = Path(__file__).with_name("wins_in_two.txt")
PLAYERS = ("Archmage", "Magus")
MOST_PLAYED = 60_000
MANY = 1_500
"""A position in which the other mage has more orders is left out; of the mage's own, the first so many are tried."""


class TwoTurns:
    """What one mage of a position can force within two turns."""

    def __init__(self, state: State, mage: str) -> None:
        self.state, self.mage, self.other = state, mage, _name_other(state, mage)
        self.known: dict[object, bool] = {}
        self.answers = _Orders(state, last=False, unsearched=UNSEARCHED).list_for(self.other, MANY) or []

    def wins(self, sheet: Sheet) -> bool:
        """Whether an order wins within two turns; False if the answers can't be listed."""
        if not self.answers:
            return False
        for place, answer in enumerate(self.answers):
            sheets = {self.mage: sheet, self.other: answer}
            for after in play_every_roll(self.state, sheets, _value(self.state.ruleset.name)):
                if not self._wins_next(after):
                    self.answers.insert(0, self.answers.pop(place))
                    return False
        return True

    def _wins_next(self, after: State) -> bool:
        if after.over:
            return _is_forced(after, self.mage, WIN)
        if after.extra or after.doubled or len(after.owing) != 2 or not may_die(after, self.other):
            return False
        key = _key(after)
        if key not in self.known:
            self.known[key] = has_forced_win(after, self.mage)
        return self.known[key]


def has_forced_win(state: State, mage: str) -> bool:
    """Whether some order wins this turn for certain."""
    mine = _Orders(state, last=True, unsearched=UNSEARCHED).list_for(mage, MANY, cut=True)
    answers = _Orders(state, last=True, unsearched=UNSEARCHED).list_for(_name_other(state, mage), MANY)
    return bool(mine and answers) and any(forces(state, mage, sheet, answers, WIN) for sheet in mine)


def find_wins_in_two(*, seed: str) -> Iterator[tuple[str, str]]:
    """Yield positions without end, and whose win it is."""
    number, seen = 0, set[str]()
    while True:
        number += 1
        for state in list_positions(f"{seed} {number}"):
            try:
                text = write_position(state)
                read = set_up(text)
            except InvalidRecord:
                continue
            if text in seen or any(wizard.short_bolt_used for wizard in state.wizards.values()):
                continue
            seen.add(text)
            for mage in read.mages:
                if has_win_in_two(read, mage):
                    yield text, mage


def has_win_in_two(state: State, mage: str) -> bool:
    """Whether a mage can force a win within two turns, but not in one."""
    other = state.wizards[_name_other(state, mage)]
    if any("blind" in wizard.marks or "invisible" in wizard.marks for wizard in state.wizards.values()):
        return False
    if other.hp > MOST_HP and not _is_near_death(state, other.name):
        return False
    found = BotsProof(state, mage, _value(state.ruleset.name), most=MOST_PLAYED)
    orders = bots_orders(state, mage, found.worth, last=False)
    likely = [sheet for sheet in orders if found.wins(sheet)] if not has_forced_win(state, mage) else []
    proof = TwoTurns(state, mage) if likely else None
    return proof is not None and any(proof.wins(sheet) for sheet in likely)


def _is_near_death(state: State, name: str) -> bool:
    """Whether what kills at any number of hit points may come within two turns."""
    victim, foe = state.wizards[name], state.wizards[_name_other(state, name)]
    if any(0 < victim.marks.get(mark, 0) <= 2 for mark in ("sick", "poisoned")):
        return True
    book = state.ruleset.book
    return any(
        series.spell == "Finger Of Death" and len(series.text) - made <= 2
        for hand in (foe.begun.left, foe.begun.right)
        for series, made in book.begun(hand)
    )


def read_wins() -> list[tuple[str, str]]:
    """The positions of the file, and whose win it is."""
    parts = (part.strip().partition("\n") for part in FILE.read_text().split("\n\n"))
    return [(text + "\n", mage) for mage, _, text in parts if mage]


def play_it(text: str, mage: str, player: str) -> tuple[bool, list[str]]:
    """Whether a bot plays an order that wins within two turns, and what it plays."""
    state = set_up(text)
    lines = choose_orders(state, mage=mage, strength=player, seed="two", may_surrender=False)
    return TwoTurns(state, mage).wins(Sheet.from_lines(lines)), lines


def main() -> None:
    options = read_options(__doc__, seed="two")
    players = tuple(options.players or PLAYERS) if options.to is None else ()
    missed = Counter[str]()
    with (options.to or Path("/dev/null")).open("w") as file:
        for number, (text, mage) in enumerate(find_wins_in_two(seed=options.seed), start=1):
            file.write(f"{mage}\n{text}\n")
            file.flush()
            for player in players:
                played, lines = play_it(text, mage, player)
                if not played:
                    missed[player] += 1
                    print(f"{player} misses: {lines}\n{mage}\n{text}", flush=True)
            if number % 20 == 0 or number == options.count:
                print(f"{number} positions; missed: {dict(missed)}", flush=True)
            if number == options.count:
                return


if __name__ == "__main__":
    main()
