"""Reads games that the original Firetop Mountain server played (format 1 with a `spellbook`)."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rules_engine import Sheet
from rules_engine.gestures import GESTURES
from tests.conformance.order_lines import write_order_lines
from tests.conformance.records import Chance, LateOrders, RecordedGame, RecordedTurn, StartingScores

COLOURS = ("Red", "Green", "Pink", "Blue", "Orange", "Mauve", "White", "Yellow")

# Orders of which there may be several, each about a hand or a being.
ORDERS_ABOUT = frozenset({"choose", "target", "paralyze"})
SPELL_BOOKS = ("Standard", "Classic", "NoMonster")
UNTARGETED = frozenset({"fire storm", "ice storm", "summon fire elemental", "summon ice elemental"})
NOT_OF_THE_RULES = frozenset({"server_error_text"})
# The server's word for the result of a stab -> the engine's; the others are the same.
ATTACKS = {
    "paralyzed": "paralysed",
    "stab_hit": "hit",
    "stab_shielded": "shielded",
    "stab_missed_unseen": "unseen",
    "stab_no_target": "no_target",
    "stab_gone": "gone",
}
WAITING = frozenset({"orders_in"})
OWING = frozenset({"orders", "orders_in", "choose-target", "choose-spell"})
# Results for which the server's texts name the victim.
AIMED = frozenset({"hit", "shielded", "invisible", "resisted", "gone", "timestop_hit", "unseen"})
STANDINGS = {"Dead": "dead", "OUT": "surrendered", "Victorious!": "victorious"}


# What a record of another shape raises where it lacks something.
UNLIKE = (KeyError, TypeError, ValueError, IndexError, AttributeError)
Json = Mapping[str, Any]
Fact = tuple[str, Callable[[], object]]
"""The name of a fact, and what reads it from the record."""


def is_firetop_record(data: Json) -> bool:
    return data.get("format", 1) == 1 and ("spellbook" in data or "monster_colours" in data)


def read_firetop_record(data: Json) -> RecordedGame:
    """The game of one line, without turns after `valid_turns`.

    A record of another shape is read as far as it goes: facts that it lacks are skipped, each with its reason, and the
    game ends for us before the first turn whose orders or rolls cannot be read. One without turns is not played.
    """
    skipped: Counter[str] = Counter()
    recorded = _entries(data, "turns", list, skipped)
    valid = data.get("valid_turns")
    given = recorded[:valid] if isinstance(valid, int) else recorded
    mages = _read_mages(data, recorded)
    book = data.get("spellbook")
    turns, why = _read_turns(given, mages)
    complete = not why and len(given) == len(recorded)
    practice = data.get("practice")
    if not isinstance(practice, bool):
        skipped["whether it was practice is not recorded"] += 1
    wizards = [each for each in _entries(data, "wizards", list, skipped) if isinstance(each, Mapping)]
    scores, known = _read_scores(wizards, mages)
    if not known:
        skipped["the scores at the beginning are not recorded"] += 1
    facts = _read_ending(data.get("result"), wizards, counts=known and isinstance(practice, bool)) if complete else ()
    ending = _take((("type", lambda: _get(data, "type", str)), *facts), skipped)
    return RecordedGame(
        id=str(data.get("id", "without a name")),
        ruleset="firetop-server",
        book=book if book in SPELL_BOOKS else None,
        mages=mages,
        practice=practice is True,
        colours=_find_rotation(data, recorded),
        scores=scores,
        turns=turns,
        ending=ending,
        excepted=None if recorded and len(mages) > 1 else "a record without turns, or with fewer than two mages",
        skipped=skipped,
        left_out=tuple(filter(None, [why, "" if book in SPELL_BOOKS else "which spell book it used"])),
    )


def _take(facts: Iterable[Fact], skipped: Counter[str]) -> dict[str, object]:
    """The values of facts; those that the record lacks are counted, each with its reason."""
    taken = {}
    for name, read in facts:
        try:
            taken[name] = read()
        except UNLIKE as problem:
            skipped[f"a fact that the record lacks or writes in another way ({_describe(problem)})"] += 1
    return taken


def _describe(problem: Exception) -> str:
    if isinstance(problem, OtherType):
        return str(problem)
    return f"no {problem.args[0]}" if isinstance(problem, KeyError) and problem.args else type(problem).__name__


class OtherType(TypeError):
    """A value is of another type than in the records of the server: it says nothing that could be compared."""


def _get(part: Any, key: str | int, kind: type) -> Any:
    """A value of this very type; raises OtherType if it is of another."""
    value = part[key]
    if type(value) is not kind:
        raise OtherType(f"{key} is no {kind.__name__}")
    return value


def _texts(part: Any, key: str) -> tuple[str, ...]:
    values = _get(part, key, list)
    return tuple(_get(values, place, str) for place in range(len(values)))


def _table(part: Any, key: str, kind: type) -> dict[str, Any]:
    """An object whose values are all of this type; some records write an empty one as an empty list."""
    values = part[key] or {}
    if not isinstance(values, Mapping):
        raise OtherType(f"{key} is no object")
    return {name: _get(values, name, kind) for name in values}


def _text_or_none(part: Any, key: str) -> str | None:
    return None if part[key] is None else _get(part, key, str)


def _read_mages(data: Json, turns: Sequence[Any]) -> tuple[str, ...]:
    """The names of the mages, in their order; those that the head of the record lacks are taken from its first turn."""
    wizards = data.get("wizards")
    rows = wizards if isinstance(wizards, list) else []
    named = [each.get("name") if isinstance(each, Mapping) else each for each in rows]
    first = turns[0] if turns and isinstance(turns[0], Mapping) else {}
    shown = (first.get("after") or {}).get("wizards") if isinstance(first.get("after"), Mapping) else None
    others = shown or first.get("orders")
    candidates = [*named, *(others if isinstance(others, dict) else ())]
    names = dict.fromkeys(name for name in candidates if isinstance(name, str))
    return tuple(name for name in names if name)


def _read_scores(wizards: Sequence[Json], mages: Sequence[str]) -> tuple[StartingScores, bool]:
    """The scores at the beginning, 0 where they are not known, and whether all are."""
    rows = {str(wizard.get("name")): wizard for wizard in wizards}
    found = {kind: {mage: rows.get(mage, {}).get(f"{kind}_score") for mage in mages} for kind in ("duel", "melee")}
    known = all(isinstance(score, int) for scores in found.values() for score in scores.values())
    numbers = {
        kind: {mage: score if isinstance(score, int) else 0 for mage, score in scores.items()}
        for kind, scores in found.items()
    }
    return StartingScores(**numbers), known


def _find_rotation(data: Json, turns: Sequence[Any]) -> int:
    """How far the list of colours was rotated: by the record's own list, or by the name of its first creature."""
    colours = data.get("monster_colours")
    first = colours[0] if isinstance(colours, list) and colours else None
    if first not in COLOURS:
        texts = (json.dumps(turn.get("after"), default=str) for turn in turns if isinstance(turn, Mapping))
        found = (re.search(rf'"name": "({"|".join(COLOURS)}) ', text) for text in texts)
        first = next((match[1] for match in found if match), COLOURS[0])
    return COLOURS.index(first)


