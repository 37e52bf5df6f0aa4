"""The strongest bots and the hints miss no forced win and no forced survival of one turn."""

import pytest

from rules_engine import Sheet
from rules_engine.bots import choose_orders, hint
from rules_engine.positions import set_up
from tests.rules_engine.bots.bot_games import LONG
from tests.rules_engine.bots.decided_positions import SURVIVAL, WIN, forces, list_orders, read_decided

SHORT = 20  # every so many positions of the file in the short count


def list_decided(forced):
    return [each for each in read_decided() if each.forced == forced][:: 1 if LONG else SHORT]


def test_the_file_holds_300_positions_and_all_are_as_it_says():
    decided = read_decided()
    assert len(decided) == 300
    for text, mage, forced in decided[:: 1 if LONG else 30]:
        state = set_up(text)
        (other,) = set(state.mages) - {mage}
        answers = list_orders(state, other)
        assert any(forces(state, mage, sheet, answers, forced) for sheet in list_orders(state, mage))


@pytest.mark.parametrize("forced", [WIN, SURVIVAL])
@pytest.mark.parametrize("strength", ["Magus", "Archmage"])
def test_a_strong_bot_plays_what_is_forced(strength, forced):
    decided = list_decided(forced)
    assert decided
    for text, mage, _ in decided if strength == "Magus" or LONG else decided[::4]:
        state = set_up(text)
        (other,) = set(state.mages) - {mage}
        lines = choose_orders(state, mage=mage, strength=strength, seed="forced", may_surrender=False)
        assert forces(state, mage, Sheet.from_lines(lines), list_orders(state, other), forced), (text, mage, lines)


@pytest.mark.parametrize("forced", [WIN, SURVIVAL])
def test_every_hint_is_what_is_forced(forced):
    for text, mage, _ in list_decided(forced)[::2]:
        state = set_up(text)
        (other,) = set(state.mages) - {mage}
        answers = list_orders(state, other)
        hints = hint(state, mage=mage)
        assert hints
        for each in hints:
            assert forces(state, mage, Sheet.from_lines(each.move.lines), answers, forced), (text, mage, each)


def test_a_creature_that_the_other_mage_may_charm_as_it_comes_is_not_summoned():
    state = set_up(
        "ruleset waving-hands-active\n"
        "mage Ayla 13\nleft DPPSDFDWPSDF>DFPSD\nright PSDF>SS>WFPSDFWFPS\n"
        "mage Crom 3\nleft WWWWDFSWWWWPFWFPSF\nright DSSSWWDWFWWWDWSWWF\n"
    )
    answers = list_orders(state, "Ayla")
    played = [each.move.lines for each in hint(state, mage="Crom")]
    played += [
        choose_orders(state, mage="Crom", strength=strength, seed=seed, may_surrender=False)
        for strength in ("Magus", "Archmage")
        for seed in range(4 if strength == "Magus" else 2)
    ]
    for lines in played:
        assert forces(state, "Crom", Sheet.from_lines(lines), answers, SURVIVAL), lines
