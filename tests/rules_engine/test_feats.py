"""The fate of spells, the feats of a battle, and its mages' openings: all read from events."""

import pytest

from rules_engine import KeyedDice, new_duel, write_state
from rules_engine.records import (
    Record,
    RecordedTurn,
    find_feats,
    judge_casts,
    list_first_pairs,
    play_record,
    turn_alike,
)


def play(*turns, mages=("Ayla", "Crom"), hp=None, ruleset="firetop-standard"):
    """Play lines like "S/P D/W", a pair for each mage; more orders follow a semicolon, with a bar between mages."""
    state = new_duel(ruleset, mages, dice=KeyedDice("deeds"))
    for name, points in (hp or {}).items():
        state.wizards[name].hp = points
    rounds = [
        {
            mage: write_sheet(pair)
            for mage, pair in zip(mages, turn.split(" ") if "|" not in turn else turn.split(" | "), strict=True)
        }
        for turn in turns
    ]
    recorded = tuple(RecordedTurn(str(seq), seq, (lines,)) for seq, lines in enumerate(rounds, start=1))
    return play_record(Record(ruleset, 1, mages, recorded, seed="deeds", start=write_state(state)))


def write_sheet(pair):
    hands, *more = pair.split("; ")
    left, right = hands.split("/")
    return (f"LH {left}", f"RH {right}", *more)


def judge(chronicle):
    return [(cast.mage, cast.spell, cast.fate) for cast in judge_casts(chronicle)]


def feats(chronicle):
    return {(feat.kind, feat.mage, feat.turn) for feat in find_feats(chronicle)}


class TestFates:
    def test_a_missile_that_hits_counts_as_worked(self):
        assert judge(play("S/- -/-", "D/- -/-")) == [("Ayla", "Magic Missile", "worked")]

    def test_a_missile_that_a_shield_stops_is_shielded(self):
        fates = judge(play("S/- -/-", "D/- P/-"))
        assert fates == [("Ayla", "Magic Missile", "shielded"), ("Crom", "Shield", "worked")]

    def test_a_missile_that_a_mirror_turns_back_is_reflected(self):
        fates = judge(play("-/- C/C", "S/- W/W", "D/- -/-"))
        assert ("Crom", "Magic Mirror", "worked") in fates
        fates = judge(play("S/- C/C", "D/- W/W"))
        assert ("Ayla", "Magic Missile", "reflected") in fates

    def test_a_spell_that_a_counter_spell_stops_is_countered(self):
        fates = judge(play("-/- -/-", "S/- W/-", "W/- P/-", "D/- | P/-; CHOOSE LH Counter Spell"))
        assert ("Ayla", "Fear", "countered") in fates and ("Crom", "Counter Spell", "worked") in fates

    def test_two_mind_spells_that_meet_do_nothing(self):
        fates = judge(play("S/- -/D", "W/- -/S", "D/- | -/F; TARGET RH Crom"))
        assert {(spell, fate) for _, spell, fate in fates} >= {("Fear", "failed"), ("Confusion", "failed")}

    def test_a_paralysis_that_keeps_a_hand_paralysed_works(self):
        chronicle = play("F/- -/-", "F/- -/-", "F/- -/-", "F/- | -/-; TARGET LH nobody", "F/- -/-")
        fates = judge(chronicle)
        assert fates == [("Ayla", "Paralysis", "worked")] * 3
        assert any(event.facts.get("outcome") == "same_hand" for turn in chronicle.turns for event in turn.events)

    def test_a_paralysis_that_gives_way_to_another_mind_spell_fails(self):
        chronicle = play("S/- -/-", "W/F -/-", "-/F -/-", "-/F -/-")
        assert judge(chronicle)[-1] == ("Ayla", "Paralysis", "worked")
        chronicle = play("-/- -/-", "S/F -/-", "W/F -/-", "D/F -/-")
        assert set(judge(chronicle)) == {("Ayla", "Fear", "worked"), ("Ayla", "Paralysis", "failed")}


class TestFeats:
    def test_a_mage_is_killed_by_their_own_missile(self):
        chronicle = play("S/- C/C", "D/- W/W", hp={"Ayla": 1})
        assert {("own_spell", "Ayla", "2"), ("mirror_kill", "Crom", "2")} <= feats(chronicle)

    def test_a_mirror_that_only_hurts_is_not_a_feat(self):
        assert feats(play("S/- C/C", "D/- W/W")) == set()

    def test_a_finger_of_death_is_completed(self):
        chronicle = play(*(f"{gesture}/- -/-" for gesture in "PWPFSSS"), "D/-; CHOOSE LH Finger Of Death | -/-")
        assert ("finger_of_death", "Ayla", "8") in feats(chronicle)
        assert ("unhurt", "Ayla", "8") in feats(chronicle)

    def test_a_mage_wins_with_one_point_left(self):
        chronicle = play("S/- -/-", "D/- -/-", hp={"Ayla": 1, "Crom": 1})
        assert ("last_point", "Ayla", "2") in feats(chronicle)

    def test_a_winner_who_lost_points_is_not_unhurt(self):
        chronicle = play("S/- S/-", "D/- D/-", "S/- -/-", "D/- -/-", hp={"Crom": 2})
        assert chronicle.outcome.winners == ("Ayla",)
        assert "unhurt" not in {kind for kind, _, _ in feats(chronicle)}

    def test_a_running_battle_has_no_feats_of_a_winner(self):
        assert feats(play("S/- -/-", "D/- -/-")) == set()


class TestOpenings:
    def test_pairs_are_left_before_right(self):
        chronicle = play("S/- P/W", "D/P W/P")
        assert list_first_pairs(chronicle, "Ayla") == ("S-", "DP")
        assert list_first_pairs(chronicle, "Crom", 1) == ("PW",)

    @pytest.mark.parametrize(
        ("line", "counted"),
        [
            (("SW", "PD"), ("SW", "PD")),
            (("WS", "DP"), ("SW", "PD")),
            (("PP", "WS", "DP"), ("PP", "SW", "PD")),
            (("CC", "WW"), ("CC", "WW")),
            ((), ()),
        ],
    )
    def test_a_line_and_its_mirror_image_are_one(self, line, counted):
        assert turn_alike(line) == counted

    def test_the_beginning_of_an_image_is_the_image_of_the_beginning(self):
        line = ("PP", "WS", "DP", "SF")
        assert [turn_alike(line[:end]) for end in range(5)] == [turn_alike(line)[:end] for end in range(5)]
