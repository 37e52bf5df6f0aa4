"""The grammar of docs/orders.md: what is understood, what is rejected and how."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules_engine import read_orders
from rules_engine.beings import Monster
from rules_engine.errors import Problem
from rules_engine.state import State
from tests.rules_engine.random_play import new_battle


def scene() -> State:
    """Ayla has every power; Crom is charmed and paralysed by her; RedGoblin is hers, PinkOgre is Crom's."""
    state = new_battle(1, mages=3).copy()
    ayla, crom = state.wizards["Ayla"], state.wizards["Crom"]
    ayla.marks |= {"permanency": 2, "delay": 2}
    ayla.bank = ("Fireball", "Crom")
    crom.marks |= {"paralysed": 1, "charmed": 1}
    crom.paralyser = crom.controller = "Ayla"
    state.monsters["RedGoblin"] = Monster("RedGoblin", "Goblin", "Ayla", "Crom")
    state.monsters["PinkOgre"] = Monster("PinkOgre", "Ogre", "Crom", "Ayla")
    state.tombstone.append("BlueTroll")
    return state


SCENE = scene()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        # gestures, in full and short
        ("LH P", "LH P"),
        ("lh p", "LH P"),
        ("  RH   w  ", "RH W"),
        ("Left: D", "LH D"),
        ("LH D RH P", "LH D|RH P"),
        ("left W, right P", "LH W|RH P"),
        ("LH >\nRH .", "LH >|RH >"),
        ("LH -", "LH -"),
        ("P/D", "LH P|RH D"),
        ("p / d", "LH P|RH D"),
        ("P D", "LH P|RH D"),
        ("S,w", "LH S|RH W"),
        ("-/-", "LH -|RH -"),
        (">/P", "LH >|RH P"),
        ("./p", "LH >|RH P"),
        ("P/D RH Crom", "LH P|RH D|TARGET RH Crom"),
        ("P/D LH crom RH nobody", "LH P|RH D|TARGET LH Crom|TARGET RH nobody"),
        ("C", "LH C|RH C"),
        ("c BH Crom", "LH C|RH C|TARGET BH Crom"),
        ("C/D", "LH C|RH D"),
        # as keyboards and programs write them, and with the invisible marks of a text that was copied
        ("LH \u2013", "LH -"),
        ("\u2013/p", "LH -|RH P"),
        ("\uff2c\uff28\u3000\uff26\uff1b really", "LH F"),
        ("\uff26\uff0f\uff30", "LH F|RH P"),
        ("\ufeffLH\u200b F\nRH\xa0\u202eP\u2069", "LH F|RH P"),
        ("P\xad/D \u200bRH Cr\u200dom", "LH P|RH D|TARGET RH Crom"),
        ("\u200b\nLH P", "LH P"),
        ("\uff33\uff21\uff39 \uff08hi\u2013\uff09", "SAY \uff08hi\u2013\uff09"),
        # targets
        ("TARGET LH Crom", "TARGET LH Crom"),
        ("target both CROM", "TARGET BH Crom"),
        ("TARGET RH Ayla", "TARGET RH Ayla"),
        ("TARGET RH redgoblin", "TARGET RH RedGoblin"),
        ("TARGET RH Red Goblin", "TARGET RH RedGoblin"),
        ("TARGET RH BlueTroll", "TARGET RH BlueTroll"),
        ("TARGET RH rh:crom", "TARGET RH RH:Crom"),
        ("TARGET RH no one", "TARGET RH nobody"),
        ("TARGET RH No_One", "TARGET RH nobody"),
        ("TARGET RH none", "TARGET RH nobody"),
        ("TARGET RedGoblin Crom", "TARGET RedGoblin Crom"),
        ("TARGET REDGOBLIN PinkOgre", "TARGET RedGoblin PinkOgre"),
        ("TARGET PinkOgre Crom", "TARGET PinkOgre Crom"),
        ("TARGET LH:Ayla Crom", "TARGET LH:Ayla Crom"),
        ("TARGET left:crom right:ayla", "TARGET LH:Crom RH:Ayla"),
        # choices
        ("CHOOSE LH Magic Missile", "CHOOSE LH Magic Missile"),
        ("choose rh anti-spell", "CHOOSE RH Anti Spell"),
        ("CHO BH finger of death", "CHOOSE BH Finger Of Death"),
        ("CHOOSE LH Shield\nCHOOSE BH Haste", "CHOOSE BH Haste"),
        ("CHOOSE BH Haste\nCHOOSE LH Shield\nCHOOSE RH Fear", "CHOOSE LH Shield|CHOOSE RH Fear"),
        # powers
        ("PARALYZE LH Crom", "PARALYZE LH Crom"),
        ("paralyse right crom", "PARALYZE RH Crom"),
        ("DIRECT RH p Crom", "DIRECT RH P Crom"),
        ("DIRECT LH . Crom", "DIRECT LH > Crom"),
        ("PERMANENT LH", "PERMANENT LH"),
        ("Permanent: both", "PERMANENT BH"),
        ("DELAY, rh", "DELAY RH"),
        ("FIRE", "FIRE"),
        # speech
        ("SAY Well met", "SAY Well met"),
        ("say   P/P;   maybe", "SAY P/P; maybe"),
        ("SAY none", ""),
        ("SAY one\nSAY none", ""),
        ("SAY none\nSAY two", "SAY two"),
        ("SAY one\nSAY two", "SAY two"),
        # comments, END, CLEAR, blank lines
        ("LH P ; a shield", "LH P"),
        ("; LH P", ""),
        ("\n\n  \nLH P\n", "LH P"),
        ("LH P\nEND\nLH Q", "LH P"),
        ("P/D\nCLEAR\nLH W", "LH W"),
        ("LH - RH >", "LH -|RH >"),
        ("LH -> W\nRH->-", "LH W|RH -"),
        ("LH = W\nRight hand: P\nSay: a; b", "LH W|RH P|SAY a; b"),
        ("LH = W, RH = d", "LH W|RH D"),
        ("LH=W RH=>", "LH W|RH >"),
        ("W/P, RH Crom", "LH W|RH P|TARGET RH Crom"),
        ("TARGET LH Crom\nTARGET LH Dara", "TARGET LH Dara"),
    ],
)
def test_understood_orders(text, lines):
    read = read_orders(SCENE, "Ayla", text)
    assert read.problems == ()
    assert "|".join(read.sheet.lines()) == lines


