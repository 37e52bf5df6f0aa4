"""The strongest bots and the hints miss no forced win and no forced survival of one turn."""

import pytest

from rules_engine import Sheet
from rules_engine.bots import choose_orders, explain, hint
from rules_engine.bots.chance import Chance
from rules_engine.bots.sure_moves import play_every_roll
from rules_engine.bots.worth import Worth
from rules_engine.gestures import SURRENDER
from rules_engine.positions import set_up
from tests.rules_engine.bots.bot_games import LONG
from tests.rules_engine.bots.decided_positions import (
    SURVIVAL,
    WIN,
    Decided,
    Proof,
    list_orders,
    list_positions,
    may_die,
    read_decided,
)

SHORT = 20  # every so many positions of the file in the short count


def list_decided(forced):
    return [each for each in read_decided() if each.forced == forced][:: 1 if LONG else SHORT]


def test_the_file_holds_300_positions_and_all_are_as_it_says():
    decided = read_decided()
    assert len(decided) == 300
    for each in decided[:: 1 if LONG else 30]:
        proof = Proof(each.set_up(), each.mage)
        assert any(proof.forces(sheet, each.forced) for sheet in proof.orders)


@pytest.mark.parametrize("forced", [WIN, SURVIVAL])
@pytest.mark.parametrize("strength", ["Magus", "Archmage"])
def test_a_strong_bot_plays_what_is_forced(strength, forced):
    decided = list_decided(forced)
    assert decided
    for each in decided if strength == "Magus" or LONG else decided[::4]:
        state = each.set_up()
        lines = choose_orders(state, mage=each.mage, strength=strength, seed="forced", may_surrender=False)
        assert Proof(state, each.mage).forces(Sheet.from_lines(lines), forced), (each, lines)


@pytest.mark.parametrize("forced", [WIN, SURVIVAL])
def test_every_hint_is_what_is_forced(forced):
    for decided in list_decided(forced)[::2]:
        state, mage = decided.set_up(), decided.mage
        proof, hints = Proof(state, mage), hint(state, mage=mage)
        assert hints
        for each in hints:
            assert proof.forces(Sheet.from_lines(each.move.lines), forced), (decided, each)


def test_nobody_dies_in_a_turn_that_the_search_for_positions_leaves_out():
    chance, tried = Chance("left out"), 0
    for number in range(40 if LONG else 3):
        for state in list_positions(f"left out {number}"):
            orders = {mage: list_orders(state, mage) for mage in state.mages}
            for mage in [each for each in state.mages if not may_die(state, each) and None not in orders.values()]:
                for _ in range(4):
                    sheets = {name: chance.choose(some) for name, some in orders.items()}
                    if sheets[mage].column == SURRENDER:
                        continue
                    for after in play_every_roll(state, sheets, Worth(state.ruleset.name)):
                        assert mage not in after.out, (state, sheets)
                        tried += 1
    assert tried > 100


def assert_forces(state, mage, forced):
    """The strongest bots, in the long count with several seeds, and every hint."""
    proof = Proof(state, mage)
    played = [each.move.lines for each in hint(state, mage=mage)]
    played += [
        choose_orders(state, mage=mage, strength=strength, seed=seed, may_surrender=False)
        for strength, seeds in (("Magus", 4 if LONG else 2), ("Archmage", 2 if LONG else 1))
        for seed in range(seeds)
    ]
    for lines in played:
        assert proof.forces(Sheet.from_lines(lines), forced), lines


def test_a_creature_that_the_other_mage_may_charm_as_it_comes_is_not_summoned():
    state = set_up(
        "ruleset waving-hands-active\n"
        "mage Ayla 13\nleft DPPSDFDWPSDF>DFPSD\nright PSDF>SS>WFPSDFWFPS\n"
        "mage Crom 3\nleft WWWWDFSWWWWPFWFPSF\nright DSSSWWDWFWWWDWSWWF\n"
    )
    assert_forces(state, "Crom", SURVIVAL)


