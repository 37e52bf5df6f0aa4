"""What an analysis teaches, from the facts of its turns alone."""

import pytest

from rules_engine.bots.findings import EDITION, read_accuracy, stretch_accuracy
from rules_engine.bots.review import (
    Change,
    describe_roll,
    find_changes,
    list_chances,
    mark_move,
    split_change,
    sum_up_turn,
)
from tests.rules_engine.bots_analysis import FOE, ME


def move(chance, best, following=None, *, gestures="W/S", spells=(), better="F/P", better_spells=("Counter Spell",)):
    return {
        "gestures": gestures, "spells": list(spells), "chance": chance, "best": best, "faced": chance,
        "better": better, "better_spells": list(better_spells),
        "next": None if following is None else {"gestures": "W/P", "chance": following},
    }  # fmt: skip


def turn(chance, moves, *findings):
    return {
        "seq": 1,
        "mages": [ME, FOE],
        "chances": {ME: chance, FOE: 1 - chance},
        "moves": moves,
        "findings": findings,
    }


def finding(kind, mage, **more):
    plain = {"foe": "", "spell": "", "fate": "", "gestures": "W/S", "better": "F/P", "better_spells": ["Counter Spell"]}
    return {"kind": kind, "mage": mage, **plain, **more}


@pytest.mark.parametrize(
    ("chance", "best", "following", "mark"),
    [
        (0.0, 0.45, 0.41, "??"),
        (0.3, 0.5, None, "??"),
        (0.31, 0.5, None, "?"),
        (0.43, 0.5, None, "?"),
        (0.44, 0.5, None, None),
        (0.5, 0.5, 0.4, "!"),
        (0.5, 0.5, 0.41, None),
        (0.5, 0.5, None, None),
    ],
)
def test_moves_are_marked_by_what_they_lose_and_by_what_every_other_would(chance, best, following, mark):
    assert mark_move(move(chance, best, following)) == mark


def test_a_move_of_an_old_analysis_without_a_next_best_is_marked_by_its_loss_alone():
    old = move(0.5, 0.5)
    del old["next"]
    assert mark_move(old) is None and mark_move({**old, "chance": 0.1}) == "??"


def test_the_three_largest_changes_stand_in_the_order_of_the_turns():
    turns = [turn(each, {}) for each in (0.5, 0.55, 0.48, 0.52, 0.45)]
    chances = list_chances(turns, ME, [FOE])
    assert chances == (0.5, 0.55, 0.48, 0.52, 0.45, 0.0)
    assert [each.place for each in find_changes(chances)] == [1, 3, 4]
    assert find_changes(chances)[-1] == Change(4, 0.45, 0.0)
    assert list_chances(turns, FOE, [FOE])[-1] == 1.0 and list_chances(turns, ME, [ME, FOE])[-1] == 0.5


def test_a_fall_is_told_by_my_mistake_and_a_rise_by_theirs():
    both = turn(
        0.45,
        {ME: move(0, 0.45), FOE: move(0.3, 0.5)},
        finding("better_move", FOE),
        finding("unread_threat", ME, foe=FOE, spell="Lightning Bolt"),
        finding("better_move", ME),
    )
    fall, rise = Change(0, 0.45, 0.0), Change(0, 0.45, 0.7)
    assert sum_up_turn(both, ME, fall, you=True) == "You missed Bung's threat of Lightning Bolt."
    assert sum_up_turn(both, ME, fall, you=False) == "Froodal missed Bung's threat of Lightning Bolt."
    assert sum_up_turn(both, ME, rise, you=True) == "Bung played W/S. F/P (Counter Spell) was better."
    threat = turn(0.5, {FOE: move(0, 0.5)}, finding("unread_threat", FOE, foe=ME, spell="Lightning Bolt"))
    assert sum_up_turn(threat, ME, rise, you=True) == "Bung missed your threat of Lightning Bolt."


def test_a_small_mistake_that_no_finding_names_is_told_by_the_better_move():
    small = turn(0.4, {ME: move(0.32, 0.4), FOE: move(0.5, 0.5, spells=["Shield"])})
    told = sum_up_turn(small, ME, Change(0, 0.4, 0.3), you=True)
    assert told == "You played W/S. F/P (Counter Spell) was better."


def test_without_a_mistake_the_only_good_move_is_told_then_the_spells_then_the_gestures():
    rise = Change(0, 0.4, 0.6)
    only = move(0.5, 0.5, 0.3, spells=["Shield"])
    assert (
        sum_up_turn(turn(0.5, {ME: only, FOE: move(0.5, 0.5)}), ME, rise, you=True)
        == "You found the only good move: W/S (Shield)."
    )
    plain = {ME: move(0.5, 0.5, spells=["Magic Missile"]), FOE: move(0.5, 0.5, spells=["Shield", "Summon Goblin"])}
    assert (
        sum_up_turn(turn(0.5, plain), ME, rise, you=True) == "You cast Magic Missile. Bung cast Shield, Summon Goblin."
    )
    quiet = {ME: move(0.5, 0.5), FOE: move(0.5, 0.5, gestures="D/F")}
    assert sum_up_turn(turn(0.5, quiet), FOE, rise, you=False) == "Bung played D/F. Froodal played W/S."


def test_skill_is_what_the_move_lost_against_the_mix_and_luck_is_the_rest():
    facts = turn(0.45, {ME: {**move(0.0, 0.46), "mix": 0.45}})
    split = split_change(facts, ME, Change(0, 0.45, 0.0))
    assert (split.skill, split.luck) == (-0.45, pytest.approx(0.0))
    lucky = split_change(facts, ME, Change(0, 0.45, 0.3))
    assert (lucky.skill, lucky.luck) == (-0.45, pytest.approx(0.3))
    assert split_change(facts, FOE, Change(0, 0.55, 1.0)) is None
    # What the mage could not see is luck.
    hidden = turn(0.45, {ME: {**move(0.0, 0.46), "mix": 0.45, "known": {**move(0.5, 0.5), "mix": 0.5}}})
    assert split_change(hidden, ME, Change(0, 0.45, 0.0)).skill == 0.0 and mark_move(hidden["moves"][ME]) is None


def test_rolls_are_named_by_what_they_decided():
    def roll(purpose, who, picked):
        return describe_roll({"purpose": purpose, "who": who, "picked": picked})

    assert roll("paralysed hand", FOE, "LH") == "Bung's paralysed hand: left hand"
    assert roll("confused gesture again", FOE, "W") == "Bung's confused gesture: W"
    assert roll("random foe", f"{ME} RH", FOE) == "Froodal's target: Bung"
    assert roll("whose word", "RedGoblin", ME) == "Whose word RedGoblin obeys: Froodal"


@pytest.mark.parametrize(("kept", "reads"), [(0.0, 0), (0.5, 10), (0.8, 58), (0.9, 77), (0.985, 94), (1.0, 100)])
def test_accuracy_is_stretched_so_that_a_weak_bot_reads_about_60_and_a_strong_one_95(kept, reads):
    assert stretch_accuracy(kept) == reads


def test_accuracy_never_falls_when_more_is_preserved_and_old_summaries_are_stretched_too():
    read = [stretch_accuracy(each / 200) for each in range(201)]
    assert read == sorted(read) and read[0] == 0 and read[-1] == 100
    assert read_accuracy({"accuracy": {ME: 80, FOE: 99}}) == {ME: 58, FOE: 96}
    assert read_accuracy({"accuracy": {ME: 58}, "edition": EDITION}) == {ME: 58}
