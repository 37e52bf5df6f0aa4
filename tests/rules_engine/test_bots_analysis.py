"""The analysis of turns that were played: the same numbers each time, and blunders by their names."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from rules_engine import RULESETS, KeyedDice, Sheet, new_duel, read_orders, use_language
from rules_engine.bots.analyse import analyse_turn
from rules_engine.bots.findings import describe_finding, name_move, summarise
from rules_engine.positions import set_up
from rules_engine.puzzles import play as play_puzzle_turn
from tests.rules_engine.bots_analysis import FOE, ME, list_blunders, list_points, play, play_battle, play_without_spell
from tests.rules_engine.solved_positions import read_solved, solve_position
from tests.services.plugin import LONG

NAMED_AT_LEAST = 0.95
MOST_SOLVED = 200
PUZZLES = Path(__file__).parents[2] / "studies" / "puzzles.jsonl"


@pytest.fixture(scope="module")
def battle():
    return play_battle(("Magus", "Apprentice"), "analysis", longest=12 if LONG else 8)


@pytest.fixture(scope="module")
def analysed(battle):
    return [analyse_turn(turn, orders, seed="seed") for turn, orders in battle]


def test_the_same_turns_and_seed_give_the_same_numbers(battle, analysed):
    again = [analyse_turn(turn, orders, seed="seed") for turn, orders in battle[:: 1 if LONG else 5]]
    assert json.dumps(again) == json.dumps(analysed[:: 1 if LONG else 5])


def test_chances_are_chances_and_lie_in_their_range(analysed):
    for facts in analysed:
        assert sum(facts["chances"].values()) == pytest.approx(1.0, abs=0.002)
        for mage, chance in facts["chances"].items():
            low, high = facts["ranges"][mage]
            assert 0.0 <= low <= high <= 1.0
            assert chance <= 1.0
        for move in facts["moves"].values():
            assert 0.0 <= move["chance"] <= move["best"] + 1e-9


def test_a_strong_bot_preserves_more_of_its_winning_chance_than_a_weak_one(analysed):
    accuracy = summarise(analysed, [ME])["accuracy"]
    assert accuracy[ME] >= 85 > accuracy[FOE] + 5


def test_the_turn_that_won_most_decided_the_battle():
    def turn(seq, chance):
        return {"seq": seq, "mages": [ME, FOE], "chances": {ME: chance, FOE: 1 - chance}, "moves": {}}

    turns = [turn(1, 0.5), turn(2, 0.55), turn(3, 0.9), turn(4, 0.95)]
    assert summarise(turns, [ME])["decided"] == 2
    assert summarise(turns, [])["decided"] is None
    assert summarise([*turns[:2], turn(3, 0.1)], [ME])["decided"] == 3


@pytest.fixture(scope="module")
def blunders():
    """A kill in one that was missed, a surrender by slip, a spell at one's own: known by trying every reply."""
    found = list_blunders(99 if LONG else 3)
    return [(blunder.kind, analyse_turn(blunder.turn, blunder.orders, seed="seed")) for blunder in found]


def test_known_blunders_are_named(blunders):
    named, all_of = Counter(), Counter()
    for kind, facts in blunders:
        kinds = {finding["kind"] for finding in facts["findings"] if finding["mage"] == ME}
        all_of[kind] += 1
        named[kind] += kind in kinds
    assert len(all_of) == 3
    assert sum(named.values()) >= NAMED_AT_LEAST * sum(all_of.values()), (named, all_of)


def test_a_move_that_is_as_good_as_the_best_is_no_blunder(battle):
    """The analysis never calls its best move a blunder, except for spells without effect."""
    turn, orders = battle[4]
    facts = analyse_turn(turn, orders, seed="seed")
    for mage in (ME, FOE):
        left, right = facts["moves"][mage]["better"].split("/")
        better = {**orders, mage: Sheet({"LH": left, "RH": right})}
        again = analyse_turn(play(turn.before, better), better, seed="seed")
        kinds = {each["kind"] for each in again["findings"] if each["mage"] == mage}
        assert kinds <= {"wasted"}, again["findings"]


