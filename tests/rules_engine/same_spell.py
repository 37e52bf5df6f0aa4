"""Positions in which every mage can cast the same spell several times in a turn: by both hands, from the bank, in a
second pair of gestures; mostly at one being, often at themselves."""

import random
from collections.abc import Iterator

from rules_engine import (
    Asks,
    Done,
    KeyedDice,
    Question,
    Sheet,
    advance,
    is_complete,
    open_questions,
    read_state,
    write_state,
)
from rules_engine.beings import DEAD, ELEMENTALS, NO_MASTER, NOBODY, ORDERS, PERMANENT, READY, Monster
from rules_engine.gestures import HANDS, NOTHING, WAITED
from rules_engine.minds import MIND_SPELLS
from rules_engine.possible import begin_turn
from rules_engine.questions import FRIGHTENED, is_frightened
from rules_engine.rules import HasteKind
from rules_engine.state import State
from tests.rules_engine.random_play import MOST_STAGES, new_battle, remember, stir

MOST_COLUMNS = 8
MARKS_OF_CREATURES = (
    *("paralysed", "forgetful", "confused", "afraid", "reflecting", "countering", "shielded", "fast", "time_stopped"),
    *("heat_resistant", "cold_resistant", "sick", "poisoned"),
)


def craft_position(ruleset: str, seed: int) -> tuple[State, str, random.Random]:
    """Return a position, and the series that both hands of every mage are about to complete."""
    rng = random.Random(f"{ruleset} {seed}")
    state = stir(new_battle(seed, ruleset), rng)
    series = choose_series(state, rng)
    add_creatures(state, rng)
    for wizard in state.wizards.values():
        if rng.random() < 0.4:
            wizard.bank = state.ruleset.series[series], rng.choice((wizard.name, *state.mages, *state.monsters, NOBODY))
        if "paralysed" in wizard.marks and rng.random() < 0.5:
            wizard.stuck = {rng.choice(HANDS): 1}
        if rng.random() < 0.3:
            wizard.marks["fast"] = rng.choice((2, 3, PERMANENT))
    twice = rng.random() < 0.5  # the second pair of gestures of the fast, or the hastened turn, completes it
    remember(state, MOST_COLUMNS, rng, [series[:-1] if twice and len(series) > 2 else series])
    state = read_state(write_state(state))  # which finds what the hands have begun
    if len(state.mages) > 2 and rng.random() < 0.3:
        fallen = state.wizards[rng.choice(state.mages)]
        fallen.hp, fallen.phase = 0, DEAD
        fallen.marks.pop("fast", None)
        fallen.left, fallen.right = fallen.left + NOTHING, fallen.right + NOTHING  # as when the turn opened
        state.out.append(fallen.name)
        state.movers = tuple(state.still_in)
    if rng.random() < 0.2:
        hurry(state, rng)
    else:
        begin_turn(state)
    return state, series, rng


def choose_series(state: State, rng: random.Random) -> str:
    """Return a series of the book; mostly that of a mind spell, because those meet each other on a being."""
    series = sorted(state.ruleset.series.items())
    minds = [text for text, spell in series if spell in MIND_SPELLS]
    return rng.choice(minds if rng.random() < 0.65 else [text for text, _ in series])


def hurry(state: State, rng: random.Random) -> None:
    """Make the turn an extra one of some mages: in stopped time or, if the ruleset has hastened turns, in one."""
    hastened = state.ruleset.rules.haste is HasteKind.EXTRA_TURN and rng.random() < 0.5
    state.extra, mark = ("H", "fast") if hastened else ("T", "time_stopped")
    state.movers = tuple(rng.sample(state.still_in, rng.randint(1, len(state.still_in) - 1)))
    for name in state.still_in:
        wizard = state.wizards[name]
        if name in state.movers:
            wizard.marks[mark] = 2
        else:
            wizard.phase = READY
            wizard.left, wizard.right = wizard.left + WAITED, wizard.right + WAITED


