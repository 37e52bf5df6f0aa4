"""Reads the two printed example games: gestures played, spells cast, and hit points after every turn.

The printed games show results, not orders. So this module infers the orders: the gestures played (or, if chance
replaced one, the gesture ordered), a choice if the series leave one, and every target by name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.conformance.records import Chance, RecordedGame, RecordedTurn, StartingScores

HANDS = {"L": "LH", "R": "RH", "B": "BH"}

# The printed comment about the result of a spell -> the server's token for it.
EFFECTS = {
    "works": "DoSpell",
    "shielded": "DoSpell",  # a missile flies and is then stopped by the shield
    "countered": "Countering",
    "reflected": "Reflecting DoSpell",
    "dispelled": "Dispelled",
}
STAB_AT_MONSTER = re.compile(r"(\w+) stabs the (\w+) with the (left|right) hand")
FORCED_TO_REPEAT = re.compile(r"(\w+) is forced to repeat")


def is_seed_record(data: Mapping[str, Any]) -> bool:
    return "format" not in data and "ruleset" in data and any("hpAfter" in turn for turn in data.get("turns", ()))


def read_seed_record(data: Mapping[str, Any]) -> RecordedGame:
    mages = tuple(wizard["name"] for wizard in data["wizards"])
    turns = tuple(_read_turn(turn, mages) for turn in data["turns"])
    nothing = dict.fromkeys(mages, 0)
    return RecordedGame(
        id=data["id"],
        ruleset=data["ruleset"],
        book=None,
        mages=mages,
        practice=False,
        colours=0,
        scores=StartingScores(duel=nothing, melee=nothing),
        turns=turns,
        ending=_read_ending(data["result"], mages),
    )


def _read_turn(turn: Mapping[str, Any], mages: tuple[str, ...]) -> RecordedTurn:
    return RecordedTurn(
        label=str(turn["turn"]),
        orders={mage: tuple(_write_orders(turn, mage)) for mage in mages},
        late=(),
        chance=_read_chance(turn.get("orders", {})),
        facts=dict(_read_facts(turn)),
    )


def _write_orders(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    comments = turn.get("other", ())
    if mage not in {found[1] for comment in comments if (found := FORCED_TO_REPEAT.search(comment))}:
        for hand, gesture in _gestures_ordered(turn, mage).items():
            yield f"{HANDS[hand]} {gesture}"
    for cast in turn["casts"]:
        if cast["by"] == mage:
            yield from _write_cast(cast, turn.get("possible", {}).get(mage, ()))
    for comment in comments:
        found = STAB_AT_MONSTER.search(comment)
        if found and found[1] == mage:
            yield f"TARGET {found[3][0].upper()}H @{found[2].capitalize()}"
    yield from _write_paralyze(turn.get("orders", {}).get("paralyze"), mage)


def _gestures_ordered(turn: Mapping[str, Any], mage: str) -> dict[str, str]:
    """The gestures that the mage ordered: those played, unless an enchantment replaced one."""
    orders = turn.get("orders", {})
    made = {hand: gesture.strip("()") for hand, gesture in turn["gestures"][mage].items()}
    made.update(orders.get("written", {}).get(mage, {}))
    held = orders.get("paralyze")
    if held and held["victim"] == mage:
        made[held["hand"]] = held["was"]
    return made


def _write_cast(cast: Mapping[str, Any], possible: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """CHOOSE if the gestures leave a choice, and the target by name."""
    series = [found for found in possible if found["spell"] == cast["spell"]]
    hand = "BH" if any(map(_is_two_handed, series)) else HANDS[cast["hand"]]
    rivals = [found for found in possible if found["spell"] != cast["spell"]]
    if any(hand == "BH" or _is_two_handed(found) or HANDS[found["hand"]] == hand for found in rivals):
        yield f"CHOOSE {hand} {_plain(cast['spell'])}"
    if cast["target"]:
        yield f"TARGET {hand} {cast['target']}"


def _is_two_handed(found: Mapping[str, Any]) -> bool:
    """Tell by the small last letter of its series: the printed games are inconsistent about the hand."""
    return str(found["series"]).rstrip()[-1].islower()


def _write_paralyze(held: Mapping[str, Any] | None, mage: str) -> Iterator[str]:
    if held and held["by"] == mage:
        yield f"PARALYZE {HANDS[held['hand']]} {held['victim']}"


def _read_chance(orders: Mapping[str, Any]) -> Chance:
    drawn = orders.get("confusion")
    return Chance(confusion={drawn["victim"]: (HANDS[drawn["hand"]], drawn["rolled"])} if drawn else {})


def _read_facts(turn: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for mage, made in turn["gestures"].items():
        yield f"{mage} gestures", f"{made['L'].strip('()')}/{made['R'].strip('()')}"
    yield "casts", tuple(sorted(_write_effect(cast) for cast in turn["casts"]))
    for mage, points in turn["hpAfter"].items():
        yield f"{mage} hit points", points


def _write_effect(cast: Mapping[str, Any]) -> str:
    effect = EFFECTS[cast["effect"]] if cast["target"] else "Cast"
    return f"{cast['by']} {_plain(cast['spell']).lower()}: {effect}"


def _plain(spell: str) -> str:
    return spell.removesuffix(" (short)")


def _read_ending(result: Mapping[str, Any], mages: tuple[str, ...]) -> dict[str, object]:
    dead = frozenset(result.get("dead", ()))
    return {
        "finished": True,
        "winners": frozenset({result["winner"]}),
        "reason": "kill" if dead else "surrender",
        "scores": {
            mage: None if mage in dead else {"duel": int(mage == result["winner"]), "melee": 0} for mage in mages
        },
    }