@pytest.mark.parametrize(
    ("text", "code", "nearest"),
    [
        ("LHX D", "unknown_order", "LH D"),
        ("LF D", "unknown_order", "LH D"),
        ("W\\P", "unknown_order", "W/P"),
        ("RIHGT D", "unknown_order", "RH D"),
        ("TARGT RH Crom", "unknown_order", "TARGET RH Crom"),
        ("TRAGET RH Crim", "unknown_order", "TARGET RH Crom"),
        ("LH2 D", "not_allowed", "LH D"),
        ("LH P\nLH2 D", "not_allowed", None),
        ("LH2", "not_allowed", "LH -"),
        ("LH2 fingers", "not_allowed", "LH F"),
        ("LHW", "unknown_order", "LH W"),
        ("lhw, rhp", "unknown_order", "LH W RH P"),
        ("BHC", "unknown_order", None),
        ("Hello there", "unknown_order", None),
        ("BH P", "hand_expected", "LH P"),
        ("BH W", "hand_expected", "LH W"),
        ("LH", "gesture_missing", "LH -"),
        ("LH ,", "gesture_missing", "LH -"),
        ("LH D RH", "gesture_missing", "LH D RH -"),
        ("LH Q", "not_a_gesture", "LH W"),
        ("LH stab", "not_a_gesture", "LH >"),
        ("LH knife", "not_a_gesture", "LH >"),
        ("LH nothing", "not_a_gesture", "LH -"),
        ("LH nichts", "not_a_gesture", "LH -"),
        ("LH Stich", "not_a_gesture", "LH >"),
        ("LH Klatschen", "not_a_gesture", "LH C"),
        ("LH pointing", "not_a_gesture", "LH D"),
        ("FEAR", "unknown_order", "CHOOSE RH Fear"),
        ("Fireball LH Crom", "unknown_order", "CHOOSE LH Fireball"),
        ("Schild LH", "unknown_order", "CHOOSE LH Shield"),
        ("CLAP", "unknown_order", None),
        ("CLAER", "unknown_order", "CLEAR"),
        ("Firetop Mountain", "unknown_order", "FIRE"),
        ("Chris D", "unknown_order", None),
        ("LH PD", "not_a_gesture", "LH P"),
        ("LH P.", "not_a_gesture", "LH P"),
        ("LH (fingers)", "not_a_gesture", "LH F"),
        ("LH “D”", "not_a_gesture", "LH D"),
        ("LH \u0421", "not_a_gesture", "LH C"),  # in Cyrillic
        ("LH »", "not_a_gesture", "LH >"),
        ("LH &gt;", "not_a_gesture", "LH >"),
        ("LH \u2043", "not_a_gesture", "LH -"),
        ("LH - D", "hand_twice", "LH D"),
        ("LH --", "not_a_gesture", "LH -"),
        ("LH >>", "not_a_gesture", "LH >"),
        ("LH Crom", "not_a_gesture", "TARGET LH Crom"),
        ("RH redgoblin please", "not_a_gesture", "TARGET RH RedGoblin"),
        ("BH Crom", "not_a_gesture", "TARGET BH Crom"),
        ("lh w rh>", "hand_expected", "LH W RH >"),
        ("LH W, RHP", "hand_expected", "LH W RH P"),
        ("LINKS W", "unknown_order", "LH W"),
        ("rechts p", "unknown_order", "RH P"),
        ("Linke Hand: Welle", "unknown_order", "LH W"),
        ("rechte Hand Stich", "unknown_order", "RH >"),
        ("Links: Welle, rechts: Finger", "unknown_order", "LH W RH F"),
        ("w / p.", "unknown_order", "W/P"),
        ("W\\P RH Crom", "unknown_order", "W/P RH Crom"),
        ("W/P.", "not_a_gesture", "W/P"),
        ("W/P! RH Crom", "not_a_gesture", "W/P RH Crom"),
        ("LH W, RH P.", "not_a_gesture", "LH W RH P"),
        # The gesture stays with the hand that was named.
        ("RH", "gesture_missing", "RH -"),
        ("RH ? P", "not_a_gesture", "RH P"),
        ("RH is P", "not_a_gesture", "RH P"),
        ("RH P - shield", "hand_expected", "RH P"),
        ("RH > TARGET RH Crom", "hand_expected", "RH >"),
        ("LH W (wave) RH P (palm)", "hand_expected", "LH W RH P"),
        ("RH TARGET Crim", "not_a_gesture", "TARGET RH Crom"),
        ("LH W (wave)", "hand_expected", "LH W"),
        ("LH W RH D # digit", "hand_expected", "LH W RH D"),
        ("P/Q", "not_a_gesture", "P/W"),
        ("wave/D", "not_a_gesture", "W/D"),
        ("PD", "unknown_order", "P/D"),
        ("LH D W", "hand_twice", "LH D RH W"),
        ("W/P :)", "hand_expected", "W/P"),
        ("W/P thanks!", "hand_expected", "W/P"),
        ("W/P Crm!", "hand_expected", "W/P RH Crom"),
        ("P/D LH Crom :)", "hand_expected", "P/D LH Crom"),
        ("P/D Crom", "hand_expected", "P/D RH Crom"),
        ("W/S LH", "hand_expected", "W/S LH nobody"),
        ("C Crom", "hand_expected", "C BH Crom"),
        ("P/D RH", "hand_expected", "P/D RH nobody"),
        ("P/D\nLH P", "hand_twice", "LH P"),
        ("LH D LH W", "hand_twice", "LH D"),
        ("TARGET LH", "words_missing", "TARGET LH nobody"),
        ("TARGET Crom", "words_missing", "TARGET RH Crom"),
        ("TARGET RedGoblin", "words_missing", "TARGET RedGoblin nobody"),
        ("TARGET", "words_missing", "TARGET RH nobody"),
        ("TARGET LH Crim ; him", "unknown_name", "TARGET LH Crom"),
        ("TARGET RH Crom.", "unknown_name", "TARGET RH Crom"),
        ("TARGET RH Red Goblin!", "unknown_name", "TARGET RH RedGoblin"),
        ("TARGET RH nobody.", "unknown_name", "TARGET RH nobody"),
        ("TARGET LH Red Gobblin", "unknown_name", "TARGET LH RedGoblin"),
        ("TARGET LH RH:Crim", "unknown_name", "TARGET LH RH:Ayla"),
        ("TARGET LH FH:Crom", "unknown_name", "TARGET LH LH:Crom"),
        ("TARGET Crom Ayla", "not_a_creature", "TARGET RH Ayla"),
        ("TARGET Crom LH", "not_a_creature", "TARGET LH Crom"),
        ("TARGET Crom please", "not_a_creature", "TARGET RH Crom"),
        ("TARGET RedGobblin Crom", "unknown_name", "TARGET RedGoblin Crom"),
        ("TARGET RedGoblin redgoblin", "not_allowed", "TARGET RedGoblin nobody"),
        ("RETARGET", "not_allowed", "TARGET RH nobody"),
        ("RETARGE RedGoblin Crom", "unknown_order", "TARGET RedGoblin Crom"),
        ("CHARM", "not_allowed", None),
        ("ELEMENTAL", "not_allowed", None),
        ("SUICIDE now", "not_allowed", "P/P"),
        ("surrender", "unknown_order", "P/P"),
        ("CHOOSE LH", "words_missing", "CHOOSE LH Shield"),
        ("CHOOSE Shield LH", "words_missing", "CHOOSE LH Shield"),
        ("CHOOSE Magic Missile", "words_missing", "CHOOSE RH Magic Missile"),
        ("CHOOSE LH Fierball", "not_a_spell", "CHOOSE LH Fireball"),
        ("CHOOSE LH xyzzy", "not_a_spell", None),
        ("PARALYZE Crom", "words_missing", "PARALYZE LH Crom"),
        ("PARALYZE BH Crom", "words_missing", "PARALYZE LH Crom"),
        ("PARALYZE Dara RH", "words_missing", None),
        ("PARALYZE LH Crim", "unknown_name", "PARALYZE LH Crom"),
        ("PARALYZE LH RedGoblin", "unknown_name", None),
        ("PARALYZE LH Dara", "not_allowed", None),
        ("DIRECT LH Crom", "words_missing", "DIRECT LH P Crom"),
        ("DIRECT Crom RH W", "words_missing", "DIRECT RH W Crom"),
        ("DIRECT LH Q Crom", "not_a_gesture", "DIRECT LH P Crom"),
        ("DIRECT LH P Dara", "not_allowed", None),
        ("PERMANENT", "words_missing", "PERMANENT RH"),
        ("DELAY Crom", "words_missing", "DELAY RH"),
        ("FIRE Crom", "too_many_words", "FIRE"),
        ("SAY", "words_missing", "SAY Hello"),
        ("SAY " + "x" * 501, "too_long", "SAY " + "x" * 500),
    ],
)
def test_rejected_lines_and_the_nearest_valid_forms(text, code, nearest):
    [problem] = read_orders(SCENE, "Ayla", text).problems
    assert (problem.code, problem.nearest) == (code, nearest)
    assert problem.message.endswith(".") and not problem.message.endswith("..")
    # The nearest form can be sent as it is.
    assert not read_orders(SCENE, "Ayla", nearest or "").problems