def add_creatures(state: State, rng: random.Random) -> None:
    """Add creatures of all kinds, with a master or without, and enchant some."""
    for name in ("MauveGoblin", "GreenTroll", *ELEMENTALS):
        if rng.random() < 0.5:
            kind = name if name in ELEMENTALS else name.removeprefix("Mauve").removeprefix("Green")
            known = (NO_MASTER,) if kind in ELEMENTALS else (*state.mages, NOBODY)
            state.monsters[name] = Monster(name, kind, rng.choice(known), rng.choice(known))
    for monster in state.monsters.values():
        for mark in rng.sample(MARKS_OF_CREATURES, rng.choice((0, 0, 1, 2))):
            monster.marks[mark] = rng.choice((1, 2, PERMANENT))


def play_same_spell(
    state: State, series: str, rng: random.Random, *, turns: int
) -> Iterator[tuple[State, Asks | Done]]:
    """Play some turns in which the mages cast that spell as often as they can, as (state before, result)."""
    for _ in range(turns):
        everyone = (*state.mages, *state.monsters)
        if rng.random() < 0.3:
            favourites = dict.fromkeys(state.mages, rng.choice(everyone))
        else:
            favourites = {mage: rng.choice((mage, rng.choice((*everyone, NOBODY)))) for mage in state.mages}
        for stages in range(MOST_STAGES + 1):
            assert stages < MOST_STAGES, f"turn {state.label} never stops asking"
            sheets = {mage: order_same_spell(state, mage, series, favourites[mage], rng) for mage in state.owing}
            stage = advance(state, sheets, KeyedDice("same spell", state.seq))
            yield state, stage
            state = stage.state
            if isinstance(stage, Done):
                break
        if state.over:
            return


def order_same_spell(state: State, mage: str, series: str, favourite: str, rng: random.Random) -> Sheet:
    """Return complete, legal orders that cast the spell of the series as often as possible, mostly at the favourite."""
    sheet = Sheet(play_series(state, mage, series, rng))
    wanted = (state.ruleset.series[series], favourite)
    settled = set()
    while True:
        asked = [q for q in open_questions(state, mage, sheet) if q.kind not in ("gesture", "say", "suicide")]
        question = next((q for q in asked if q.id not in settled), None)
        if question is None:
            break
        settled.add(question.id)
        sheet = sheet.merged(answer(question, wanted, rng))
    assert is_complete(state, mage, sheet)
    return sheet


def play_series(state: State, mage: str, series: str, rng: random.Random) -> dict[str, str]:
    """Return gestures by which every hand continues the series, or begins it again; empty if none are asked for."""
    wizard = state.wizards[mage]
    if wizard.phase != ORDERS:
        return {}
    forbidden = FRIGHTENED if is_frightened(state, wizard) else ()
    slots, begun = {}, wizard.begun
    for half in wizard.halves:
        made = [
            next((length for each, length in state.ruleset.book.begun(hand) if each.text == series), 0)
            for hand in (begun.left, begun.right)
        ]
        letters = [series[length] for length in made]
        common = next((letter.upper() for letter in letters if letter.islower()), None)
        column = [common or letter for letter in letters]
        if column == ["P", "P"] and rng.random() < 0.8:  # else most battles would end here: it is a surrender
            column[rng.choice((0, 1))] = "W"
        column = [NOTHING if gesture in forbidden else gesture for gesture in column]
        slots |= {half.hand(hand): gesture for hand, gesture in zip(HANDS, column, strict=True)}
        begun = begun.after["".join(column)]
    return slots


def answer(question: Question, wanted: tuple[str, str], rng: random.Random) -> Sheet:
    """Return an answer, mostly a wanted one; an empty sheet leaves the question open."""
    allowed = [option.value for option in question.options if option.allowed]
    liked = [value for value in wanted if value in allowed]
    if liked and rng.random() < 0.95:
        return Sheet.from_lines([question.line(liked[0])])
    if allowed and (question.required or rng.random() < 0.6):
        return Sheet.from_lines([question.line(rng.choice(allowed))])
    return Sheet()
