"""Fills in what a neutral record may leave out, and renames its creatures to m1, m2, ... if they have other names.

The readers behind this may rely on every key of the format that has a default.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
WORDS = frozenset({"nobody", "default", "left", "right", "both"})


# What an entry of each list must hold to say anything.
NEEDED = {
    "spells": ("caster", "spell"),
    "events": ("event",),
    "hp_changes": ("who", "change"),
    "banked": (),
    "made_permanent": ("by",),
    "picks": ("for", "picked"),
    "monsters": ("id", "type", "hp"),
    "forced": ("by",),
    "asserted_at_end": ("who", "field", "value"),
}
NAMED = {"banked": "who", "made_permanent": "by"}
"""Lists that may hold names alone: what a name stands for."""
BANKERS = ("by", "who", "caster", "wizard", "owner")


def complete(record: Json) -> dict[str, Any]:
    """The same record with every optional key; `incomplete` counts what it leaves out, by reason.

    Raises KeyError, TypeError and the like for a missing key without a default.
    """
    incomplete: Counter[str] = Counter()
    record = {key: value for key, value in record.items() if value is not None}
    record["turns"] = [_without_nothing(turn, incomplete) for turn in record["turns"]]
    record = _rename_creatures(record)
    wizards = [{"name": one} if isinstance(one, str) else one for one in record.get("wizards") or ()]
    named = [wizard["name"] for wizard in wizards]
    shown = record["turns"][0]["after"]["wizards"] if record["turns"] else ()
    wizards += [{"name": name} for name in shown if name not in named]
    mages = [wizard["name"] for wizard in wizards]
    if len(mages) < 2 or not all(isinstance(name, str) and name for name in mages):
        raise ValueError("too few mages, or a mage without a name")
    turns: list[dict[str, Any]] = []
    for number, turn in enumerate(record["turns"], start=1):
        turns.append(_complete_turn(turn, number, mages, turns[-1] if turns else None))
    teams = range(1, len(mages) + 1)
    record["wizards"] = [{"team": team, **one} for team, one in zip(teams, wizards, strict=True)]
    result = {"finished": False, "winners": [], "last_turn": len(turns), **(record.get("result") or {})}
    if isinstance(result["winners"], str):
        result["winners"] = [result["winners"]]
    asserted = _list("asserted_at_end", record.get("asserted_at_end"), incomplete)
    whole = {"id": "without a name", "hp_trusted": True, "options": {}, **record, "asserted_at_end": asserted}
    return {**whole, "turns": turns, "result": result, "incomplete": +incomplete}


def _without_nothing(turn: Json, incomplete: Counter[str]) -> dict[str, Any]:
    """A turn without keys that hold nothing, and without entries that lack what they need."""
    whole = {key: value for key, value in turn.items() if value is not None}
    for key in ("spells", "events", "hp_changes", "banked", "made_permanent"):
        if key in whole:
            whole[key] = _list(key, whole[key], incomplete)
    after = {key: value for key, value in whole["after"].items() if value is not None}
    after["monsters"] = _list("monsters", after.get("monsters"), incomplete)
    for name, one in after["wizards"].items():
        if one is None or one.get("hp") is None:
            incomplete[f"a mage without hit points ({name})"] += 1
    after["wizards"] = {name: one or {} for name, one in after["wizards"].items()}
    whole["after"] = after
    random = whole.get("random") or {}
    confusion = random.get("confusion") or {}
    drawn = {
        mage: one for mage, one in confusion.items() if one and one.get("hand") in HANDS_DRAWN and one.get("gesture")
    }
    incomplete["a draw without its hand or gesture"] += len(confusion) - len(drawn)
    whole["random"] = {"confusion": drawn, "picks": _list("picks", random.get("picks"), incomplete)}
    whole["during"] = {who: there for who, there in (whole.get("during") or {}).items() if there}
    return whole


HANDS_DRAWN = ("left", "right")


def _list(key: str, entries: Any, incomplete: Counter[str]) -> list[dict[str, Any]]:
    """The entries of a list that hold what they need."""
    found = []
    for entry in entries or ():
        one = {NAMED[key]: entry} if isinstance(entry, str) and key in NAMED else entry
        if key == "banked" and isinstance(one, dict):
            one = {"who": next((one[name] for name in BANKERS if one.get(name)), None), **one}
        if isinstance(one, dict) and all(one.get(what) is not None for what in NEEDED[key]):
            found.append(one)
        else:
            incomplete[f"an entry of {key} that lacks {' or '.join(NEEDED[key]) or 'keys'}"] += 1
    return found


def _complete_turn(turn: Json, number: int, mages: list[str], before: Json | None) -> dict[str, Any]:
    after = turn["after"]
    last = before["after"]["wizards"] if before else {}
    wizards = {name: _complete_wizard(one, last.get(name)) for name, one in after["wizards"].items()}
    # A record that lists the enchantments of mages leaves out those of creatures only if there are none.
    known = any(one["enchantments"] is not None for one in wizards.values())
    monsters = [_complete_monster(one, known=known) for one in after["monsters"]]
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
    return whole


def _complete_wizard(wizard: Json, before: Json | None) -> dict[str, Any]:
    points = wizard.get("hp")
    alive = before["alive"] if before and points is None else points is None or points > 0
    standing = {"alive": alive and not wizard.get("surrendered"), "surrendered": False, "enchantments": None}
    stated = {key: value for key, value in wizard.items() if value is not None}
    if not (stated.get("store") or {}).get("spell"):
        stated.pop("store", None)
    return {**standing, **stated, "hp": points, "enchantments": _complete_enchantments(stated.get("enchantments"))}


def _complete_enchantments(there: Json | None) -> dict[str, Any] | None:
    """Enchantments with their counts; a resistance has none, because it always lasts."""
    if there is None:
        return None
    lasting = {name: "permanent" if name.startswith("resist-") else count for name, count in there.items()}
    return {name: count for name, count in lasting.items() if count is not None}


def _complete_monster(monster: Json, *, known: bool) -> dict[str, Any]:
    standing = {"alive": monster["hp"] > 0, "owner": None, "target": None}
    stated = {key: value for key, value in monster.items() if value is not None}
    there = _complete_enchantments(stated.get("enchantments", {} if known else None))
    return {**standing, **stated, "enchantments": there}


def _complete_orders(orders: Json | None) -> dict[str, Any]:
    """Remove empty keys; for `delay` and `permanent`, null means that the hand is not shown."""
    kept = ("delay", "permanent")
    whole = {key: value for key, value in (orders or {}).items() if value is not None or key in kept}
    if "forced" in whole:
        whole["forced"] = [one for one in whole["forced"] if one and one.get("by")]
    if "direct" in whole:
        whole["direct"] = {victim: order for victim, order in whole["direct"].items() if order}
    return whole


def _complete_cast(cast: Json) -> dict[str, Any]:
    stated = {key: value for key, value in cast.items() if value is not None}
    whole = {"hand": None, "target": None, "outcome": "cast", **stated}
    target = whole["target"]
    if isinstance(target, str) and target.startswith("hand:"):
        _, mage, hand = target.split(":")
        whole["target"] = {"hand_of": mage, "hand": hand}
    elif isinstance(target, dict) and not (target.get("hand_of") and target.get("hand")):
        whole["target"] = {"unknown_id": target.get("unknown_id")}
    return whole


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
