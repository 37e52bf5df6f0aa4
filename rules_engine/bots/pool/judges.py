"""Programs that judge a turn by themselves: one takes what looks best, the other mixes against the best answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules_engine.bots.chance import Chance
from rules_engine.bots.pool.reading import COLUMNS, Side, Table
from rules_engine.gestures import STAB
from rules_engine.spells import FOE

HARM: Final = {
    "Magic Missile": 1,
    "Cause Light Wounds": 2,
    "Cause Heavy Wounds": 3,
    "Fireball": 5,
    "Lightning Bolt": 5,
    "Clap of Lightning": 5,
    "Fire Storm": 5,
    "Ice Storm": 5,
    "Finger Of Death": 99,
}
STOPPED_BY_SHIELDS: Final = frozenset({"Magic Missile"})
WORTH: Final = {
    "Summon Goblin": 3.0,
    "Summon Ogre": 5.0,
    "Summon Troll": 7.0,
    "Summon Giant": 9.0,
    "Poison": 9.0,
    "Disease": 9.0,
    "Blindness": 6.0,
    "Invisibility": 5.0,
    "Haste": 5.0,
    "Time Stop": 3.0,
    "Paralysis": 4.0,
    "Amnesia": 3.0,
    "Fear": 2.0,
    "Confusion": 2.0,
    "Maladroitness": 2.0,
    "Charm Person": 3.0,
    "Anti Spell": 3.0,
    "Protection": 2.0,
    "Permanency": 2.0,
    "Delay Effect": 2.0,
    "Charm Monster": 1.0,
    "Counter Spell": 1.0,
    "Magic Mirror": 1.0,
    "Dispel Magic": 1.0,
    "Shield": 0.5,
    "Raise Dead": 1.0,
}
PER_POINT: Final = 1.2
KILLS: Final = 60.0
EACH_MISSING: Final = 0.85
CURES: Final = {
    "sick": ("Remove Enchantment", "Dispel Magic", "Cure Heavy Wounds"),
    "poisoned": ("Remove Enchantment",),
}
CONSIDERED: Final = 9
ROUNDS: Final = 300


def take_best(table: Table, chance: Chance) -> tuple[str, Sequence[str]]:
    """Greedy, one turn ahead: the column that does and promises most, with a guess of the harm to come."""
    threat = table.strikes_me()
    foe_harm = max(_harm(table, table.foe, column) for column in COLUMNS)
    best = max(table.allowed(), key=lambda column: (_judge(table, table.me, column, threat, foe_harm), chance.random()))
    return best, _wishes(table)


def take_mix(table: Table, chance: Chance) -> tuple[str, Sequence[str]]:
    """Solve the turn's likeliest columns of both mages by fictitious play, and draw from the mix."""
    mine = sorted(table.allowed(), key=lambda each: -_judge(table, table.me, each, table.strikes_me(), 2))[:CONSIDERED]
    theirs = sorted(COLUMNS, key=lambda each: -_judge(table, table.foe, each, 1, 2))[:CONSIDERED]
    gains = [[_meet(table, one, other) for other in theirs] for one in mine]
    played, answered = [0] * len(mine), [0] * len(theirs)
    row = column = 0
    for _ in range(ROUNDS):
        played[row] += 1
        answered[column] += 1
        row = max(range(len(mine)), key=lambda each: sum(n * gains[each][at] for at, n in enumerate(answered)))
        column = min(range(len(theirs)), key=lambda each: sum(n * gains[at][each] for at, n in enumerate(played)))
    return mine[chance.draw(played)], _wishes(table)


def _judge(table: Table, side: Side, column: str, threat: int, foe_harm: int) -> float:
    """Return what a column does at once and promises, against a foe who may do `foe_harm`, and creatures `threat`."""
    other = table.foe if side is table.me else table.me
    spells = _spells(table, side, column)
    total = _promise(table, side, column)
    harm = _harm(table, side, column)
    total += KILLS if harm >= other.hp else PER_POINT * harm
    for spell in spells:
        total += WORTH.get(spell, 0.0)
        if spell in ("Shield", "Protection", "Counter Spell"):
            total += PER_POINT * threat * 0.8
        if spell in ("Counter Spell", "Magic Mirror"):
            total += PER_POINT * min(foe_harm, 6) * 0.5
            if foe_harm >= side.hp:
                total += KILLS / 2
        if spell.startswith("Cure"):
            total += PER_POINT * min(15 - side.hp, 2 if "Heavy" in spell else 1)
        for mark, cures in CURES.items():
            if mark in side.marks and spell in cures:
                total += KILLS / 3
    return total


def _meet(table: Table, mine: str, theirs: str) -> float:
    """Return the gain of one column against another: harm after what each of them stops, and promises."""
    gain = _promise(table, table.me, mine) - _promise(table, table.foe, theirs)
    for side, own, other, opposed, sign in (
        (table.me, mine, table.foe, theirs, 1.0),
        (table.foe, theirs, table.me, mine, -1.0),
    ):
        shields = _spells(table, other, opposed)
        countered = "Counter Spell" in shields
        mirrored = "Magic Mirror" in shields
        harm = 0
        for spell in _spells(table, side, own):
            aimed = table.spells[spell].default == FOE
            if aimed and (mirrored or (countered and spell != "Finger Of Death")):
                gain -= sign * WORTH.get(spell, PER_POINT * HARM.get(spell, 0)) * (1.0 if mirrored else 0.0)
                continue
            if spell in STOPPED_BY_SHIELDS and ("Shield" in shields or "Protection" in shields):
                continue
            harm += HARM.get(spell, 0)
            gain += sign * WORTH.get(spell, 0.0)
        if STAB in own and not shields.intersection({"Shield", "Protection", "Counter Spell"}):
            harm += 1
        gain += sign * (KILLS if harm >= other.hp else PER_POINT * harm)
    return gain


def _spells(table: Table, side: Side, column: str) -> frozenset[str]:
    """Return the spell that each hand would cast: of several, the first wish."""
    wishes = _wishes(table)
    chosen = []
    for spells in table.completed(side, column).values():
        if spells:
            chosen.append(min(spells, key=lambda each: wishes.index(each) if each in wishes else len(wishes)))
    return frozenset(chosen)


def _harm(table: Table, side: Side, column: str) -> int:
    return sum(HARM.get(spell, 0) for spell in _spells(table, side, column)) + (STAB in column)


def _promise(table: Table, side: Side, column: str) -> float:
    """Return the worth of what both hands have begun after a column."""
    reached = side.states.lead_to(column)
    total = 0.0
    for state in (reached.left, reached.right):
        total += max(
            [
                (WORTH.get(series.spell, 0.0) + PER_POINT * min(HARM.get(series.spell, 0), 14))
                * EACH_MISSING ** (len(series.text) - made)
                for series, made in table.book.begun(state)
            ],
            default=0.0,
        )
    return total


def _wishes(table: Table) -> list[str]:
    """Return all spells, the most useful first."""
    ill = [cure for mark, cures in CURES.items() if mark in table.me.marks for cure in cures]
    rest = sorted({**WORTH, **HARM}, key=lambda each: -(WORTH.get(each, 0.0) + PER_POINT * HARM.get(each, 0)))
    return [*ill, *rest]
