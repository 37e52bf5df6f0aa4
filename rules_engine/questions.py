"""The questions that a mage may or must still answer in this stage of the turn.

Questions depend only on the mage's view. A caller (a form, an email) just renders them; each answer is one line of the
order grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from rules_engine.audience import known_beings, known_to_move_twice
from rules_engine.beings import CHOOSE, DECIDE, NOBODY, ORDERS, Wizard
from rules_engine.gestures import BOTH, FRIGHTENED, GESTURES, HANDS, LEFT, NOTHING, RIGHT, SECOND, STAB, SURRENDER
from rules_engine.glossary import name_gesture, name_spell
from rules_engine.narration import name_form
from rules_engine.orders import Sheet, write_line
from rules_engine.rules import Ruleset
from rules_engine.spells import FOE, NO_TARGET, SELF
from rules_engine.state import State, opponent
from rules_engine.steps.taking_orders import (
    can_be_directed,
    choose,
    choose_longest,
    find_longest,
    find_spells,
    follow_first_pair,
    may_end_own_life,
    settle_spells,
)
from rules_engine.text import find_language, say, use_language

MAKES_CREATURE = "summons"


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer. `reason` says why it is not allowed, if it is not."""

    value: str
    label: str
    allowed: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A choice to make. `id` is the slot it fills; `default` is the answer if none is given (None: nothing).

    `required`: the orders are incomplete without an answer. `kind` is one of gesture, choose, target, monster,
    retarget, paralyze, charm, elemental, direct, permanent, delay, fire, suicide, say. If `about` or `id` names a
    hand, LH2, RH2 and BH2 are those of a second pair of gestures in the same turn.
    """

    id: str
    mage: str
    kind: str
    about: str
    options: tuple[Option, ...]
    default: str | None
    required: bool
    answered: str | None
    clause: str

    def line(self, value: str) -> str:
        return write_line(self.id, value)


def open_questions(state: State, mage: str, sheet: Sheet | None = None) -> tuple[Question, ...]:
    """Return everything `mage` may or must decide now, with the answers of `sheet`; empty if they owe no orders.

    The orders are complete when every required question has an answer.
    """
    wizard = state.wizards.get(mage)
    if wizard is None or mage not in state.owing:
        return ()
    orders = sheet or Sheet()
    # Hundreds of words follow: the language is found once for all of them.
    with use_language(find_language()):
        return tuple(_ask(state, wizard, orders))


def _ask(state: State, wizard: Wizard, orders: Sheet) -> Iterator[Question]:
    trial = rehearse(state, wizard, orders)
    late = state.ruleset.rules.targets_are_decided
    if wizard.phase == DECIDE:
        yield from _decisions(wizard, orders)
        if late and not _calls_elemental(wizard):
            yield from _aims(state, trial, orders)
        return
    for half in wizard.halves:
        yield from _gestures(state, wizard, half, orders)
    for half in trial.halves:
        yield from _choices(state.ruleset, half, orders)
    if not late:
        yield from _aims(state, trial, orders)
    yield from _powers_over_others(state, wizard, orders)
    yield from _own_powers(wizard, orders)
    yield from _way_out(state.ruleset, wizard, orders)
    yield from _speech(wizard, orders)


def is_complete(state: State, mage: str, sheet: Sheet) -> bool:
    """Return whether every required question has an answer."""
    return all(q.answered is not None for q in open_questions(state, mage, sheet) if q.required)


def complete_surrender(state: State, mage: str, sheet: Sheet) -> Sheet:
    """Return the sheet of a mage who plays both palms, with open questions answered: a surrender does not wait for a
    choice of spell (it takes the longest) or a target (nobody). Any other sheet is returned unchanged.
    """
    while sheet.has_both and sheet.column == SURRENDER:
        missing = [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]
        question = next((q for q in missing if q.kind in ("choose", "target")), None)
        if question is None:
            break
        spells = tuple(option.value for option in question.options)
        answer = find_longest(state.ruleset, spells) if question.kind == "choose" else NOBODY
        sheet = sheet.merged(Sheet({question.id: answer}))
    return sheet


def _aims(state: State, trial: Wizard, sheet: Sheet) -> Iterator[Question]:
    """Yield the targets of the mage's spells, stabs and creatures."""
    for half in trial.halves:
        yield from _targets(state, half, sheet)
    yield from _monsters(state, trial, sheet)
    for half in trial.halves:
        yield from _newborn(state, half, sheet)


