"""Shapes of neutral records that the format allows: each is accepted, and its facts are compared."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from rules_engine import Done, KeyedDice, Sheet, advance, get_ruleset, new_duel
from tests.conformance.__main__ import main
from tests.conformance.completion import complete
from tests.conformance.errors import UnknownFormat
from tests.conformance.files import Record as File
from tests.conformance.formats import replay_record
from tests.conformance.neutral_facts import read_deeds
from tests.conformance.neutral_records import HANDS, Names, read_state
from tests.conformance.neutral_replay import NeutralDice
from tests.conformance.newborn import newborn_of
from tests.conformance.records import Chance
from tests.conformance.replay import Verdict
from tests.conformance.test_neutral_records import Record, battle, cast, goblin, match, turn

__all__ = ["battle", "match"]  # fixtures


def judge(record: Record) -> Verdict:
    return replay_record(File("made up", record), None)


def assert_agrees(record: Record) -> Verdict:
    verdict = judge(record)
    assert verdict.difference is None
    return verdict


def test_a_monster_needs_no_summoner(match: Record) -> None:
    del match["turns"][4]["after"]["monsters"][0]["summoned_by"]
    assert_agrees(match)


def test_optional_keys_may_be_missing_and_creatures_may_have_any_name(match: Record) -> None:
    slim: Record = json.loads(json.dumps(match).replace('"m1"', '"Grumbler"'))
    for played in slim["turns"]:
        del played["acting"], played["events"]
        for wizard in played["after"]["wizards"].values():
            del wizard["surrendered"], wizard["alive"]
    del slim["asserted_at_end"], slim["other_assertions"]
    assert_agrees(slim)


def stored(match: Record, **fired: Any) -> Record:
    """Ash banks a missile and fires it four turns later."""
    series = ["D", "W", "S", "S", "S", "P", "S", "D", "-"]
    turns = [turn(n, f"{gesture}/-", "-/-") for n, gesture in enumerate(series, start=1)]
    turns[5]["spells"] = [cast("Ash", "left", "delayed-effect", "Ash")]
    turns[5]["after"]["wizards"]["Ash"]["enchantments"] = {"delayed-effect": 3}
    turns[6]["after"]["wizards"]["Ash"]["enchantments"] = {"delayed-effect": 2}
    turns[7]["orders"]["Ash"]["delay"] = "left"
    turns[7]["spells"] = [cast("Ash", "left", "magic-missile", "Birch", outcome="put in store")]
    turns[7]["after"]["wizards"]["Ash"]["store"] = {"spell": "magic-missile", "target": "Birch"}
    turns[8]["orders"]["Ash"]["fire"] = True
    turns[8]["spells"] = [cast("Ash", None, "magic-missile", "Birch", stored=True, **fired)]
    turns[8]["after"]["wizards"]["Birch"]["hp"] = 14
    match["turns"] = turns
    match["result"]["last_turn"] = len(turns)
    return match


def test_a_spell_fired_from_the_bank_needs_no_hand(match: Record) -> None:
    record = stored(match)
    assert_agrees(record)
    record["turns"][8]["spells"][0]["target"] = "Ash"
    verdict = judge(record)
    assert verdict.difference and verdict.difference.what == "castings"


def test_the_creature_of_a_fired_summons_is_found_under_fire() -> None:
    fired = turn(1, "-/-", "-/-", spells=[cast("Ash", None, "summon-goblin", "Ash", stored=True)])
    fired["after"]["monsters"] = [goblin()]
    mage, hand = newborn_of([fired], 0)["m1"]
    assert (mage, HANDS[hand]) == ("Ash", "FIRE")


@pytest.mark.parametrize("known", [{"m1": "RedGoblin", "m2": "BlueOgre"}, {"m2": "BlueOgre"}])
@pytest.mark.parametrize("field", ["opponents", "monster_targets"])
def test_the_victim_of_a_confused_creature_is_found_under_our_name(known: dict[str, str], field: str) -> None:
    dice = NeutralDice(Chance(**{field: {"m1": "m2"}}), known)
    assert dice.pick("confused monster", "RedGoblin", ["Ash", "Birch", "BlueOgre"]) == "BlueOgre"


def test_enchantments_that_end_with_the_turn_are_ignored_on_both_sides(match: Record) -> None:
    match["turns"][0]["after"]["wizards"]["Ash"]["enchantments"] = {"counter-spell": 1, "magic-mirror": 1}
    assert_agrees(match)


def test_the_hand_of_a_banked_spell_is_inferred_if_it_is_not_shown(battle: Record) -> None:
    record = stored({**battle, "ruleset": "warlocks"})
    for played in record["turns"]:
        for wizard in played["after"]["wizards"].values():
            wizard["enchantments"] = None
    eighth = record["turns"][7]
    eighth["orders"]["Ash"]["delay"] = None
    eighth["banked"] = [{"by": "Ash", "spell": "magic-missile"}]
    assert_agrees(record)
    eighth["banked"], eighth["spells"] = [], []
    record["turns"][8]["events"] = [{"event": "damage", "who": "Birch", "amount": 1, "cause": "magic-missile"}]
    assert judge(record).turns == 9


def test_the_last_turn_may_be_unseen(battle: Record) -> None:
    last = turn(5, "-/-", "-/-", (0, 14), hidden=["Birch"], gestures={"Ash": ["-", "-"]})
    last["after"]["wizards"]["Ash"]["alive"] = False
    battle["turns"].append(last)
    battle["result"] = {"finished": True, "draw": False, "winners": ["Birch"], "last_turn": 5}
    assert_agrees(battle)


def test_a_death_that_nobody_saw_is_taken_over(battle: Record) -> None:
    for played in battle["turns"]:
        played["after"]["wizards"]["Cedar"] = {"hp": 15, "alive": True, "surrendered": False, "enchantments": None}
        played["acting"] = ["Ash", "Birch", "Cedar"]
        played["gestures"]["Cedar"] = ["-", "-"]
        played["orders"]["Cedar"] = {"lh": "-", "rh": "-"}
    battle["wizards"].append({"name": "Cedar", "team": 3})
    for played in battle["turns"][1:]:
        played["after"]["wizards"]["Cedar"].update(hp=0, alive=False)
    for played in battle["turns"][2:]:
        played["acting"].remove("Cedar")
        del played["gestures"]["Cedar"], played["orders"]["Cedar"]
    assert_agrees(battle)


def test_an_unseen_spell_is_guessed_from_its_results(battle: Record) -> None:
    """Birch's hidden WFP was a Resist Heat or a Cause Light Wounds; an unharmed Birch in the storm shows which."""
    birch = ["W", "W", "F", "P", "-", "-", "-"]
    ash = ["S", "W", "W", "C", "-", "-", "-"]
    turns = [
        turn(n, f"{a}/{a if a == 'C' else '-'}", f"{b}/-")
        for n, (a, b) in enumerate(zip(ash, birch, strict=True), start=1)
    ]
    hidden = turns[3]
    hidden.update(hidden=["Birch"], gestures={"Ash": ["C", "C"]}, deduced={"Birch": ["P", None]})
    del hidden["orders"]["Birch"]
    hidden["spells"] = [cast("Ash", "both", "fire-storm", None)]
    for played in turns[3:]:
        played["after"]["wizards"]["Ash"]["hp"] = 10
    battle["turns"] = turns
    assert_agrees(battle)


