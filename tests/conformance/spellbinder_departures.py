"""Where the other engine's `spellbinder` leaves the documents of `waving-hands` (001, 003), and how far it is compared.

It is a defect of that engine each time; nothing here touches what our rules do. What is left out is named with the
verdict of each game: a count of turns, a default target, or all turns from the one on in which the games part.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.conformance import neutral_records as neutral
from tests.conformance.warlocks_departures import SUICIDE, is_suicide

Json = Mapping[str, Any]

# Their enchantment -> the name of its count here, and what is left out. What follows from a count is compared.
COUNTS = {
    "protection": ("shield", "the turns of Protection, which it ends a turn early (001: this turn and three more)"),
    "disease": ("disease", "the turns of Disease, which it lets last a turn more (001: six with that of casting)"),
    "poison": ("poison", "the turns of Poison, which it lets last a turn more (001: six with that of casting)"),
}
# Spells whose default target is another there: the one it took is put into the orders.
DEFAULTS = {
    "remove-enchantment": "the default target of Remove Enchantment, there the opponent (001: a protection: oneself)",
    "raise-dead": "the default target of Raise Dead, there nobody (001: a protection: oneself)",
}
SICKNESSES = ("disease", "poison")
DEADLY = "a sick mage dies a turn later there, a sick monster at once (001: both in the sixth turn)"
STUNNING = ("paralysis", "amnesia")
HASTENED = "a hastened mage has a turn of his own there, and at once (001: two pairs of gestures from the next turn on)"
STUNNED = "a monster under Paralysis or Amnesia is stunned at once there (001: in the turn after)"

CHARMED = "a monster charmed as it comes strikes its new master there (001: his opponent)"


def find_uncounted(record: Json) -> list[tuple[str, str]]:
    """The enchantments of this game whose counts are not compared, each with the reason."""
    there = {name for turn in record["turns"] for bearer in _bearers(turn) for name in bearer["enchantments"]}
    return [left_out for name, left_out in COUNTS.items() if name in there]


def find_parting(record: Json) -> tuple[int, str | None]:
    """How many turns of the game can be compared, and why no more."""
    hastened = [turn["extra"] == "haste" for turn in record["turns"]]
    for at, turn in enumerate(record["turns"]):
        if any(hastened[at + 1 : at + 2]):
            return at, HASTENED
        if _is_deadly(turn):
            return at, DEADLY
        if _is_aimed_at_monster(turn, STUNNING):
            return at, STUNNED
        if _is_charmed_newborn(turn):
            return at, CHARMED
        if is_suicide(turn):
            return at, SUICIDE
    return len(record["turns"]), None


def fill_in_defaults(record: Json) -> tuple[list[dict[str, Any]], list[str]]:
    """The turns with the targets that were taken by default, and what is left out thereby."""
    turns, left_out = [], []
    for turn in record["turns"]:
        orders = {mage: dict(given) for mage, given in turn["orders"].items()}
        for cast in turn["spells"]:
            if cast["spell"] in DEFAULTS and not cast.get("stored") and not orders[cast["caster"]].get("target"):
                hand = "left" if cast["hand"] == "both" else cast["hand"]
                orders[cast["caster"]]["target"] = {hand: cast["target"]}
                left_out.append(DEFAULTS[cast["spell"]])
        turns.append({**turn, "orders": orders})
    return turns, left_out


def list_left_out(record: Json) -> Iterator[str]:
    """What of the turns of this game that are compared is not."""
    for reason in dict.fromkeys([*(reason for _, reason in find_uncounted(record)), *fill_in_defaults(record)[1]]):
        yield f"not compared: {reason}"


def _is_deadly(turn: Json) -> bool:
    """A mage dies by the documents in this turn, there in the next; a monster there at once."""
    counts = [bearer["enchantments"].get(sickness) for bearer in _bearers(turn) for sickness in SICKNESSES]
    return 1 in counts or _is_aimed_at_monster(turn, SICKNESSES)


def _is_charmed_newborn(turn: Json) -> bool:
    charms = [cast for cast in turn["spells"] if cast["spell"] == "charm-monster" and cast["outcome"] == "cast"]
    came = [[cast["target"]["hand_of"], cast["target"]["hand"]] for cast in charms if isinstance(cast["target"], dict)]
    turned = [one for one in turn["after"]["monsters"] if one["owner"] and one["owner"] == one["target"]]
    return any(one["summoned_by"] in came for one in turned)


def _is_aimed_at_monster(turn: Json, spells: tuple[str, ...]) -> bool:
    struck = [cast["target"] for cast in turn["spells"] if cast["spell"] in spells and cast["outcome"] == "cast"]
    return any(isinstance(name, dict) or (name and neutral.is_monster(name)) for name in struck)


def _bearers(turn: Json) -> list[Json]:
    after = turn["after"]
    return [one for one in (*after["wizards"].values(), *after["monsters"]) if one.get("enchantments")]