def rehearse(state: State, wizard: Wizard, sheet: Sheet) -> Wizard:
    """Return a copy of the mage with the sheet carried out: gestures played, spells found, choices made."""
    trial = wizard.copy()
    if trial.phase == ORDERS:
        if not sheet.has_both:
            return trial
        left, right = sheet.gestures
        trial.left += left
        trial.right += right
        settle_spells(trial, find_spells(trial))
    _try_choices(state, trial, sheet)
    if trial.again is not None:
        again, second = trial.again, sheet.second
        if again.phase == ORDERS:
            follow_first_pair(trial, again)
            if second.has_both:
                left, right = second.gestures
                again.left += left
                again.right += right
                settle_spells(again, find_spells(again))
        _try_choices(state, again, second)
    return trial


def _try_choices(state: State, trial: Wizard, sheet: Sheet) -> None:
    trial.offers = dict(trial.offers)
    full = trial.offers
    for hand, spell in sheet.choices.items():
        choose(trial, hand, spell)
    if state.ruleset.rules.choice_has_default:
        choose_longest(state.ruleset, trial)
    if not trial.offers:
        trial.offers = full


def is_frightened(state: State, wizard: Wizard) -> bool:
    """Return whether Fear forbids the mage gestures in this turn; in extra turns it does not (spec: engine 2.2)."""
    return "afraid" in wizard.marks and not state.extra and state.ruleset.rules.fear_makes is None


def _gestures(state: State, wizard: Wizard, half: Wizard, sheet: Sheet) -> Iterator[Question]:
    if wizard.phase != ORDERS:
        return
    afraid = is_frightened(state, wizard)
    options = _list_gestures(find_language(), afraid)
    for hand in map(half.hand, HANDS):
        answered = sheet.get(hand)
        if afraid and answered in FRIGHTENED:
            answered = None
        yield Question(hand, wizard.name, "gesture", hand, options, None, True, answered, "FM-ORDMOVE-8")


@lru_cache(maxsize=64)
def _list_gestures(_language: str, afraid: bool) -> tuple[Option, ...]:
    """Return every gesture, named in the active language."""
    return tuple(
        Option(g, name_gesture(g), False, say("too afraid"))
        if afraid and g in FRIGHTENED
        else Option(g, name_gesture(g))
        for g in GESTURES
    )


def _choices(ruleset: Ruleset, trial: Wizard, sheet: Sheet) -> Iterator[Question]:
    offers = trial.offers
    if not offers:
        return
    pairs = offers.get(BOTH, ())
    asked = [h for h in HANDS if len(offers[h]) > 1 or (offers[h] and pairs)]
    chosen = {hand: _valid(sheet.get(f"CHOOSE {trial.hand(hand)}"), offers[hand]) for hand in (LEFT, RIGHT, BOTH)}
    singles_said = bool(asked) and all(chosen[hand] for hand in asked)
    optional = ruleset.rules.choice_has_default
    for hand in asked:
        options = tuple(Option(spell, name_spell(spell)) for spell in offers[hand])
        required = not chosen[BOTH] and not optional
        default = find_longest(ruleset, offers[hand]) if optional and not pairs else None
        name = trial.hand(hand)
        yield Question(
            f"CHOOSE {name}", trial.name, "choose", name, options, default, required, chosen[hand], "FM-ORDMOVE-22"
        )
    if pairs and (asked or len(pairs) > 1):
        options = tuple(Option(spell, name_spell(spell)) for spell in pairs)
        required = not singles_said and not optional
        default = find_longest(ruleset, pairs) if optional and not any(chosen.values()) else None
        name = trial.hand(BOTH)
        yield Question(
            f"CHOOSE {name}", trial.name, "choose", name, options, default, required, chosen[BOTH], "FM-ORDMOVE-22"
        )


def _valid(answer: str | None, offered: tuple[str, ...]) -> str | None:
    return answer if answer in offered else None


