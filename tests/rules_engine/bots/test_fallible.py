"""A bot's mix also does well against an opponent who errs, and loses little to one who doesn't."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine import KeyedDice, Sheet, new_duel
from rules_engine.bots.fallible import Mistakes, expect_mistakes
from rules_engine.bots.mixed_strategies import solve
from rules_engine.bots.moves import Move
from rules_engine.bots.search import SearchResult
from rules_engine.bots.seen import see
from rules_engine.bots.strengths import STRENGTHS, Player

STANDARD = "firetop-standard"
ERRING = 0.2
CARELESS = Mistakes(careless=ERRING)
MAGES = ("Ayla", "Crom", "Dara")
TABLES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(st.floats(0, 1), min_size=width, max_size=width), min_size=1, max_size=5)
)
ROUNDING = 0.02
"""How far a solution by a limited number of rounds may be off."""


def search_of(gains, worths=None, mage="Ayla"):
    """A state, and the search of a turn with these gains of Ayla: a row for each of her moves, a column for each of
    Crom's, which are worth so much by rules of thumb."""
    state = new_duel(STANDARD, MAGES[:2], dice=KeyedDice("errors"))
    rows, columns = len(gains), len(gains[0])
    letters = "WSDFPC"
    mine = [Move(Sheet({"LH": letter, "RH": "W"}), 0.0) for letter in letters[:rows]]
    theirs = [
        Move(Sheet({"LH": letter, "RH": "S"}), worth)
        for letter, worth in zip(letters[:columns], worths or [0.0] * columns, strict=True)
    ]
    table = {(row, column): (gains[row][column], 1.0 - gains[row][column]) for row, column in cells(gains)}
    if mage == "Ayla":
        one, other, value = solve(gains)
    else:
        other, one, value = solve([[1.0 - row[column] for row in gains] for column in range(columns)])
    return state, SearchResult(MAGES[:2], (mine, theirs), (one, other), table, value)


def cells(gains):
    return product(range(len(gains)), range(len(gains[0])))


def worst(gains, mix):
    """The gain of a mix against its best answer."""
    return min(
        sum(share * row[column] for share, row in zip(mix, gains, strict=True)) for column in range(len(gains[0]))
    )


def test_a_move_that_punishes_a_likely_mistake_is_preferred_to_one_as_good():
    state, found = search_of([[0.5, 0.5], [0.49, 1.0]], worths=[0.0, 3.0])
    assert found.mixes[0][0] > 0.9
    mixes = expect_mistakes(state, "Ayla", found, CARELESS).mixes
    assert mixes[0][1] > 0.9
    assert mixes[1][1] >= ERRING * 0.7, "what Crom is expected to play includes the mistake"


def test_the_other_seat_reckons_with_mistakes_too():
    state, found = search_of([[0.5, 0.51], [0.5, 0.0]], mage="Crom")
    found.moves[0][1] = Move(found.moves[0][1].sheet, 3.0)
    assert expect_mistakes(state, "Crom", found, CARELESS).mixes[1][1] > 0.9


@pytest.mark.parametrize("mage", MAGES[:2])
def test_a_move_that_punishes_a_foe_who_looks_one_turn_ahead_is_preferred(mage):
    """Crom's second column is best at a glance, and Ayla's second row punishes it; and the other way round."""
    gains = [[0.5, 0.5], [0.49, 1.0]] if mage == "Ayla" else [[0.5, 0.51], [0.5, 0.0]]
    state, found = search_of(gains, mage=mage)
    other = 1 if mage == "Ayla" else 0
    glance = replace(found, mixes=([0.0, 1.0], [0.0, 1.0]))
    after = expect_mistakes(state, mage, found, Mistakes(short_sighted=ERRING), glance)
    assert after.mixes[1 - other][1] > 0.9
    assert after.mixes[other][1] >= ERRING, "what the other mage is expected to play includes the mistake"
    assert sum(after.mixes[other]) == pytest.approx(1.0)


def test_moves_that_only_the_glance_knows_are_not_expected():
    state, found = search_of([[0.5, 0.5], [0.49, 1.0]])
    unknown = [Move(Sheet({"LH": "C", "RH": "C"}), 0.0)]
    glance = replace(found, moves=(found.moves[0], unknown), mixes=(found.mixes[0], [1.0]))
    after = expect_mistakes(state, "Ayla", found, Mistakes(short_sighted=ERRING), glance)
    assert after.mixes[0] == pytest.approx(found.mixes[0]) and sum(after.mixes[1]) == pytest.approx(1.0)


@given(TABLES)
def test_what_a_mix_may_lose_is_bounded(gains):
    state, found = search_of(gains)
    after = expect_mistakes(state, "Ayla", found, CARELESS)
    assert after.value == found.value and after.table is found.table
    for mix in after.mixes:
        assert sum(mix) == pytest.approx(1.0) and min(mix) >= 0.0
    spread = max(map(max, gains)) - min(map(min, gains))
    assert worst(gains, after.mixes[0]) >= found.value - spread * ERRING / (1.0 - ERRING) - ROUNDING


def test_a_search_of_a_melee_stays_as_it_is():
    state = new_duel(STANDARD, MAGES, dice=KeyedDice("errors"))
    move = [Move(Sheet({"LH": "W", "RH": "S"}), 0.0)]
    found = SearchResult(MAGES, (move, move, move), ([1.0], [1.0], [1.0]), {(0, 0, 0): (0.3, 0.3, 0.4)}, 0.3)
    assert expect_mistakes(state, "Dara", found, CARELESS) is found


def test_a_bot_that_reckons_with_mistakes_plays_that_mix():
    """Its thoughts show the same mix as it draws from."""
    state = new_duel(STANDARD, MAGES[:2], dice=KeyedDice("errors"))
    exact, reckoning = (
        Player(see(state, "Ayla"), replace(STRENGTHS["Magus"], mistakes=mistakes), "errors")
        for mistakes in (Mistakes(), CARELESS)
    )
    (plain,), (found,) = exact.search_worlds(), reckoning.search_worlds()
    assert found.mixes == expect_mistakes(state, "Ayla", plain, CARELESS).mixes
    assert found.mixes[0] != plain.mixes[0]
    assert reckoning.choose().column in {move.sheet.column for move in reckoning.mix_moves([found])}


def test_the_archmage_expects_a_foe_who_looks_one_turn_ahead():
    """As the Magus does, who is the next weaker bot."""
    strength = STRENGTHS["Archmage"]
    state = new_duel(STANDARD, MAGES[:2], dice=KeyedDice("errors"))
    (found,) = Player(see(state, "Ayla"), strength, "errors").search_worlds()
    careless = replace(strength, mistakes=replace(strength.mistakes, short_sighted=0.0))
    (without,) = Player(see(state, "Ayla"), careless, "errors").search_worlds()
    assert found.table == without.table and found.value == without.value
    assert found.mixes != without.mixes
