"""Reads games that another open engine played over its own test orders (format 1, `wl-` and `sb-`)."""

from collections.abc import Mapping
from typing import Any

from tests.conformance import neutral_records as neutral
from tests.conformance import spellbinder_departures as departures
from tests.conformance import warlocks_departures
from tests.conformance.records import Chance, RecordedGame, RecordedTurn, StartingScores

# Its rulesets by our names.
RULESETS = {"warlocks-parafc-maladroit": "warlocks-parafc-maladroit", "spellbinder": "waving-hands"}


def is_spellweavers_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and data.get("ruleset") in RULESETS and "asserted_at_end" in data


def read_spellweavers_record(data: Mapping[str, Any]) -> RecordedGame:
    mages = tuple(wizard["name"] for wizard in data["wizards"])
    uncounted, left_out = frozenset[str](), tuple[str, ...]()
    if data["ruleset"] == "spellbinder":
        left_out = tuple(departures.list_left_out(data))
        uncounted = frozenset(name for name, _ in departures.find_uncounted(data))
        played, why = departures.find_parting(data)
        data = {**data, "turns": departures.fill_in_defaults(data)[0]}
    else:
        played, why = warlocks_departures.find_parting(data)
    turns = data["turns"]
    if why:
        left_out = (*left_out, f"not compared from its turn {turns[played]['turn']} on: {why}")
    labels = list(neutral.write_labels(turns))
    nothing = dict.fromkeys(mages, 0)
    return RecordedGame(
        id=data["id"],
        ruleset=RULESETS[data["ruleset"]],
        book=None,
        mages=mages,
        practice=True,
        colours=0,
        scores=StartingScores(duel=nothing, melee=nothing),
        turns=tuple(_read_turn(data, at, labels[at], uncounted) for at in range(played)),
        ending=neutral.read_ending(data["result"]) if played == len(turns) else {},
        excepted=_why_excepted(data),
        left_out=left_out,
    )


def _why_excepted(data: Mapping[str, Any]) -> str | None:
    teams = [wizard["team"] for wizard in data["wizards"]]
    return "its mages fight in teams, which no ruleset here has" if len(set(teams)) < len(teams) else None


def _read_turn(data: Mapping[str, Any], at: int, label: str, uncounted: frozenset[str]) -> RecordedTurn:
    turns = data["turns"]
    turn = turns[at]
    mages = tuple(turn["after"]["wizards"])
    over = data["result"]["finished"] and at == len(turns) - 1
    return RecordedTurn(
        label=label,
        orders={mage: neutral.write_orders(turns, at, mage) for mage in mages},
        late=(),
        chance=_read_chance(turn.get("random", {}), mages),
        facts={**dict(neutral.read_deeds(turns, at)), **dict(neutral.read_state(turn, last=over, uncounted=uncounted))},
        answers={mage: {**_aim_stabs(turn, mage), **neutral.write_answers(turns, at, mage)} for mage in mages},
        newborn=neutral.newborn_of(turns, at),
        uncounted=uncounted,
    )


def _aim_stabs(turn: Mapping[str, Any], mage: str) -> dict[str, str]:
    """Where a stab without a target is asked about here and drawn by lot there: the lot."""
    drawn = {pick["for"]: pick["picked"] for pick in turn.get("random", {}).get("picks", ())}
    hands = zip(("LH", "RH"), turn["gestures"].get(mage, ()), strict=False)
    return {f"TARGET {hand}": drawn[mage] for hand, gesture in hands if gesture == ">" and mage in drawn}


def _read_chance(random: Mapping[str, Any], mages: tuple[str, ...]) -> Chance:
    drawn = random.get("confusion", {})
    return Chance(
        confusion={mage: (neutral.HANDS[one["hand"]], one["gesture"]) for mage, one in drawn.items()},
        paralysis=dict.fromkeys(mages, "RH"),  # the hand that it takes when nobody says which
        opponents={pick["for"]: pick["picked"] for pick in random.get("picks", ())},
    )
