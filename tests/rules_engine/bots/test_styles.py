"""Weak bots play in a way of their own: a person who begins beats the Apprentice in a short game, and not often the
Journeyman."""

import statistics
from collections import Counter

import pytest

from rules_engine import RULESETS, KeyedDice, Sheet, advance, new_duel
from rules_engine.bots import STRENGTHS, choose_orders, explain
from rules_engine.bots.chance import Chance
from rules_engine.bots.moves import Move
from rules_engine.bots.pool import make_program
from rules_engine.bots.styles import Style
from rules_engine.bots.tools.matches import Tally, make_player, play_game, play_match

STANDARD = "firetop-standard"
ME, FOE = "Ayla", "Crom"


def played(*columns):
    """A duel in which these columns of Ayla and Crom were played."""
    state = new_duel(STANDARD, (ME, FOE), dice=KeyedDice("styles"))
    for mine, theirs in columns:
        sheets = {mage: Sheet({"LH": column[0], "RH": column[1]}) for mage, column in ((ME, mine), (FOE, theirs))}
        state = advance(state, sheets, KeyedDice("styles", state.seq)).state
    return state


def meet_beginner(bot, games):
    makers = (lambda seed: make_player(bot, seed), lambda seed: make_program("beginner", seed))
    tally, turns = Tally(), []
    for game, mine in play_match(makers, STANDARD, range(games), "beginner"):
        tally.add(game, mine)
        turns.append(game.turns)
    assert not tally.illegal
    return 1 - tally.share, statistics.median(turns)


def test_a_beginner_beats_the_apprentice_more_often_than_not_in_six_to_twelve_turns():
    share, turns = meet_beginner("Apprentice", 80)
    assert 0.5 <= share <= 0.75 and 6 <= turns <= 12


def test_a_beginner_sometimes_beats_the_journeyman():
    assert 0.15 <= meet_beginner("Journeyman", 60)[0] <= 0.45


@pytest.mark.parametrize("ruleset", RULESETS)
def test_beginners_give_legal_orders_in_every_ruleset(ruleset):
    players = {ME: make_program("beginner", "legal"), FOE: make_player("Apprentice", "legal")}
    assert not play_game(ruleset, players, "legal", longest=25).illegal


def test_the_apprentice_throws_what_it_has_ready_and_no_palm_guards_it():
    state = played(("FW", "SW"), ("SD", "FS"), ("SF", "SD"), ("DW", "FD"))
    seeds = range(60)
    given = [choose_orders(state, mage=ME, strength="Apprentice", seed=seed) for seed in seeds]
    assert sum("LH D" in lines for lines in given) > 20, "a fireball is ready"
    guarded = [choose_orders(state, mage=ME, strength="Warder", seed=seed) for seed in seeds]
    palms = [sum("RH P" in lines or "LH P" in lines for lines in each) for each in (given, guarded)]
    assert palms[0] <= 15


def test_the_better_a_move_the_likelier_it_is_drawn():
    moves = [Move(Sheet({"LH": "W", "RH": gesture}), worth) for gesture, worth in (("D", 1.0), ("F", 0.8), ("S", 0.0))]
    style, state = Style(heat=0.2), played()
    drawn = Counter(style.draw(state, ME, moves, Chance(seed)).sheet.right for seed in range(600))
    assert drawn["D"] > 2 * drawn["F"] > 10 * drawn["S"]


def test_a_favourite_is_preferred_among_moves_that_are_as_good():
    state = played(("SW", "WD"))
    moves = [Move(Sheet({"LH": "D", "RH": "W"}), 0.5), Move(Sheet({"LH": "W", "RH": "D"}), 0.5)]
    style = Style(favourites=frozenset({"Magic Missile"}), heat=0.05)
    drawn = [style.draw(state, ME, moves, Chance(seed)) for seed in range(100)]
    assert sum(move == moves[0] for move in drawn) > 75


def test_a_move_far_from_the_best_is_said_to_be_picked_at_random():
    state = played(("SD", "SF"), ("WS", "FW"))
    manners = Counter()
    for seed in range(30):
        told = explain(state, mage=ME, strength="Apprentice", seed=seed)
        manners[told.manner] += 1
    assert manners["slip"] and manners["thumb"]
    assert explain(state, mage=ME, strength="Magus", seed=1).manner == "search"


@pytest.mark.parametrize("strength", sorted(STRENGTHS.keys() - {"Archmage"}))
def test_the_same_view_seed_and_strength_give_the_same_orders(strength):
    state = played(("SD", "SF"), ("WS", "FW"))
    assert choose_orders(state, mage=ME, strength=strength, seed=5) == choose_orders(
        state, mage=ME, strength=strength, seed=5
    )
