"""The order of seats changes nothing, except what docs/rulings.md says.

A creature made for a mage who has left attacks the first of two who remain. On the original server, equal spells also
depend on the order.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine import RULESETS, Asks, Done, KeyedDice, Sheet, advance, get_ruleset, new_duel, read_state, write_state
from rules_engine.state import State
from tests.rules_engine.random_play import NAMES, choose_sheets, complete, new_battle, remember, stir

TURNS = 40 if os.environ.get("FM_TEST_LONG") == "1" else 10
TURNS_OF_CROWDS = 3


class DiceBlindToOrder(KeyedDice):
    """Dice that ignore the order of options: a roll picks the same one however they are listed."""

    def pick(self, purpose, who, options):
        return super().pick(purpose, who, sorted(options, key=repr))


def what_became(state: State) -> tuple[object, ...]:
    """Everything that matters in a state, without the names of creatures, which depend on their order of creation."""
    mages = {
        name: (mage.hp, dict(mage.marks), mage.left, mage.right, mage.bank, mage.stuck, mage.phase)
        for name, mage in state.wizards.items()
    }
    creatures = sorted(
        (monster.kind, monster.controller, monster.hp, sorted(monster.marks.items()))
        for monster in state.monsters.values()
    )
    return mages, creatures, sorted(state.out), sorted(state.owing)


def play_both_ways(seed: int, ruleset: str) -> Iterator[tuple[Asks | Done, Asks | Done]]:
    """The stages of one battle, seated in one order and in another."""
    rng = random.Random(seed)
    seats = list(NAMES[: rng.choice((2, 3, 4))])
    others = seats[1:] + seats[:1]
    one, other = (new_duel(get_ruleset(ruleset), names, dice=DiceBlindToOrder(str(seed))) for names in (seats, others))
    while one.seq <= TURNS and not one.over:
        sheets = choose_sheets(one, rng)
        results = [advance(state, sheets, DiceBlindToOrder(str(seed), one.seq)) for state in (one, other)]
        yield results[0], results[1]
        one, other = (result.state for result in results)


def name_of_kind(creature: object) -> str:
    """The kind of a creature: Goblin for RedGoblin."""
    return re.split("(?=[A-Z])", str(creature))[-1]


def has_equal_spells_at_one_being(stage: Asks | Done) -> bool:
    """Whether two mages cast the same spell at one being: on the original server the later one decides."""
    if isinstance(stage, Asks):
        return False
    aimed = [(cast.spell.name, cast.target) for cast in stage.record.casts]
    return len(set(aimed)) < len(aimed)


def is_of_the_server(ruleset: str) -> bool:
    return ruleset.startswith("firetop-server")


def crowd(seed: int, ruleset: str) -> tuple[State, dict[str, dict[str, str]]]:
    """A battle whose mages all finish one of the same few series now, and the gestures for that."""
    rng = random.Random(seed)
    state = stir(new_battle(seed, ruleset), rng)
    texts = [rng.choice(state.ruleset.book.series).text for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.random() < 0.2:
        texts = ["cw", "SD"]  # mirrors, and spells that show where they are
    remember(state, 8, rng, texts)
    finishing = {}
    for wizard in state.wizards.values():
        text = rng.choice(texts)
        other = ["-" if rng.random() < 0.5 else "D"] * len(text)
        for place, letter in enumerate(text):
            other[place] = letter.upper() if letter.islower() else other[place]
        start = 8 - (len(text) - 1)
        wizard.left = wizard.left[: 1 + start] + text[:-1].upper()
        wizard.right = wizard.right[: 1 + start] + "".join(other[:-1])
        finishing[wizard.name] = {"LH": text[-1].upper(), "RH": other[-1]}
        wizard.blind_columns = wizard.unseen_columns = "0" * 9
        for mark in ("forgetful", "afraid", "confused", "paralysed", "charmed", "countering", "reflecting"):
            wizard.marks.pop(mark, None)
    return read_state(write_state(state)), finishing


def seat_otherwise(state: State) -> State:
    """The same battle with the first mage in the last seat."""
    twin = state.copy()
    names = [*state.mages[1:], state.mages[0]]
    twin.wizards = {name: twin.wizards[name] for name in names}
    twin.movers = tuple(name for name in names if name in state.movers)
    return twin


def play_crowd(seed: int, ruleset: str) -> Iterator[tuple[Asks | Done, Asks | Done]]:
    """The stages of a crowd's turn and of those after it, seated in one order and in another."""
    one, finishing = crowd(seed, ruleset)
    other = seat_otherwise(one)
    rng, first = random.Random(seed), one.seq
    victim = rng.choice((*one.mages, *one.monsters))
    while one.seq < first + TURNS_OF_CROWDS and not one.over:
        finish = one.seq == first and not one.stage
        sheets = {} if finish else choose_sheets(one, rng)
        for mage in one.owing if finish else ():
            orders = dict(finishing[mage])
            if rng.random() < 0.7 and not one.ruleset.rules.targets_are_decided:
                orders |= {f"TARGET {hand}": victim for hand in ("LH", "BH")}
            sheets[mage] = complete(one, mage, Sheet(orders), rng)
        results = [advance(state, sheets, DiceBlindToOrder(str(seed), one.seq)) for state in (one, other)]
        yield results[0], results[1]
        one, other = (result.state for result in results)