def _read_turns(turns: Sequence[Any], mages: Sequence[str]) -> tuple[tuple[RecordedTurn, ...], str]:
    """The turns up to the first one that cannot be played, and why it cannot."""
    read: list[RecordedTurn] = []
    for number, turn in enumerate(turns, start=1):
        try:
            read.append(_read_turn(turn, mages))
        except UNLIKE as problem:
            left = len(turns) - number + 1
            return tuple(read), f"{left} turns, because turn {number} cannot be played ({_describe(problem)})"
    return tuple(read), ""


def _read_turn(turn: Json, mages: Sequence[str]) -> RecordedTurn:
    skipped: Counter[str] = Counter()
    orders = {mage: _read_orders(orders) for mage, orders in turn["orders"].items()}
    missing = set(turn.get("acting") or ()) - set(orders)
    if missing:
        raise KeyError(f"orders of {', '.join(sorted(missing))}")
    if not isinstance(turn["turn"], str):
        raise TypeError("a label that is no text")
    return RecordedTurn(
        label=turn["turn"],
        orders=orders,
        late=tuple(
            LateOrders(_get(late, "name", str), _read_lines(late["orders"])) for late in turn.get("late_orders") or ()
        ),
        chance=_read_chance(turn["random"]),
        facts=_take(_read_facts(turn, mages, skipped), skipped),
        skipped=skipped,
    )


