"""The strongest bots vary what is nearly as good, so that nothing learnt by heart beats them."""

from dataclasses import replace

import pytest

from rules_engine import new_duel
from rules_engine.bots import see
from rules_engine.bots.strengths import FURTHEST, STRENGTHS, Player
from rules_engine.bots.styles import LEARNT
from rules_engine.dice import KeyedDice


def find_mix(varied):
    """Return a search of the first turn, and the mix of a bot that varies so much of it: share by orders."""
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("variety"))
    player = Player(see(state, "Ayla"), replace(STRENGTHS["Magus"], style=LEARNT, varied=varied), 1)
    result = player.search_first_world()
    return result, {move.sheet: share for move, share in player.mix_moves([result]).items()}


def test_moves_that_are_nearly_as_good_are_played_now_and_then():
    result, mix = find_mix(0.3)
    mine = result.place("Ayla")
    chances = {move.sheet: result.chance_of(mine, place, 0) for place, move in enumerate(result.moves[mine])}
    shares = {move.sheet: share for move, share in zip(result.moves[mine], result.mixes[mine], strict=True)}
    seldom = [sheet for sheet in mix if shares[sheet] < 0.01]
    assert seldom
    assert all(max(chances.values()) - FURTHEST < chances[sheet] < max(chances.values()) for sheet in seldom)
    assert 0.02 < sum(mix[sheet] for sheet in seldom) < 0.3
    ranked = sorted(seldom, key=lambda sheet: chances[sheet])
    assert mix[ranked[0]] <= mix[ranked[-1]]


def test_without_variety_only_the_mix_of_the_search_is_played():
    result, mix = find_mix(0.0)
    mine = result.place("Ayla")
    shares = {move.sheet: share for move, share in zip(result.moves[mine], result.mixes[mine], strict=True)}
    assert mix == pytest.approx({sheet: shares[sheet] for sheet in mix})
    assert sum(mix.values()) > 0.9