@pytest.mark.parametrize("name", ["the opponent", "Crom please", "Crim"])
def test_a_rejected_name_is_repeated_as_it_was_written(name):
    [problem] = read_orders(SCENE, "Ayla", f"TARGET RH {name}").problems
    assert problem.message == f"You don't know anyone called {name}."


def test_two_gestures_for_one_hand_are_named_as_such():
    for text in ("LH - W", "LH D W"):
        assert read_orders(SCENE, "Ayla", text).problems[0].message == "LH has two gestures. Give it one."


@pytest.mark.parametrize("text", ["Linke Hand tut weh", "Linke Hand schmerzt", "Links oben", "Linke Hand:"])
def test_a_sentence_about_a_hand_is_no_gesture(text):
    [problem] = read_orders(SCENE, "Ayla", text).problems
    assert problem.nearest is None


@pytest.mark.parametrize(
    "text", ["DELAY", "PERMANNT LH", "FIRE away", "Firetop Mountain", "Fred", "PARALYZ LH Ayla", "CHRAM"]
)
def test_no_form_is_named_that_would_be_rejected_again(text: str):
    [problem] = read_orders(SCENE, "Crom", text).problems
    assert problem.nearest is None


@pytest.mark.parametrize("text", ["LH\nRH", "BH", "F/D", "LH C RH S", "C", "LH ?\nRH ?"])
def test_no_nearest_forms_surrender_together(text: str):
    state = scene()
    state.wizards["Ayla"].marks["afraid"] = 1
    problems = read_orders(state, "Ayla", text).problems
    assert problems
    for problem in problems:
        assert problem.nearest and "P" not in problem.nearest