def _read_orders(orders: Json) -> tuple[str, ...]:
    if not {"lh", "rh"} <= set(orders) and "forced" not in orders:
        raise KeyError("gesture of a hand")
    for hand in {"lh", "rh"} & set(orders):
        if _get(orders, hand, str) not in GESTURES:
            raise OtherType(f"{hand} is no gesture")
    return _read_lines(orders)


def _read_lines(orders: Json) -> tuple[str, ...]:
    _refuse_other_types(orders)
    lines = write_order_lines(orders)
    Sheet.from_lines([line.replace("@", "") for line in lines])
    return lines


def _refuse_other_types(orders: Json) -> None:
    """Raise OtherType if an order is of another type than in the records of the server."""
    for key in orders:
        if key == "direct":
            directions = _table(orders, key, list)
            for victim in directions:
                _texts(directions, victim)
        elif key in ORDERS_ABOUT:
            _get(orders, key, dict)
            _table(orders, key, str)
        else:
            _get(orders, key, bool if key == "fire" else str)


def _read_chance(chance: Json) -> Chance:
    return Chance(
        confusion={
            mage: (_get(drawn, "hand", str), _get(drawn, "gesture", str))
            for mage, drawn in (chance.get("confusion") or {}).items()
        },
        paralysis=_table(chance, "paralysis", str) if "paralysis" in chance else {},
        monster_targets={
            _get(drawn, "monster", str): _get(drawn, "target", str) for drawn in chance.get("monster_target") or ()
        },
    )


def _entries(part: Any, key: str, kind: type, skipped: Counter[str]) -> Any:
    """A list or an object of a record; an empty one, with the reason, if it is missing or of another type."""
    found = part.get(key) if isinstance(part, Mapping) else None
    if isinstance(found, kind):
        return found
    skipped[f"facts that the record lacks or writes in another way ({key})"] += 1
    return kind()


def _read_facts(turn: Json, mages: Sequence[str], skipped: Counter[str]) -> Iterator[Fact]:
    yield "movers", lambda: _texts(turn, "acting")
    yield "extra", lambda: _text_or_none(turn, "extra")
    gestures = _entries(turn, "gestures", dict, skipped)
    acting = turn.get("acting")
    for mage in dict.fromkeys([*gestures, *(acting if isinstance(acting, list) else ())]):
        yield f"{mage} gestures", partial(_read_gestures, gestures, mage)
    yield "spells", lambda: tuple(map(_write_spell, _get(turn, "spells", list)))
    yield "banked", lambda: tuple(_write_banked(bank, turn) for bank in turn.get("banked") or ())
    yield from _read_more_deeds(turn, skipped)
    after = _entries(turn, "after", dict, skipped)
    standing = _entries(after, "wizards", dict, skipped)
    for mage in dict.fromkeys([*standing, *mages]):
        yield from _read_mage(mage, standing.get(mage))
    monsters = _entries(after, "monsters", list, skipped)
    if "monsters" in after:
        yield "monsters", lambda: tuple(_get(monster, "name", str) for monster in monsters)
    for monster in monsters:
        if isinstance(monster, Mapping) and isinstance(monster.get("name"), str):
            yield from _read_monster(monster)
    yield "tombstone", lambda: _texts(turn["after"], "dead_monsters")
    if "next" in turn or not turn.get("final"):
        yield "next turn", lambda: _get(turn["next"], "turn", str)
        yield "next extra", lambda: _text_or_none(turn["next"], "extra")
        yield "next movers", lambda: frozenset(_texts(turn["next"], "to_act"))
    yield "over", lambda: _get({"final": False, **turn}, "final", bool)