def test_a_paralysed_mage_shields_herself_with_either_hand_held():
    state = set_up(
        "ruleset spellcast\n"
        "mage Ayla 3\nleft WFDWFFFFFFFFFP\nright DFFFFFFFFWPPSD\nhas paralysed 1 by Crom\n"
        "mage Crom 14\nleft WFPWWFPSFWDDWD\nright PWWFFFFFFFFFFF\n"
        "creature Giant of Crom at Ayla\n"
    )
    assert_forces(state, "Ayla", SURVIVAL)


def test_a_held_mage_orders_both_palms_if_only_a_shield_of_either_hand_saves_them():
    """FM-PARA-3, FM-SURR-1: the held hand plays D, so two palms are a shield and no surrender."""
    state = set_up(
        "ruleset warlocks-parafdf\n"
        "mage Ayla 5\nleft WWPPWWPPS\nright WPWSDWWSS\nhas paralysed 1 by Crom\n"
        "mage Crom 9\nleft FSDPP>SSP\nright DDSFDFDFD\n"
        "creature Giant of Crom at Ayla\n"
    )
    assert_forces(state, "Ayla", SURVIVAL)
    lines = choose_orders(state, mage="Ayla", strength="Magus", seed=0)
    assert lines[:2] == ["LH P", "RH P"]
    assert "surrendered" not in explain(state, mage="Ayla", strength="Magus", seed=0, lines=lines).text()


def test_a_blind_mage_reckons_with_every_creature_that_may_have_come():
    """She has seen none of the gestures' two Giants, or Trolls. She would survive one."""
    state = set_up(
        "ruleset firetop-standard\n"
        "mage Ayla 6\nleft WWDSWFDSFWDS\nright SDWFDSSDFDWF\nhas blind 1\n"
        "mage Crom 15\nleft WFPSFWFPSFWD\nright SWDSWFDSWDSW\n"
        "creature Troll 3 of Crom at Ayla\ncreature Troll 3 of Crom at Ayla\n"
    )
    assert_forces(state, "Ayla", SURVIVAL)


@pytest.mark.parametrize(
    ("mage", "text"),
    [
        pytest.param(
            "Ayla",
            "ruleset firetop-nomonsters\n"
            "mage Ayla 7\nleft DSFSSDDDDDDDDDDDDDSFSSDS\nright DSWPPS->DSDSDSDSWDSWDSWW\n"
            "mage Crom 5\nleft WPPSDFSSDD>FWPPDWPPW>WWS\nright FFFFFFFFFFFFFFFFFFWPCPWP\n",
            id="a missile besides",
        ),
        pytest.param(
            "Crom",
            "ruleset warlocks-maladroit\n"
            "mage Ayla 5\nleft DSFDPSDDSDSFW>DSW\nright DPSDFWFDSWDSFWDSF\nhas maladroit 1\n"
            "mage Crom 5\nleft DSWWSDSFWDSWWCSWW\nright DSFWWSWWPPSWWCDSF\nhas maladroit 1\n",
            id="both at once",
        ),
    ],
)
def test_a_storm_that_would_kill_its_own_mage_is_left_alone(mage, text):
    """C casts a Fire Storm."""
    for seed in ("a", "b", "c"):
        lines = choose_orders(set_up(text), mage=mage, strength="Magus", seed=seed, may_surrender=False)
        assert Proof(set_up(text), mage).forces(Sheet.from_lines(lines), SURVIVAL), lines


def test_a_creature_fights_the_one_that_would_kill_its_master():
    """Crom's Counter Spell at Ayla would stop any Shield of hers."""
    state = set_up(
        "ruleset warlocks-parafdf\n"
        "mage Ayla 2\nleft SDWFFDFSSDSWSWDPPPS\nright WPSWDDFWSPPWSPPSFWP\n"
        "mage Crom 14\nleft FPPSFWDWSSSWDSSWDWW\nright FWWFPWSDDSDDWFPPSPP\n"
        "creature Ogre 2 of Crom at Ayla\ncreature Ogre 2 of Ayla at Crom\n"
    )
    assert_forces(state, "Ayla", SURVIVAL)


