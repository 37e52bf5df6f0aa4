"""Turns in which one of the last two mages may die: every column, choice of spells and target of both mages counts.

Rules of thumb pick the moves that a search weighs, and they may miss the one that kills or saves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

from rules_engine.beings import DEAD, ELEMENTALS, FIRE_ELEMENTAL, MONSTER_HP, ORDERS, Wizard
from rules_engine.bots import prior
from rules_engine.bots.aims import Situation, list_named
from rules_engine.bots.answer_questions import find_extras
from rules_engine.bots.mixed_strategies import solve_some
from rules_engine.bots.moves import COLUMNS, Move, Moves, fire_too
from rules_engine.bots.play_turn import play_turn
from rules_engine.gestures import BOTH, HANDS, LEFT, NOTHING, RIGHT, STAB, SURRENDER
from rules_engine.orders import Sheet
from rules_engine.questions import MAKES_CREATURE
from rules_engine.spells import SELF, HandStates, Offers
from rules_engine.state import State
from rules_engine.summoning import find_raisable

HARM: Final = {
    **prior.HARM_POINTS,
    **{f"Summon {kind}": strength for kind, strength in MONSTER_HP.items()},
    **dict.fromkeys(("Summon Elemental", "Summon Fire Elemental", "Summon Ice Elemental"), 3),
}
"""How much harm a spell does in the turn in which it is cast, at most; `harm_by_raising` says it of Raise Dead."""
RAISE: Final = "Raise Dead"
DAMAGE: Final = "damage"
AIMED_AT_ANYONE: Final = frozenset(
    {"Counter Spell", "Magic Mirror", "Dispel Magic", "Remove Enchantment", "Charm Monster", RAISE}
)
IMPOSED: Final = "DFPSWC>"
"""The gestures that a charm may make a hand play, besides none where the rules allow that."""
TURNING: Final = ("Charm Monster", "Charm Person", "Confusion")
"""Spells that may turn a creature on its master in the turn in which they are cast."""
MOVED_HANDS: Final = frozenset({"confused", "charmed", "paralysed"})
"""Marks with which a hand plays something else than its mage ordered."""
AT_EVERYONE: Final = frozenset(spell for spell in HARM if "Storm" in spell or "Elemental" in spell)
"""Spells that hit the mage who casts them, too."""
MOST_MOVES: Final = 200
MOST_GAINS: Final = 2_500
MOST_HARMS: Final = 4_000


def may_end(state: State) -> bool:
    """Return whether some orders of this turn of the last two mages, with one pair of gestures each, may kill one."""
    if len(state.wizards) - len(state.out) != 2 or state.outcome is not None or state.doubled:
        return False
    return any(may_die(state, name) for name in state.still_in)


def may_die(state: State, name: str) -> bool:
    """Return whether one of the last two mages may die in this turn: by what the other can do, a storm of their own,
    creatures, or an illness."""
    victim = state.wizards[name]
    other = state.wizards[next(each for each in state.still_in if each != name)]
    marks = victim.marks
    if marks.get("sick") == 1 or marks.get("poisoned") == 1:
        return True
    harm = _find_most_harm(state, other)
    for monster in state.monsters.values():
        if monster.kind in ELEMENTALS:
            safe = "heat_resistant" if monster.kind == FIRE_ELEMENTAL else "cold_resistant"
            harm += 0 if safe in marks else MONSTER_HP[monster.kind]
        elif monster.controller != name or any(_completes(other, spell) for spell in TURNING):
            harm += monster.strength
    if any(_completes(other, spell) for spell in TURNING):
        # What the mage summons this turn may be turned on them before it does anything for them.
        harm += max([HARM[spell] for spell in _reach(victim)[1] if spell.startswith("Summon ")], default=0)
    if "reflecting" in other.marks or _completes(other, "Magic Mirror"):
        harm += _find_most_harm(state, victim)
    else:
        own = _reach(victim)[1] | ({victim.bank[0]} if victim.bank is not None else set())
        harm += max([HARM[spell] for spell in own & AT_EVERYONE], default=0)
    return victim.hp <= harm


_MOST_HARM: dict[tuple[HandStates, bool], tuple[int, frozenset[str]]] = {}


def _find_most_harm(state: State, wizard: Wizard) -> int:
    """Return the most harm that one column of a mage's hands does, with the banked spell."""
    most, spells = _reach(wizard)
    if RAISE in spells:
        most = max(most, harm_by_raising(state))  # no other spell goes with it: both hands cast it
    if wizard.bank is not None:
        spell = wizard.bank[0]
        most += harm_by_raising(state) if spell == RAISE else HARM.get(spell, 0)
    return most


def harm_by_raising(state: State) -> int:
    """Return how much harm a dead creature does in the turn in which it is raised, at most."""
    return max([MONSTER_HP[kind] for kind in find_raisable(state)], default=0)


def _completes(wizard: Wizard, spell: str) -> bool:
    return spell in _reach(wizard)[1]


