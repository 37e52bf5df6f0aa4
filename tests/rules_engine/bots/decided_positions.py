"""Positions of bots' duels in which a mage has a forced win, or a forced survival, of one turn.

    python -m tests.rules_engine.bots.decided_positions --count 300 --seed mine --to positions.txt
    python -m tests.rules_engine.bots.decided_positions --count 5000 --seed other --try

The second finds such positions and asks the strongest bots and the hints about each; it writes those that they miss.

A forced win is an order after which the other mage is out and this one is not, against every order of the other and
however the dice fall; a forced survival leaves this mage in, where some other order does not. Both are proved by
playing all of them; where a turn stops for answers, rules of thumb give them. Where a mage is blind, it must be forced
in each position that looks the same to them. `decided_positions.txt` holds positions of several rulesets and strengths.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rules_engine import Sheet, State, Viewer, look
from rules_engine.beings import ELEMENTALS, MONSTER_HP, Monster
from rules_engine.bots import choose_orders, hint
from rules_engine.bots.chance import Chance
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.bots.worth import Worth, shares_of
from rules_engine.errors import InvalidRecord
from rules_engine.positions import set_up
from rules_engine.writing_positions import write_position
from tests.rules_engine.bots.bot_games import OFFERED, play
from tests.rules_engine.solved_positions import _Orders as Orders

FILE = Path(__file__).with_name("decided_positions.txt")
UNSEARCHED = frozenset({"banked", "fast", "time_stopped", "permanency", "delay"})
"""Positions with these marks are left out."""
WIN, SURVIVAL = "win", "survival"
HINTS = "hints"
PLAYERS = ("Magus", "Archmage", HINTS)
MOST_HP = 8


class Decided(NamedTuple):
    """A position as `set_up` reads it, and what is forced for which of its mages."""

    text: str
    mage: str
    forced: str


def list_orders(state: State, mage: str) -> list[Sheet] | None:
    """Every order of a mage that can make a difference this turn; None if they can't be listed."""
    return Orders(state, last=True, unsearched=UNSEARCHED).list_for(mage)


def list_worlds(state: State, mage: str) -> list[State]:
    """The position, and if the mage is blind others that look the same to them: the other mage may have any number of
    hit points, an enchantment, or a creature that attacks."""
    worlds = [state]
    if not look(state, Viewer.of(mage)).blind:
        return worlds
    other = _name_other(state, mage)
    for points in range(1, state.wizards[other].max_hp + 1):
        worlds.append(state.copy())
        worlds[-1].wizards[other].hp = points
    for mark in ("shielded", "reflecting", "heat_resistant", "cold_resistant"):
        worlds.append(state.copy())
        worlds[-1].wizards[other].marks[mark] = 2
    for kind in MONSTER_HP:
        if kind not in ELEMENTALS:
            worlds.append(state.copy())
            worlds[-1].monsters[f"Dark{kind}"] = Monster(f"Dark{kind}", kind, other, mage)
    return worlds


class Proof:
    """What a mage's orders force, in each position that looks like this one to the mage."""

    def __init__(self, state: State, mage: str) -> None:
        self.mage, self.worlds = mage, list_worlds(state, mage)
        self.orders = list_orders(state, mage)
        self.answers = [list_orders(world, _name_other(state, mage)) for world in self.worlds]

    def is_listed(self) -> bool:
        """Whether all orders of both could be listed."""
        return self.orders is not None and None not in self.answers

    def forces(self, sheet: Sheet, forced: str) -> bool:
        """Whether an order forces it, against all answers and every roll."""
        return all(
            answers is not None and forces(world, self.mage, sheet, answers, forced)
            for world, answers in zip(self.worlds, self.answers, strict=True)
        )


def forces(state: State, mage: str, sheet: Sheet, answers: list[Sheet], forced: str) -> bool:
    """Whether an order forces it, against all these answers and every roll. Puts what refutes it first."""
    other, worth = _name_other(state, mage), _value(state.ruleset.name)
    for place, answer in enumerate(answers):
        for after in play_every_roll(state, {mage: sheet, other: answer}, worth):
            if not _is_forced(after, mage, forced):
                answers.insert(0, answers.pop(place))
                return False
    return True


@cache
def _value(ruleset: str) -> Worth:
    return Worth(ruleset)


def _name_other(state: State, mage: str) -> str:
    return next(name for name in state.mages if name != mage)


def _is_forced(after: State, mage: str, forced: str) -> bool:
    if forced == SURVIVAL:
        return mage not in after.out
    return after.outcome is not None and shares_of(after.outcome, after.mages)[after.mages.index(mage)] == 1.0


def find_forced(state: State) -> Iterator[tuple[str, str]]:
    """Yield what is forced for which mage."""
    for mage, other in zip(state.mages, reversed(state.mages), strict=True):
        proof = Proof(state, mage)
        if not proof.is_listed():
            return
        if state.wizards[other].hp <= MOST_HP and any(proof.forces(sheet, WIN) for sheet in proof.orders):
            yield mage, WIN
        elif state.wizards[mage].hp <= MOST_HP:
            saved = set[bool]()
            for sheet in proof.orders:
                saved.add(proof.forces(sheet, SURVIVAL))
                if len(saved) == 2:
                    yield mage, SURVIVAL
                    break


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


def find_missed(decided: Decided, players: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield which of these bots, or "hints", play something that does not force it, and what they play."""
    state = set_up(decided.text)
    mage = decided.mage
    proof = Proof(state, mage)
    for player in players:
        if player == HINTS:
            played = [list(each.move.lines) for each in hint(state, mage=mage)]
        else:
            played = [choose_orders(state, mage=mage, strength=player, seed="forced", may_surrender=False)]
        for lines in played:
            if not proof.forces(Sheet.from_lines(lines), decided.forced):
                yield player, lines
                break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="decided")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--to", type=Path, help="write the positions to this file")
    what.add_argument("--try", nargs="*", dest="players", metavar="PLAYER", help="ask these about each position")
    options = parser.parse_args()
    found = find_decided(options.count, seed=options.seed)
    if options.to:
        with options.to.open("w") as file:
            for decided in found:
                file.write(f"{decided.forced} {decided.mage}\n{decided.text}\n")
                file.flush()
        return
    players = tuple(options.players or PLAYERS)
    tried, missed = Counter[str](), Counter[tuple[str, str]]()
    for number, decided in enumerate(found, start=1):
        tried[decided.forced] += 1
        for player, lines in find_missed(decided, players):
            missed[player, decided.forced] += 1
            print(f"{player} misses: {lines}\n{decided.forced} {decided.mage}\n{decided.text}", flush=True)
        if number % 100 == 0 or number == options.count:
            print(f"{number} positions ({dict(tried)}); missed: {dict(missed)}", flush=True)


if __name__ == "__main__":
    main()
