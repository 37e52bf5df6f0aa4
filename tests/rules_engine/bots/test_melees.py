"""Melees: whom to strike, whom to leave alive, and what several foes threaten together."""

import pytest

from rules_engine import KeyedDice, Sheet, advance, new_duel
from rules_engine.beings import DEAD
from rules_engine.bots import choose_orders
from rules_engine.bots.aims import Situation
from rules_engine.bots.moves import Moves
from rules_engine.bots.worth import Worth
from rules_engine.positions import set_up
from tests.rules_engine.bots.bot_games import LONG
from tests.rules_engine.bots.decided_positions import SURVIVAL, WIN, Proof, read_decided
from tests.rules_engine.bots.wins_in_two import TwoTurns, read_wins

RULESET = "firetop-standard"
ME, WEAK, THIRD = "Ayla", "Crom", "Dara"


def made(**hands):
    """A melee in which the hands of Ayla, Crom and Dara have made these gestures."""
    state = new_duel(RULESET, tuple(hands), dice=KeyedDice("melee"))
    longest = max(len(hand) for both in hands.values() for hand in both)
    for name, both in hands.items():
        wizard = state.wizards[name]
        wizard.left, wizard.right = (f"B{hand:->{longest}}" for hand in both)
        wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
    return state


def find_best(state):
    return Moves(Worth(RULESET)).find(state, ME, 1)[0].sheet


@pytest.mark.parametrize(("threat", "victim"), [(THIRD, THIRD), (WEAK, WEAK)])
def test_a_weak_foe_is_finished_only_if_that_does_not_hand_a_third_the_game(threat, victim):
    """A Fireball can kill the one or wound the other. Who is about to complete a Finger Of Death is the danger."""
    hands = {ME: ("FSSD", "WW"), WEAK: ("WW", "WW"), THIRD: ("WW", "WW"), threat: ("PWPFSSS", "WW")}
    state = made(**hands)
    state.wizards[WEAK].hp = 2
    assert Situation(state, ME, Worth(RULESET)).aim("Fireball").target == victim


@pytest.mark.parametrize(("hands", "points"), [(("WF", "DD"), 4), (("FSSD", "WW"), 10)], ids=("wounds", "fireballs"))
def test_two_foes_who_each_threaten_half_of_a_mages_points_are_parried(hands, points):
    """Both foes complete Cause Light Wounds or a Fireball with the next gesture; S completes a Counter Spell."""
    alone = made(**{ME: ("WW", "SF"), WEAK: hands, THIRD: ("WW", "DD")})
    together = made(**{ME: ("WW", "SF"), WEAK: hands, THIRD: hands})
    for state in (alone, together):
        state.wizards[ME].hp = points
    assert [find_best(state).left == "S" for state in (alone, together)] == [False, True]


def test_a_mage_with_two_points_shields_from_the_missiles_of_two_foes():
    """P casts a Shield, which two Magic Missiles that come together make worth more than one does."""
    worths = []
    for foes in (1, 2):
        state = made(**{ME: ("WW", "WW"), WEAK: ("S", "WW"), THIRD: ("S" if foes == 2 else "W", "WW")})
        state.wizards[ME].hp = 2
        worths.append(Situation(state, ME, Worth(RULESET)).aim("Shield").worth)
    assert worths[1] > worths[0] + 1.0


def played(mine, others):
    """A melee whose third mage gave up in its first turn, after these columns of Ayla and Dara."""
    state = new_duel(RULESET, (ME, WEAK, THIRD), dice=KeyedDice("last two"))
    for place, (one, other) in enumerate(zip(mine, others, strict=True)):
        sheets = {ME: Sheet({"LH": one[0], "RH": one[1]}), THIRD: Sheet({"LH": other[0], "RH": other[1]})}
        if not place:
            sheets[WEAK] = Sheet({"LH": "P", "RH": "P"})
        state = advance(state, sheets, KeyedDice("last two", state.seq)).state
    assert state.still_in == [ME, THIRD]
    return state


def with_a_dead_mage(text):
    """The position of this duel in a melee whose third mage has died."""
    length = len(set_up(text).columns) - 1
    state = set_up(f"{text}\nmage Finn 15\nleft {'W' * length}\nright {'W' * length}\n")
    dead = state.wizards["Finn"]
    dead.hp, dead.phase, dead.begun, dead.reached = 0, DEAD, state.ruleset.book.start, state.ruleset.book.start
    state.out, state.movers = ["Finn"], tuple(name for name in state.movers if name != "Finn")
    return state


@pytest.mark.parametrize("forced", [WIN, SURVIVAL])
def test_the_last_two_of_a_melee_miss_nothing_forced(forced):
    decided = [each for each in read_decided() if each.forced == forced][0 if LONG else 37 :: 1 if LONG else 50]
    for each in decided:
        state = with_a_dead_mage(each.text)
        lines = choose_orders(state, mage=each.mage, strength="Magus", seed="melee", may_surrender=False)
        assert Proof(each.set_up(), each.mage).forces(Sheet.from_lines(lines), forced), (each, lines)


def test_the_archmage_finds_a_win_in_two_against_the_last_foe():
    won = []
    for text, mage in read_wins()[:: 1 if LONG else 39]:
        orders = choose_orders(with_a_dead_mage(text), mage=mage, strength="Archmage", seed="two", may_surrender=False)
        won.append(TwoTurns(set_up(text), mage).wins(Sheet.from_lines(orders)))
    assert sum(won) >= 0.9 * len(won)


def test_the_last_two_of_a_melee_have_the_chances_of_a_duel():
    columns = ("WS", "PW", "FF"), ("DW", "DD", "DW")
    duel = new_duel(RULESET, (ME, THIRD), dice=KeyedDice("last two"))
    for one, other in zip(*columns, strict=True):
        sheets = {ME: Sheet({"LH": one[0], "RH": one[1]}), THIRD: Sheet({"LH": other[0], "RH": other[1]})}
        duel = advance(duel, sheets, KeyedDice("last two", duel.seq)).state
    worth = Worth(RULESET)
    mine, theirs = worth.chances(duel)
    assert worth.chances(played(*columns)) == [mine, 0.0, theirs]