def test_a_gesture_changed_by_confusion_asks_no_question_twice(match: Record) -> None:
    """A choice that no longer fits the gesture is ignored; the remaining question gets its default."""
    match["turns"][1]["orders"]["Ash"]["choose"] = {"left": "amnesia", "right": "shield"}
    assert_agrees(match)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("turns", 1, "after", "wizards", "Birch", "surrendered"), True),
        (("turns", 1, "spells", 0, "outcome"), "reflected"),
        (("turns", 1, "spells", 0, "target"), "Ash"),
        (("turns", 1, "spells", 0, "hand"), "right"),
        (("turns", 1, "anti_spelled"), ["Birch"]),
        (("turns", 1, "hp_changes"), [{"who": "Birch", "change": -2}]),
        (("turns", 1, "during"), {"Birch": {"counter-spell": 1}}),
        (("turns", 1, "turn"), 3),
        (("turns", 1, "acting"), ["Ash"]),
        (("turns", 4, "after", "monsters", 0, "target"), "Ash"),
        (("turns", 4, "after", "monsters", 0, "enchantments"), {"haste": 2}),
        (("result", "draw"), True),
        (("asserted_at_end",), [{"who": "Birch", "field": "hp", "value": 12}]),
    ],
)
def test_a_corrupted_fact_is_noticed(match: Record, place: tuple[Any, ...], value: Any) -> None:
    holder: Any = match
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    assert not judge(match).passed


