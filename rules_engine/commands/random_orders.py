"""Games of random legal orders, prepared in advance so that only the rules are timed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from rules_engine.battle import Done, advance, new_duel
from rules_engine.beings import NOBODY, ORDERS, Wizard
from rules_engine.dice import KeyedDice
from rules_engine.gestures import BOTH, HANDS, LEFT, NOTHING, RIGHT, SECOND, SELECTORS, SPELL_GESTURES, STAB
from rules_engine.orders import Sheet
from rules_engine.questions import open_questions
from rules_engine.rules import Ruleset
from rules_engine.state import State

NAMES = ("Ayla", "Crom", "Dara", "Edda", "Finn", "Gwen", "Hild", "Ivar")
MOST_STAGES = 20
Sheets = dict[str, Sheet]


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A battle ready to play: the sheets of every stage, in order, for this many `turns`."""

    seed: str
    start: State
    stages: tuple[Sheets, ...]
    turns: int
    casts: int


def make_game(
    ruleset: Ruleset,
    mages: int,
    seed: str,
    *,
    turns: int,
    purpose: float = 0.0,
    prepare: Callable[[State], None] = lambda state: None,
) -> RandomGame:
    """Make a battle of at most `turns` turns in which nobody surrenders on purpose. Same arguments, same game.

    `purpose` is how often a hand continues a series that it has begun; otherwise all gestures are equally likely, and a
    clap takes both hands. `prepare` may change the state before the first turn.
    """
    chance = random.Random(seed)
    start = new_duel(ruleset, NAMES[:mages], dice=KeyedDice(seed))
    prepare(start)
    state, stages, casts = start, list[Sheets](), 0
    while not state.over and state.seq <= turns:
        for _ in range(MOST_STAGES):
            sheets = {mage: _orders(state, mage, chance, purpose) for mage in state.owing}
            # Left as they were: a sheet caches its answers, and that must be timed.
            stages.append({mage: Sheet(sheet.slots) for mage, sheet in sheets.items()})
            step = advance(state, sheets, KeyedDice(seed, state.seq))
            state = step.state
            if isinstance(step, Done):
                casts += len(step.record.casts)
                break
    played = state.seq if state.over else state.seq - 1
    return RandomGame(seed, start, tuple(stages), played, casts)


def _orders(state: State, mage: str, chance: random.Random, purpose: float) -> Sheet:
    wizard = state.wizards[mage]
    if wizard.phase != ORDERS:
        return _answers(state, mage, chance)
    slots = _gestures(state, wizard, chance, purpose)
    if wizard.again is not None:
        second = _gestures(state, wizard, chance, purpose)
        slots |= {SECOND[hand]: gesture for hand, gesture in second.items()}
    foes = [name for name in state.still_in if name != mage]
    # In a melee there is no default opponent, so a caster must name one.
    if len(foes) > 1 or chance.random() < 0.2:
        victims = [*foes, *state.monsters]
        slots |= {f"TARGET {hand}": chance.choice(victims) for hand in SELECTORS}
    for monster in state.monsters.values():
        if monster.controller == mage and monster.target in (NOBODY, mage):
            slots[f"TARGET {monster.name}"] = chance.choice(foes)
    for name in foes:
        slots |= _powers(state.wizards[name], mage, chance)
    return Sheet(slots)


def _gestures(state: State, wizard: Wizard, chance: random.Random, purpose: float) -> dict[str, str]:
    allowed = _allowed(state, wizard)
    hands = {hand: chance.choice(allowed) for hand in HANDS}
    if purpose:
        for hand, begun in ((LEFT, wizard.begun.left), (RIGHT, wizard.begun.right)):
            going = state.ruleset.book.begun(begun)
            if going and chance.random() < purpose:
                series, made = chance.choice(going)
                hands[hand] = series.text[made].upper() if series.text[made].upper() in allowed else hands[hand]
    if "C" in hands.values():
        hands = dict.fromkeys(HANDS, "C")
    if hands == dict.fromkeys(HANDS, "P"):
        hands[RIGHT] = "W"
    return hands


def _allowed(state: State, wizard: Wizard) -> list[str]:
    """Return the gestures that the mage may order: all, unless they are frightened."""
    if "afraid" not in wizard.marks:
        return [*SPELL_GESTURES, STAB, NOTHING]
    asked = next(q for q in open_questions(state, wizard.name) if q.id == LEFT)
    return [option.value for option in asked.options if option.allowed]


def _powers(subject: Wizard, mage: str, chance: random.Random) -> dict[str, str]:
    """Return which hand of a paralysed foe to hold, or what a charmed one must do."""
    if "paralysed" in subject.marks and subject.paralyser == mage and not subject.stuck:
        return {f"PARALYZE {subject.name}": chance.choice(HANDS)}
    if "charmed" in subject.marks and subject.controller == mage and not subject.directed:
        return {f"DIRECT {subject.name}": f"{chance.choice(HANDS)} {chance.choice(SPELL_GESTURES)}"}
    return {}


def _answers(state: State, mage: str, chance: random.Random) -> Sheet:
    sheet = Sheet()
    for _ in range(2 * len(SELECTORS) + 2):
        missing = [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]
        if not missing:
            break
        # A spell of both hands answers for either; it comes last, so each hand is asked first.
        question = next((q for q in missing if not q.id.endswith((BOTH, SECOND[BOTH]))), missing[0])
        value = chance.choice([option.value for option in question.options if option.allowed])
        sheet = sheet.merged(Sheet({question.id: value}))
    return sheet