@pytest.mark.parametrize("order", ["PERMANENT LH", "DELAY LH", "FIRE", "PARALYZE LH Ayla", "DIRECT LH P Ayla"])
def test_powers_that_a_mage_does_not_hold_are_not_allowed(order):
    [problem] = read_orders(SCENE, "Crom", order).problems
    assert problem.code == "not_allowed"


@pytest.mark.parametrize("order", ["PARALYZE LH Crom", "DIRECT LH P Crom"])
def test_a_decided_hand_cannot_be_decided_again(order):
    state = scene()
    state.wizards["Crom"].stuck, state.wizards["Crom"].directed = {"LH": 1}, {"RH": "P"}
    [problem] = read_orders(state, "Ayla", order).problems
    assert problem.code == "not_allowed"
    assert "already decided" in problem.message


@pytest.mark.parametrize("gesture", "CDFScdfs")
def test_frightened_mages_cannot_play_claps_digits_fingers_and_snaps(gesture):
    state = scene()
    state.wizards["Ayla"].marks["afraid"] = 1
    [problem] = read_orders(state, "Ayla", f"LH {gesture}").problems
    assert problem.code == "not_allowed"
    assert read_orders(state, "Ayla", "LH W\nRH >").problems == ()
    state.extra, state.movers = "H", ("Ayla",)
    assert read_orders(state, "Ayla", f"LH {gesture}").problems == ()