def test_missed_corruptions_are_listed_with_their_reason(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.json"
    path.write_text(json.dumps(match))
    assert main(["--mutate", "40", str(path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("of 40 corruptions were noticed")
    missed = 40 - int(told[0].split(" ")[0])
    reasons = [line for line in told[1:] if not line.startswith(" ")]
    assert sum(int(line.split(" ")[0]) for line in reasons) == missed


def test_a_departure_excuses_only_the_facts_it_names(match: Record) -> None:
    """Two creatures' rules of the other engine: a cure before the harm, and nothing else of that turn."""
    cured = turn(6, ">/-", "-/-", (15, 12))
    cured["orders"]["Ash"]["target"] = {"left": "m1"}
    cured["after"]["monsters"] = [goblin(hp=0, alive=False)]
    match["turns"].append(cured)
    assert_agrees(match)
    wrong = copy.deepcopy(match)
    wrong["turns"][5]["after"]["wizards"]["Birch"]["hp"] = 11
    assert not judge(wrong).passed


# -- records that nobody here has seen --------------------------------------------------------------------------------


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every key and every entry of a record, by its path."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, one in items for found in ((*place, key), *places(one, (*place, key)))]


@pytest.mark.parametrize("value", ["missing", None, "m9", {}])
@pytest.mark.parametrize("kind", ["match", "battle"])
def test_no_shape_of_a_record_breaks_the_replay(kind: str, value: Any, match: Record, battle: Record) -> None:
    whole = match if kind == "match" else battle
    whole["turns"][1] |= {
        "banked": [{"who": "Birch"}],
        "made_permanent": [{"by": "Ash", "done": True}],
        "events": [{"event": "damage", "who": "Birch", "by": "Ash", "amount": 1}],
        "hp_changes": [{"who": "Birch", "change": -1}],
        "during": {"Ash": {"haste": 2}},
        "random": {
            "confusion": {"Ash": {"hand": "left", "gesture": "F"}},
            "picks": [{"for": "Ash", "picked": "Birch"}],
        },
    }
    for place in places(whole):
        record = copy.deepcopy(whole)
        holder: Any = record
        for key in place[:-1]:
            holder = holder[key]
        if value == "missing":
            del holder[place[-1]]
        else:
            holder[place[-1]] = value
        try:
            verdict = judge(record)
        except UnknownFormat:
            continue  # named, and the games after it are replayed
        if value in ("missing", None):  # a value of another kind may make the turn impossible to play
            assert "breaks down" not in str(verdict.difference), (place, verdict.difference)


def test_a_record_that_nobody_understands_stops_no_other(
    tmp_path: Path, match: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {key: value for key, value in match.items() if key != "turns"}
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (match, broken, match)))
    assert main([str(path)]) == 2
    told = capsys.readouterr()
    assert "games.jsonl:2: a broken record" in told.err
    assert told.out.endswith("2 passed, 0 failed, 1 not read\n")


@pytest.mark.parametrize("banked", ["Birch", {"wizard": "Birch"}, {"caster": "Birch"}])
def test_who_banked_a_spell_may_be_a_name_alone(battle: Record, banked: Any) -> None:
    battle["turns"][1]["banked"] = [banked]
    assert complete(battle)["turns"][1]["banked"][0]["who"] == "Birch"
    judge(battle)


def test_a_stab_at_nobody_names_no_victim(battle: Record) -> None:
    battle["turns"][0] = turn(1, ">/-", "-/-", events=[{"event": "attack-no-target", "by": "Ash"}])
    assert "breaks" not in str(judge(battle).difference)


def test_a_new_creature_of_one_among_three_attacks_whom_the_record_says(match: Record) -> None:
    match["wizards"].append({"name": "Cedar", "team": 3})
    for played in match["turns"]:
        played["acting"] = ["Ash", "Birch", "Cedar"]
        played["orders"]["Cedar"] = {"lh": "-", "rh": "-"}
        played["gestures"]["Cedar"] = ["-", "-"]
        played["after"]["wizards"]["Cedar"] = {"hp": 15, "alive": True, "surrendered": False, "enchantments": {}}
    match["turns"][1]["orders"]["Ash"]["target"] = {"left": "Birch"}
    bitten = match["turns"][4]
    bitten["after"]["wizards"]["Birch"]["hp"], bitten["after"]["wizards"]["Cedar"]["hp"] = 14, 14
    bitten["after"]["monsters"][0]["target"] = "Cedar"
    assert_agrees(match)
    bitten["random"] = {"picks": [{"for": "m1", "from": ["Birch", "Cedar"], "picked": "Cedar"}]}
    assert_agrees(match)


def test_a_raised_creature_is_not_new_and_keeps_its_name() -> None:
    turns = [
        turn(1, "-/-", "-/-"),
        turn(2, "-/-", "-/-"),
        turn(
            3,
            "-/-",
            "-/-",
            spells=[cast("Ash", "both", "raise-dead", "m1"), cast("Birch", "left", "summon-goblin", None)],
        ),
    ]
    turns[0]["after"]["monsters"] = [goblin(hp=0, alive=False)]
    turns[2]["after"]["monsters"] = [goblin(), goblin("m2", owner="Birch")]
    assert newborn_of(turns, 2) == {"m2": ("Birch", "left")}
    assert Names(turns, 2).write("m1") == "@m1"


def test_a_mirror_that_lasts_into_a_turn_of_haste_is_in_force_there() -> None:
    before = new_duel(get_ruleset("warlocks"), ("Ash", "Birch"), dice=KeyedDice("mirror"))
    before.wizards["Birch"].marks["reflecting"] = 1
    sheets = {name: Sheet.from_lines(["LH -", "RH -"]) for name in before.mages}
    done = advance(before, sheets, KeyedDice("mirror", 1))
    assert isinstance(done, Done)
    assert dict(read_deeds(before, done, {}))["Birch in force: magic-mirror"] == 1


def test_of_the_dead_nobody_asks_whether_they_also_surrendered() -> None:
    died = turn(1, "P/P", "-/-", (0, 15))
    died["after"]["wizards"]["Ash"] |= {"alive": False, "surrendered": True}
    facts = dict(read_state([died], 0, last=False))
    assert facts["Ash standing"] == "dead" and "Ash surrendered" not in facts


@pytest.mark.parametrize("count", [True, 1, 0, "permanent"])
def test_a_resistance_lasts_however_a_record_counts_it(battle: Record, count: Any) -> None:
    battle["turns"][1]["after"]["wizards"]["Birch"]["enchantments"] = {"resist-cold": count}
    whole = complete(battle)
    assert whole["turns"][1]["after"]["wizards"]["Birch"]["enchantments"] == {"resist-cold": "permanent"}


@pytest.mark.parametrize("said", [True, False])
def test_a_mage_may_begin_with_other_hit_points(match: Record, said: bool) -> None:
    if said:
        match["wizards"][0]["hp"] = 7
    for played in match["turns"]:
        played["after"]["wizards"]["Ash"]["hp"] = 7
    assert_agrees(match)


def test_a_game_of_the_paper_rules_with_a_suicide_is_compared_up_to_it(match: Record) -> None:
    match |= {"ruleset": "spellbinder", "turns": match["turns"][:3]}
    match["turns"][2]["orders"]["Ash"]["suicide"] = True
    match["turns"][2]["after"]["wizards"]["Ash"] |= {"hp": 0, "alive": False}
    match["result"] = {"finished": True, "draw": False, "winners": ["Birch"], "last_turn": 3}
    verdict = assert_agrees(match)
    assert any("ends their own life" in reason for reason in verdict.tally.skipped)


def test_a_reflected_clap_may_be_charged_to_the_mirrors_bearer(match: Record) -> None:
    series = ["W/-", "D/-", "D/-", "C/C"]
    match["turns"] = [turn(n, made, "-/-") for n, made in enumerate(series, start=1)]
    match["turns"][2] = turn(3, "D/-", "C/C")
    match["turns"][3] = turn(4, "C/C", "W/W", (10, 15))
    clap = cast("Ash", "both", "lightning-bolt-quick", "Birch", outcome="reflected", pattern="WDDc")
    mirror = cast("Birch", "both", "magic-mirror", "Birch")
    match["turns"][3]["spells"] = [{**clap, "reflected_by": "Birch", "reflected_to": "Ash"}, mirror]
    for name, used in (("Ash", False), ("Birch", True)):
        match["turns"][3]["after"]["wizards"][name]["quick_lightning_used"] = used
    verdict = assert_agrees(match)
    assert any("charged to its bearer" in reason for reason in verdict.tally.excused)
