"""The panel of a turn: mixes as bars, skill apart from luck, and rolls by their names."""

from types import SimpleNamespace

import pytest

from rules_engine import get_ruleset
from studies.analysis_page import describe_turn, list_totals, write_points
from studies.chance_graph import draw_graph
from studies.selectors.chances import make_chances

ME, FOE = "Froodal", "Bung"
IDLE = ["LH -", "RH -"]


def move(gestures, chance, best, better, following):
    return {
        "gestures": gestures, "spells": ["Summon Goblin"], "chance": chance, "best": best, "mix": best, "faced": chance,
        "better": better, "better_spells": ["Counter Spell"], "orders": IDLE, "better_orders": IDLE, "known": None,
        "next": {"gestures": following[0], "spells": [], "orders": IDLE, "chance": following[1]},
    }  # fmt: skip


def make_turn(seq, chance, mine, theirs, **more):
    plain = {"mixes": {}, "rolls": [], "rolled": 0, "findings": []}
    chances = {ME: chance, FOE: 1 - chance}
    return {
        "seq": seq, "label": str(seq), "mages": [ME, FOE], "chances": chances, "moves": {ME: mine, FOE: theirs},
        **plain, **more,
    }  # fmt: skip


GOOD = move("F/P", 0.5, 0.5, "F/P", ("W/P", 0.48))
TURNS = (
    make_turn(1, 0.5, GOOD, GOOD),
    make_turn(
        2,
        0.45,
        move("W/S", 0.0, 0.45, "F/P", ("W/P", 0.41)),
        move("S/D", 0.55, 0.55, "S/D", ("D/F", 0.41)),
        mixes={
            ME: [
                {"gestures": "F/P", "spells": [], "orders": IDLE, "share": 0.5},
                {"gestures": "W/P", "spells": [], "orders": IDLE, "share": 0.2},
                {"gestures": "F/P", "spells": [], "orders": ["LH F", "RH P"], "share": 0.3},
            ],
            FOE: [
                {"gestures": "S/D", "spells": [], "orders": IDLE, "share": 0.9},
                {"gestures": "D/F", "spells": [], "orders": IDLE, "share": 0.1},
            ],
        },
        rolls=[{"purpose": "confused gesture", "who": FOE, "picked": "W", "gave": {ME: 0.12, FOE: -0.12}}],
        rolled=2,
    ),
)  # fmt: skip


def panel(seq, me=ME, withheld=()):
    report = SimpleNamespace(facts=TURNS, winners=(FOE,), withheld=dict.fromkeys(withheld, 7))
    chances = make_chances(TURNS, (FOE,), me, report.withheld)
    return describe_turn(report, chances, seq, get_ruleset("firetop-standard"))


def test_the_moves_stand_with_their_marks_and_chances():
    found = panel(2)
    rows = [(row.title, "".join(row.letters), row.mark, row.chance) for row in found.moves]
    assert rows == [("You played", "WS", "??", "0%"), ("Best", "FP", "", "45%"), ("Next best", "WP", "", "41%")]
    assert [(row.title, row.mark) for row in found.others] == [("Bung played", "!"), ("Next best", "")]
    assert found.change == "45% → 0%"
    assert panel(2, me=None).moves[0].title == "Froodal played"


def test_a_mix_joins_moves_of_the_same_gestures():
    mine, theirs = panel(2).mixes
    assert (mine.name, mine.words, mine.says_all) == ("You", "80% F/P, 20% W/P", True)
    assert [(part.begin, part.width, part.words) for part in theirs.parts] == [
        ("0.00%", "90.00%", "90% S/D"),
        ("90.00%", "10.00%", ""),
    ]
    assert not theirs.says_all and theirs.words == "90% S/D, 10% D/F"


def test_a_mix_tells_moves_of_the_same_gestures_apart_by_what_they_do():
    parts = [["cast", "Magic Missile", "BlueTroll"]]
    mix = [
        {"gestures": "S/D", "spells": ["Magic Missile"], "parts": parts, "orders": IDLE, "share": 0.5},
        {"gestures": "S/D", "spells": [], "parts": [], "orders": IDLE, "share": 0.3},
        # As an analysis has it that was made before parts were told.
        {"gestures": "D/F", "spells": ["Shield"], "orders": IDLE, "share": 0.2},
    ]
    turn = make_turn(1, 0.5, GOOD, GOOD, mixes={ME: mix})
    report = SimpleNamespace(facts=(turn,), winners=(FOE,), withheld={})
    found = describe_turn(report, make_chances((turn,), (FOE,), ME, {}), 1, get_ruleset("firetop-standard"))
    [mine] = found.mixes
    assert mine.words == "50% S/D (Magic Missile at BlueTroll), 30% S/D, 20% D/F (Shield)"
    assert [part.words for part in mine.parts] == ["80% S/D", "20% D/F"] and not mine.says_all


def test_skill_and_luck_of_the_whole_battle_add_up_to_its_change():
    report = SimpleNamespace(facts=TURNS, winners=(FOE,), withheld={})
    totals = dict(list_totals(report))
    assert (round(totals[ME].skill, 3), round(totals[ME].luck, 3)) == (-0.45, -0.05)
    assert (round(totals[FOE].skill, 3), round(totals[FOE].luck, 3)) == (0.0, 0.5)
    assert not list(list_totals(SimpleNamespace(facts=TURNS, winners=(FOE,), withheld={2: 7})))


def test_skill_and_luck_add_up_and_a_roll_that_mattered_is_named():
    split = panel(2).split
    assert (split.skill, split.skill_words, split.luck) == ("−45", "W/S instead of F/P", "0")
    assert split.luck_words == ("Bung's confused gesture: W (+12)",)
    quiet = panel(1).split
    assert (quiet.skill, quiet.skill_words, quiet.luck) == ("0", "", "−5")
    assert quiet.luck_words == ("which moves met; nothing was rolled",)


def test_a_withheld_turn_says_nothing_and_the_turn_before_it_not_where_it_led():
    hidden = panel(2, withheld=[2])
    assert (hidden.withheld, hidden.change, hidden.moves, hidden.mixes, hidden.split) == (7, "", (), (), None)
    before = panel(1, withheld=[2])
    assert (before.change, before.split) == ("", None) and before.moves


def test_the_graph_leads_to_every_turn_and_marks_both_mages():
    chances = make_chances(TURNS, (FOE,), ME, ())
    graph = draw_graph(chances, 2, lambda seq: f"/{seq}/")
    assert [(turn.url, turn.is_current) for turn in graph.turns] == [("/1/", False), ("/2/", True)]
    assert [(mark.text, mark.look) for mark in graph.marks] == [("??", "blunder"), ("!", "only theirs")]
    assert graph.words == "Turn 2, your chance 45% → 0%, a blunder of yours, the only good move of Bung"
    assert (graph.previous_mistake, graph.next_mistake, graph.value, graph.count) == ("", "", 2, 2)
    assert draw_graph(chances, 1, lambda seq: f"/{seq}/").next_mistake == "/2/"
    assert graph.lines[-1].points == "0,50.0 1,55.0 2,100.0"
    assert (graph.bar.after, graph.bar.rest, graph.bar.kept, graph.bar.changed) == ("0%", "100%", "0.00%", "45.00%")
    assert draw_graph(chances, 9, lambda seq: "") is None


@pytest.mark.parametrize(("chance", "points"), [(-0.45, "−45"), (0.12, "+12"), (0.004, "0"), (-0.004, "0")])
def test_points_have_a_sign(chance, points):
    assert write_points(chance) == points