def test_every_finding_has_words_in_every_language(analysed, blunders):
    findings = [finding for facts in (*analysed, *(facts for _, facts in blunders)) for finding in facts["findings"]]
    assert {finding["kind"] for finding in findings} >= {"missed_kill", "surrender", "own_target"}
    for finding in findings:
        english = describe_finding(finding)
        assert "{" not in english and finding["mage"] in english and english.endswith(".")
        with use_language("de"):
            assert describe_finding(finding) != english


def test_what_an_analysis_says_would_have_happened_happens():
    """Bots' duels with every "wasted", "would have answered" and "would have saved them" played: the turn ends alike
    without the spell, the threat hurts only without the answer, and who died lives."""
    pairs = [("Warder", "Apprentice"), ("Apprentice", "Apprentice"), ("Journeyman", "Warder"), ("Magus", "Journeyman")]
    said, untrue = Counter(), []
    for number in range(200 if LONG else 4):
        seed = f"true {number}"
        battle = play_battle(pairs[number % len(pairs)], seed, longest=25 if LONG else 9)
        for turn, orders in battle if LONG else battle[3:]:
            for finding in analyse_turn(turn, orders, seed="seed")["findings"]:
                check = CHECKS.get(finding["kind"])
                if check is not None and finding["fate"] != "reflected":
                    said[finding["kind"]] += 1
                    if not check(finding, turn, orders, seed):
                        untrue.append((number, turn.label, describe_finding(finding)))
    assert untrue == []
    assert set(said) == set(CHECKS) if LONG else said["wasted"], said


def test_a_move_that_saves_by_a_charmed_hand_names_what_that_hand_does():
    """The bolt can only be stopped in the hand that throws it: nothing else of the better move stops it."""
    state = set_up(
        "ruleset firetop-standard\nmage Froodal 14\nleft WWFW\nright DFFD\nhas charmed 1 by Bung\n"
        "mage Bung 5\nleft WFSS\nright SDWF"
    )
    orders = {
        ME: Sheet.from_lines(["LH W", "RH D", "TARGET RH Bung"]),
        FOE: Sheet.from_lines(["LH S", "RH F", "DIRECT LH F Froodal"]),
    }
    turn = play(state, orders)
    found = analyse_turn(turn, orders, seed="seed")["findings"]
    (death,) = [each for each in found if each["kind"] in ("death", "unread_threat")]
    (directed,) = [line for line in death["better_orders"] if line.startswith("DIRECT RH")]
    gesture = {"-": "nothing"}.get(directed.split()[2], directed.split()[2])
    assert f"{gesture} with Froodal's right hand" in describe_finding(death)
    assert is_saved(death, turn, orders, "x")
    without = Sheet.from_lines(line for line in death["better_orders"] if line != directed)
    assert FOE in play(state, {**orders, FOE: without}).after.out


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (["direct", "LH F", FOE], "F with Bung's left hand"),
        (["direct", "RH -", FOE], "nothing with Bung's right hand"),
        (["paralyze", "RH", FOE], "Bung's right hand paralysed"),
        (["charm", "LH", FOE], "Bung's left hand charmed"),
        (["attack", "RedOgre", FOE], "RedOgre set on Bung"),
        (["elemental", "ice", ""], "ice"),
    ],
)
def test_a_move_names_what_it_makes_others_do(part, words):
    assert name_move("S/W", [["cast", "Shield", ""], part]) == f"S/W (Shield, {words})"


