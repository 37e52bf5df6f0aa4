"""Positions of bots' duels whose value is known: every order of their last two turns is tried against every other.

    python -m tests.rules_engine.solved_positions --count 200 --seed mine --to positions.txt

finds so many positions that one turn decides, and so many that need a second one, and writes them to a file; for each
the first mage's chance, how many turns were searched, and its lines as `set_up` reads them. `solved_positions.txt`
holds positions of several seeds. A value is proved: what a mix of orders guarantees, whatever the other plays, with
every battle that is still open then counted as lost for the one bound and as won for the other.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from rules_engine import Done, Sheet, State
from rules_engine.battle import advance_silently
from rules_engine.beings import NOBODY, ORDERS, READY, Wizard
from rules_engine.bots.chance import Chance, SearchDice
from rules_engine.bots.mixed_strategies import solve
from rules_engine.bots.worth import shares_of
from rules_engine.errors import InvalidRecord
from rules_engine.gestures import BOTH, FIRE, FRIGHTENED, GESTURES, HANDS, LEFT, RIGHT, STAB, SURRENDER
from rules_engine.positions import set_up
from rules_engine.questions import MAKES_CREATURE
from rules_engine.spells import SELF
from rules_engine.writing_positions import write_position
from tests.rules_engine.bots_analysis import play_battle

FILE = Path(__file__).with_name("solved_positions.txt")
RULESETS = ("firetop-standard", "firetop-standard", "firetop-server", "waving-hands")
POINTS = (2, 2, 3, 3, 4, 5)
POINTS_OF_DOOMED = (1, 1, 2, 2, 3, 4)
KNOWN_WITHIN = 0.02
CERTAIN = 0.85
HALF_KNOWN = 0.55
SAMPLE, ENDED = 10, 0.7
ROUNDS = 200
EXACT = 0.002
MOST_ORDERS, MOST_SOLVED = 250, 600
NOTHING_KNOWN = (0.0, 1.0)
COLUMNS = [left + right for left, right in product(GESTURES, repeat=2) if left + right not in (SURRENDER, STAB + STAB)]
# Marks that change what is played, or who plays next, in ways that are not listed here.
UNSEARCHED = {"banked", "confused", "charmed", "forgetful", "fast", "time_stopped", "permanency", "delay"}
# Marks with which the very gestures matter, not only what they complete.
LITERAL = {"paralysed", "maladroit", "confused", "charmed"}
IMPOSED = "DFPSWC>"
# Spells that may be worth casting at anyone.
UNIVERSAL = {"Counter Spell", "Magic Mirror", "Dispel Magic", "Remove Enchantment", "Charm Monster"}
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Solved:
    """A position, the turns that were searched, and the chance of the first mage, known within `KNOWN_WITHIN`."""

    text: str
    turns: int
    chance: float


class CountingDice:
    """Dice that say whether any was rolled: then the value is not known."""

    def __init__(self) -> None:
        self.chance, self.rolled, self.rolls = Chance("solved"), 0, []

    def pick(self, purpose, who, options):
        self.rolled += 1
        return self.chance.choose(options)


class _Orders:
    """Lists all orders of the mages of a position, but only one of those that cannot make a difference. Left out are
    those that cannot be better than one that is listed: to hurt oneself, to help the other, to give up."""

    def __init__(
        self, state: State, *, last: bool, unsearched: Set[str] = UNSEARCHED, columns: Sequence[str] = COLUMNS
    ) -> None:
        self.state, self.last, self.unsearched, self.columns = state, last, unsearched, columns
        self.spells = state.ruleset.spells
        unborn = [
            f"{hand}:{mage}"
            for mage in state.still_in
            for hand in HANDS
            if any(self._creates(spell) for column in COLUMNS for spell in _offers(state.wizards[mage], column)[hand])
        ]
        self.targets = [*state.still_in, *state.monsters, *unborn, NOBODY]

    def _creates(self, name: str) -> bool:
        spell = self.spells[name]
        return spell.category == MAKES_CREATURE and spell.targeted

    def list_for(self, mage: str, most: int = MOST_ORDERS, *, cut: bool = False) -> list[Sheet] | None:
        """None if they cannot be listed or are too many; with `cut`, only the first of too many."""
        wizard = self.state.wizards[mage]
        beings = (*self.state.wizards.values(), *self.state.monsters.values())
        if wizard.again is not None or any(self.unsearched & set(being.marks) for being in beings):
            return None
        if wizard.phase == READY and "forgetful" not in self.unsearched:
            return [Sheet()]  # Amnesia has chosen
        if wizard.phase != ORDERS:
            return None
        literal = bool(LITERAL & set(wizard.marks)) or (not self.last and self._may_touch_minds(mage))
        found: dict[object, Sheet] = {}
        for column in self.columns:
            if "afraid" in wizard.marks and not FRIGHTENED.isdisjoint(column):
                continue
            reached = () if self.last else wizard.begun.after[column]
            for cast, slots in self._list_slots(mage, column):
                key = (column if literal else "", reached, column.find(STAB), *cast.items(), *sorted(slots.items()))
                found.setdefault(key, Sheet({LEFT: column[0], RIGHT: column[1], **slots}))
                if len(found) > most:
                    return list(found.values()) if cut else None
        return list(found.values())

    def _may_touch_minds(self, mage: str) -> bool:
        """Whether another mage can complete a spell after which the literal gestures matter."""
        return any(
            spell in ("Paralysis", "Maladroitness", "Amnesia")
            for other in self.state.still_in
            if other != mage
            for column in COLUMNS
            for spells in _offers(self.state.wizards[other], column).values()
            for spell in spells
        )

    def _list_slots(self, mage: str, column: str) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
        """Yield the spells with one column, and the choices, targets and powers."""
        state = self.state
        own = [each.name for each in state.monsters.values() if each.controller == mage]
        attackable = [each for each in self.targets if each != mage and each not in own]
        aims = {f"TARGET {each}": attackable for each in own}
        for victim in state.wizards.values():
            if "paralysed" in victim.marks and victim.paralyser == mage and not victim.stuck:
                aims[f"PARALYZE {victim.name}"] = list(HANDS)
            if "charmed" in victim.marks and victim.controller == mage and not any(victim.directed.values()):
                hands = victim.directed or HANDS
                aims[f"DIRECT {victim.name}"] = [f"{hand} {gesture}" for hand in hands for gesture in IMPOSED]
        for cast, choices in _choose(_offers(state.wizards[mage], column)):
            slots = dict(aims)
            for hand, name in cast.items():
                if self.spells[name].targeted or self.spells[name].may_be_aimed:
                    slots[f"TARGET {hand}"] = self._aim(name, mage, own, attackable)
                if self._creates(name):
                    slots[f"TARGET {hand}:{mage}"] = attackable
            for place, hand in enumerate(HANDS):
                if column[place] == STAB:
                    slots[f"TARGET {hand}"] = attackable
            for values in product(*slots.values()):
                orders = {**choices, **dict(zip(slots, values, strict=True))}
                yield cast, orders
                if state.wizards[mage].bank is not None:
                    yield cast, {**orders, FIRE: FIRE}

    def _aim(self, name: str, mage: str, own: list[str], others: list[str]) -> list[str]:
        if self._creates(name):
            return [mage]
        spell = self.spells[name]
        if spell.works_on_the_dead:
            return [*self.targets, *self.state.tombstone]
        if name == "Delay Effect" and self.state.ruleset.rules.gifts_catch_their_own_turn:
            return list(self.state.still_in)
        if spell.category == "damage":
            return others
        if spell.default == SELF and name not in UNIVERSAL:
            return [mage, *own]
        if self.last and name not in UNIVERSAL:
            return [each for each in self.targets if each != mage and ":" not in each]
        return self.targets


def _offers(wizard: Wizard, column: str):
    reached = wizard.begun.after[column]
    return reached.later if wizard.short_bolt_used else reached.first


def _choose(offers) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """The spells by hand, and the orders that choose them."""
    if offers.settled is not None:
        yield dict(offers.settled), {}
        return
    hands = [hand for hand in HANDS if offers[hand]]
    pairs = offers[BOTH]
    for spells in product(*(offers[hand] for hand in hands)) if hands else ():
        cast = dict(zip(hands, spells, strict=True))
        yield cast, {f"CHOOSE {hand}": spell for hand, spell in cast.items() if pairs or len(offers[hand]) > 1}
    for spell in pairs:
        yield {BOTH: spell}, {f"CHOOSE {BOTH}": spell}


def find_bounds(state: State, turns: int) -> Bounds:
    """Bounds of the first mage's chance, by searching every order of so many turns."""
    return _Game(state, turns).bound()


