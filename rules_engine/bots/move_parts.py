"""What orders do besides their gestures, as facts that `findings.name_move` puts into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules_engine.bots.findings import How, Part
from rules_engine.gestures import BOTH, HANDS, LEFT, RIGHT, SECOND, SELECTORS, STAB
from rules_engine.orders import Sheet
from rules_engine.spells import SELF, HandStates
from rules_engine.state import State, opponent

_HAND_NAMES = frozenset({*SELECTORS, *SECOND.values()})
_OVER_HANDS = {"DIRECT": How.DIRECT, "PARALYZE": How.PARALYZE, "CHARM": How.CHARM}
# On its caster, where it goes without an order, it only meets other spells of the mind.
_MEANT_FOR_CREATURES = "Charm Monster"


def write_gestures(sheet: Sheet) -> str:
    """Return the gestures of both hands as ``P/D``, and with them those of a second turn."""
    pairs = [(sheet.left, sheet.right), (sheet.second.left, sheet.second.right)]
    return " ".join(f"{left}/{right}" for left, right in pairs if left and right)


def list_cast(state: State, name: str, sheet: Sheet) -> Mapping[str, str]:
    """Return the spells that these orders of a mage complete, by hand."""
    wizard = state.wizards[name]
    if not sheet.has_both:
        return {}
    reached = wizard.begun.after[sheet.column]
    cast = _settle(reached, sheet, used=wizard.short_bolt_used)
    if sheet.second.has_both:
        again = _settle(reached.after[sheet.second.column], sheet.second, used=wizard.short_bolt_used)
        cast = {**cast, **{SECOND[hand]: spell for hand, spell in again.items()}}
    return cast


def list_parts(state: State, name: str, sheet: Sheet) -> tuple[Part, ...]:
    """Return what these orders do besides their gestures: spells, with powers and unusual targets, stabs, and whom
    the mage's creatures attack and what others' hands do, where that is not what they would do without an order."""
    powers = {sheet.permanent: How.PERMANENT, sheet.delay: How.DELAY}
    spells = state.ruleset.spells
    found: list[Part] = []
    for hand, spell in list_cast(state, name, sheet).items():
        target = sheet.get(f"TARGET {hand}") or ""
        known = spells.get(spell)
        usual = name if known is not None and known.default == SELF else opponent(state, name)
        plain = target == usual and spell != _MEANT_FOR_CREATURES
        found.append((powers.get(hand, How.CAST), spell, "" if plain else target))
    for hand in (LEFT, RIGHT, *SECOND.values()):
        target = sheet.get(f"TARGET {hand}") or ""
        if sheet.get(hand) == STAB and target not in ("", opponent(state, name)):
            found.append((How.STAB, "", target))
    bank = state.wizards[name].bank
    if sheet.fire and bank is not None:
        found.append((How.FIRE, bank[0], ""))
    found += _list_commands(state, name, sheet)
    return tuple(dict.fromkeys(found))


def _list_commands(state: State, name: str, sheet: Sheet) -> Iterator[Part]:
    """Yield what these orders make others do, in the order of the lines."""
    for slot, value in sheet:
        verb, _, about = slot.partition(" ")
        if verb in _OVER_HANDS:
            yield _OVER_HANDS[verb], value, about
        elif verb == "ELEMENTAL":
            yield How.ELEMENTAL, value, ""
        elif verb == "RETARGET" or (verb == "TARGET" and about not in _HAND_NAMES):
            monster = state.monsters.get(about)
            usual = opponent(state, name) if monster is None else monster.target
            if value != usual:
                yield How.ATTACK, about, value


def _settle(reached: HandStates, sheet: Sheet, *, used: bool) -> Mapping[str, str]:
    """Return the spells that the hands cast after these gestures, by hand."""
    offers = reached.later if used else reached.first
    if offers.settled is not None:
        return offers.settled
    chosen = sheet.choices
    single = {} if BOTH in chosen else {hand: offers[hand][0] for hand in HANDS if len(offers[hand]) == 1}
    return {**single, **chosen}


__all__ = ["list_cast", "list_parts", "write_gestures"]