def test_a_threat_to_a_creature_names_the_creature():
    threat = {
        "kind": "unread_threat", "mage": ME, "foe": FOE, "spell": "Magic Missile", "hand": "RH", "target": "RedGoblin",
        "gestures": "S/W", "parts": [], "better": "P/W", "better_parts": [["cast", "Shield", "RedGoblin"]],
        "better_spells": ["Shield"], "fate": "", "chance": 0.2, "best": 0.5, "sure": False,
    }  # fmt: skip
    assert describe_finding(threat) == (
        "Froodal missed Bung's threat of Magic Missile at RedGoblin. P/W (Shield on RedGoblin) would have answered it: "
        "a chance of 50% instead of 20%."
    )


def is_wasted(finding, turn, orders, seed):
    """Whether the turn ends alike without the spell."""
    without = play_without_spell(turn, orders, finding["mage"], finding["hand"], seed)
    return without is not None and list_points(without) == list_points(turn.after)


def is_answered(finding, turn, orders, seed):
    """Whether the threat cost the mage or their creatures something, and costs nothing after the answer as it is
    named."""
    mage, foe, hand = finding["mage"], finding["foe"], finding["hand"]
    answered = {**orders, mage: keep_named(finding)}
    played = play(turn.before, answered, seed)
    real, spared = turn.after, play_without_spell(turn, orders, foe, hand, seed)
    unhurt = play_without_spell(played, answered, foe, hand, seed)
    assert spared is not None and unhurt is not None
    mine = [each.name for each in spared.monsters.values() if each.controller == mage]
    had, kept = list_points(real), list_points(spared)
    was_hurt = (
        any(had.get(name) != kept[name] for name in (mage, *mine))
        or real.wizards[mage].begun != spared.wizards[mage].begun
    )
    mine = [each.name for each in unhurt.monsters.values() if each.controller == mage]
    had, kept = list_points(played.after), list_points(unhurt)
    is_spared = (
        played.after.wizards[mage].hp >= unhurt.wizards[mage].hp
        and mage not in played.after.out
        and all(had.get(name) == kept[name] for name in mine)
    )
    return was_hurt and is_spared and finding["target"] == find_victim(turn, mage, foe, hand)


def find_victim(turn, mage, foe, hand):
    """The being that the spell was aimed at, if it was not this mage."""
    casts = [each.facts for each in turn.events if each.kind == "casts" and each.facts["who"] == foe]
    target = next(each["target"] for each in casts if each["hand"] == hand)
    return "" if target in (mage, "nobody", None) else target


def is_saved(finding, turn, orders, seed):
    """Whether the mage who died lives with the better move as it is named."""
    mage = finding["mage"]
    played = play(turn.before, {**orders, mage: keep_named(finding)}, seed)
    return mage in turn.after.out and mage not in played.after.out


def keep_named(finding) -> Sheet:
    """The better orders, without what the sentence does not name: others' hands, creatures, powers."""
    parts = finding["better_parts"]
    hows, named = {how for how, _, _ in parts}, {each for _, *names in parts for each in names}
    kept = {}
    for slot, value in Sheet.from_lines(finding["better_orders"]):
        verb, _, subject = slot.partition(" ")
        is_commanding = verb in {"DIRECT", "PARALYZE", "CHARM", "RETARGET"} or (
            verb == "TARGET" and subject not in {"LH", "RH", "BH", "LH2", "RH2", "BH2"}
        )
        if verb in {"FIRE", "PERMANENT", "DELAY"}:
            is_named = verb.lower() in hows
        else:
            is_named = not is_commanding or subject in named
        if is_named:
            kept[slot] = value
    return Sheet(kept)


CHECKS = {"wasted": is_wasted, "unread_threat": is_answered, "death": is_saved}


@pytest.mark.parametrize(
    "ruleset", [each.name for each in RULESETS.values() if each.offered and each.family in ("", each.name)]
)
def test_every_ruleset_can_be_analysed(ruleset):
    turns = play_battle(("Warder", "Apprentice"), "rules", ruleset=ruleset, longest=5)
    for turn, orders in turns if LONG else turns[-1:]:  # by then spells are complete and creatures are there
        facts = analyse_turn(turn, orders, seed="seed")
        assert set(facts["chances"]) == {ME, FOE} and json.dumps(facts)