class _Game:
    """One turn in which both mages give any orders; what they lead to is played only where the proof needs it."""

    def __init__(self, state: State, turns: int) -> None:
        self.state, self.turns = state, turns
        self.names = state.mages
        self.orders = [None] if state.extra else [_Orders(state, last=turns == 1).list_for(each) for each in self.names]
        self.cells: dict[tuple[int, int], Bounds] = {}
        self.known: dict[object, Bounds] = {}

    def bound(self) -> Bounds:
        if None in self.orders or (self.turns > 1 and not self._is_promising()):
            return NOTHING_KNOWN
        low, at_most = self._solve(0)
        if all(low == high for low, high in self.cells.values()):
            return low, at_most
        return low, self._solve(1)[1]

    def _is_promising(self) -> bool:
        """Whether most of a sample of orders lead to positions of which something is known."""
        chance, known = Chance("sample"), 0
        for _ in range(SAMPLE):
            cell = [chance.choose(range(len(orders))) for orders in self.orders]
            known += self.gain(*cell, 1) - self.gain(*cell, 0) < HALF_KNOWN
        return known >= SAMPLE / 2

    def gain(self, row: int, column: int, which: int) -> float:
        """The lower (0) or upper (1) bound of the chance after these orders."""
        if (row, column) not in self.cells:
            self.cells[row, column] = self._play(row, column)
        return self.cells[row, column][which]

    def _play(self, row: int, column: int) -> Bounds:
        dice = CountingDice()
        (me, mine), (foe, theirs) = zip(self.names, self.orders, strict=True)
        done = advance_silently(self.state, {me: mine[row], foe: theirs[column]}, dice)
        if not isinstance(done, Done) or dice.rolled:
            return NOTHING_KNOWN
        if done.state.outcome is not None:
            share = shares_of(done.state.outcome, done.state.mages)[0]
            return share, share
        if self.turns == 1:
            return NOTHING_KNOWN
        key = _key(done.state)
        if key not in self.known:
            self.known[key] = (
                find_bounds(done.state, self.turns - 1) if len(self.known) < MOST_SOLVED else NOTHING_KNOWN
            )
        return self.known[key]

    def _solve(self, which: int) -> Bounds:
        """What a mix guarantees the first mage, and what one of the other mage concedes at most, by these bounds.

        Both mixes are made of a few orders; while another order does better against them, it is added.
        """
        rows, columns = [0], [0]
        all_rows, all_columns = (range(len(orders)) for orders in self.orders)
        while True:
            mine, theirs = solve_small([[self.gain(row, column, which) for column in columns] for row in rows])
            mix, other = _keep(mine, rows), _keep(theirs, columns)
            concedes = [sum(share * self.gain(row, at, which) for at, share in other.items()) for row in all_rows]
            gains = [sum(share * self.gain(at, column, which) for at, share in mix.items()) for column in all_columns]
            best, worst = max(all_rows, key=concedes.__getitem__), min(all_columns, key=gains.__getitem__)
            if concedes[best] - gains[worst] < EXACT or (best in rows and worst in columns):
                return gains[worst], concedes[best]
            rows += [best] if best not in rows else []
            columns += [worst] if worst not in columns else []