RAISING = "mage Ayla 12\nleft SDWWFW\nright DFSDSS\n"
"""C/C raises the dead."""


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands", "spellcast"])
def test_a_giant_that_may_rise_from_the_dead_is_a_danger_at_once(ruleset):
    text = f"ruleset {ruleset}\n{RAISING}mage Crom 3\nleft FSDFDW\nright FDSFWD\n"
    assert_forces(Decided(text, "Crom", SURVIVAL, ("Goblin", "Giant")).set_up(), "Crom", SURVIVAL)


@pytest.mark.parametrize("ruleset", ["firetop-standard", "waving-hands", "spellcast"])
def test_a_mage_who_can_play_no_palm_is_killed_by_a_giant_from_the_dead(ruleset):
    """Amnesia makes Crom repeat a turn without one."""
    text = f"ruleset {ruleset}\n{RAISING}mage Crom 4\nleft FSDFDW\nright FDSFWD\nhas forgetful\n"
    state = Decided(text, "Ayla", WIN, ("Goblin", "Giant")).set_up()
    played = [each.move.lines for each in hint(state, mage="Ayla")]
    for strength in ("Magus", "Archmage"):
        played += [choose_orders(state, mage="Ayla", strength=strength, seed=seed) for seed in range(2)]
    wanted = ["LH C", "RH C", "TARGET BH DeadGiant"]
    asked_later = state.ruleset.rules.targets_are_decided
    for lines in played:
        assert list(lines) in ([wanted, wanted[:2]] if asked_later else [wanted])


def test_a_banked_spell_kills_together_with_any_gestures():
    """C/C casts a Clap of Lightning: with the Fireball it kills, whatever Crom does."""
    state = set_up(
        "ruleset firetop-standard\n"
        "mage Ayla 12\nleft SWFPSF\nright DSFWDD\nbanked Fireball at Crom\n"
        "mage Crom 9\nleft FSDFFS\nright FDSFDF\n"
    )
    assert_forces(state, "Ayla", WIN)


def test_a_delay_effect_at_the_other_mage_banks_a_finger_of_death():
    """Edition 3 of Waving Hands (WH-ENCH-31): Ayla's other hand must cast something that the delay takes first."""
    state = set_up(
        "ruleset waving-hands\nmage Ayla 12\nleft PWPFSSS\nright SFWDDWW\nmage Crom 12\nleft FFDWSSS\nright WDFSFWD\n"
    )
    assert_forces(state, "Ayla", WIN)
    hints = hint(state, mage="Crom")
    assert all("TARGET LH Ayla" in each.move.lines for each in hints), hints


@pytest.mark.parametrize("ruleset", ["warlocks", "spellcast"])
def test_two_palms_win_where_the_last_to_surrender_wins(ruleset):
    """They cast Counter Spell and Cause Light Wounds: Crom dies, so that Ayla's surrender is void."""
    state = set_up(
        f"ruleset {ruleset}\nmage Ayla 5\nleft FDSFWP\nright SFSDWF\nmage Crom 2\nleft FDDFFD\nright FSSFDS\n"
    )
    assert_forces(state, "Ayla", WIN)


def test_two_palms_win_together_with_the_banked_spell_where_the_last_to_surrender_wins():
    """Cause Light Wounds and the Lightning Bolt kill Crom, and the other palm's shield saves Ayla."""
    state = set_up(
        "ruleset warlocks-maladroit\n"
        "mage Ayla 2\nleft WPFPSFWWF\nright WFDWFSSWD\nbanked Lightning Bolt at Crom\n"
        "mage Crom 6\nleft WDWPWD>D>\nright DWFDFWDPP\n"
        "creature Goblin of Crom at Ayla\ncreature Giant of Ayla at Crom\n"
    )
    assert_forces(state, "Ayla", WIN)


def test_the_palms_of_one_who_surrenders_may_still_kill():
    """Each of Ayla's casts Cause Light Wounds, and only Crom's Counter Spell saves him."""
    state = set_up(
        "ruleset firetop-standard\nmage Ayla 5\nleft FDSDWF\nright SFSDWF\nmage Crom 4\nleft FDDFWP\nright FSSDFS\n"
    )
    assert_forces(state, "Crom", SURVIVAL)
