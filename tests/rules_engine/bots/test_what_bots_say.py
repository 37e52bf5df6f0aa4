"""Explanations and hints: sentences from the search that give away nothing the mage cannot know."""

import random
import re

import pytest

from rules_engine.bots import choose_orders, explain, hint
from rules_engine.positions import set_up
from rules_engine.text import use_language
from tests.rules_engine.bots.bot_games import states_of
from tests.rules_engine.bots.test_bots_know_only_what_is_seen import hide, permute
from tests.rules_engine.random_play import new_battle, stir

STATES = [state for ruleset in ("firetop-standard", "spellcast") for state in states_of(ruleset, 2, f"say {ruleset}")]


@pytest.mark.parametrize("strength", ("Apprentice", "Warder", "Magus"))
def test_an_explanation_is_two_sentences_about_the_orders_that_the_bot_gives(strength):
    for state in STATES[::4]:
        mage = state.mages[0]
        told = explain(state, mage=mage, strength=strength, seed=3)
        if told is None:
            continue
        assert told.move.lines
        assert told.bot in told.text() and told.expected.mage == state.mages[1]
        assert len(re.findall(r"\.(?: |$)", told.text())) == 2
        lines = choose_orders(state, mage=mage, strength=strength, seed=3)
        assert set(lines[:2]) <= set(told.move.lines)


def test_given_orders_are_explained_with_their_risk():
    state = STATES[5]
    told = explain(state, mage=state.mages[0], strength="Magus", seed=1, lines=["LH -", "RH -"])
    assert told.move.gestures == "-/-"
    assert told.worst is not None and 0.0 <= told.worst_chance <= 1.0
    assert told.rejected.gestures != "-/-"


def test_a_hint_is_three_moves_with_threats_and_risks():
    for state in STATES[::5]:
        hints = hint(state, mage=state.mages[0])
        if not hints:
            continue
        assert len({each.move.text() for each in hints}) == 3
        for each in hints:
            assert each.risks is None or each.risks.mage == state.mages[1]
            assert each.text().startswith(each.move.text())


@pytest.mark.parametrize("mages", (2, 3, 4))
def test_all_mages_have_the_same_chance_at_the_start_of_a_battle(mages):
    state = new_battle(1, "firetop-standard", mages)
    for mage in state.mages:
        assert hint(state, mage=mage)[0].chance == pytest.approx(1 / mages, abs=0.05)


def test_hints_and_explanations_give_away_nothing_hidden():
    rng = random.Random("hints")
    for seed in range(3):
        one = hide(stir(new_battle(seed, "firetop-standard", 2), rng), "Ayla", rng)
        other = permute(one, "Ayla", rng)
        if "Ayla" in one.owing:
            assert hint(one, mage="Ayla") == hint(other, mage="Ayla")
            assert explain(one, mage="Ayla", strength="Magus", seed=2) == explain(
                other, mage="Ayla", strength="Magus", seed=2
            )


def test_bots_speak_german_too():
    state = STATES[3]
    told = explain(state, mage=state.mages[0], strength="Magus", seed=3)
    hints = hint(state, mage=state.mages[0])
    with use_language("de"):
        words = [told.text(), *(each.text() for each in hints)]
    # Some sentences may have no translation yet, but the spells and gestures in them have.
    assert words[0] != told.text()
    assert not hints or words[1:] != [each.text() for each in hints]


def test_an_expected_answer_is_shown_once():
    for state in STATES[:12]:
        told = explain(state, mage=state.mages[0], strength="Magus", seed=3)
        if told is not None and told.expected == told.worst:
            assert told.text().count(told.expected.text() + ", which was also the worst answer") == 1
            assert "the worst answer to" in told.text() and "; the worst answer" not in told.text()
            return
    raise AssertionError("no answer was expected")


def test_nothing_is_expected_of_a_mage_who_plays_no_gestures():
    """Amnesia repeats the gestures of the turn before."""
    state = STATES[3].copy()
    state.wizards[state.mages[1]].marks["forgetful"] = 1
    told = explain(state, mage=state.mages[0], strength="Magus", seed=3)
    assert told.expected is None and told.worst is None
    assert "Nobody else chose gestures" in told.text()
    assert all(each.risks is None for each in hint(state, mage=state.mages[0]))


STORM = """ruleset firetop-standard
mage Ayla 4
left WWF
right PSD
mage Crom 9
left SWW
right SWW
"""
OGRE = """ruleset firetop-standard
mage Ayla 9
left SWW
right PSD
banked Magic Missile
mage Crom 9
left SFP
right WDD
creature Ogre 2 of Crom at Ayla
"""


def test_every_hint_lives_where_one_move_does():
    """A storm comes, and only one hand's last gesture resists it."""
    hints = hint(set_up(STORM), mage="Ayla")
    assert len(hints) == 3
    assert all(each.chance > 0.05 and "Resist Heat" in each.move.text() for each in hints)
    assert len({each.move.text() for each in hints}) == 3, "and none is told twice"


def test_a_hint_names_a_move_that_the_search_left_out():
    """The best target of a spell is not among the likeliest, which give Crom 61 %."""
    hints = hint(
        set_up(
            "ruleset waving-hands\n"
            "mage Ayla 7\nleft -WSWDFWSWDPPPPSPSDDWPPSD\nright -PSPPSPFSWDFWFFFFFFFFFFF\nhas paralysed 1 by Crom\n"
            "mage Crom 13\nleft --------FSWWWFPFSSDDPSFW\nright --------PSPWWPSFFFFFFFFF\n"
            "has resists heat\nhas paralysed 1 by Ayla\ncreature Ogre 2 of Crom at Ayla\n"
        ),
        mage="Crom",
    )
    assert hints[0].chance > 0.8 and "Paralysis on" in hints[0].move.text()


def test_a_move_names_targets_choices_and_powers():
    state = set_up(OGRE)
    [ogre] = state.monsters
    hints = [each.text() for each in hint(state, mage="Ayla")]
    assert any(f"(Charm Monster on {ogre}, Protection)" in each for each in hints)
    lines = ["LH P", "RH P", "CHOOSE LH Shield", "FIRE"]
    told = explain(state, mage="Ayla", strength="Magus", seed=1, lines=lines)
    assert "Shield" in told.move.text() and "Magic Missile from the bank" in told.move.text()
