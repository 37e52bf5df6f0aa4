"""Fills in what a neutral record may leave out, and renames its creatures to m1, m2, ... if they have other names.

The readers behind this may rely on every key of the format that has a default.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
WORDS = frozenset({"nobody", "default", "left", "right", "both"})


def complete(record: Json) -> dict[str, Any]:
    """The same record with every optional key. Raises KeyError for a missing one without a default."""
    record = _rename_creatures(dict(record))
    mages = [wizard["name"] for wizard in record["wizards"]]
    turns: list[dict[str, Any]] = []
    for number, turn in enumerate(record["turns"], start=1):
        turns.append(_complete_turn(turn, number, mages, turns[-1] if turns else None))
    teams = range(1, len(mages) + 1)
    record["wizards"] = [{"team": team, **one} for team, one in zip(teams, record["wizards"], strict=True)]
    result = {"finished": False, "winners": [], "last_turn": len(turns), **(record.get("result") or {})}
    return {"hp_trusted": True, "asserted_at_end": [], **record, "turns": turns, "result": result}


def _complete_turn(turn: Json, number: int, mages: list[str], before: Json | None) -> dict[str, Any]:
    after = turn["after"]
    wizards = {name: _complete_wizard(one) for name, one in after["wizards"].items()}
    # A record that lists the enchantments of mages leaves out those of creatures only if there are none.
    known = any(one["enchantments"] is not None for one in wizards.values())
    monsters = [_complete_monster(one, known=known) for one in after.get("monsters") or ()]
    alive = [name for name in mages if before is None or before["after"]["wizards"].get(name, {}).get("alive", True)]
    whole = {
        "turn": number,
        "extra": None,
        "acting": alive,
        "events": [],
        "made_permanent": [],
        "banked": [],
        "anti_spelled": [],
        **{key: value for key, value in turn.items() if value is not None},
    }
    whole["orders"] = {mage: _complete_orders(orders) for mage, orders in (turn.get("orders") or {}).items()}
    whole["gestures"] = {
        mage: [hand or "-" for hand in hands] for mage, hands in (turn.get("gestures") or {}).items() if hands
    }
    whole["spells"] = [_complete_cast(cast) for cast in turn.get("spells") or ()]
    whole["after"] = {"wizards": wizards, "monsters": monsters}
    whole["random"] = turn.get("random") or {}
    return whole


def _complete_wizard(wizard: Json) -> dict[str, Any]:
    alive = wizard.get("alive", wizard["hp"] > 0 and not wizard.get("surrendered"))
    return {"surrendered": False, "enchantments": None, **wizard, "alive": alive}


def _complete_monster(monster: Json, *, known: bool) -> dict[str, Any]:
    standing = {"alive": monster["hp"] > 0, "owner": None, "target": None}
    return {**standing, "enchantments": {} if known else None, **monster}


def _complete_orders(orders: Json | None) -> dict[str, Any]:
    """Remove empty keys; for `delay` and `permanent`, null means that the hand is not shown."""
    kept = ("delay", "permanent")
    return {key: value for key, value in (orders or {}).items() if value is not None or key in kept}


def _complete_cast(cast: Json) -> dict[str, Any]:
    return {"hand": None, "target": None, "outcome": "cast", **cast}


def _rename_creatures(record: dict[str, Any]) -> dict[str, Any]:
    names = dict.fromkeys(one["id"] for turn in record["turns"] for one in turn["after"].get("monsters") or ())
    taken = {name for name in names if name.startswith("m") and name[1:].isdigit()}
    free = (f"m{n}" for n in range(1, len(names) + len(taken) + 2) if f"m{n}" not in taken)
    new = {name: next(free) for name in names if name not in taken and name not in WORDS}
    return _replaced(record, new) if new else record


def _replaced(value: Any, new: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {new.get(key, key): _replaced(one, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, new) for one in value]
    return new.get(value, value) if isinstance(value, str) else value


def list_hidden(turn: Json) -> Iterator[str]:
    """The mages whose acts a turn does not fully show: unseen, or with hidden casts."""
    for key in ("hidden", "casts_hidden"):
        yield from turn.get(key) or ()
