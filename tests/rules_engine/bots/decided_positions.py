"""Positions of bots' duels in which a mage has a forced win, or a forced survival, of one turn.

    python -m tests.rules_engine.bots.decided_positions --count 300 --seed mine --to positions.txt

A forced win is an order after which the other mage is out and this one is not, against every order of the other and
however the dice fall; a forced survival leaves this mage in, where some other order does not. Both are proved by
playing all of them; where a turn stops for answers, rules of thumb give them. `decided_positions.txt` holds positions
of several rulesets and strengths.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rules_engine import Sheet, State
from rules_engine.bots.chance import Chance
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.bots.worth import Worth, shares_of
from rules_engine.errors import InvalidRecord
from rules_engine.positions import set_up
from rules_engine.writing_positions import write_position
from tests.rules_engine.bots.bot_games import OFFERED, play
from tests.rules_engine.solved_positions import _Orders as Orders

FILE = Path(__file__).with_name("decided_positions.txt")
WIN, SURVIVAL = "win", "survival"
MOST_HP = 8


class Decided(NamedTuple):
    """A position as `set_up` reads it, and what is forced for which of its mages."""

    text: str
    mage: str
    forced: str


def list_orders(state: State, mage: str) -> list[Sheet] | None:
    """Every order of a mage that can make a difference this turn; None if they can't be listed."""
    return Orders(state, last=True).list_for(mage)


def forces(state: State, mage: str, sheet: Sheet, answers: list[Sheet], forced: str) -> bool:
    """Whether an order forces it, against all these answers and every roll. Puts what refutes it first."""
    other = next(name for name in state.mages if name != mage)
    for place, answer in enumerate(answers):
        for after in play_every_roll(state, {mage: sheet, other: answer}, Worth(state.ruleset.name)):
            if not _is_forced(after, mage, forced):
                answers.insert(0, answers.pop(place))
                return False
    return True


def _is_forced(after: State, mage: str, forced: str) -> bool:
    if forced == SURVIVAL:
        return mage not in after.out
    return after.outcome is not None and shares_of(after.outcome, after.mages)[after.mages.index(mage)] == 1.0


def find_forced(state: State) -> Iterator[tuple[str, str]]:
    """Yield what is forced for which mage."""
    orders = {mage: list_orders(state, mage) for mage in state.mages}
    if None in orders.values():
        return
    for mage, other in zip(state.mages, reversed(state.mages), strict=True):
        answers = list(orders[other])
        if state.wizards[other].hp <= MOST_HP and any(
            forces(state, mage, sheet, answers, WIN) for sheet in orders[mage]
        ):
            yield mage, WIN
        elif state.wizards[mage].hp <= MOST_HP:
            saved = [forces(state, mage, sheet, answers, SURVIVAL) for sheet in orders[mage]]
            if any(saved) and not all(saved):
                yield mage, SURVIVAL


def list_positions(seed: str) -> list[State]:
    """The positions of one duel between two bots."""
    chance = Chance(seed)
    strengths = [chance.choose(("Apprentice", "Journeyman", "Warder", "Magus")) for _ in range(2)]
    states: list[State] = []
    play(chance.choose(OFFERED), strengths, 2, seed, longest=30, watch=states.append)
    return [state for state in states if not (state.over or state.doubled or state.stage or state.extra)]


def find_decided(count: int, *, seed: str) -> Iterator[Decided]:
    """Search until there are so many; a third of them are wins."""
    left = {WIN: count // 3, SURVIVAL: count - count // 3}
    number, seen = 0, set()
    while any(left.values()):
        number += 1
        for state in list_positions(f"{seed} {number}"):
            try:
                text = write_position(state)
                read = set_up(text)
            except InvalidRecord:
                continue
            # A position does not say whether a mage has used the short lightning bolt.
            if any(wizard.short_bolt_used for wizard in state.wizards.values()):
                continue
            if text in seen or min(wizard.hp for wizard in read.wizards.values()) > MOST_HP:
                continue
            seen.add(text)
            for mage, forced in find_forced(read):
                if left[forced]:
                    left[forced] -= 1
                    yield Decided(text, mage, forced)


def read_decided() -> list[Decided]:
    """The positions of the file."""
    found = []
    for part in FILE.read_text().split("\n\n"):
        head, _, text = part.strip().partition("\n")
        if head:
            forced, mage = head.split()
            found.append(Decided(text + "\n", mage, forced))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="decided")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    with options.to.open("w") as file:
        for decided in find_decided(options.count, seed=options.seed):
            file.write(f"{decided.forced} {decided.mage}\n{decided.text}\n")
            file.flush()


if __name__ == "__main__":
    main()
