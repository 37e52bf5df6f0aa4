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
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rules_engine import Sheet, State, Viewer, look
from rules_engine.beings import ELEMENTALS, MONSTER_HP, NO_MASTER, Monster
from rules_engine.bots import choose_orders, hint
from rules_engine.bots.chance import Chance
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.bots.worth import Worth, shares_of
from rules_engine.errors import InvalidRecord
from rules_engine.gestures import BOTH, HANDS, STAB, SURRENDER
from rules_engine.positions import set_up
from rules_engine.spells import SELF
from rules_engine.writing_positions import write_position
from tests.rules_engine.bots.bot_games import OFFERED, play
from tests.rules_engine.solved_positions import COLUMNS
from tests.rules_engine.solved_positions import _Orders as Orders

FILE = Path(__file__).with_name("decided_positions.txt")
UNSEARCHED = frozenset({"fast", "time_stopped", "permanency", "delay"})
"""Positions with these marks are left out."""
MOST_ORDERS = 400
WIN, SURVIVAL = "win", "survival"
HINTS = "hints"
PLAYERS = ("Magus", "Archmage", HINTS)
MOST_HP = 8
MOVES_HANDS = frozenset({"confused", "charmed", "paralysed", "maladroit"})
"""Marks with which both hands of a mage may play a palm, which surrenders, however healthy they are."""
HARM = {
    "Magic Missile": 1,
    "Cause Light Wounds": 2,
    "Cause Heavy Wounds": 3,
    "Lightning Bolt": 5,
    "Clap of Lightning": 5,
    "Fireball": 5,
    "Fire Storm": 5,
    "Ice Storm": 5,
    "Finger Of Death": 99,
    "Raise Dead": 4,
    "Summon Elemental": 3,
    "Summon Fire Elemental": 3,
    "Summon Ice Elemental": 3,
    **{f"Summon {kind}": points for kind, points in MONSTER_HP.items()},
}
"""How many hit points a spell may cost somebody in the turn in which it is cast."""
BANKED = ("Magic Missile", "Cause Light Wounds", "Fireball", "Lightning Bolt", "Counter Spell", "Magic Mirror")
"""Spells that are banked in positions that are made rare."""


class Decided(NamedTuple):
    """A position as `set_up` reads it, and what is forced for which of its mages."""

    text: str
    mage: str
    forced: str
    dead: tuple[str, ...] = ()
    """The kinds of the dead creatures, of which a position does not tell."""

    @property
    def head(self) -> tuple[str, ...]:
        """What the file says above the position."""
        return self.forced, self.mage, *self.dead

    def set_up(self) -> State:
        state = set_up(self.text)
        state.tombstone = [name_dead(kind) for kind in self.dead]
        return state


def list_orders(state: State, mage: str) -> list[Sheet] | None:
    """Every order of a mage that can make a difference this turn; None if they can't be listed."""
    return Orders(state, last=True, unsearched=UNSEARCHED, columns=(*COLUMNS, SURRENDER)).list_for(mage, MOST_ORDERS)


def list_worlds(state: State, mage: str) -> list[State]:
    """The position, and if the mage is blind others that look the same to them: the other mage may have any number of
    hit points, an enchantment, and any creature that a mage's gestures may have made."""
    worlds = [state]
    if not look(state, Viewer.of(mage)).blind:
        return worlds
    other = _name_other(state, mage)
    for points in range(1, state.wizards[other].max_hp + state.ruleset.rules.hit_point_surplus + 1):
        worlds.append(state.copy())
        worlds[-1].wizards[other].hp = points
    for mark in ("shielded", "reflecting", "heat_resistant", "cold_resistant"):
        worlds.append(state.copy())
        worlds[-1].wizards[other].marks[mark] = 2
    kinds = list_dark_kinds(state, mage)
    for some in [*([kind] for kind in dict.fromkeys(kinds)), kinds] if kinds else ():
        worlds.append(state.copy())
        monsters = worlds[-1].monsters
        for monster in [each for each in monsters.values() if each.controller != mage]:
            del monsters[monster.name]
        for number, kind in enumerate(some):
            name = kind if kind in ELEMENTALS else f"Dark{number}{kind}"
            owner, target = (NO_MASTER, NO_MASTER) if kind in ELEMENTALS else (other, mage)
            monsters[name] = Monster(name, kind, owner, target)
    return worlds


