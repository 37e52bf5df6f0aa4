"""Random games of our own engine, written as neutral records: they pass, and corrupted ones do not."""

import json
import random
from typing import Any

import pytest

from rules_engine import Asks, Done, KeyedDice, Sheet, advance, new_duel, open_questions
from rules_engine.state import State
from tests.conformance import neutral_facts as facts
from tests.conformance.files import Record as File
from tests.conformance.formats import replay_record
from tests.conformance.neutral_records import ENCHANTMENTS, KINDS, OUTCOMES

Record = dict[str, Any]
MAGES = ("Ash", "Birch")
MOST_TURNS = 25
GAMES = 12
RULESETS = {"warlocks-parafc-maladroit": "warlocks-parafc-maladroit", "waving-hands": "spellbinder"}
HANDS = {"LH": "left", "RH": "right", "BH": "both"}
TYPES = {kind: type_ for type_, kind in KINDS.items()}
ANSWERS = {"paralyze": "RH", "charm": "LH"}  # the runner's defaults
SLUGS = {ours: theirs for theirs, ours in ENCHANTMENTS.items()}
ENDS = {
    said: theirs for theirs, said in OUTCOMES.items() if not theirs.startswith(("reflected and", "cancelled", "cast"))
}


def play(ruleset: str, seed: int) -> Record | None:
    """A random game as a record; None if such a record cannot express it."""
    chance = random.Random(seed)
    state: State = new_duel(ruleset, MAGES, dice=KeyedDice(str(seed)))
    names: dict[str, str] = {}
    turns: list[Record] = []
    hands: dict[tuple[str, str], str] = {}
    while not state.over and len(turns) < MOST_TURNS:
        dice = KeyedDice(str(seed), len(turns))
        sheets = {mage: order(state, mage, hands, chance) for mage in state.owing}
        done = resolve(state, sheets, dice)
        for name in (*done.record.newborn.values(), *done.state.monsters):
            names.setdefault(name, f"m{len(names) + 1}")
        turns.append(write_turn(state, done, sheets, dice, names, len(turns) + 1))
        state = done.state
        if state.doubled or any(
            thrown["purpose"] == "paralysed hand" and thrown["picked"] != "RH" for thrown in dice.rolls
        ):
            return None
    won = list(state.outcome.winners) if state.outcome else []
    return {
        "format": 1,
        "ruleset": RULESETS[ruleset],
        "id": f"random-{seed}",
        "wizards": [{"name": name} for name in MAGES],
        "turns": turns,
        "result": {"finished": state.over, "draw": state.over and not won, "winners": won, "last_turn": len(turns)},
    }


def order(state: State, mage: str, hands: dict[tuple[str, str], str], chance: random.Random) -> Sheet:
    """The next gestures of the series that each hand is playing."""
    if state.wizards[mage].phase != "orders":
        return Sheet()
    made = []
    for hand in ("LH", "RH"):
        series = hands.get((mage, hand)) or chance.choice(list(state.ruleset.series))
        made.append(series[0].upper())
        hands[mage, hand] = series[1:]
    if "afraid" in state.wizards[mage].marks:
        made = ["W" if gesture in "CDFS" else gesture for gesture in made]
    if made == ["P", "P"]:
        made = ["P", "-"]
    return Sheet({"LH": made[0], "RH": made[1]})


def resolve(state: State, sheets: dict[str, Sheet], dice: KeyedDice) -> Done:
    answer = advance(state, sheets, dice)
    while isinstance(answer, Asks):
        waiting = answer.state
        sheets = {
            mage: Sheet.from_lines(
                question.line(ANSWERS.get(question.kind) or question.default or question.options[0].value)
                for question in open_questions(waiting, mage)
                if question.required
            )
            for mage in waiting.owing
        }
        answer = advance(waiting, sheets, dice)
    return answer