def _read_gestures(gestures: Json, mage: str) -> str:
    left, right = _texts(gestures, mage)
    return f"{left}/{right}"


def _write_banked(bank: Mapping[str, Any], turn: Mapping[str, Any]) -> str:
    words = f"{_get(bank, 'caster', str)} {_get(bank, 'hand', str)} {_get(bank, 'spell', str).lower()}"
    # A bank emptied in the same turn no longer shows a target.
    return words if bank["target"] == "none" else f"{words} at {_being(bank['target'])}"


def _read_more_deeds(turn: Json, skipped: Counter[str]) -> Iterator[Fact]:
    """Attacks, clashes of mind spells, storms, what the hands were about to cast, and new creatures."""
    yield "attacks", lambda: tuple(sorted(map(_write_attack, turn.get("attacks") or ())))
    yield "interference", lambda: tuple(map(_write_clash, turn.get("interference") or ()))
    flags = turn.get("flags") or {}
    yield "flags", lambda: frozenset(flag for flag in flags if flag not in NOT_OF_THE_RULES and _is_raised(flags, flag))
    for mage, resolved in _entries(turn, "resolved", dict, skipped).items():
        yield f"{mage} resolved", partial(_read_resolved, resolved)
        yield f"{mage} banks", partial(_read_banks, resolved)
        for hand, said in resolved.items() if isinstance(resolved, Mapping) else ():
            if hand != "monster_targets" and isinstance(said, Mapping) and said.get("spell"):
                yield from _read_resolved_target(mage, hand, said)
    yield "spawns", lambda: tuple(_write_spawn(one) for one in turn["random"].get("spawns") or ())


def _write_spawn(one: Json) -> str:
    return f"{_get(one, 'caster', str)} {_get(one, 'hand', str).replace('Fire', 'FIRE')}: {_get(one, 'name', str)}"


def _list_made(resolved: Json) -> dict[str, Json]:
    """What the hands were about to make. Raises KeyError and the like if it is not recorded."""
    hands = {hand: said for hand, said in resolved.items() if hand != "monster_targets"}
    return {hand: said for hand, said in hands.items() if said["spell"] not in (None, "")}


def _read_resolved(resolved: Json) -> dict[str, str]:
    return {hand: _get(said, "spell", str).lower() for hand, said in _list_made(resolved).items()}


def _read_banks(resolved: Json) -> frozenset[str]:
    return frozenset(hand for hand, said in _list_made(resolved).items() if said.get("bank"))


def _read_resolved_target(mage: str, hand: str, said: Json) -> Iterator[Fact]:
    if said.get("target") is not None and str(said["spell"]).lower() not in UNTARGETED:
        yield f"{mage} resolved target of {hand}", lambda: _being(_get(said, "target", str))


def _is_raised(flags: Any, flag: str) -> bool:
    return not isinstance(flags, Mapping) or bool(flags[flag])


def _write_attack(attack: Mapping[str, Any]) -> str:
    result = _get(attack, "result", str)
    result, target = ATTACKS.get(result, result), _text_or_none(attack, "target")
    aimed = result in AIMED and target is not None
    return f"{_get(attack, 'attacker', str)}: {result}" + (f" {target}" if aimed else "")


def _write_clash(clash: Mapping[str, Any]) -> str:
    spell, target, caster = (_get(clash, key, str) for key in ("spell", "target", "caster"))
    before, after = (_get(clash, key, int) for key in ("flag_before", "flag_after"))
    return f"{spell} at {target} by {caster}: {before} to {after}{' interfered' if clash['interfered'] else ''}"


def _write_spell(spell: Mapping[str, Any]) -> str:
    """Like `Circe RH shield at Zoltan: Reflecting DoSpell at Circe`; records have two spellings of spell names."""
    words = [_get(spell, "caster", str), _get(spell, "hand", str), _get(spell, "spell", str).lower()]
    outcome = list(_texts(spell, "outcome"))
    # The recorded target of an untargeted spell is an accident of the recording, not a rule.
    if outcome not in (["Cast"], ["Dispelled"]):
        words += ["at", _being(_text_or_none(spell, "target"))]
    words[-1] += ":"
    words += outcome
    if outcome == ["DoSpell"] or "Reflecting" in outcome:
        words += ["at", _being(_text_or_none(spell, "final_target"))]
    words += [mark for mark in ("permanent", "fired") if spell.get(mark)]
    return " ".join(words)