def list_dark_kinds(state: State, mage: str) -> list[str]:
    """The kinds of all creatures that may attack a blind mage: a position doesn't say what they saw die. One that obeys
    the mage doesn't, and of the elementals there is only one: the one that hurts them, if it can be there."""
    cast = {name: list_completed(state, name) for name in state.mages}
    other = _name_other(state, mage)
    kinds = [kind for spell in cast[other] for kind in MONSTER_HP if spell == f"Summon {kind}"]
    if {"Charm Monster", "Raise Dead"} & set(cast[other]):
        own = Counter(kind for spell in cast[mage] for kind in MONSTER_HP if spell == f"Summon {kind}")
        own -= Counter(each.kind for each in state.monsters.values() if each.controller == mage)
        kinds += own.elements()
    spells = {*cast[mage], *cast[other]}
    for kind, name, safe in (("FireElemental", "Fire", "heat_resistant"), ("IceElemental", "Ice", "cold_resistant")):
        made = {"Summon Elemental", f"Summon {name} Elemental"} & spells
        if made and safe not in state.wizards[mage].marks:
            return [*kinds, kind]
    return kinds


def list_completed(state: State, name: str) -> list[str]:
    """The spells that a mage's gestures have completed, whether they were cast or not; of several creatures of one hand
    the strongest."""
    wizard, book, found = state.wizards[name], state.ruleset.book, []
    for length in range(1, len(wizard.left) + 1):
        offers = book.states_of(wizard.left[:length], wizard.right[:length]).first
        for hand in (*HANDS, BOTH):
            spells = sorted(offers[hand], key=lambda spell: -MONSTER_HP.get(spell.removeprefix("Summon "), 0))
            creatures = [spell for spell in spells if spell.removeprefix("Summon ") in MONSTER_HP]
            found += [spell for spell in spells if spell not in creatures[1:]]
    return found


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


def may_die(state: State, name: str) -> bool:
    """Whether a mage may be out after this turn, by a bound that is easy to see: all that both mages' hands can
    complete, and all creatures, hit this one mage. An enchantment may make both hands play a palm, which surrenders."""
    victim = state.wizards[name]
    if {"sick", "poisoned", *MOVES_HANDS} & set(victim.marks):
        return True
    harm = sum(MONSTER_HP[each.kind] for each in state.monsters.values())
    for wizard in state.wizards.values():
        most = 0
        for column in (*COLUMNS, SURRENDER):
            offers = wizard.begun.lead_to(column).first
            harms = [max((HARM.get(spell, 0) for spell in offers[hand]), default=0) for hand in (*HANDS, BOTH)]
            most = max(most, sum(harms) + column.count(STAB))
        harm += most + (HARM.get(wizard.bank[0], 0) if wizard.bank is not None else 0)
    return harm >= victim.hp


@cache
def _value(ruleset: str) -> Worth:
    return Worth(ruleset)


def _name_other(state: State, mage: str) -> str:
    return next(name for name in state.mages if name != mage)


def _is_forced(after: State, mage: str, forced: str) -> bool:
    if forced == SURVIVAL:
        return mage not in after.out
    return after.outcome is not None and shares_of(after.outcome, after.mages)[after.mages.index(mage)] == 1.0


def find_forced(
    state: State, *, wanted: Container[str] = (WIN, SURVIVAL), all_of_them: bool = False
) -> Iterator[tuple[str, str]]:
    """Yield what is forced for which mage, of what is wanted. Positions in which nobody may die are left out at once,
    unless `all_of_them` are to be searched."""
    for mage, other in zip(state.mages, reversed(state.mages), strict=True):
        worlds = list_worlds(state, mage)
        if look(state, Viewer.of(mage)).blind and (state.tombstone or state.wizards[other].bank is not None):
            continue  # they may not know of it
        may_win = state.wizards[other].hp <= MOST_HP and (all_of_them or may_die(state, other))
        may_lose = _is_in_danger(state, mage) and (all_of_them or any(may_die(each, mage) for each in worlds))
        if not may_win and (not may_lose or SURVIVAL not in wanted):
            continue
        proof = Proof(state, mage)
        if not proof.is_listed():
            return
        if may_win and any(proof.forces(sheet, WIN) for sheet in proof.orders):
            if WIN in wanted:
                yield mage, WIN
        elif may_lose and SURVIVAL in wanted:
            saved = set[bool]()
            for sheet in proof.orders:
                saved.add(proof.forces(sheet, SURVIVAL))
                if len(saved) == 2:
                    yield mage, SURVIVAL
                    break


def _is_in_danger(state: State, mage: str) -> bool:
    """Whether a mage is weak, or may be made to surrender."""
    wizard = state.wizards[mage]
    return wizard.hp <= MOST_HP or not MOVES_HANDS.isdisjoint(wizard.marks)


