"""Reads games that the original Firetop Mountain server played (format 1 with a `spellbook`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.conformance.order_lines import write_order_lines
from tests.conformance.records import Chance, LateOrders, RecordedGame, RecordedTurn, StartingScores

COLOURS = ("Red", "Green", "Pink", "Blue", "Orange", "Mauve", "White", "Yellow")

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


def is_firetop_record(data: Mapping[str, Any]) -> bool:
    return data.get("format") == 1 and "spellbook" in data


def read_firetop_record(data: Mapping[str, Any]) -> RecordedGame:
    """The game of one line, without turns after `valid_turns`."""
    wizards = data["wizards"]
    turns = data["turns"][: data.get("valid_turns")]
    complete = len(turns) == len(data["turns"])
    return RecordedGame(
        id=data["id"],
        ruleset="firetop-server",
        book=data["spellbook"],
        mages=tuple(wizard["name"] for wizard in wizards),
        practice=data["practice"],
        colours=COLOURS.index(data["monster_colours"][0]),
        scores=StartingScores(
            duel={wizard["name"]: wizard["duel_score"] for wizard in wizards},
            melee={wizard["name"]: wizard["melee_score"] for wizard in wizards},
        ),
        turns=tuple(_read_turn(turn) for turn in turns),
        ending=_read_ending(data["result"], wizards) if complete else {},
    )


def _read_turn(turn: Mapping[str, Any]) -> RecordedTurn:
    return RecordedTurn(
        label=turn["turn"],
        orders={mage: write_order_lines(orders) for mage, orders in turn["orders"].items()},
        late=tuple(LateOrders(late["name"], write_order_lines(late["orders"])) for late in turn.get("late_orders", ())),
        chance=_read_chance(turn["random"]),
        facts=dict(_read_facts(turn)),
    )


def _read_chance(chance: Mapping[str, Any]) -> Chance:
    return Chance(
        confusion={mage: (drawn["hand"], drawn["gesture"]) for mage, drawn in chance.get("confusion", {}).items()},
        paralysis=dict(chance.get("paralysis", {})),
        monster_targets={drawn["monster"]: drawn["target"] for drawn in chance.get("monster_target", ())},
    )


def _read_facts(turn: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    yield "movers", tuple(turn["acting"])
    yield "extra", turn["extra"]
    for mage, (left, right) in turn["gestures"].items():
        yield f"{mage} gestures", f"{left}/{right}"
    yield "spells", tuple(_write_spell(spell) for spell in turn["spells"])
    yield "banked", tuple(_write_banked(bank, turn) for bank in turn.get("banked", ()))
    yield from _read_more_deeds(turn)
    for mage, after in turn["after"]["wizards"].items():
        yield from _read_mage(mage, after)
    monsters = turn["after"]["monsters"]
    yield "monsters", tuple(monster["name"] for monster in monsters)
    for monster in monsters:
        yield from _read_monster(monster)
    yield "tombstone", tuple(turn["after"]["dead_monsters"])
    if "next" in turn:
        yield "next turn", turn["next"]["turn"]
        yield "next movers", frozenset(turn["next"]["to_act"])
    yield "over", bool(turn.get("final"))


def _write_banked(bank: Mapping[str, Any], turn: Mapping[str, Any]) -> str:
    words = f"{bank['caster']} {bank['hand']} {bank['spell'].lower()}"
    # A bank emptied in the same turn no longer shows a target.
    return words if bank["target"] == "none" else f"{words} at {_being(bank['target'])}"


def _read_more_deeds(turn: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Attacks, clashes of mind spells, storms, what the hands were about to cast, and new creatures."""
    yield "attacks", tuple(sorted(map(_write_attack, turn.get("attacks") or ())))
    yield "interference", tuple(map(_write_clash, turn.get("interference") or ()))
    flags = turn.get("flags") or {}
    yield "flags", frozenset(flag for flag in flags if flag not in NOT_OF_THE_RULES and _is_raised(flags, flag))
    for mage, resolved in (turn.get("resolved") or {}).items():
        made = {hand: said for hand, said in resolved.items() if hand != "monster_targets" and said.get("spell")}
        yield f"{mage} resolved", {hand: said["spell"].lower() for hand, said in made.items()}
        yield f"{mage} banks", frozenset(hand for hand, said in made.items() if said.get("bank"))
        for hand, said in made.items():
            if said.get("target") is not None and said["spell"].lower() not in UNTARGETED:
                yield f"{mage} resolved target of {hand}", _being(said["target"])
    born = turn["random"].get("spawns", ())
    yield "spawns", tuple(f"{one['caster']} {one['hand'].replace('Fire', 'FIRE')}: {one['name']}" for one in born)


