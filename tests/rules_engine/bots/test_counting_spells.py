"""How often a bot casts each spell when one gesture completes it."""

import pytest

from rules_engine import KeyedDice, Sheet, advance, new_duel
from rules_engine.bots.__main__ import main
from rules_engine.bots.move_parts import list_cast
from rules_engine.bots.seen import see
from rules_engine.bots.strengths import STRENGTHS, Player, moves_of
from rules_engine.bots.styles import LEARNT
from rules_engine.bots.tools import spells
from rules_engine.bots.tools.spells import Count, follow_plan, list_columns, list_opponents, weigh_spell
from rules_engine.positions import set_up
from rules_engine.rulesets import get_ruleset

STANDARD = "firetop-standard"
BOOK = get_ruleset(STANDARD).book


def series_of(spell):
    return next(place for place, series in enumerate(BOOK.series) if series.spell == spell)


def test_spells_are_counted_where_one_gesture_completes_them():
    state = new_duel(STANDARD, ("Ayla", "Crom"), dice=KeyedDice("spells"))
    count = Count(frozenset({"Ayla"}))
    for column, foe in (("SW", "SW"), ("DW", "DW"), ("SW", "WD"), ("WW", "DW")):
        sheets = {mage: Sheet({"LH": each[0], "RH": each[1]}) for mage, each in (("Ayla", column), ("Crom", foe))}
        count.heed(state, sheets)
        state = advance(state, sheets, KeyedDice("spells", state.seq)).state
    assert (count.cast["Magic Missile"], count.able["Magic Missile"]) == (1, 2)
    assert count.share("Magic Missile") == 0.5 and count.share("Haste") == 1.0


def test_a_turn_with_a_held_hand_does_not_count():
    state = new_duel(STANDARD, ("Ayla", "Crom"), dice=KeyedDice("spells"))
    count = Count(frozenset({"Ayla"}))
    for mark in ("paralysed", "afraid", "charmed"):
        state.wizards["Ayla"].marks = {mark: 1}
        count.heed(state, {"Ayla": Sheet({"LH": "P", "RH": "W"})})
    assert not count.able


def test_the_table_marks_what_a_bot_seldom_casts(capsys):
    assert main(["spells", "Apprentice", "--games", "2", "--against", "itself"]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "Apprentice, firetop-standard, itself, games 0 to 1, seed spells"
    assert any(row.startswith("| Magic Missile |") for row in rows)
    assert any(row.endswith("| 0.0 % | seldom") for row in rows)
    assert main(["spells", "Apprentice", "--ruleset", "nowhere"]) == 2


def test_a_count_goes_on_where_it_stopped(capsys, monkeypatch, tmp_path):
    asked = ["spells", "Apprentice", "--games", "2", "--against", "weaker", "--keep", str(tmp_path / "kept")]
    main(asked)
    rows = capsys.readouterr().out
    monkeypatch.setattr(spells, "play_game", None)
    main(asked)
    assert capsys.readouterr().out == rows
    with pytest.raises(TypeError):  # games with another seed are others
        main([*asked, "--seed", "another"])


def test_a_bot_meets_itself_after_each_other_opponent():
    assert list_opponents("Magus", ["itself", "weaker"]) == [
        *("Magus", "Apprentice", "Magus", "Journeyman", "Magus", "Warder")
    ]
    assert list_opponents("Journeyman", ["weaker"]) == ["Apprentice"]
    assert list_opponents("Archmage", ["itself"]) == ["Archmage"]


@pytest.mark.parametrize("spell", ["Fear", "Invisibility"])
def test_a_plan_brings_a_bot_to_where_one_gesture_is_left(spell):
    place = series_of(spell)
    counts = [follow_plan("Journeyman", STANDARD, BOOK, "plan", place + turn * len(BOOK.series)) for turn in range(6)]
    reached = sum(count.able[spell] for count in counts)
    assert reached >= 2
    assert all(set(count.able) <= {spell} and count.able[spell] <= 1 for count in counts)


def test_a_plan_needs_both_hands_for_small_letters():
    """Invisibility is P P w s: the first two gestures with one hand, the last two with both."""
    series = BOOK.series[series_of("Invisibility")]
    state = set_up("ruleset firetop-standard\nmage Ayla 15\nleft DP\nright WD\nmage Crom 15\nleft PP\nright DS\n")
    ayla, crom = state.wizards["Ayla"], state.wizards["Crom"]
    assert set(list_columns(BOOK, ayla, series)) >= {"PD", "PW"} and "DP" not in list_columns(BOOK, ayla, series)
    assert list(list_columns(BOOK, crom, series)) == ["WW"]


@pytest.mark.parametrize(
    ("points", "best"),
    [(5, True), (12, False)],
)
def test_a_storm_is_best_where_only_the_foe_dies_of_it(points, best):
    """Ice Storm (W S S c) takes five points from both, and Crom can complete nothing against it."""
    state = set_up(f"ruleset {STANDARD}\nmage Ayla 12\nleft WSS\nright DPP\nmage Crom {points}\nleft DSF\nright SFP\n")
    (gain,) = weigh_spell(moves_of(STANDARD, None, LEARNT), state, "Ayla", "Ice Storm")
    assert gain > 0.1 if best else gain < -0.1


@pytest.mark.parametrize(
    ("spell", "mages"),
    [
        ("Ice Storm", "mage Ayla 12\nleft WSS\nright DPP\nmage Crom 5\nleft DSF\nright SFP\n"),
        ("Resist Cold", "mage Ayla 12\nleft SSF\nright WWD\nmage Crom 12\nleft WSS\nright FSD\n"),
        ("Invisibility", "mage Ayla 12\nleft PPW\nright DSW\nmage Crom 12\nleft WDS\nright FSD\n"),
        (
            "Raise Dead",
            "mage Ayla 5\nleft DWWFW\nright PDWDF\nmage Crom 12\nleft WSFWP\nright FSDSF\n"
            "creature Goblin of Crom at Ayla\n",
        ),
    ],
)
def test_rare_spells_are_in_the_mix_where_they_are_good(spell, mages):
    state = set_up(f"ruleset {STANDARD}\n{mages}")
    player = Player(see(state, "Ayla"), STRENGTHS["Magus"], 1)
    mix = player.mix_moves(player.search_worlds())
    casting = sum(part for move, part in mix.items() if spell in list_cast(state, "Ayla", move.sheet).values())
    assert casting > 0.02 * sum(mix.values())