def what_casts_met(done: Done) -> Counter[tuple[object, ...]]:
    """Return the fate of the spells, without telling equal ones apart."""
    return Counter((cast.spell.name, cast.ordered, tuple(cast.outcome)) for cast in done.record.casts)


def whose_word(state: State) -> dict[str, tuple[object, ...]]:
    """Return who directs each mage whose hands are held or charmed."""
    return {
        name: (
            mage.paralyser if "paralysed" in mage.marks else "",
            mage.controller if "charmed" in mage.marks else "",
            dict(mage.directed),
            mage.surrendered,
        )
        for name, mage in state.wizards.items()
    }


def name_newborn(stage: Asks | Done) -> dict[object, tuple[object, object]]:
    """The name of every creature made in this stage → its master and the spell that made it."""
    return {
        event.facts["creature"]: (event.facts["master"], event.facts["spell"])
        for event in stage.events
        if event.kind == "spell" and event.facts["outcome"] == "creates"
    }


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@settings(max_examples=400 if TURNS > 10 else 5)
@given(seed=st.integers(0, 2**32))
def test_the_order_of_seats_changes_nothing(ruleset, seed):
    for one, other in play_both_ways(seed, ruleset):
        if is_of_the_server(ruleset) and has_equal_spells_at_one_being(one):
            return
        assert type(one) is type(other)
        born, born_there = name_newborn(one), name_newborn(other)
        assert Counter(born.values()) == Counter(born_there.values())
        if born != born_there:
            # Two of a kind made in one turn are named in the order of seats. The dice use these names, and
            # from now on an order to one of them means another creature there.
            return
        if any(master in one.state.out for master, _ in born.values()):
            return  # it attacks the first who is left
        assert what_became(one.state) == what_became(other.state)


@pytest.mark.parametrize("ruleset", sorted(name for name in RULESETS if not is_of_the_server(name)))
@settings(max_examples=300 if TURNS > 10 else 15)
@given(seed=st.integers(0, 2**32))
def test_the_order_of_seats_changes_nothing_for_equal_spells(ruleset, seed):
    for one, other in play_crowd(seed, ruleset):
        assert type(one) is type(other)
        born, born_there = name_newborn(one), name_newborn(other)
        assert Counter(born.values()) == Counter(born_there.values())
        if born != born_there or any(master in one.state.out for master, _ in born.values()):
            return
        assert what_became(one.state) == what_became(other.state)
        if len(born) > len({name_of_kind(name) for name in born}):
            # Twins of one master differ only in their victims, and in their names in later orders.
            return
        assert whose_word(one.state) == whose_word(other.state)
        if isinstance(one, Done):
            assert what_casts_met(one) == what_casts_met(other)


def test_the_crowds_compared_do_cast_equal_spells():
    equal = Counter()
    for seed in range(60):
        for one, _ in play_crowd(seed, "firetop-standard"):
            equal[has_equal_spells_at_one_being(one)] += 1
    assert equal[True] > 5


def test_the_battles_compared_have_spells_and_creatures():
    """The property above is worth what these battles hold."""
    casts, creatures = set(), 0
    for seed in range(40):
        for one, _ in play_both_ways(seed, "firetop-standard"):
            if has_equal_spells_at_one_being(one):
                break
            casts |= {cast.spell.name for cast in one.record.casts} if isinstance(one, Done) else set()
            creatures += len(one.state.monsters)
    assert len(casts) > 15
    assert creatures