def _reach(wizard: Wizard) -> tuple[int, frozenset[str]]:
    """Return the most harm that one column of a mage's hands does, and all spells that some column completes."""
    key = (wizard.begun, wizard.short_bolt_used)
    known = _MOST_HARM.get(key)
    if known is None:
        most, spells = 0, set[str]()
        for column in (*COLUMNS, SURRENDER):
            reached = wizard.begun.lead_to(column)
            offers = reached.later if wizard.short_bolt_used else reached.first
            harms = {hand: max([HARM.get(spell, 0) for spell in offers[hand]], default=0) for hand in offers}
            single = sum(harms[hand] for hand in HANDS) + (STAB in column)
            most = max(most, single, *harms.values())
            spells.update(*offers.values())
        if len(_MOST_HARM) >= MOST_HARMS:
            _MOST_HARM.clear()
        known = _MOST_HARM[key] = most, frozenset(spells)
    return known


# -- every move -------------------------------------------------------------------------------------------------------


def list_every_move(finder: Moves, state: State, name: str, *, late: bool = False) -> list[Move]:
    """Return the moves of a mage with every column, choice of spells and target that may matter to who lives, the best
    by rules of thumb first; at most about `MOST_MOVES`, and each of them with the banked spell too. `late`: also with
    targets that the rules ask for only once all gestures are shown."""
    found = finder.find(state, name, len(COLUMNS))
    found += finder.choose_otherwise(state, name, found)
    return _fire_otherwise(finder, state, name, _aim_all_otherwise(state, name, found, late=late))


def list_palms(finder: Moves, state: State, name: str, *, late: bool = False) -> list[Move]:
    """Return the moves of a mage who orders both palms, if they may do more than surrender and shield: they cast other
    spells in the turn, or the banked one comes with them, and where the last to surrender wins, they may win it; or an
    enchantment moves one of the hands, so that only the other plays its palm."""
    wizard = state.wizards[name]
    if wizard.phase != ORDERS or wizard.again is not None:
        return []
    reached = wizard.begun.lead_to(SURRENDER)
    offers = reached.later if wizard.short_bolt_used else reached.first
    if only_shield(offers) and wizard.bank is None and MOVED_HANDS.isdisjoint(wizard.marks):
        return []
    plain = [Move(Sheet({LEFT: "P", RIGHT: "P", **find_extras(Situation(state, name, finder.worth))}), 0.0)]
    found = plain if offers.settled is not None else finder.choose_otherwise(state, name, plain)
    return _fire_otherwise(finder, state, name, _aim_all_otherwise(state, name, found, late=late))


def _fire_otherwise(finder: Moves, state: State, name: str, every: list[Move]) -> list[Move]:
    """Return these moves, and after them the same with the banked spell if there is one."""
    if state.wizards[name].bank is None:
        return every
    known = {move.sheet for move in every}
    fired = fire_too(Situation(state, name, finder.worth), every)
    return [*every, *(move for move in fired if move.sheet not in known)]


def only_shield(offers: Offers) -> bool:
    """Return whether gestures complete nothing but shields."""
    return all(spell == "Shield" for spells in offers.values() for spell in spells)


def _aim_all_otherwise(state: State, name: str, found: Sequence[Move], *, late: bool) -> list[Move]:
    """Return these moves, and after them the same with other targets, up to `MOST_MOVES`."""
    known = {move.sheet for move in found}
    every = list(found)
    for move in found:
        for sheet in _aim_otherwise(state, name, move.sheet, late=late):
            if len(every) >= MOST_MOVES:
                return every
            if sheet not in known:
                known.add(sheet)
                every.append(Move(sheet, move.worth))
    return every


def _aim_otherwise(state: State, name: str, sheet: Sheet, *, late: bool) -> Iterator[Sheet]:
    """Yield the orders with all targets of their spells and stabs, where those are ordered, and either hand of a mage
    whom they hold, and every gesture of one whom they charm."""
    if not sheet.has_both:
        return
    aims = list_aims(state, name, sheet)
    if not late and state.ruleset.rules.targets_are_decided:
        aims = {slot: values for slot, values in aims.items() if not slot.startswith("TARGET ")}
    for values in product(*aims.values()) if aims else ():
        yield Sheet({**sheet.slots, **dict(zip(aims, values, strict=True))})