def test_a_melee_and_a_forfeit_can_be_analysed():
    for turn, orders in play_battle(("Warder", "Apprentice", "Journeyman"), "melee", longest=3):
        assert len(analyse_turn(turn, orders, seed="seed")["chances"]) == 3
    state = play_battle(("Warder", "Apprentice"), "late", longest=2)[1][0].before
    orders = {ME: Sheet({"LH": "S", "RH": "W"}), FOE: Sheet.of_forfeit()}
    assert set(analyse_turn(play(state, orders), orders, seed="seed")["moves"]) == {ME}


def test_a_position_that_is_won_by_force_is_worth_nearly_everything():
    """Puzzles are positions of games between bots with a proof by every order: one turn or two win against every
    answer."""
    proved = {kind: read_puzzles(kind) for kind in ("win", "two")}
    chances = [analyse_puzzle(each) for found in proved.values() for each in (found if LONG else found[:1])]
    assert min(chances) >= 0.95, chances


def test_a_kill_that_needs_two_turns_is_not_said_to_end_it_at_once():
    """Puzzles that are won in two turns, and in which the mage does nothing instead."""
    puzzles = read_puzzles("two")
    for line in puzzles if LONG else puzzles[:1]:
        facts, mage = analyse_idle_turn(line), json.loads(line)["mage"]
        assert facts["chances"][mage] >= 0.95
        found = [each for each in facts["findings"] if each["mage"] == mage]
        assert [each["kind"] for each in found if each["kind"] == "missed_kill"] == [], found


@pytest.mark.parametrize("strength", ["Magus", pytest.param("Archmage", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("turns", "short"), [(1, 2), (2, 1)])
def test_the_chance_is_that_of_positions_whose_value_is_proved(turns, short, strength):
    """Positions before the last turn of bots' duels, and before the last two: a search of all orders of both mages has
    proved what the first one gains (`python -m tests.rules_engine.solved_positions`)."""
    solved = read_solved(turns)
    assert len(solved) >= MOST_SOLVED
    shown = {}
    for each in solved if LONG else solved[:: len(solved) // short]:
        state = set_up(each.text)
        idle = {name: Sheet({"LH": "-", "RH": "-"}) for name in state.owing}
        facts = analyse_turn(play(state, idle), idle, seed="seed", strength=strength)
        shown[each] = facts["chances"][state.mages[0]]
    missed = {each: chance for each, chance in shown.items() if abs(chance - each.chance) > 0.05}
    assert missed == {}


@pytest.mark.parametrize(("turns", "short"), [(1, 3), (2, 1)])
def test_the_values_of_the_solved_positions_are_proved_again(turns, short):
    solved = read_solved(turns)
    for each in solved if LONG else solved[:: len(solved) // short]:
        searched, chance = solve_position(set_up(each.text))
        assert searched == turns and chance == pytest.approx(each.chance, abs=0.005)


def read_puzzles(kind):
    """The lines of the puzzles of this kind."""
    return [line for line in PUZZLES.read_text().splitlines() if json.loads(line)["kind"] == kind]


def analyse_puzzle(line) -> float:
    """The chance of the mage who wins, before the turn."""
    return analyse_idle_turn(line)["chances"][json.loads(line)["mage"]]


@cache
def analyse_idle_turn(line):
    """The findings if everyone in a puzzle does nothing."""
    written = json.loads(line)
    state = new_duel(
        written["ruleset"], list(written["turns"][0]), dice=KeyedDice("puzzle"), hit_points=written["hit_points"]
    )
    for orders in written["turns"]:
        state = play_puzzle_turn(
            state, {name: read_orders(state, name, text).sheet for name, text in orders.items()}
        ).state
    idle = {name: Sheet({"LH": "-", "RH": "-"}) for name in state.owing}
    return analyse_turn(play(state, idle), idle, seed="seed")
