"""Random battles with some purpose: hands mostly continue a series, and every kind of order occurs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from rules_engine import (
    Asks,
    Done,
    KeyedDice,
    Question,
    Sheet,
    advance,
    get_ruleset,
    is_complete,
    new_duel,
    open_questions,
    preview,
    read_state,
    write_state,
)
from rules_engine.beings import PERMANENT, Monster
from rules_engine.gestures import GESTURES, HANDS
from rules_engine.questions import FRIGHTENED, is_frightened
from rules_engine.state import State

NAMES = ("Ayla", "Crom", "Dara", "Edda")
MOST_STAGES = 12
MARKS_OF_MAGES = (
    *("blind", "invisible", "fast", "shielded", "countering", "reflecting", "permanency", "delay", "sick", "poisoned"),
    *("forgetful", "confused", "afraid", "heat_resistant", "cold_resistant", "time_stopped"),
)
SAYINGS = ("Good luck", "P/P; or not?", "  what  now ", "none of that", "LH P")


def new_battle(seed: int, ruleset: str = "firetop-standard", mages: int | None = None) -> State:
    """Turn 1 of a battle of two to four mages."""
    count = mages or random.Random(seed).choice((2, 2, 3, 4))
    return new_duel(get_ruleset(ruleset), NAMES[:count], dice=KeyedDice(str(seed)))


def stir(state: State, rng: random.Random) -> State:
    """The same battle with added enchantments, banked spells and creatures."""
    state = state.copy()
    for wizard in state.wizards.values():
        for mark in rng.sample(MARKS_OF_MAGES, rng.choice((0, 0, 1, 2, 4))):
            wizard.marks[mark] = rng.choice((1, 2, 3, PERMANENT))
        if rng.random() < 0.2:
            wizard.bank = (rng.choice(state.ruleset.order), rng.choice((*state.mages, "nobody", f"LH:{wizard.name}")))
        foe = rng.choice([name for name in state.mages if name != wizard.name])
        if rng.random() < 0.3:
            wizard.marks["paralysed"], wizard.paralyser = 1, foe
        elif rng.random() < 0.3:
            wizard.marks["charmed"], wizard.controller = 1, foe
    state.created = len(state.colours)  # names of two colours come next, so that they differ from these
    for colour in ("Red", "Pink", "Blue"):
        if rng.random() < 0.4:
            kind = rng.choice(("Goblin", "Ogre", "Troll", "Giant"))
            owner, victim = rng.choice(state.mages), rng.choice((*state.mages, "nobody"))
            state.monsters[f"{colour}{kind}"] = Monster(f"{colour}{kind}", kind, owner, victim)
    if rng.random() < 0.3:
        state.tombstone.append("WhiteGoblin")
    remember(state, rng.choice((3, 5, 7)), rng)
    return read_state(write_state(state))  # which recomputes what the hands have begun


def remember(state: State, columns: int, rng: random.Random, wanted: Sequence[str] = ()) -> None:
    """Add histories as if some turns had been played, with most hands near the end of a series.

    `wanted` are the series to choose from; by default, all of the book.
    """
    texts = wanted or [series.text for series in state.ruleset.book.series]
    state.columns = [str(column) for column in range(columns + 1)]
    state.turn = state.seq = columns + 1
    for wizard in state.wizards.values():
        hands = [[rng.choice(GESTURES) for _ in range(columns)] for _ in HANDS]
        for own, other in (hands, hands[::-1]):
            begun = rng.choice(texts)[:-1][-columns:]
            for place, letter in enumerate(begun, start=columns - len(begun)):
                own[place] = letter.upper()
                if letter.islower():
                    other[place] = letter.upper()
        wizard.left, wizard.right = ("B" + "".join(hand) for hand in hands)
        wizard.blind_columns, wizard.unseen_columns = (
            "".join(rng.choice("0001") for _ in state.columns) for _ in range(2)
        )


def choose_sheet(state: State, mage: str, rng: random.Random, *, purpose: float = 0.8) -> Sheet:
    """Complete, legal orders; `purpose` is how often a hand continues what it has begun."""
    return complete(state, mage, Sheet(choose_gestures(state, mage, rng, purpose)), rng)


def complete(state: State, mage: str, sheet: Sheet, rng: random.Random) -> Sheet:
    """The sheet with answers to all required questions, and to some others."""
    for question in open_questions(state, mage, sheet):
        if question.kind not in ("gesture", "choose") and not question.required and rng.random() < 0.35:
            sheet = answer(sheet, question, rng)
    sheet = sheet.merged(meddle(state, mage, sheet, rng))
    while not is_complete(state, mage, sheet):
        asked = [q for q in open_questions(state, mage, sheet) if q.required and q.answered is None]
        sheet = answer(sheet, rng.choice(asked), rng)
    return sheet


def choose_gestures(state: State, mage: str, rng: random.Random, purpose: float) -> dict[str, str]:
    """A gesture for each hand; empty if gestures are not asked."""
    wizard = state.wizards[mage]
    if wizard.phase != "orders":
        return {}
    forbidden = FRIGHTENED if is_frightened(state, wizard) else ()
    hands = {hand: rng.choice([g for g in GESTURES if g not in forbidden]) for hand in HANDS}
    for hand, begun in (("LH", wizard.begun.left), ("RH", wizard.begun.right)):
        wanted = [series.text[made] for series, made in state.ruleset.book.begun(begun)]
        wanted += [series.text[0] for series in state.ruleset.book.series]
        letter = rng.choice(wanted[: rng.choice((1, 4, 40))])
        if rng.random() < purpose and letter.upper() not in forbidden:
            if letter.islower():
                return dict.fromkeys(HANDS, letter.upper())
            hands[hand] = letter
    if hands == {"LH": "P", "RH": "P"} and rng.random() < 0.9:
        hands["RH"] = "W"
    return hands


def meddle(state: State, mage: str, sheet: Sheet, rng: random.Random) -> Sheet:
    """Orders without a question: others' creatures, existing or not, and powers for hands that cast a spell."""
    slots = {}
    if rng.random() < 0.06:
        creature = f"{rng.choice(HANDS)}:{rng.choice(state.still_in)}"
        slots[f"TARGET {creature}"] = rng.choice((*state.still_in, "nobody", f"LH:{mage}"))
    for slot, mark in (("DELAY", "delay"), ("PERMANENT", "permanency")):
        if mark in state.wizards[mage].marks and rng.random() < 0.5:
            casting = [hand for hand, spell in preview(state, mage, sheet).casts.items() if spell]
            slots[slot] = rng.choice(casting or ["LH"])
    slots = {slot: value for slot, value in slots.items() if slot != f"TARGET {value}"}
    return Sheet(slots)