def _is_raised(flags: Any, flag: str) -> bool:
    return not isinstance(flags, Mapping) or bool(flags[flag])


def _write_attack(attack: Mapping[str, Any]) -> str:
    result = ATTACKS.get(attack["result"], attack["result"])
    aimed = result in AIMED and attack["target"] is not None
    return f"{attack['attacker']}: {result}" + (f" {attack['target']}" if aimed else "")


def _write_clash(clash: Mapping[str, Any]) -> str:
    return (
        f"{clash['spell']} at {clash['target']} by {clash['caster']}:"
        f" {clash['flag_before']} to {clash['flag_after']}{' interfered' if clash['interfered'] else ''}"
    )


def _write_spell(spell: Mapping[str, Any]) -> str:
    """Like `Circe RH shield at Zoltan: Reflecting DoSpell at Circe`; records have two spellings of spell names."""
    words = [spell["caster"], spell["hand"], spell["spell"].lower()]
    # The recorded target of an untargeted spell is an accident of the recording, not a rule.
    if spell["outcome"] not in (["Cast"], ["Dispelled"]):
        words += ["at", _being(spell["target"])]
    words[-1] += ":"
    words += spell["outcome"]
    if spell["outcome"] == ["DoSpell"] or "Reflecting" in spell["outcome"]:
        words += ["at", _being(spell["final_target"])]
    words += [mark for mark in ("permanent", "fired") if spell.get(mark)]
    return " ".join(words)


def _being(name: str | None) -> str:
    return {"no_one": "nobody", None: "none"}.get(name, name or "none")


def _read_mage(mage: str, after: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    yield f"{mage} hit points", after["hp"]
    yield f"{mage} standing", STANDINGS.get(after["state"], "in" if after["state"] in OWING else after["state"])
    yield f"{mage} alive", after["alive"]
    yield f"{mage} surrendered", after["surrendered"]
    yield f"{mage} waits", after["state"] in WAITING
    yield f"{mage} left hand", after["lh"]
    yield f"{mage} right hand", after["rh"]
    yield f"{mage} enchantments", dict(after["enchantments"])
    banked = after.get("banked")
    yield f"{mage} bank", f"{banked['spell'].lower()} at {_being(banked['target'])}" if banked else None
    yield f"{mage} short bolt used", bool(after.get("short_lightning_used"))
    yield f"{mage} held hands", frozenset(after.get("paralyzed_hand", ()))
    yield f"{mage} directed hands", dict(after.get("charm_hand", {}))
    yield f"{mage} armed hands", frozenset(after.get("bank_armed", ()))
    if "charm_controller" in after:
        yield f"{mage} charmed by", after["charm_controller"]
    if "paralysis_controller" in after:
        yield f"{mage} held by", after["paralysis_controller"]
    yield f"{mage} forced spells", {hand: name.lower() for hand, name in after.get("forced_spells", {}).items()}
    if after["state"] in OWING:  # the state of a finished battle keeps the last one
        yield f"{mage} acts next in", after.get("extra_next")


def _read_monster(monster: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    name = monster["name"]
    yield f"{name} kind", monster["type"]
    yield f"{name} alive", monster.get("alive", True)
    yield f"{name} hit points", monster["hp"]
    yield f"{name} owner", _being(monster["owner"])
    yield f"{name} target", _being(monster["target"])
    yield f"{name} enchantments", dict(monster["enchantments"])


def _read_ending(result: Mapping[str, Any], wizards: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    if not result["finished"]:
        return {"finished": False}
    return {
        "finished": True,
        "winners": frozenset(result["winners"]),
        "reason": result["reason"],
        "scores": {
            mage: None if score.get("removed") else {"duel": score["duel"], "melee": score["melee"]}
            for mage, score in result["scores"].items()
        },
        "battles survived": {
            mage: score["battles"] for mage, score in result["scores"].items() if not score.get("removed")
        },
    } | _read_elo(result, wizards)


def _read_elo(result: Mapping[str, Any], wizards: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """The hidden rating of each mage's user, in hundredths; everyone began with the first one."""
    if "elo" not in result:
        return {}
    return {"elo": {wizard["name"]: round(result["elo"][wizard["user"]] * 100) for wizard in wizards}}