def test_final_gestures_cannot_be_changed():
    state = scene()
    state.wizards["Ayla"].phase = "choose-target"
    [problem] = read_orders(state, "Ayla", "LH P\nTARGET LH Crom").problems
    assert (problem.line, problem.code, problem.nearest) == (1, "not_allowed", "END")


def test_every_problem_has_its_line_and_the_rest_is_read():
    read = read_orders(SCENE, "Ayla", "LH Q\n\nRH P ; fine\nTARGET RH Crim\nsay hello\nnonsense here\nEND\nLH Z")
    assert [(p.line, p.code) for p in read.problems] == [
        (1, "not_a_gesture"),
        (4, "unknown_name"),
        (6, "unknown_order"),
    ]
    assert read.sheet.lines() == ["RH P", "SAY hello"]
    assert read.end and not read.clear
    assert read.problems[1].text == "TARGET RH Crim"


def test_clear_is_reported_and_empties_what_came_before():
    read = read_orders(SCENE, "Ayla", "P/D\nFIRE\nclear\nSAY hi")
    assert (read.clear, read.end, read.sheet.lines()) == (True, False, ["SAY hi"])


def test_a_dead_mage_cannot_be_directed_but_may_be_a_target():
    state = scene()
    state.wizards["Crom"].phase, state.out = "dead", ["Crom"]
    assert read_orders(state, "Ayla", "TARGET BH Crom").problems == ()
    assert [p.code for p in read_orders(state, "Ayla", "PARALYZE LH Crom\nDIRECT LH P Crom").problems] == [
        "unknown_name",
        "unknown_name",
    ]


def test_all_beings_in_the_report_can_be_named_even_surrendered_mages():
    state = scene()
    state.wizards["Crom"].phase, state.out = "surrendered", ["Crom"]
    assert read_orders(state, "Ayla", "TARGET BH Crom").sheet.lines() == ["TARGET BH Crom"]


VERBS = (
    "LH",
    "RH",
    "BH",
    "TARGET",
    "CHOOSE",
    "PARALYZE",
    "DIRECT",
    "PERMANENT",
    "DELAY:",
    "FIRE",
    "SAY",
    "CLEAR",
    "END",
)
NOUNS = ("Crom", "Ayla", "Dara", "RedGoblin", "LH:Crom", "RH:", ":Ayla", "nobody", "Shield", "Fireball")
MARKS = ("P", "W", ">", "-", ".", "C", "/", ";", "\u2028", "\u00df", ",", ":", "::", "")
WORDS = st.sampled_from((*VERBS, *NOUNS, *MARKS))
LINES = st.one_of(st.lists(WORDS, max_size=7).map(" ".join), st.text(max_size=40), st.text(string.printable))


@example("PERMANENT: LH\nDELAY: BH")
@example("LH :")
@example("> LH P\n-- \n\x85\x1c")
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_no_text_does_more_than_cause_problems(text):
    for mage in SCENE.mages:
        read = read_orders(SCENE, mage, text)
        count = len(text.splitlines())
        for problem in read.problems:
            assert isinstance(problem, Problem)
            assert 1 <= problem.line <= count
            assert problem.code and problem.message
        again = read_orders(SCENE, mage, "\n".join(read.sheet.lines()))
        assert (again.sheet, again.problems) == (read.sheet, ())