def _keep(mix: Sequence[float], places: Sequence[int]) -> dict[int, float]:
    """The shares of the orders that matter."""
    kept = {place: share for place, share in zip(places, mix, strict=True) if share > 1e-3}
    return {place: share / sum(kept.values()) for place, share in kept.items()}


def solve_small(matrix: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Solve with only one of all equal rows, and of all equal columns; most orders make no difference."""
    rows = {tuple(row): place for place, row in reversed(list(enumerate(matrix)))}
    columns = {column: place for place, column in reversed(list(enumerate(zip(*rows, strict=True))))}
    mine, theirs, _ = solve(list(zip(*columns, strict=True)), ROUNDS)
    return _spread(mine, rows.values(), len(matrix)), _spread(theirs, columns.values(), len(matrix[0]))


def _spread(mix: Sequence[float], places: Iterable[int], size: int) -> list[float]:
    found = [0.0] * size
    for place, share in zip(places, mix, strict=True):
        found[place] = share
    return found


def _key(state: State) -> object:
    """What can make a difference in one more turn."""
    return (
        tuple(
            (
                each.hp,
                each.begun,
                tuple(sorted(each.marks.items())),
                each.left[-1:] + each.right[-1:] if each.marks else "",
            )
            for each in state.wizards.values()
        ),
        tuple(
            (each.kind, each.hp, each.controller, each.target, *each.marks.items()) for each in state.monsters.values()
        ),
    )


def is_promising(state: State) -> bool:
    """Whether some orders end the battle against most of a sample of replies: elsewhere a search is in vain."""
    if state.extra:
        return False
    orders = [_Orders(state, last=True).list_for(each) for each in state.mages]
    if None in orders:
        return False
    chance = Chance("sample")
    for me, mage in enumerate(state.mages):
        replies = [chance.choose(orders[1 - me]) for _ in range(SAMPLE)]
        for mine in orders[me]:
            ended = 0
            for number, theirs in enumerate(replies, start=1):
                done = advance_silently(state, {mage: mine, state.mages[1 - me]: theirs}, SearchDice(chance))
                ended += isinstance(done, Done) and done.state.over
                if number - ended > SAMPLE * (1 - ENDED):
                    break
            else:
                return True
    return False


def solve_position(state: State) -> tuple[int, float] | None:
    """(turns searched, the first mage's chance) if the value is known."""
    for turns in (1, 2):
        low, high = find_bounds(state, turns)
        if high - low <= KNOWN_WITHIN:
            return turns, (low + high) / 2
        if turns == 1 and high - low <= HALF_KNOWN:
            return None
    return None


def list_late_positions(seed: str) -> Iterator[State]:
    """The positions of the last three turns of a duel between bots, who start with few hit points."""
    chance = Chance(seed, "late")
    strengths = chance.choose((("Warder", "Warder"), ("Warder", "Journeyman"), ("Journeyman", "Warder")))
    points = (chance.choose(POINTS), chance.choose(POINTS))
    ruleset = chance.choose(RULESETS)
    for turn, _ in play_battle(strengths, seed, ruleset=ruleset, longest=30, hit_points=points)[-3:]:
        yield turn.before


def list_doomed_positions(seed: str) -> Iterator[State]:
    """Positions of a duel between bots, made short: both mages are hurt, and one dies of an illness in two turns."""
    chance = Chance(seed, "doomed")
    strengths = ("Warder", chance.choose(("Warder", "Journeyman", "Apprentice")))
    for turn, _ in play_battle(strengths, seed, ruleset=chance.choose(RULESETS), longest=10)[2:]:
        state = turn.before.copy()
        for wizard in state.wizards.values():
            wizard.hp = chance.choose(POINTS_OF_DOOMED)
        chance.choose(list(state.wizards.values())).marks[chance.choose(("sick", "poisoned"))] = 2
        yield state


def find_solved(count: int, turns: int, *, seed: str) -> Iterator[Solved]:
    """Search until there are so many whose value so many turns decide, at most 17 of 20 for certain."""
    list_positions = list_late_positions if turns == 1 else list_doomed_positions
    number, certain, known, seen = 0, 0, 0, set()
    while known < count:
        number += 1
        for state in list_positions(f"{seed} {number}"):
            try:
                text = write_position(state)
                ready = text not in seen and (turns > 1 or is_promising(state))
                found = solve_position(set_up(text)) if ready else None
            except InvalidRecord:
                continue
            if found is None or found[0] != turns or known == count:
                continue
            sure = not 0.01 < found[1] < 0.99
            if not sure or certain < CERTAIN * count:
                seen.add(text)
                certain, known = certain + sure, known + 1
                yield Solved(text, *found)


def read_solved(turns: int) -> list[Solved]:
    """The positions of the file that so many turns decide."""
    found = []
    for part in FILE.read_text().split("\n\n"):
        head, _, text = part.strip().partition("\n")
        if head.startswith("chance"):
            _, chance, _, searched = head.split()
            found.append(Solved(text + "\n", int(searched), float(chance)))
    return [each for each in found if each.turns == turns]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="solved")
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    with options.to.open("w") as file:
        for turns in (1, 2):
            for solved in find_solved(options.count, turns, seed=options.seed):
                file.write(f"chance {solved.chance:.3f} turns {solved.turns}\n{solved.text}\n")
                file.flush()


if __name__ == "__main__":
    main()
