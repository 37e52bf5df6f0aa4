"""Reads the facts that records hold from the rules engine, under the same names."""

from collections.abc import Iterator, Mapping
from typing import Any

from rules_engine import Done
from rules_engine.beings import CHOOSE, CHOOSE_SPELL, CHOOSE_TARGET, READY, Being, Monster, Wizard
from rules_engine.spells import Cast
from rules_engine.state import State

ENCHANTMENT_OF_MARK = {
    "afraid": "fear",
    "blind": "blindness",
    "charmed": "charm",
    "cold_resistant": "resist_cold",
    "confused": "confusion",
    "countering": "counter_spell",
    "delay": "delay_pending",
    "disappearing": "invisibility_starting",
    "fast": "haste",
    "forgetful": "amnesia",
    "heat_resistant": "resist_heat",
    "invisible": "invisibility",
    "maladroit": "maladroitness",
    "paralysed": "paralysis",
    "permanency": "permanency_pending",
    "poisoned": "poison",
    "reflecting": "magic_mirror",
    "shielded": "shield",
    "sick": "disease",
    "struck_blind": "blindness_starting",
    "time_stopped": "time_stop",
}
# Results of an attack for which the target matters.
AIMED = frozenset({"hit", "shielded", "invisible", "resisted", "gone", "timestop_hit", "unseen"})
EXTRA_TURNS = {"": None, "H": "haste", "T": "timestop"}
STANDINGS = {"dead": "dead", "surrendered": "surrendered", "victorious": "victorious"}


def read_turn_facts(before: State, done: Done) -> Iterator[tuple[str, object]]:
    """The facts of the turn that led from `before` to `done`: who moved, what the hands played, what was cast."""
    record = done.record
    yield "movers", before.movers
    yield "extra", EXTRA_TURNS[before.extra]
    for mage, (left, right) in record.gestures.items():
        yield f"{mage} gestures", f"{left}/{right}"
    yield "spells", tuple(map(write_cast, record.casts))
    yield "casts", tuple(sorted(f"{c.summoner} {c.spell.name.lower()}: {' '.join(c.outcome)}" for c in record.casts))
    banks = (event.facts for event in done.events if event.kind == "banks")
    kept = done.state.wizards
    yield (
        "banked",
        tuple(
            f"{bank['who']} {bank['hand']} {str(bank['spell']).lower()}"
            + (f" at {bank['target']}" if kept[str(bank["who"])].bank else "")
            for bank in banks
        ),
    )
    yield "attacks", tuple(sorted(map(_write_attack, record.attacks)))
    yield "interference", tuple(map(_write_clash, record.collisions))
    yield "flags", frozenset(flag for flag, raised in record.flags.items() if raised)
    yield "spawns", tuple(f"{mage} {hand}: {name}" for (mage, hand), name in record.newborn.items())
    yield from _read_resolved(before, done)


def _read_resolved(before: State, done: Done) -> Iterator[tuple[str, object]]:
    """Return the spells that the hands of each mage who moved were about to cast or bank."""
    announced = [event for event in done.events if event.kind in ("casts", "banks")]
    for mage in before.movers:
        mine = [event for event in announced if event.facts["who"] == mage]
        hands = {"Fire" if event.facts.get("fired") else str(event.facts["hand"]): event for event in mine}
        yield f"{mage} resolved", {hand: str(event.facts["spell"]).lower() for hand, event in hands.items()}
        yield f"{mage} banks", frozenset(hand for hand, event in hands.items() if event.kind == "banks")
        yield from ((f"{mage} resolved target of {hand}", event.facts["target"]) for hand, event in hands.items())


def _write_attack(attack: Mapping[str, Any]) -> str:
    result = attack["result"]
    return f"{attack['attacker']}: {result}" + (f" {attack['target']}" if result in AIMED else "")


def _write_clash(clash: Mapping[str, Any]) -> str:
    return (
        f"{str(clash['spell']).replace(' ', '')} at {clash['target']} by {clash['caster']}:"
        f" {clash['before']} to {clash['after']} interfered"
    )


def write_cast(cast: Cast) -> str:
    """Like `Circe RH shield at Zoltan: Reflecting DoSpell at Circe`."""
    words = [cast.summoner, "Fire" if cast.fired else cast.hand, cast.spell.name.lower()]
    if cast.spell.targeted and cast.outcome != ["Dispelled"]:
        words += ["at", cast.ordered]
    words[-1] += ":"
    words += cast.outcome
    if cast.outcome == ["DoSpell"] or "Reflecting" in cast.outcome:
        words += ["at", cast.target]
    words += [mark for mark, shown in (("permanent", cast.permanent), ("fired", cast.fired)) if shown]
    return " ".join(words)


def read_state_facts(state: State) -> Iterator[tuple[str, object]]:
    """The facts of a state between two turns."""
    for wizard in state.wizards.values():
        yield from _read_mage(wizard)
        yield f"{wizard.name} alive", wizard.name not in state.out
        extra = state.extra if state.extra and wizard.name in state.owing else ""
        yield f"{wizard.name} acts next in", EXTRA_TURNS[extra]
    yield "monsters", tuple(state.monsters)
    for monster in state.monsters.values():
        yield from _read_monster(monster)
    yield "tombstone", tuple(state.tombstone)
    yield "next turn", state.label
    yield "next extra", EXTRA_TURNS[state.extra]
    yield "next movers", frozenset(state.owing)
    yield "over", state.over


def _read_mage(wizard: Wizard) -> Iterator[tuple[str, object]]:
    name = wizard.name
    yield f"{name} hit points", wizard.hp
    yield f"{name} standing", STANDINGS.get(wizard.phase, "in")
    yield f"{name} surrendered", wizard.surrendered
    yield f"{name} waits", wizard.phase == READY
    yield f"{name} left hand", wizard.left
    yield f"{name} right hand", wizard.right
    yield f"{name} enchantments", read_enchantments(wizard)
    yield f"{name} bank", f"{wizard.bank[0].lower()} at {wizard.bank[1]}" if wizard.bank else None
    yield f"{name} short bolt used", wizard.short_bolt_used
    yield f"{name} held hands", frozenset(wizard.stuck)
    yield f"{name} directed hands", dict(wizard.directed)
    yield f"{name} armed hands", frozenset(wizard.saving)
    yield f"{name} charmed by", wizard.controller if "charmed" in wizard.marks else None
    yield f"{name} held by", wizard.paralyser if "paralysed" in wizard.marks else None
    yield (
        f"{name} forced spells",
        {
            hand: "choose" if spell == CHOOSE else spell.lower()
            for hand, spell in wizard.spells.items()
            if wizard.phase in (CHOOSE_SPELL, CHOOSE_TARGET)
        },
    )


def _read_monster(monster: Monster) -> Iterator[tuple[str, object]]:
    name = monster.name
    yield f"{name} kind", monster.kind
    yield f"{name} alive", True
    yield f"{name} hit points", monster.hp
    yield f"{name} owner", monster.controller
    yield f"{name} target", monster.target
    yield f"{name} enchantments", read_enchantments(monster)


def read_enchantments(being: Being) -> dict[str, int]:
    """Enchantment -> count, by the names of the records."""
    return {ENCHANTMENT_OF_MARK[mark]: n for mark, n in being.marks.items() if mark in ENCHANTMENT_OF_MARK and n}
