"""Reads games that another open engine played with its own test orders (format 1, `wl-` and `sb-`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance import departures
from tests.conformance import neutral_records as neutral
from tests.conformance.completion import complete
from tests.conformance.newborn import newborn_of
from tests.conformance.records import Chance, RecordedGame, RecordedTurn, StartingScores

# Its rulesets under our names.
RULESETS = {"warlocks-parafc-maladroit": "warlocks-parafc-maladroit", "spellbinder": "waving-hands"}
TEAMS = "who wins among teams, which no ruleset here has"
STOPPED = "how many spells were stopped: a count that does not tell which"
ASSERTED = "what its own tests assert at the end"
SUICIDE = "how a game ends in which a mage ends their own life by an order, which 001 does not know"


def is_spellweavers_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and data.get("ruleset") in RULESETS and "options" not in data


def read_spellweavers_record(record: Mapping[str, Any]) -> RecordedGame:
    data = complete(record)
    mages = tuple(wizard["name"] for wizard in data["wizards"])
    skipped: dict[str, int] = dict(data["incomplete"])
    if data["ruleset"] == departures.WAVING_HANDS:
        data["turns"], defaults = departures.fill_in_defaults(data["turns"])
        skipped |= defaults
    labels = list(neutral.write_labels(data["turns"]))
    nothing = dict.fromkeys(mages, 0)
    ending: Mapping[str, object] = neutral.read_ending(data)
    teams = {wizard["team"] for wizard in data["wizards"]}
    if len(teams) < len(mages):
        skipped |= {TEAMS: max(1, len(ending))}
        ending = {}
    if data["ruleset"] == departures.WAVING_HANDS and any(map(departures.has_suicide, data["turns"])):
        skipped |= {SUICIDE: max(1, len(ending))}
        ending = {}
    return RecordedGame(
        id=data["id"],
        ruleset=RULESETS[data["ruleset"]],
        book=None,
        mages=mages,
        practice=True,
        colours=0,
        scores=StartingScores(duel=nothing, melee=nothing),
        turns=tuple(_read_turn(data, labels, at) for at in range(len(data["turns"]))),
        ending={**ending, **dict(_read_asserted(data))},
        skipped=skipped,
        hit_points=neutral.find_starting_points(data),
    )


def _read_asserted(data: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Return the assertions of its own tests after the last turn, if the record is consistent with them."""
    wizards = data["turns"][-1]["after"]["wizards"] if data["turns"] else {}
    for one in data["asserted_at_end"]:
        if one["field"] == "hp" and wizards.get(one["who"], {}).get("alive"):
            yield f"{one['who']} hit points", one["value"]


def _read_turn(data: Mapping[str, Any], labels: list[str], at: int) -> RecordedTurn:
    turns = data["turns"]
    turn = turns[at]
    mages = tuple(turn["after"]["wizards"])
    over = data["result"]["finished"] and at == len(turns) - 1
    waving_hands = data["ruleset"] == departures.WAVING_HANDS
    return RecordedTurn(
        label=labels[at],
        orders={mage: neutral.write_orders(turns, at, mage) for mage in mages},
        late=(),
        chance=_read_chance(turn["random"], mages),
        facts={**dict(neutral.read_deeds(turns, at)), **dict(neutral.read_state(turns, at, last=over))},
        answers={mage: {**_aim_stabs(turn, mage), **neutral.write_answers(turns, at, mage)} for mage in mages},
        newborn=newborn_of(turns, at),
        uncounted=neutral.find_uncounted(turns, at),
        standing=turn["after"],
        excuses=tuple(departures.find_excuses(data["ruleset"], turns, at)),
        skipped=neutral.count_skipped(turns, at),
        follows=neutral.follow(turns, at, labels),
        always_follows=waving_hands and departures.follows_hastened(departures.Position(turns, at)),
    )


def _aim_stabs(turn: Mapping[str, Any], mage: str) -> dict[str, str]:
    """The random target of a stab without one, which is a question here."""
    drawn = {pick["for"]: pick["picked"] for pick in turn["random"].get("picks", ())}
    hands = zip(("LH", "RH"), turn["gestures"].get(mage, ()), strict=False)
    return {f"TARGET {hand}": drawn[mage] for hand, gesture in hands if gesture == ">" and mage in drawn}


def _read_chance(random: Mapping[str, Any], mages: tuple[str, ...]) -> Chance:
    drawn = random.get("confusion", {})
    return Chance(
        confusion={mage: (neutral.HANDS[one["hand"]], one["gesture"]) for mage, one in drawn.items()},
        paralysis=dict.fromkeys(mages, "RH"),  # the hand that it uses by default
        opponents={pick["for"]: pick["picked"] for pick in random.get("picks", ())},
    )
