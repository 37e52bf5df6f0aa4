"""Corrupts facts of recorded games, one at a time, and reports which corruptions the replay does not notice."""

import copy
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.conformance.errors import ConformanceError
from tests.conformance.files import Record, read_records
from tests.conformance.formats import replay_record

Path_ = tuple[str | int, ...]
GESTURES = "FPSWDC-"
# Parts of a record that are not facts of the game, by the first key of their place.
NO_FACTS = {
    "id", "format", "source", "policy", "mail_path_verified", "options", "ruleset", "spellbook", "practice", "type",
    "wizards", "monster_colours", "valid_turns", "unparsed", "other_assertions", "hp_trusted", "book",
}  # fmt: skip
# Why a corruption of such a place may be missed; the first word of its path in this table decides.
REASONS = {
    "orders": "an order that came to nothing, or to the same as the default",
    "summoned_by": "which hand made it, needed only to know one of two like creatures",
    "outcome": "the pages tell effects, not which spell failed why",
    "monster_targets": "an order to a creature, whose attack is compared",
    "monsters": "what a dead creature was",
    "late_orders": "an order that came to nothing, or to the same as the default",
    "random": "chance that the turn did not need",
    "events": "what a page reports is evidence of the rest, which is compared",
    "reported_at_end": "the site's own block, which repeats the last turn",
    "asserted_at_end": "repeats the last turn",
    "stopped": "a count that does not tell which spell was stopped",
    "during": "what came up in the turn itself; the rest of it is compared with the turn before",
    "hp_changes": "points given by other spells than cures",
    "deduced": "a gesture that made nothing",
    "pattern": "follows from the spell and its hand",
    "final_target": "told of spells that took effect only",
    "target": "of a spell that nobody can be the target of, or of a dead creature",
    "last_turn": "how many turns there are is seen by playing them",
}
OTHERWISE = "not compared"


def mutate_files(files: Sequence[Path], ruleset: str | None, count: int, seed: int) -> Iterator[str]:
    """Corrupts `count` facts, spread evenly over the records of the files; yields the lines of a report."""
    chance = random.Random(seed)
    records = [record for path in files for record in read_records(path)]
    records = [record for record in records if replay_record(record, ruleset).passed]
    missed: list[tuple[str, str]] = []
    tried = 0
    while records and tried < count:
        record = chance.choice(records)
        places = [place for place in _places(record.data) if place[0] not in NO_FACTS]
        place = chance.choice(places)
        corrupted = copy.deepcopy(record.data)
        said = _corrupt(corrupted, place, chance)
        if said is None:
            continue
        tried += 1
        if not _is_noticed(Record(record.place, corrupted), ruleset):
            missed.append((_reason(corrupted, place), f"{corrupted.get('id')}: {_write(place)}: {said}"))
    yield f"{tried - len(missed)} of {tried} corruptions were noticed"
    for reason, times in Counter(reason for reason, _ in missed).most_common():
        yield f"{times} missed: {reason}"
        yield from (f"    {told}" for why, told in missed if why == reason)


def _is_noticed(record: Record, ruleset: str | None) -> bool:
    try:
        return not replay_record(record, ruleset).passed
    except ConformanceError:
        return True


def _places(value: Any, place: Path_ = ()) -> Iterator[Path_]:
    """The place of every single value."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield place
        return
    for key, one in items:
        yield from _places(one, (*place, key))


def _corrupt(data: Any, place: Path_, chance: random.Random) -> str | None:
    """Puts another value of its kind in a place; returns what it did, or None if there is no other value."""
    holder = data
    for key in place[:-1]:
        holder = holder[key]
    was = holder[place[-1]]
    new = _another(data, was, chance)
    if new is None or new == was:
        return None
    holder[place[-1]] = new
    return f"{was!r} became {new!r}"


def _another(data: Any, was: Any, chance: random.Random) -> Any:
    if isinstance(was, bool):
        return not was
    if isinstance(was, int):
        return was + chance.choice((-1, 1))
    if not isinstance(was, str):
        return None
    if len(was) == 1:
        return chance.choice([gesture for gesture in GESTURES if gesture != was])
    names = [wizard["name"] for wizard in data["wizards"]]
    groups = (names, ["left", "right"], ["LH", "RH"], ["lightning-bolt", "amnesia", "shield"], ["Amnesia", "Shield"])
    group = next((group for group in groups if was in group), [*names, "shield"])
    return chance.choice([one for one in group if one != was])


def _reason(data: Any, place: Path_) -> str:
    turn = data["turns"][place[1]] if place[0] == "turns" and isinstance(place[1], int) else {}
    if turn.get("hidden") or turn.get("casts_hidden"):
        return "of a turn in which a mage was unseen"
    return next((REASONS[key] for key in place if isinstance(key, str) and key in REASONS), OTHERWISE)


def _write(place: Path_) -> str:
    return ".".join(map(str, place))