def _targets(state: State, trial: Wizard, sheet: Sheet) -> Iterator[Question]:
    if trial.phase == ORDERS:
        return
    for hand in (LEFT, RIGHT, BOTH):
        action = trial.spells.get(hand)
        if action == CHOOSE:
            continue
        if action is None and hand != BOTH and trial.gestures[0 if hand == LEFT else 1] == STAB:
            action = "Stab"
        if action is None:
            continue
        spell = state.ruleset.spells.get(action)
        if spell is not None and not (spell.targeted or spell.may_be_aimed):
            continue
        whom = FOE if spell is None else spell.default
        default = trial.name if whom == SELF else NOBODY if whom == NO_TARGET else opponent(state, trial.name)
        by_chance = default == NOBODY and whom == FOE and state.ruleset.rules.harm_strikes_at_random
        missing = whom == FOE and default == NOBODY and trial.targets.get(hand) is None
        with_dead = spell is not None and spell.works_on_the_dead
        target = sheet.get(f"TARGET {trial.hand(hand)}") or trial.targets.get(hand)
        options = target_options(state, trial.name, with_dead=with_dead)
        if spell is None and not state.ruleset.rules.stab_at_oneself:
            options = tuple(forbid(o, say("your own dagger")) if o.value == trial.name else o for o in options)
            target = None if target == trial.name else target
        yield Question(
            f"TARGET {trial.hand(hand)}",
            trial.name,
            "target",
            action,
            options,
            None if missing or by_chance else default,
            missing and not by_chance,
            target,
            "FM-ORDMOVE-9",
        )


def forbid(option: Option, reason: str) -> Option:
    """Return the same option, not allowed."""
    return replace(option, allowed=False, reason=reason)


def target_options(state: State, mage: str, *, with_dead: bool = False) -> tuple[Option, ...]:
    """Return the targets `mage` can name: beings they know, creatures that hands are about to create, and nobody."""
    names = known_beings(state, mage, with_dead=with_dead)
    forms = [f"{hand}:{other}" for other in state.still_in for hand in (LEFT, RIGHT, BOTH)]
    twice = [other for other in known_to_move_twice(state, mage) if other in state.still_in]
    forms += [f"{hand}:{other}" for other in twice for hand in SECOND.values()]
    language = find_language()
    return tuple(_name_target(language, name, mage) for name in (*names, *forms, NOBODY))


@lru_cache(maxsize=4096)
def _name_target(_language: str, name: str, mage: str) -> Option:
    """Return a target, named in the active language."""
    return Option(name, name_form(name, mage))


def _monsters(state: State, trial: Wizard, sheet: Sheet) -> Iterator[Question]:
    mine = [m for m in state.monsters.values() if m.controller == trial.name]
    known = known_beings(state, trial.name) if mine else ()
    for monster in mine:
        if monster.name not in known or (monster.is_elemental and not state.ruleset.rules.elementals_have_victims):
            continue
        # A blind master must not learn whether its target exists (FM-BLIND-7).
        blind = "blind" in trial.marks
        after = None if blind and monster.target not in (*known, *state.mages) else monster.target
        yield _monster_question(state, trial.name, monster.name, after, sheet)
        # Nor what happens to it: the mage may choose another second target, unasked.
        if state.ruleset.rules.haste_begins_next_turn and "fast" in monster.marks and not (blind or state.extra):
            yield _monster_question(state, trial.name, monster.name, None, sheet, "RETARGET")


def _newborn(state: State, trial: Wizard, sheet: Sheet) -> Iterator[Question]:
    """Yield the creatures that the mage's hands are about to create and that will obey the mage."""
    if trial.phase == ORDERS:
        return
    for hand in (LEFT, RIGHT, BOTH):
        spell = state.ruleset.spells.get(trial.spells.get(hand, ""))
        if spell is not None and spell.category == MAKES_CREATURE and spell.targeted:
            given_to = sheet.get(f"TARGET {trial.hand(hand)}") or trial.name
            if given_to == trial.name:
                default = opponent(state, trial.name)
                yield _monster_question(state, trial.name, f"{trial.hand(hand)}:{trial.name}", default, sheet)


def _monster_question(
    state: State, mage: str, creature: str, default: str | None, sheet: Sheet, verb: str = "TARGET"
) -> Question:
    options = tuple(o for o in target_options(state, mage) if o.value != creature)
    slot = f"{verb} {creature}"
    kind, clause = ("monster", "FM-ORDMOVE-14") if verb == "TARGET" else ("retarget", "WH-ENCH-29")
    return Question(slot, mage, kind, creature, options, default, False, sheet.get(slot), clause)