def write_turn(
    before: State, done: Done, sheets: dict[str, Sheet], dice: KeyedDice, names: dict[str, str], number: int
) -> Record:
    read = dict(facts.read_deeds(before, done, names))
    lost = read["anti-spelled"]
    assert isinstance(lost, frozenset)
    outcomes = read["outcomes"]
    assert isinstance(outcomes, tuple)
    spells = [write_cast(done, outcome) for outcome in outcomes]
    gestures = {mage: list(made) for mage, made in done.record.gestures.items()}
    drawn = {(thrown["purpose"], thrown["who"]): thrown["picked"] for thrown in dice.rolls}
    return {
        "turn": number,
        "extra": {"": None, "H": "haste", "T": "timestop"}[before.extra],
        "acting": list(before.movers),
        "orders": {mage: write_orders(mage, sheet, gestures[mage], spells) for mage, sheet in sheets.items()},
        "gestures": gestures,
        "spells": spells,
        "anti_spelled": sorted(lost),
        "random": {
            "confusion": {
                who: {"hand": HANDS[hand], "gesture": drawn["confused gesture", who]}
                for (purpose, who), hand in drawn.items()
                if purpose == "confused hand"
            },
            "picks": [
                {"for": names[who], "picked": names.get(victim, victim), "kind": "any"}
                for (purpose, who), victim in drawn.items()
                if purpose == "confused monster"
            ],
        },
        "after": write_after(done.state, names),
    }


def write_orders(mage: str, sheet: Sheet, made: list[str], spells: list[Record]) -> Record:
    mine = [cast for cast in spells if cast["caster"] == mage]
    hand_of = {id(cast): "left" if cast["hand"] == "both" else cast["hand"] for cast in mine}
    return {
        "lh": sheet.left or made[0],
        "rh": sheet.right or made[1],
        "choose": {hand_of[id(cast)]: cast["spell"] for cast in mine},
        "target": {hand_of[id(cast)]: cast["target"] for cast in mine},
    }


def write_cast(done: Done, written: str) -> Record:
    head, _, outcome = written.rpartition(": ")
    caster, hand, slug, _, target = head.split(" ")
    if slug == "summon-elemental":
        slug = "summon-fire-elemental" if "FireElemental" in done.state.monsters else "summon-ice-elemental"
    aimed: Any = None if target == "nobody" else target
    if ":" in target:
        aimed = {"hand_of": target.partition(":")[2], "hand": HANDS[target.partition(":")[0]]}
    return {
        "caster": caster,
        "hand": HANDS[hand],
        "spell": slug,
        "target": aimed,
        "outcome": ENDS.get(outcome, "cast"),
    }


def write_after(state: State, names: dict[str, str]) -> Record:
    wizards = {
        wizard.name: {
            "hp": wizard.hp,
            "alive": wizard.name not in state.out,
            "surrendered": wizard.surrendered,
            "enchantments": write_enchantments(wizard),
            "paralysed_by": wizard.paralyser if "paralysed" in wizard.marks else None,
            "charmed_by": wizard.controller if "charmed" in wizard.marks else None,
            "store": None
            if wizard.bank is None
            else {"spell": facts.slugify(wizard.bank[0]), "target": names.get(wizard.bank[1], wizard.bank[1])},
        }
        for wizard in state.wizards.values()
    }
    monsters = [
        {
            "id": names[monster.name],
            "type": TYPES.get(monster.kind, monster.kind.lower()),
            "hp": monster.hp,
            "owner": None if monster.controller in ("none", "nobody") else monster.controller,
            "target": None if monster.target in ("none", "nobody") else names.get(monster.target, monster.target),
            "enchantments": write_enchantments(monster),
        }
        for monster in state.monsters.values()
    ]
    return {"wizards": wizards, "monsters": monsters}


def write_enchantments(being: Any) -> dict[str, object]:
    lasting = facts.read_lasting(being, frozenset())
    return {SLUGS.get(name, name.replace("_", "-")): count for name, count in lasting.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_random_games_pass_and_a_wrong_hit_point_does_not(ruleset: str) -> None:
    played = [record for seed in range(GAMES) if (record := play(ruleset, seed))]
    assert len(played) > GAMES // 3
    for record in played:
        kept = json.loads(json.dumps(record))
        assert replay_record(File(record["id"], kept), None).difference is None
        record["turns"][0]["after"]["wizards"]["Ash"]["hp"] += 7
        assert not replay_record(File(record["id"], record), None).passed
