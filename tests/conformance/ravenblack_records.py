"""Reads real games of the Warlocks site, as its pages showed them (format 1, `rb-`).

The pages show what the hands played, not the orders. The gestures of an unseen mage are only partly known: such turns
are not compared, and the replay continues from what the next page shows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.conformance import neutral_records as neutral
from tests.conformance.comparison import Excuse, weigh
from tests.conformance.completion import complete
from tests.conformance.newborn import newborn_of
from tests.conformance.records import Chance, Guess, RecordedGame, RecordedTurn, StartingScores

PERMANENT_KINDS = {"haste", "protection", "paralysis", "amnesia", "maladroitness", "confusion", "fear", "charm-person"}
PERMANENT_KINDS |= {"blindness", "invisibility", "permanency", "delayed-effect"}
UNTRUSTED = "hit points that disagree with the site's own last figure"
UNSEEN = "turns in which a mage was unseen"
SLOTS = ("LH", "RH", "BH")


def is_ravenblack_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and data.get("ruleset") == "warlocks"


def name_ruleset(options: Mapping[str, str]) -> str:
    """The ruleset of a game's options: `warlocks`, `warlocks-parafc`, `warlocks-parafdf-maladroit`, ..."""
    paralysis = {"CF": "", "FC": "-parafc", "FDF": "-parafdf"}[options.get("paralysis") or "CF"]
    return f"warlocks{paralysis}{'-maladroit' if options.get('dsf') == 'maladroitness' else ''}"


def read_ravenblack_record(record: Mapping[str, Any]) -> RecordedGame:
    data = complete(record)
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
        turns=tuple(_read_turn(data, turns, at, labels) for at in range(len(turns))),
        ending={**neutral.read_ending(data), **_read_reported(data)},
        left_out=tuple(_list_left_out(data)),
        skipped=data["incomplete"],
        hit_points=neutral.find_starting_points(data),
    )


def _read_reported(data: Mapping[str, Any]) -> dict[str, object]:
    """The hit points of the remaining mages in the site's block at the end."""
    if not data["hp_trusted"] or not data["turns"] or _is_unseen(data["turns"][-1]):
        return {}
    reported = {name: one for name, one in (data.get("reported_at_end") or {}).items() if one and one.get("alive")}
    return {f"{name} hit points": one["hp"] for name, one in reported.items() if one.get("hp") is not None}


def _list_left_out(data: Mapping[str, Any]) -> Iterator[str]:
    unseen = [str(turn["turn"]) for turn in data["turns"] if _is_unseen(turn)]
    if unseen:
        yield f"{UNSEEN} are not compared: {', '.join(unseen)}"
    if not data["hp_trusted"]:
        yield f"not compared: {UNTRUSTED}"
    for turn in data["turns"]:
        if _list_absent(turn):
            yield f"in its turn {turn['turn']} {' and '.join(_list_absent(turn))} sent no orders: the hands wait"


def _list_absent(turn: Mapping[str, Any]) -> tuple[str, ...]:
    """The mages who did not act in a turn for all."""
    alive = [name for name, wizard in turn["after"]["wizards"].items() if wizard["alive"]]
    shown = {*turn["acting"], *(name for name in turn.get("shown", turn["gestures"]))}
    return () if turn["extra"] else tuple(name for name in alive if name not in shown)


def _is_unseen(turn: Mapping[str, Any]) -> bool:
    return any(neutral.list_hidden(turn))


def _fill_in(turn: Mapping[str, Any]) -> dict[str, Any]:
    """The turn with gestures inferred from later casts, or nothing if that fails."""
    gestures = dict(turn["gestures"])
    for mage in turn.get("hidden") or ():
        told = gestures.get(mage) or (None, None)
        deduced = (turn.get("deduced") or {}).get(mage) or (None, None)
        gestures[mage] = [one or other or "-" for one, other in zip(deduced, told, strict=True)]
    made = {mage: [hand or "-" for hand in gestures.get(mage, ("-", "-"))] for mage in turn["after"]["wizards"]}
    gestures = {mage: hands for mage, hands in made.items() if mage in turn["acting"] or mage in gestures}
    return {**turn, "gestures": gestures, "shown": list(turn["gestures"])}


def _read_turn(data: Mapping[str, Any], turns: list[dict[str, Any]], at: int, labels: Sequence[str]) -> RecordedTurn:
    turn = turns[at]
    mages = tuple(turn["after"]["wizards"])
    over = data["result"]["finished"] and at == len(turns) - 1
    facts = {**dict(neutral.read_deeds(turns, at)), **dict(neutral.read_state(turns, at, last=over))}
    facts.pop("outcomes", None)  # the page shows effects, not why a spell failed
    if not turn["anti_spelled"]:
        del facts["anti-spelled"]
    if not all(any(_write_permanent(turn, made["by"])) for made in turn["made_permanent"] if made.get("by")):
        facts.pop("made permanent by", None)  # nothing from which the spell could be inferred
    unseen = _is_unseen(turn)
    return RecordedTurn(
        label=labels[at],
        orders={
            mage: (
                *neutral.write_orders(turns, at, mage),
                *_write_rule_of_hands(turn, mage),
                *_write_permanent(turn, mage),
                *_write_delay(turn, mage),
            )
            for mage in mages
        },
        late=(),
        chance=_read_chance(turn),
        facts={} if unseen else facts,
        answers={mage: neutral.write_answers(turns, at, mage) for mage in mages},
        newborn=newborn_of(turns, at),
        uncounted=neutral.find_uncounted(turns, at),
        absent=_list_absent(turn),
        unseen=unseen,
        standing=turn["after"],
        excuses=() if data["hp_trusted"] else (Excuse(HIT_POINTS, UNTRUSTED),),
        skipped={UNSEEN: sum(map(weigh, facts.values()))} if unseen else neutral.count_skipped(turns, at),
        follows=neutral.follow(turns, at, labels),
        guesses=tuple(_guess_powers(turn)),
        hidden=tuple(neutral.list_hidden(turn)),
        unknown_hands={mage: tuple(_list_unknown_hands(data["turns"][at], mage)) for mage in turn.get("hidden") or ()},
    )


