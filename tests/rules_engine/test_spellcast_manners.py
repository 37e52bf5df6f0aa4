"""Spellcast beyond its spells: letters for enchantments, eight mages, colours as names, transcripts."""

import pytest

from rules_engine import KeyedDice, Viewer, look, new_duel
from rules_engine.beings import PERMANENT, Monster
from rules_engine.records import Record, RecordedTurn, play_record, transcribe_battle

MARKS = ("invisible", "heat_resistant", "cold_resistant", "shielded", "blind", "sick", "poisoned", "afraid")


def duel(ruleset="spellcast", mages=("Ayla", "Crom")):
    return new_duel(ruleset, mages, dice=KeyedDice("x"))


def test_letters_stand_for_seven_enchantments_of_mages_and_creatures():
    state = duel()
    state.wizards["Crom"].marks = dict.fromkeys(MARKS, PERMANENT)
    state.monsters["RedGoblin"] = Monster("RedGoblin", "Goblin", "Crom", "Ayla")
    state.monsters["RedGoblin"].marks = {"poisoned": 3}
    view = look(state, Viewer.of("Ayla"))
    assert (view.mage("Crom").letters, view.mage("Ayla").letters) == ("IHCPbdp", "")
    assert [monster.letters for monster in view.monsters] == ["p"]


def test_the_blind_read_no_letters_of_others():
    state = duel()
    state.wizards["Ayla"].marks = {"blind": 2}
    state.wizards["Crom"].marks = {"sick": 3}
    view = look(state, Viewer.of("Ayla"))
    assert (view.mage("Crom").letters, view.mage("Ayla").letters) == ("", "b")


def test_other_rulesets_have_no_letters():
    state = duel("firetop-standard")
    state.wizards["Crom"].marks = dict.fromkeys(MARKS, PERMANENT)
    assert look(state, Viewer.of("Ayla")).mage("Crom").letters == ""


def test_mages_without_names_are_named_after_colours():
    assert duel(mages=3).mages == ("White", "Black", "Red")
    assert len(duel(mages=8).mages) == 8
    with pytest.raises(ValueError, match="no names for 9 mages"):
        duel(mages=9)
    with pytest.raises(ValueError, match="no names for 2 mages"):
        duel("waving-hands", mages=2)


def test_at_most_eight_may_play():
    names = [f"Mage{n}" for n in range(9)]
    assert len(duel(mages=names[:8]).mages) == 8
    with pytest.raises(ValueError, match="at most 8"):
        duel(mages=names)
    assert len(duel("waving-hands", mages=names).mages) == 9


HASTY = ("P/-", "W/-", "P/-", "W/-", "W/-", "C/C")


def transcript(*turns, ruleset="spellcast"):
    """A battle from turns like ("P/>", "-/-"), Ayla's orders and Crom's; no other questions are answered."""
    recorded = []
    for number, orders in enumerate(turns, start=1):
        stage = {}
        for mage, text in zip(("Ayla", "Crom"), orders, strict=True):
            pairs = [pair.split("/") for pair in text.split(" ")]
            names = (("LH", "RH"), ("LH2", "RH2"))
            stage[mage] = tuple(
                f"{hand} {letter}"
                for pair, hands in zip(pairs, names, strict=False)
                for letter, hand in zip(pair, hands, strict=True)
            )
        recorded.append(RecordedTurn(f"t{number}", number, (stage,)))
    return transcribe_battle(play_record(Record(ruleset, 1, ("Ayla", "Crom"), tuple(recorded), seed="x")))


def test_a_transcript_has_gestures_as_letters_and_events_for_an_observer():
    output = transcript(*((hands, "-/-") for hands in HASTY), (">/W S/-", "P/D"), ruleset="waving-hands")
    last = output.split("\n\n")[-1].split("\n")
    assert last[:3] == ["Turn 7", "  Ayla  15            k/W  S/-", "  Crom  15            P/D"]
    assert "A shield stops Ayla's dagger." in last


def test_a_transcript_of_a_running_battle_hides_what_not_every_mage_saw():
    output = transcript(("P/P", "C/C"), ruleset="firetop-standard")
    assert "P/P" in output, "the battle is over: nothing is hidden"
    unseen = (("P/-", "-/-"), ("P/-", "-/-"), ("W/W", "-/-"), ("S/S", "-/-"), ("D/F", "W/-"))
    goes_on = transcript(*unseen, ruleset="firetop-standard").split("\n\n")[-1]
    assert "?/?" in goes_on and "D/F" not in goes_on
    ended = transcript(*unseen, ("-/-", "P/P"), ruleset="firetop-standard")
    assert "D/F" in ended
