"""Reads games that another open engine played over its own test orders (format 1, `wl-` and `sb-`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance import neutral_records as neutral
from tests.conformance.records import Chance, RecordedGame, RecordedTurn, StartingScores

# Its rulesets by our names.
RULESETS = {"warlocks-parafc-maladroit": "warlocks-parafc-maladroit", "spellbinder": "waving-hands"}

# Counts that are not compared, by ruleset: there the engine itself departs from the documents that the ruleset is of.
# What follows from a count, such as a blow that a Protection stops, is compared all the same.
UNCOUNTED = {
    "spellbinder": {
        "protection": ("shield", "the turns of Protection, which it ends a turn early (001: this turn and three more)"),
        "disease": ("disease", "the turns of Disease, which it lets last a turn more (001: six with that of casting)"),
        "poison": ("poison", "the turns of Poison, which it lets last a turn more (001: six with that of casting)"),
    }
}
SICKNESSES = ("disease", "poison")
WHOM_SICKNESS_KILLS = "a sick mage dies a turn later there, a sick monster at once (001: both in the sixth turn)"


def is_spellweavers_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and data.get("ruleset") in RULESETS and "asserted_at_end" in data


def read_spellweavers_record(data: Mapping[str, Any]) -> RecordedGame:
    mages = tuple(wizard["name"] for wizard in data["wizards"])
    turns = data["turns"]
    played = _count_comparable(data)
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
        turns=tuple(_read_turn(data, at, labels[at], mages) for at in range(played)),
        ending=neutral.read_ending(data["result"]) if played == len(turns) else {},
        excepted=_why_excepted(data),
        left_out=tuple(_list_left_out(data, played)),
    )


def _list_left_out(data: Mapping[str, Any], played: int) -> Iterator[str]:
    yield from (f"not compared: {reason}" for _, reason in _find_uncounted(data))
    if played < len(data["turns"]):
        yield f"not compared from its turn {data['turns'][played]['turn']} on: {WHOM_SICKNESS_KILLS}"


def _count_comparable(data: Mapping[str, Any]) -> int:
    """How many turns there are before a sickness kills, where the engine departs from the documents in that."""
    turns = data["turns"]
    if data["ruleset"] not in UNCOUNTED:
        return len(turns)
    return next((at for at, turn in enumerate(turns) if _sickness_kills(turn)), len(turns))


def _sickness_kills(turn: Mapping[str, Any]) -> bool:
    """A mage by the documents in this turn, by that engine in the next; a monster by that engine at once."""
    counts = [bearer["enchantments"].get(sickness) for bearer in _bearers(turn) for sickness in SICKNESSES]
    struck = [cast["target"] for cast in turn["spells"] if cast["spell"] in SICKNESSES and cast["outcome"] == "cast"]
    return 1 in counts or any(isinstance(name, dict) or (name and neutral.is_monster(name)) for name in struck)


def _find_uncounted(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The enchantments of this game whose counts are not compared, each with the reason."""
    there = {name for turn in data["turns"] for bearer in _bearers(turn) for name in bearer["enchantments"]}
    return [left_out for name, left_out in UNCOUNTED.get(data["ruleset"], {}).items() if name in there]


def _bearers(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    after = turn["after"]
    return [one for one in (*after["wizards"].values(), *after["monsters"]) if one.get("enchantments")]


def _why_excepted(data: Mapping[str, Any]) -> str | None:
    teams = [wizard["team"] for wizard in data["wizards"]]
    return "its mages fight in teams, which no ruleset here has" if len(set(teams)) < len(teams) else None


def _read_turn(data: Mapping[str, Any], at: int, label: str, mages: tuple[str, ...]) -> RecordedTurn:
    turns = data["turns"]
    turn = turns[at]
    uncounted = frozenset(name for name, _ in _find_uncounted(data))
    over = data["result"]["finished"] and at == len(turns) - 1
    return RecordedTurn(
        label=label,
        orders={mage: neutral.write_orders(turns, at, mage) for mage in mages},
        late=(),
        chance=_read_chance(turn.get("random", {}), mages),
        facts={**dict(neutral.read_deeds(turns, at)), **dict(neutral.read_state(turn, last=over, uncounted=uncounted))},
        answers={mage: neutral.write_answers(turns, at, mage) for mage in mages},
        newborn=neutral.newborn_of(turns, at),
        uncounted=uncounted,
    )


def _read_chance(random: Mapping[str, Any], mages: tuple[str, ...]) -> Chance:
    drawn = random.get("confusion", {})
    return Chance(
        confusion={mage: (neutral.HANDS[one["hand"]], one["gesture"]) for mage, one in drawn.items()},
        paralysis=dict.fromkeys(mages, "RH"),  # the hand that it takes when nobody says which
        opponents={pick["for"]: pick["picked"] for pick in random.get("picks", ())},
    )