def list_aims(state: State, name: str, sheet: Sheet) -> dict[str, Sequence[str]]:
    """Return whom the spells and stabs of these orders may be aimed at, and what the mage may make others' hands do, by
    the slots of the orders."""
    wizard, column = state.wizards[name], sheet.column
    reached = wizard.begun.lead_to(column)
    offers = reached.later if wizard.short_bolt_used else reached.first
    cast = offers.settled
    if cast is None:
        chosen = {slot.removeprefix("CHOOSE "): value for slot, value in sheet if slot.startswith("CHOOSE ")}
        alone = {hand: offers[hand][0] for hand in HANDS if len(offers[hand]) == 1 and BOTH not in chosen}
        cast = {**alone, **chosen}
    aims: dict[str, Sequence[str]] = {}
    for hand, spell in cast.items():
        if targets := _list_targets(state, name, spell):
            aims[f"TARGET {hand}"] = targets
    for hand, gesture in zip(HANDS, column, strict=True):
        if gesture == STAB:
            aims[f"TARGET {hand}"] = _list_victims(state, name)
    attackers = [each for each in list_named(state, name) if each.target == name and not each.is_elemental]
    if attackers:
        for monster in state.monsters.values():
            if monster.controller == name and not monster.is_elemental:
                aims[f"TARGET {monster.name}"] = [
                    *(each for each in state.still_in if each != name),
                    *(each.name for each in attackers if each is not monster),
                ]
    for victim in state.wizards.values():
        if victim.marks and victim.name != name:
            if "paralysed" in victim.marks and victim.paralyser == name and not victim.stuck:
                aims[f"PARALYZE {victim.name}"] = HANDS
            if "charmed" in victim.marks and victim.controller == name and not any(victim.directed.values()):
                hands = victim.directed or HANDS
                gestures = IMPOSED + NOTHING * state.ruleset.rules.charm_may_impose_nothing
                aims[f"DIRECT {victim.name}"] = [f"{hand} {gesture}" for hand in hands for gesture in gestures]
    return aims


def _list_targets(state: State, name: str, spell: str) -> list[str]:
    """Return whom it may make sense to cast a spell at; nobody if the rules leave no choice."""
    entry = state.ruleset.spells[spell]
    if not (entry.targeted or entry.may_be_aimed) or entry.category == MAKES_CREATURE:
        return []
    own = [each.name for each in state.monsters.values() if each.controller == name]
    if spell == "Delay Effect" and state.ruleset.rules.gifts_catch_their_own_turn:
        return state.still_in  # it banks the spell that another mage casts now
    if entry.default == SELF and spell not in AIMED_AT_ANYONE:
        return [name, *own]
    if spell in AIMED_AT_ANYONE:
        creatures = [each.name for each in list_named(state, name)]
        dead = _list_dead(state, name) if spell == RAISE else []
        return [*dead, *state.still_in, *creatures, *_list_unborn(state, name)]
    victims = _list_victims(state, name)
    return victims if entry.category == DAMAGE else [*victims, *own]  # two mind spells on a creature undo each other


def _list_dead(state: State, name: str) -> list[str]:
    """Return the dead whom this mage can name, and of each kind of creature one: the blind see no tombstone."""
    mages = [each for each in state.out if state.wizards[each].phase == DEAD]
    return mages if "blind" in state.wizards[name].marks else [*mages, *find_raisable(state).values()]


def _list_victims(state: State, name: str) -> list[str]:
    """Return the other mage, the creatures that do not obey this one, and those that the other mage may create."""
    others = [each for each in state.still_in if each != name]
    creatures = [each.name for each in list_named(state, name) if each.controller != name]
    return [*others, *creatures, *_list_unborn(state, name)]


def _list_unborn(state: State, name: str) -> list[str]:
    """Return the creatures that others than this mage may create this turn, as orders name them."""
    others = [each for each in state.still_in if each != name]
    return [f"{hand}:{other}" for other in others for hand in HANDS if _may_create(state, state.wizards[other], hand)]


def _may_create(state: State, wizard: Wizard, hand: str) -> bool:
    spells = state.ruleset.spells
    return any(
        spells[spell].category == MAKES_CREATURE and spells[spell].targeted
        for column in COLUMNS
        for spell in wizard.begun.lead_to(column).first[hand]
    )


# -- what decides -----------------------------------------------------------------------------------------------------


def add_decisive(
    finder: Moves, state: State, names: tuple[str, ...], moves: tuple[list[Move], ...], dice: Any
) -> tuple[list[Move], ...]:
    """Return these moves of both mages, and those of the mixes that solve the turn with every move; if one mage moves
    alone, all moves."""
    worth = finder.worth
    if len(names) == 1:
        (known,) = moves
        return ([*known, *(move for move in list_every_move(finder, state, names[0]) if not _has(known, move))],)
    mine, theirs = (list_every_move(finder, state, name) for name in names)
    first = state.mages.index(names[0])

    def gain(row: int, column: int) -> float:
        sheets = {names[0]: mine[row].sheet, names[1]: theirs[column].sheet}
        return worth.chances(play_turn(state, sheets, worth, dice))[first]

    rows, columns, _ = solve_some(len(mine), len(theirs), gain, most=MOST_GAINS)
    solved = ((mine, rows), (theirs, columns))
    return tuple(
        [*known, *(move for move, share in zip(every, mix, strict=True) if share and not _has(known, move))]
        for known, (every, mix) in zip(moves, solved, strict=True)
    )


def _has(moves: Sequence[Move], move: Move) -> bool:
    return any(each.sheet == move.sheet for each in moves)
