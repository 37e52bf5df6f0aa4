"""Finds the mage and the hand that made the new creatures in a turn of a neutral record."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

Json = Mapping[str, Any]


def find_newborn(turn: Json, before: set[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each monster first seen in this turn, with the mage and the hand ("left", "right", "both", "fire") that made it.

    If the record does not say, it is a hand that cast the spell for this kind, preferably for the monster's owner.
    """
    spells = [cast for cast in turn["spells"] if cast["spell"].startswith(("summon", "raise"))]
    newborn = [monster for monster in turn["after"]["monsters"] if monster["id"] not in before]
    for monster in sorted(newborn, key=lambda one: not one.get("summoned_by")):
        slug = f"summon-{monster['type'].replace(' ', '-')}"
        fitting = [cast for cast in spells if cast["spell"] in (slug, "raise-dead")]
        said = tuple(monster.get("summoned_by") or ())
        fitting.sort(key=partial(_rank_maker, said=said, slug=slug, monster=monster))
        if fitting:
            yield monster["id"], _maker(fitting[0])
            spells.remove(fitting[0])


def _rank_maker(cast: Json, *, said: tuple[str, ...], slug: str, monster: Json) -> tuple[bool, ...]:
    return _maker(cast) != said, cast["spell"] != slug, not _is_for(cast, monster["owner"])


def _maker(cast: Json) -> tuple[str, str]:
    return cast["caster"], "fire" if cast.get("stored") else cast["hand"] or "right"


def _is_for(cast: Json, owner: str | None) -> bool:
    return owner in (cast["target"] or cast["caster"], cast.get("reflected_to"))


def newborn_of(turns: Sequence[Json], at: int) -> dict[str, tuple[str, str]]:
    """The monsters that a turn made, each with its mage and hand; one that was raised keeps its name and is not new."""
    before = {monster["id"] for turn in turns[:at] for monster in turn["after"]["monsters"]}
    turn = turns[at]
    again = [cast for cast in turn["spells"] if cast["spell"] == "raise-dead" and _is_one_of(cast, before)]
    return dict(find_newborn({**turn, "spells": [cast for cast in turn["spells"] if cast not in again]}, before))


def _is_one_of(cast: Json, names: set[str]) -> bool:
    return any(isinstance(one, str) and one in names for one in (cast["target"], cast.get("reflected_to")))
