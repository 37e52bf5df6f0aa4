"""Reads real games of the Warlocks site, as far as its pages told them (format 1, `rb-`).

The pages show what the hands made, not what was ordered. What a mage made while unseen is known in part only: in such
turns nothing is compared, and the replay goes on from what the next page shows.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance import neutral_records as neutral
from tests.conformance.records import Chance, RecordedGame, RecordedTurn, StartingScores

PERMANENT_KINDS = {"haste", "protection", "paralysis", "amnesia", "maladroitness", "confusion", "fear", "charm-person"}
PERMANENT_KINDS |= {"blindness", "invisibility", "permanency", "delayed-effect"}
UNTRUSTED = "its hit points, summed up from the page, disagree with the site's own last figure"
UNSEEN = "turns in which a mage was unseen are not compared: "


def is_ravenblack_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and data.get("ruleset") == "warlocks" and "options" in data


def name_ruleset(options: Mapping[str, str]) -> str:
    """The ruleset of a game's options: `warlocks`, `warlocks-parafc`, `warlocks-parafdf-maladroit`, ..."""
    paralysis = {"CF": "", "FC": "-parafc", "FDF": "-parafdf"}[options["paralysis"]]
    return f"warlocks{paralysis}{'-maladroit' if options['dsf'] == 'maladroitness' else ''}"


def read_ravenblack_record(data: Mapping[str, Any]) -> RecordedGame:
    mages = tuple(wizard["name"] for wizard in data["wizards"])
    turns = [_fill_in(turn) for turn in data["turns"]]
    labels = list(neutral.write_labels(turns))
    nothing = dict.fromkeys(mages, 0)
    return RecordedGame(
        id=data["id"],
        ruleset=name_ruleset(data["options"]),
        book=None,
        mages=mages,
        practice=True,
        colours=0,
        scores=StartingScores(duel=nothing, melee=nothing),
        turns=tuple(_read_turn(data, turns, at, labels[at]) for at in range(len(turns))),
        ending=neutral.read_ending(data["result"]),
        excepted=None if data["hp_trusted"] else UNTRUSTED,
        left_out=tuple(_list_left_out(data)),
    )


def _list_left_out(data: Mapping[str, Any]) -> Iterator[str]:
    unseen = [str(turn["turn"]) for turn in data["turns"] if _is_unseen(turn)]
    if unseen:
        yield UNSEEN + ", ".join(unseen)
    for turn in data["turns"]:
        if _list_absent(turn):
            yield f"in its turn {turn['turn']} {' and '.join(_list_absent(turn))} sent no orders: the hands wait"


def _list_absent(turn: Mapping[str, Any]) -> tuple[str, ...]:
    """Who did not act in a turn for all."""
    alive = [name for name, wizard in turn["after"]["wizards"].items() if wizard["alive"]]
    return () if turn["extra"] else tuple(name for name in alive if name not in turn["acting"])


def _is_unseen(turn: Mapping[str, Any]) -> bool:
    return "hidden" in turn or "casts_hidden" in turn


def _fill_in(turn: Mapping[str, Any]) -> dict[str, Any]:
    """The turn with the gestures that later castings gave away, and nothing where even they did not."""
    gestures = dict(turn["gestures"])
    for mage in turn.get("hidden", ()):
        left, right = turn.get("deduced", {}).get(mage, (None, None))
        gestures[mage] = [left or "-", right or "-"]
    made = {mage: [hand or "-" for hand in gestures.get(mage, ("-", "-"))] for mage in turn["after"]["wizards"]}
    gestures = {mage: hands for mage, hands in made.items() if mage in turn["acting"] or mage in gestures}
    return {**turn, "gestures": gestures}


def _read_turn(data: Mapping[str, Any], turns: list[dict[str, Any]], at: int, label: str) -> RecordedTurn:
    turn = turns[at]
    mages = tuple(turn["after"]["wizards"])
    over = data["result"]["finished"] and at == len(turns) - 1
    facts = {**dict(neutral.read_deeds(turns, at)), **dict(neutral.read_state(turn, last=over))}
    del facts["outcomes"]  # the page tells effects, not which spell failed why
    return RecordedTurn(
        label=label,
        orders={
            mage: (
                *neutral.write_orders(turns, at, mage),
                *_write_rule_of_hands(turn, mage),
                *_write_permanent(turn, mage),
            )
            for mage in mages
        },
        late=(),
        chance=_read_chance(turn),
        facts={} if _is_unseen(turn) else facts,
        answers={mage: neutral.write_answers(turns, at, mage) for mage in mages},
        newborn=neutral.newborn_of(turns, at),
        absent=_list_absent(turn),
        unseen=_is_unseen(turn),
        standing=turn["after"] if _is_unseen(turn) else {},
    )


def _write_rule_of_hands(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    """Who held a hand, or moved it, is not told, only whose: whoever has the right to it must have ordered it so."""
    for victim, orders in turn["orders"].items():
        if victim == mage:
            continue
        made = dict(zip(("left", "right"), turn["gestures"].get(victim, ("-", "-")), strict=True))
        for forced in orders.get("forced", ()):
            hand = forced["hand"]
            if hand and forced["by"] == "paralysed":
                yield f"PARALYZE {neutral.HANDS[hand]} {victim}"
            elif hand and forced["by"] == "charmed":
                yield f"DIRECT {neutral.HANDS[hand]} {made[hand]} {victim}"


def _write_permanent(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    """The page tells that a spell was made permanent, and not which: it can only be of a few kinds."""
    if any(made["by"] == mage for made in turn.get("made_permanent", ())):
        for cast in turn["spells"]:
            if cast["caster"] == mage and cast["spell"] in PERMANENT_KINDS:
                yield f"PERMANENT {neutral.HANDS[cast['hand']]}"
                return


def _read_chance(turn: Mapping[str, Any]) -> Chance:
    confusion, paralysis = {}, {}
    attacked = {event["by"]: event["who"] for event in turn["events"] if "by" in event and "who" in event}
    for mage, orders in turn["orders"].items():
        made = dict(zip(("left", "right"), turn["gestures"].get(mage, ("-", "-")), strict=True))
        for forced in orders.get("forced", ()):
            hand = forced["hand"] or "left"
            if forced["by"] in ("confused", "confused-same"):
                confusion[mage] = (neutral.HANDS[hand], made[hand])
            elif forced["by"] == "paralysed":
                paralysis[mage] = neutral.HANDS[hand]
    attacks = {monster: victim for monster, victim in attacked.items() if neutral.is_monster(monster)}
    return Chance(confusion=confusion, paralysis=paralysis, monster_targets=attacks)