def answer(sheet: Sheet, question: Question, rng: random.Random) -> Sheet:
    """The sheet with an allowed answer to one question."""
    if question.kind == "say":
        said = " ".join(rng.choice(SAYINGS).split())
        return sheet.merged(Sheet.from_lines([f"SAY {said}"]))
    option = rng.choice([option for option in question.options if option.allowed])
    return sheet.merged(Sheet.from_lines([question.line(option.value)]))


def choose_sheets(state: State, rng: random.Random, *, purpose: float = 0.8) -> dict[str, Sheet]:
    return {mage: choose_sheet(state, mage, rng, purpose=purpose) for mage in state.owing}


def play_turn(state: State, rng: random.Random, seed: int, *, purpose: float = 0.8) -> list[Asks | Done]:
    """The stages of one turn; the last one is Done."""
    stages: list[Asks | Done] = []
    while not (stages and isinstance(stages[-1], Done)):
        assert len(stages) < MOST_STAGES, f"turn {state.label} never stops asking"
        now = stages[-1].state if stages else state
        sheets = choose_sheets(now, rng, purpose=purpose)
        stages.append(advance(now, sheets, KeyedDice(str(seed), state.seq)))
    return stages


def play_battle(
    seed: int, ruleset: str = "firetop-standard", *, turns: int = 9, mages: int | None = None
) -> Iterator[tuple[State, Asks | Done]]:
    """Each stage of a battle as (state before, result); three in four start from a stirred state."""
    rng = random.Random(seed)
    state = new_battle(seed, ruleset, mages)
    if seed % 4:
        state = stir(state, rng)
    for _ in range(turns):
        for stage in play_turn(state, rng, seed):
            yield state, stage
            state = stage.state
        if state.over:
            return


def assert_keeps_limits(before: State, stage: Asks | Done) -> None:
    """Check what holds after every stage of any battle."""
    state = stage.state
    surplus = state.ruleset.rules.hit_point_surplus
    assert state.owing or state.over, "nobody is asked, and the battle is not over"
    assert not set(state.owing) & set(state.out)
    for wizard in state.wizards.values():
        assert wizard.hp <= wizard.max_hp + surplus
        assert len(wizard.left) == len(wizard.right)
        assert len(wizard.blind_columns) == len(wizard.unseen_columns) == len(state.columns)
        assert all(wizard.marks.values()), "a mark of nothing is kept"
    for monster in state.monsters.values():
        if isinstance(stage, Done):
            assert 0 < monster.hp <= monster.max_hp + surplus
    old, new = state.columns[: len(before.columns)], state.columns[len(before.columns) :]
    assert old == before.columns and set(new) <= {before.label, f"{before.label}H"}
    if isinstance(stage, Asks):
        assert (state.seq, state.stage) == (before.seq, before.stage + 1)
        assert {q.mage for q in stage.questions} <= set(state.owing)
    elif not state.over:
        assert (state.seq, state.stage) == (before.seq + 1, 0)


@cache
def some_battles() -> tuple[tuple[State, Asks | Done], ...]:
    """The stages of many battles of all rulesets."""
    names = ("firetop-standard", "firetop-server", "waving-hands", "spellcast", "warlocks-maladroit")
    return tuple(stage for seed in range(200) for stage in play_battle(seed, names[seed // 4 % len(names)]))