# The remaining hit points of a mage or a creature, and deaths.
HIT_POINTS = re.compile(r"\S+ (hit points|harm|standing|surrendered)|monsters")


def _list_unknown_hands(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    told = (turn.get("deduced") or {}).get(mage) or (None, None)
    known = turn["gestures"].get(mage) or (None, None)
    yield from (hand for hand, one, other in zip(SLOTS, told, known, strict=False) if not (one or other))


def _guess_powers(turn: Mapping[str, Any]) -> Iterator[Guess]:
    """The possible hands of a Delay Effect, a Permanency or a held hand, if none is shown."""
    for mage, orders in turn["orders"].items():
        for power in ("delay", "permanent"):
            if power in orders and orders[power] is None:
                yield from (Guess(mage, (f"{power.upper()} {hand}",)) for hand in SLOTS)
        for forced in orders.get("forced", ()):
            if forced["by"] == "paralysed" and not forced.get("hand"):
                others = [other for other in turn["acting"] if other != mage]
                yield from (Guess(other, (f"PARALYZE {hand} {mage}",)) for other in others for hand in SLOTS[:2])


def _write_delay(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    """The hand whose spell was banked: recorded, or the one that shows that spell, or the one that shows none."""
    if (turn["orders"].get(mage) or {}).get("delay"):
        return
    for banked in turn["banked"]:
        if mage != (banked["who"] or mage):
            continue
        casts = [cast for cast in turn["spells"] if cast["caster"] == mage and not cast.get("stored")]
        fitting = [cast["hand"] for cast in casts if cast["spell"] == banked.get("spell") and cast["hand"]]
        hand = banked.get("hand") or next(iter(fitting), None)
        if hand is None:
            busy = {cast["hand"] for cast in casts}
            free = [hand for hand in ("left", "right") if hand not in busy]
            hand = "both" if len(free) == 2 and turn["gestures"].get(mage) == ["C", "C"] else (free or ["right"])[0]
        yield f"DELAY {neutral.HANDS[hand]}"
        if banked.get("spell") and not fitting:
            yield f"CHOOSE {neutral.HANDS[hand]} {banked['spell']}"
        return


def _write_rule_of_hands(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    """The page shows whose hand was held or directed but not by whom: it was the mage with the right to do so."""
    for victim, orders in turn["orders"].items():
        if victim == mage:
            continue
        made = dict(zip(("left", "right"), turn["gestures"].get(victim, ("-", "-")), strict=True))
        for forced in orders.get("forced", ()):
            hand = forced.get("hand")
            if hand and forced["by"] == "paralysed":
                yield f"PARALYZE {neutral.HANDS[hand]} {victim}"
            elif hand and forced["by"] == "charmed":
                yield f"DIRECT {neutral.HANDS[hand]} {made[hand]} {victim}"


def _write_permanent(turn: Mapping[str, Any], mage: str) -> Iterator[str]:
    """The page shows that a spell was made permanent, but not which: only a few kinds are possible."""
    if any(made.get("by") == mage for made in turn.get("made_permanent", ())):
        for cast in turn["spells"]:
            if cast["caster"] == mage and cast["spell"] in PERMANENT_KINDS and cast["hand"]:
                yield f"PERMANENT {neutral.HANDS[cast['hand']]}"
                return


def _read_chance(turn: Mapping[str, Any]) -> Chance:
    confusion, paralysis = {}, {}
    attacked = {event["by"]: event["who"] for event in turn["events"] if event.get("by") and event.get("who")}
    for mage, orders in turn["orders"].items():
        made = dict(zip(("left", "right"), turn["gestures"].get(mage, ("-", "-")), strict=True))
        for forced in orders.get("forced", ()):
            hand = forced.get("hand") or "left"
            if forced["by"] in ("confused", "confused-same"):
                confusion[mage] = (neutral.HANDS[hand], made[hand])
            elif forced["by"] == "paralysed":
                paralysis[mage] = neutral.HANDS[hand]
    for mage in neutral.list_hidden(turn):  # for unseen mages, the page shows the gestures after Confusion
        made = zip(("LH", "RH"), turn["gestures"].get(mage, ()), strict=False)
        confusion.setdefault(mage, next(((hand, one) for hand, one in made if one not in "->"), ("LH", "P")))
    attacks = {monster: victim for monster, victim in attacked.items() if neutral.is_monster(monster)}
    return Chance(confusion=confusion, paralysis=paralysis, monster_targets=attacks)