def _powers_over_others(state: State, wizard: Wizard, sheet: Sheet) -> Iterator[Question]:
    for victim in state.wizards.values():
        if victim.name in state.out:
            continue
        if "paralysed" in victim.marks and victim.paralyser == wizard.name and not victim.stuck:
            slot = f"PARALYZE {victim.name}"
            options = tuple(Option(hand, name_form(hand, wizard.name)) for hand in HANDS)
            yield Question(
                slot, wizard.name, "paralyze", victim.name, options, None, False, sheet.get(slot), "FM-ORDMOVE-26"
            )
        is_directed = any(victim.directed.values()) or not can_be_directed(state, victim)
        if "charmed" in victim.marks and victim.controller == wizard.name and not is_directed:
            slot = f"DIRECT {victim.name}"
            options = tuple(
                Option(f"{hand} {g}", f"{name_form(hand, wizard.name)}: {name_gesture(g)}")
                for hand in (victim.directed or HANDS)
                for g in GESTURES
            )
            if not state.ruleset.rules.charm_may_impose_nothing:
                options = tuple(
                    forbid(o, say("the rules forbid it")) if o.value.endswith(NOTHING) else o for o in options
                )
            yield Question(
                slot, wizard.name, "direct", victim.name, options, None, False, sheet.get(slot), "FM-ORDMOVE-27"
            )


def _calls_elemental(wizard: Wizard) -> bool:
    """Return whether the question is about an elemental's kind: in rulesets that decide targets, the second stop."""
    return any(slot.startswith("ELEMENTAL ") and not answer for slot, answer in wizard.decisions.items())


def _decisions(wizard: Wizard, sheet: Sheet) -> Iterator[Question]:
    """Yield the questions once all gestures are known."""
    hands = tuple(Option(hand, name_form(hand, wizard.name)) for hand in HANDS)
    kinds = (Option("fire", say("fire")), Option("ice", say("ice")))
    # Sorted: a database may have stored them in another order.
    for slot in sorted(slot for slot, answer in wizard.decisions.items() if not answer):
        verb, _, subject = slot.partition(" ")
        options = kinds if verb == "ELEMENTAL" else hands
        clause = {"PARALYZE": "WH-ENCH-13", "CHARM": "WH-ENCH-8", "ELEMENTAL": "WH-SUM-4"}[verb]
        yield Question(slot, wizard.name, verb.lower(), subject, options, None, True, sheet.get(slot), clause)


def _own_powers(wizard: Wizard, sheet: Sheet) -> Iterator[Question]:
    for mark, slot, clause in (("permanency", "PERMANENT", "FM-ORDMOVE-25"), ("delay", "DELAY", "FM-ORDMOVE-29")):
        if mark in wizard.marks:
            names = (half.hand(hand) for half in wizard.halves for hand in (LEFT, RIGHT, BOTH))
            hands = tuple(Option(hand, name_form(hand, wizard.name)) for hand in names)
            yield Question(slot, wizard.name, slot.lower(), slot, hands, None, False, sheet.get(slot), clause)
    if wizard.bank:
        options = (Option("FIRE", name_spell(wizard.bank[0])),)
        yield Question(
            "FIRE", wizard.name, "fire", wizard.bank[0], options, None, False, sheet.get("FIRE"), "FM-ORDMOVE-31"
        )


def _way_out(ruleset: Ruleset, wizard: Wizard, sheet: Sheet) -> Iterator[Question]:
    """Yield SUICIDE, for mages whom a permanent mind spell keeps from surrendering (rulings)."""
    if may_end_own_life(ruleset, wizard):
        options = (Option("SUICIDE", say("Stop your own heart")),)
        answered = sheet.get("SUICIDE")
        yield Question("SUICIDE", wizard.name, "suicide", wizard.name, options, None, False, answered, "WL-ENCH-39")


def _speech(wizard: Wizard, sheet: Sheet) -> Iterator[Question]:
    yield Question("SAY", wizard.name, "say", wizard.name, (), None, False, sheet.get("SAY"), "FM-ORDMOVE-32")


__all__ = [
    "Option",
    "Question",
    "complete_surrender",
    "is_complete",
    "is_frightened",
    "open_questions",
    "rehearse",
    "target_options",
]