def _being(name: str | None) -> str:
    return {"no_one": "nobody", None: "none"}.get(name, name or "none")


def _read_mage(mage: str, after: Any) -> Iterator[Fact]:
    yield f"{mage} hit points", lambda: _get(after, "hp", int)
    yield f"{mage} standing", lambda: _read_standing(_get(after, "state", str))
    yield f"{mage} alive", lambda: _get(after, "alive", bool)
    yield f"{mage} surrendered", lambda: _get(after, "surrendered", bool)
    yield f"{mage} waits", lambda: _get(after, "state", str) in WAITING
    yield f"{mage} left hand", lambda: _get(after, "lh", str)
    yield f"{mage} right hand", lambda: _get(after, "rh", str)
    yield f"{mage} enchantments", lambda: _table(after, "enchantments", int)
    yield f"{mage} bank", lambda: _write_bank(after.get("banked"))
    yield f"{mage} short bolt used", lambda: bool(after.get("short_lightning_used"))
    yield f"{mage} held hands", lambda: frozenset(after.get("paralyzed_hand", ()))
    yield f"{mage} directed hands", lambda: dict(after.get("charm_hand", {}))
    yield f"{mage} armed hands", lambda: frozenset(after.get("bank_armed", ()))
    there = after if isinstance(after, Mapping) else {}
    if "charm_controller" in there:
        yield f"{mage} charmed by", lambda: _text_or_none(after, "charm_controller")
    if "paralysis_controller" in there:
        yield f"{mage} held by", lambda: _text_or_none(after, "paralysis_controller")
    yield (
        f"{mage} forced spells",
        lambda: {hand: name.lower() for hand, name in after.get("forced_spells", {}).items()},
    )
    if there.get("state") in tuple(OWING):  # the state of a finished battle keeps the last one
        yield f"{mage} acts next in", lambda: _text_or_none({"extra_next": None, **after}, "extra_next")


def _read_standing(state: str) -> str:
    return STANDINGS.get(state, "in" if state in OWING else state)


def _write_bank(banked: Json | None) -> str | None:
    return f"{banked['spell'].lower()} at {_being(banked['target'])}" if banked else None


def _read_monster(monster: Json) -> Iterator[Fact]:
    name = monster["name"]
    yield f"{name} kind", lambda: _get(monster, "type", str)
    yield f"{name} alive", lambda: _get({"alive": True, **monster}, "alive", bool)
    yield f"{name} hit points", lambda: _get(monster, "hp", int)
    yield f"{name} owner", lambda: _being(_text_or_none(monster, "owner"))
    yield f"{name} target", lambda: _being(_text_or_none(monster, "target"))
    yield f"{name} enchantments", lambda: _table(monster, "enchantments", int)


def _read_ending(result: Any, wizards: Sequence[Json], *, counts: bool) -> Iterator[Fact]:
    """The facts of the end. Those about scores need what the record says of the beginning: then it `counts`."""
    yield "finished", lambda: _get(result, "finished", bool)
    yield "winners", lambda: frozenset(_texts(result, "winners"))
    yield "reason", lambda: _get(result, "reason", str)
    if not (isinstance(result, Mapping) and result.get("finished") is True and counts):
        return
    yield (
        "scores",
        lambda: {
            mage: None if score.get("removed") else {kind: _get(score, kind, int) for kind in ("duel", "melee")}
            for mage, score in result["scores"].items()
        },
    )
    yield (
        "battles survived",
        lambda: {
            mage: _get(score, "battles", int) for mage, score in result["scores"].items() if not score.get("removed")
        },
    )
    if "elo" in result:
        # The hidden rating of each mage's user, in hundredths; everyone began with the first one.
        yield "elo", lambda: {wizard["name"]: round(result["elo"][wizard["user"]] * 100) for wizard in wizards}