def list_positions(seed: str) -> list[State]:
    """The positions of one duel between two bots."""
    chance = Chance(seed)
    strengths = [chance.choose(("Apprentice", "Journeyman", "Warder", "Magus")) for _ in range(2)]
    states: list[State] = []
    play(chance.choose(OFFERED), strengths, 2, seed, longest=30, watch=states.append)
    found = [state for state in states if not (state.over or state.doubled or state.stage or state.extra)]
    return [rare for state in found for rare in (state, make_rare(state, chance)) if rare is not None]


def make_rare(state: State, chance: Chance) -> State | None:
    """The position with something that bots seldom come to: a mage about to raise a dead creature, a banked spell, two
    palms that both cast, or a Delay Effect about to come. None if the rules or the position don't allow it."""
    rare, name = state.copy(), chance.choose(state.mages)
    wizard, rules, spells = rare.wizards[name], state.ruleset.rules, state.ruleset.spells
    hands = [wizard.left, wizard.right]
    what = chance.choose(("dead", "bank", "palms", "delay"))
    if what == "dead" and "Raise Dead" in state.ruleset.order:
        rare.tombstone = [name_dead(chance.choose([*MONSTER_HP]))]
        begun = ("DWWFW", "")
    elif what == "bank" and wizard.bank is None and "Delay Effect" in state.ruleset.order:
        spell = chance.choose(BANKED)
        wizard.bank = (spell, name if spells[spell].default == SELF else _name_other(state, name))
        begun = ("", "")
    elif what == "palms":
        begun = ("WP", "WF")
    elif what == "delay" and rules.gifts_catch_their_own_turn:
        begun = ("DWSSS", "")
    else:
        return None
    if len(wizard.left) <= max(map(len, begun)):
        return None
    if chance.random() < 0.5:
        begun = begun[::-1]
    wizard.left, wizard.right = [hand[: len(hand) - len(made)] + made for hand, made in zip(hands, begun, strict=True)]
    wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    return rare


def find_decided(count: int, *, seed: str) -> Iterator[Decided]:
    """Search until there are so many; a third of them are wins."""
    left = {WIN: count // 3, SURVIVAL: count - count // 3}
    number, seen = 0, set()
    while any(left.values()):
        number += 1
        for state in list_positions(f"{seed} {number}"):
            try:
                text, dead = write_position(state), list_dead(state)
                read = Decided(text, "", "", dead).set_up()
            except InvalidRecord:
                continue
            # A position does not say whether a mage has used the short lightning bolt.
            if any(wizard.short_bolt_used for wizard in state.wizards.values()):
                continue
            if (text, dead) in seen or not any(_is_in_danger(read, mage) for mage in read.mages):
                continue
            seen.add((text, dead))
            wanted = [forced for forced, more in left.items() if more]
            for mage, forced in find_forced(read, wanted=wanted):
                if left[forced]:
                    left[forced] -= 1
                    yield Decided(text, mage, forced, dead)


def name_dead(kind: str) -> str:
    """A name for a dead creature: elementals have none besides their kind."""
    return kind if kind in ELEMENTALS else f"Dead{kind}"


def list_dead(state: State) -> tuple[str, ...]:
    return tuple(kind for kind in MONSTER_HP if any(kind in name for name in state.tombstone))


def read_decided() -> list[Decided]:
    """The positions of the file."""
    found = []
    for part in FILE.read_text().split("\n\n"):
        head, _, text = part.strip().partition("\n")
        if head:
            forced, mage, *dead = head.split()
            found.append(Decided(text + "\n", mage, forced, tuple(dead)))
    return found


def find_missed(decided: Decided, players: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """Yield which of these bots, or "hints", play something that does not force it, and what they play."""
    state = decided.set_up()
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


def read_options(description: str | None, *, seed: str) -> argparse.Namespace:
    """The options of this command and of `wins_in_two`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default=seed)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--to", type=Path, help="write the positions to this file")
    what.add_argument("--try", nargs="*", dest="players", metavar="PLAYER", help="ask these about each position")
    return parser.parse_args()


def main() -> None:
    options = read_options(__doc__, seed="decided")
    found = find_decided(options.count, seed=options.seed)
    if options.to:
        with options.to.open("w") as file:
            for decided in found:
                file.write(f"{' '.join(decided.head)}\n{decided.text}\n")
                file.flush()
        return
    players = tuple(options.players or PLAYERS)
    tried, missed = Counter[str](), Counter[tuple[str, str]]()
    for number, decided in enumerate(found, start=1):
        tried[decided.forced] += 1
        for player, lines in find_missed(decided, players):
            missed[player, decided.forced] += 1
            print(f"{player} misses: {lines}\n{' '.join(decided.head)}\n{decided.text}", flush=True)
        if number % 100 == 0 or number == options.count:
            print(f"{number} positions ({dict(tried)}); missed: {dict(missed)}", flush=True)


if __name__ == "__main__":
    main()
