"""The shared file format of two other engines' games, with two readers (`spellweavers_`, `ravenblack_`).

Beings are called by names of the record: `@m1` in an order line is the monster that the record calls m1, and a spell
is a slug such as `magic-missile`. `neutral_replay` replaces them with the engine's own names while it plays.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules_engine.beings import WIZARD_HP
from tests.conformance.completion import list_hidden
from tests.conformance.newborn import newborn_of

HANDS = {"left": "LH", "right": "RH", "both": "BH", "fire": "FIRE"}
LIGHTNING = "lightning-bolt-quick"
# Enchantments that end with their turn, or matter only in the next: ignored on both sides after a turn.
PASSING = frozenset({"counter_spell", "magic_mirror", "blindness_starting", "invisibility_starting", "time_stop"})
FRIGHTENING = "CDFS"
UNTARGETED = {"fire-storm", "ice-storm", "summon-fire-elemental", "summon-ice-elemental", "summon-elemental"}
END_OF_LIFE = "SUICIDE"
KIND_OF_ELEMENTAL = "kind of elemental"  # among the answers: "fire" or "ice"
# Natural enchantments of an elemental: some records list them, but they have no effect.
OWN_RESISTANCE = {"FireElemental": "resist_heat", "IceElemental": "resist_cold"}
KINDS = {"fire elemental": "FireElemental", "ice elemental": "IceElemental"}

# Their enchantment -> the name that engine_facts gives ours.
ENCHANTMENTS = {
    "charm-person": "charm",
    "delayed-effect": "delay_pending",
    "permanency": "permanency_pending",
    "protection": "shield",  # one count holds both
}

# Their word for the result of a spell -> ours.
OUTCOMES = {
    "cast": "went off",
    "cancelled": "went off",
    "reflected and lost: mirror bearer blind": "reflected",
    "reflected and lost: caster invisible": "reflected",
    "reflected": "reflected",
    "dispelled": "dispelled",
    "put in store": "put in store",
    "missed: caster blind": "caster blind",
    "missed: target invisible": "target invisible",
    "lost between two mirrors": "lost between two mirrors",
}

Json = Mapping[str, Any]


def write_labels(turns: Sequence[Json]) -> Iterator[str]:
    """Our labels for their numbers, which count extra turns: 7, 7H, 8, 9T, 9."""
    turn = 0
    for extra in (turn["extra"] for turn in turns):
        turn += extra is None
        yield f"{turn}H" if extra == "haste" else f"{turn + 1}T" if extra == "timestop" else str(turn)


def write_orders(turns: Sequence[Json], at: int, mage: str) -> tuple[str, ...]:
    """The order lines of one mage in one turn."""
    turn = turns[at]
    names = Names(turns, at)
    return tuple(_lines(turn, mage, names, afraid=_is_afraid(turns, at, mage)))


def _is_afraid(turns: Sequence[Json], at: int, mage: str) -> bool:
    """Here nobody can order what Fear forbids; they allowed the order and changed it."""
    lies_on = turns[at - 1]["after"]["wizards"].get(mage, {}).get("enchantments") if at else None
    return bool(lies_on and "fear" in lies_on and not turns[at]["extra"])


def _lines(turn: Json, mage: str, names: "Names", *, afraid: bool) -> Iterator[str]:
    orders = turn["orders"].get(mage, {})
    made = turn["gestures"].get(mage, ("-", "-"))
    for hand, ordered, shown in zip(("LH", "RH"), (orders.get("lh"), orders.get("rh")), made, strict=True):
        yield f"{hand} {shown if ordered is None or (afraid and ordered in FRIGHTENING) else ordered}"
    casts = _casts_of(turn, mage)
    for hand, spell in orders.get("choose", {}).items():
        # They ignored one that fits nothing.
        for cast in casts:
            if cast["spell"] == spell and (hand in ("both", cast["hand"]) or cast["hand"] == "both"):
                yield f"CHOOSE {HANDS[cast['hand']]} {spell}"
    for hand, victim in orders.get("target", {}).items():
        if isinstance(victim, dict) and "unknown_id" in victim:
            continue  # it never existed: they used the default
        both = any(cast["hand"] == "both" for cast in casts)
        yield f"TARGET {'BH' if both else HANDS[hand]} {names.write(victim)}"
    for monster, victim in orders.get("monsters", {}).items():
        if victim != "default" and "unknown_id" not in (victim or ()):
            yield f"TARGET {names.write(monster)} {names.write(victim)}"
    for victim, hand in orders.get("paralyze", {}).items():
        if hand:
            yield f"PARALYZE {HANDS[hand]} {victim}"
    for victim, order in orders.get("direct", {}).items():
        if order.get("hand") and order.get("gesture"):
            yield f"DIRECT {HANDS[order['hand']]} {order['gesture']} {victim}"
    for power in ("permanent", "delay"):
        if orders.get(power):
            yield f"{power.upper()} {_hand_of_power(HANDS[orders[power]], casts)}"
    if "delay" in orders and orders["delay"] is None:
        yield from (f"DELAY {HANDS[cast['hand']]}" for cast in casts if cast["outcome"] == "put in store")
    if orders.get("fire") or any(cast.get("stored") for cast in turn["spells"] if cast["caster"] == mage):
        yield "FIRE"
    if orders.get("suicide"):
        yield END_OF_LIFE


def _casts_of(turn: Json, mage: str) -> list[Json]:
    casts = [cast for cast in turn["spells"] if cast["caster"] == mage and not cast.get("stored")]
    return [cast for cast in casts if _is_recorded(cast)]


def _hand_of_power(hand: str, casts: Sequence[Json]) -> str:
    """They name one hand for a two-handed spell."""
    return "BH" if any(cast["hand"] == "both" for cast in casts) else hand


class Names:
    """The names of a turn's beings in order lines: creatures in creation are named after the hand."""

    def __init__(self, turns: Sequence[Json], at: int) -> None:
        self._turn = turns[at]
        self._newborn = newborn_of(turns, at)

    def write(self, reference: Any) -> str:
        """A mage, `@m1`, an unborn form such as `LH:Ash`, or nobody."""
        if reference in (None, "", "nobody"):
            return "nobody"
        if isinstance(reference, dict):
            return self._form(reference["hand_of"], reference["hand"])
        if reference.startswith("hand:"):
            _, mage, hand = reference.split(":")
            return self._form(mage, hand)
        if reference in self._newborn:
            return self._form(*self._newborn[reference])
        return f"@{reference}" if is_monster(reference) else str(reference)

    def _form(self, mage: str, hand: str) -> str:
        both = any(
            cast["hand"] == "both" and cast["spell"].startswith("summon") for cast in _casts_of(self._turn, mage)
        )
        return f"{'BH' if both else HANDS[hand]}:{mage}"


def is_monster(name: Any) -> bool:
    """Whether the record means a monster: m1, m2, ..."""
    return isinstance(name, str) and name.startswith("m") and name[1:].isdigit()


def write_answers(turns: Sequence[Json], at: int, mage: str) -> dict[str, str]:
    """Slot -> value for every question of this turn that the record settled without asking.

    The spells cast give the choices; the hands held or directed in the next turn give what a ruleset asks at once
    (without an answer, they hold the right hand and direct none).
    """
    turn = turns[at]
    names = Names(turns, at)
    answers: dict[str, str] = {}
    for cast in _casts_of(turn, mage):
        hand = HANDS[cast["hand"]]
        answers[f"CHOOSE {hand}"] = cast["spell"]
        if cast["spell"] not in UNTARGETED:
            answers[f"TARGET {hand}"] = names.write(cast["target"])
    coming: Json = next((later["orders"].get(mage, {}) for later in turns[at + 1 :] if not later["extra"]), {})
    answers |= {f"TARGET {HANDS[hand]}": names.write(victim) for hand, victim in _stabs(turn, mage)}
    for victim in turn["after"]["wizards"]:
        answers[f"PARALYZE {victim}"] = HANDS[coming.get("paralyze", {}).get(victim) or "right"]
        answers[f"CHARM {victim}"] = HANDS[coming.get("direct", {}).get(victim, {}).get("hand") or "left"]
    kinds = [cast["spell"].split("-")[1] for cast in turn["spells"] if cast["spell"].endswith("-elemental")]
    if kinds:
        answers[KIND_OF_ELEMENTAL] = kinds[0]
    return answers


def _stabs(turn: Json, mage: str) -> Iterator[tuple[str, Any]]:
    """The hands that stab, with their victims according to the events."""
    victims = [
        event.get("who")
        for event in turn["events"]
        if event.get("by") == mage and event.get("cause", "attack") == "attack"
    ]
    made = zip(("left", "right"), turn["gestures"].get(mage, ()), strict=False)
    yield from ((hand, victims[0]) for hand, gesture in made if gesture == ">" and victims)


BEFORE_STOPPED_TIME = "what a shield counts before stopped time, or after a turn of Haste"
PARTLY_KNOWN = "castings whose hand or target the record does not know"
DEAD_SURRENDER = "whether one who died in a turn also surrendered in it"


def read_state(turns: Sequence[Json], at: int, *, last: bool) -> Iterator[tuple[str, object]]:
    """The facts after a turn; after the last turn of a finished game there are no counts."""
    after = turns[at]["after"]
    uncounted = find_uncounted(turns, at)
    for name, wizard in after["wizards"].items():
        if wizard["hp"] is not None and (
            wizard["alive"] or wizard["surrendered"] or wizard["hp"] <= 0
        ):  # they keep the hit points of those killed by illness
            yield f"{name} hit points", wizard["hp"]
        yield f"{name} standing", _standing(wizard)
        if _standing(wizard) != "dead":
            yield f"{name} surrendered", wizard["surrendered"]
        if last or not wizard["alive"]:
            continue
        if wizard["enchantments"] is not None:
            yield from _write_enchantments(name, wizard["enchantments"], uncounted)
            store = wizard.get("store")
            yield f"{name} bank", _write_store(store) if store else None
            yield f"{name} held by", wizard.get("paralysed_by")
            yield f"{name} charmed by", wizard.get("charmed_by")
            if "quick_lightning_used" in wizard:
                yield f"{name} quick lightning used", wizard["quick_lightning_used"]
    for monster in after["monsters"]:
        yield from _read_monster(monster, last, uncounted)
    yield "monsters", frozenset(monster["id"] for monster in after["monsters"] if monster["alive"])


def _write_store(store: Json) -> str:
    target = "nobody" if store["spell"] in UNTARGETED else store.get("target") or "nobody"
    if isinstance(target, dict):
        target = f"{HANDS[target['hand']]}:{target['hand_of']}"
    return f"{store['spell']} at {target}"


def find_uncounted(turns: Sequence[Json], at: int) -> frozenset[str]:
    """The enchantments that are not compared in a turn."""
    extra = turns[at]["extra"] or (turns[at + 1]["extra"] if at + 1 < len(turns) else None)
    return frozenset({"shield"} if extra else ())


def count_skipped(turns: Sequence[Json], at: int) -> dict[str, int]:
    """How many recorded facts of a turn are not compared, by reason."""
    bearers = [*turns[at]["after"]["wizards"].values(), *turns[at]["after"]["monsters"]]
    shields = sum(bool({"shield", "protection"} & set(one.get("enchantments") or ())) for one in bearers)
    unknown = 0 if all(map(_is_recorded, turns[at]["spells"])) else len(turns[at]["spells"])
    dead = sum(_standing(wizard) == "dead" for wizard in turns[at]["after"]["wizards"].values())
    counts = {
        BEFORE_STOPPED_TIME: shields if find_uncounted(turns, at) else 0,
        PARTLY_KNOWN: unknown,
        DEAD_SURRENDER: dead,
    }
    return {reason: count for reason, count in counts.items() if count}


def _write_enchantments(name: str, there: Json, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    lasting = read_enchantments(there, uncounted)
    yield f"{name} enchantments", frozenset(lasting) - uncounted
    yield from ((f"{name} count of {what}", count) for what, count in lasting.items())


def _standing(wizard: Json) -> str:
    if wizard["alive"]:
        return "in"
    if wizard["hp"] is not None and wizard["hp"] <= 0:
        return "dead"
    return "surrendered" if wizard["surrendered"] else "dead"


def _read_monster(monster: Json, last: bool, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    name = monster["id"]
    if not monster["alive"]:
        return
    yield f"{name} kind", KINDS.get(monster["type"], monster["type"].title())
    yield f"{name} hit points", monster["hp"]
    yield f"{name} owner", monster["owner"]
    if not isinstance(monster["target"], dict):
        yield f"{name} target", monster["target"]
    if not last and monster.get("enchantments") is not None:
        own = OWN_RESISTANCE.get(KINDS.get(monster["type"], ""), "")
        yield from _write_enchantments(name, monster["enchantments"], uncounted | {own})


def read_enchantments(there: Mapping[str, object], uncounted: frozenset[str]) -> dict[str, object]:
    """Their enchantments under our names, without those that are not compared."""
    ours = {ENCHANTMENTS.get(name, name.replace("-", "_")): count for name, count in there.items()}
    if "protection" in there:
        ours["shield"] = there["protection"]  # it lasts longer than a Shield
    return {name: count for name, count in ours.items() if name not in uncounted and name not in PASSING}


def read_deeds(turns: Sequence[Json], at: int) -> Iterator[tuple[str, object]]:
    """The acts of a turn: who moved, what the hands played, which spells were cast at whom."""
    turn = turns[at]
    yield "number", turn["turn"]
    # A mage without acts and gestures in a turn for all has sent no orders: the engine lets them play nothing.
    shown = {*turn["acting"], *turn.get("shown", turn["gestures"])}
    silent = set() if turn["extra"] else set(turn["after"]["wizards"]) - shown
    yield "movers but the silent", frozenset(turn["acting"]) - silent
    for mage, (left, right) in turn["gestures"].items():
        yield f"{mage} gestures", f"{left}/{right}"
    casts = [cast for cast in turn["spells"] if not _is_used_up(turns, at, cast)]
    if all(map(_is_recorded, casts)):
        yield "castings", tuple(sorted(map(_write_cast, casts)))
        outcomes = (f"{_write_cast(cast)}: {OUTCOMES.get(cast['outcome'], cast['outcome'])}" for cast in casts)
        yield "outcomes", tuple(sorted(outcomes))
    else:
        yield "casters", tuple(sorted(f"{cast['caster']} {name_casting(cast['spell'])}" for cast in casts))
    yield from _read_reflections(casts)
    yield from _read_more_deeds(turns, at)


def _read_reflections(casts: Sequence[Json]) -> Iterator[tuple[str, object]]:
    turned = [cast for cast in casts if cast.get("reflected_by") and cast.get("reflected_to")]
    written = (
        f"{cast['caster']} {name_casting(cast['spell'])}: by {cast['reflected_by']} to {cast['reflected_to']}"
        for cast in turned
    )
    if turned:
        yield "reflections", tuple(sorted(written))


def _read_more_deeds(turns: Sequence[Json], at: int) -> Iterator[tuple[str, object]]:
    """Facts in some records only: harm and cures point by point, active and lost enchantments, new permanent ones."""
    turn = turns[at]
    if "hp_changes" in turn:
        for who in dict.fromkeys(change["who"] for change in turn["hp_changes"]):
            points = [change for change in turn["hp_changes"] if change["who"] == who]
            harm = tuple(sorted(-change["change"] for change in points if change["change"] < 0))
            cures = tuple(sorted(change["offered"] for change in points if change.get("offered") in (1, 2)))
            yield from ((f"{who} {what}", all_) for what, all_ in (("harm", harm), ("cures", cures)) if all_)
    harmed: dict[str, list[int]] = {}
    for event in turn["events"]:
        told = event.get("event") == "damage" and isinstance(event.get("who"), str) and event.get("amount")
        if told and not event.get("inferred"):
            harmed.setdefault(event["who"], []).append(event["amount"])
    yield from ((f"{who} harm", tuple(sorted(points))) for who, points in harmed.items())
    for who, there in (turn.get("during") or {}).items():
        yield from ((f"{who} in force: {name}", count) for name, count in _in_force(turns, at, who, there))
    yield "anti-spelled", frozenset(turn["anti_spelled"])
    if any("made_permanent" in cast for cast in turn["spells"]):
        yield "made permanent by", tuple(sorted(c["caster"] for c in turn["spells"] if c.get("made_permanent")))
    elif turn["made_permanent"]:
        yield "made permanent by", tuple(sorted(one["by"] for one in turn["made_permanent"] if one.get("done", True)))


def _in_force(turns: Sequence[Json], at: int, who: str, there: Json) -> Iterator[tuple[str, object]]:
    """A being's enchantments when the turn began, and its new Counter Spells and Magic Mirrors."""
    before = turns[at - 1]["after"] if at else {"wizards": {}, "monsters": []}
    bearers = {**before["wizards"], **{monster["id"]: monster for monster in before["monsters"]}}
    lay = bearers.get(who, {}).get("enchantments") or {}
    for name, count in there.items():
        if name in ("counter-spell", "magic-mirror"):
            yield name, 1
        elif lay.get(name) == count and not (is_monster(who) and "elemental" in bearers.get(who, {}).get("type", "")):
            yield from read_enchantments({name: count}, frozenset()).items()


def _is_recorded(cast: Json) -> bool:
    """Whether the record knows the hand and the target of a spell; one fired from the bank needs no hand."""
    return (cast["hand"] is not None or bool(cast.get("stored"))) and "unknown_id" not in (cast["target"] or ())


def _is_used_up(turns: Sequence[Json], at: int, cast: Json) -> bool:
    """A second short Lightning Bolt: there it is cast and fizzles, here its gestures complete nothing."""
    if cast["spell"] != LIGHTNING and cast.get("pattern") != "WDDc":
        return False
    return bool(at and turns[at - 1]["after"]["wizards"].get(cast["caster"], {}).get("quick_lightning_used"))


def _write_cast(cast: Json) -> str:
    hand = "Fire" if cast.get("stored") else HANDS.get(cast["hand"], "?")
    target = cast["target"]
    if cast["spell"] in UNTARGETED or target is None:
        target = "nobody"
    elif isinstance(target, dict):
        target = f"{HANDS[target['hand']]}:{target['hand_of']}"
    return f"{cast['caster']} {hand} {name_casting(cast['spell'])} at {target}"


def name_casting(slug: str) -> str:
    """The spell for comparing: if one spell makes both elementals, the creature shows which it was."""
    return "summon-elemental" if slug.endswith("-elemental") else slug


def find_starting_points(record: Json) -> dict[str, int]:
    """The hit points of mages who do not begin with the usual ones: as recorded, or as the first two turns show."""
    points = {one["name"]: one["hp"] for one in record["wizards"] if isinstance(one.get("hp"), int)}
    if len(record["turns"]) > 1:
        first, second = (turn["after"]["wizards"] for turn in record["turns"][:2])
        for name, one in first.items():
            # In a first turn, a dagger of each foe is all that can hurt.
            usual = range(WIZARD_HP - 2 * len(first), WIZARD_HP + 1)
            if one["hp"] == second.get(name, {}).get("hp") and one["hp"] is not None and one["hp"] not in usual:
                points.setdefault(name, one["hp"])
    return points


def read_ending(record: Json) -> dict[str, object]:
    """How the game ended; empty if the record's orders ran out, or nobody saw the end."""
    result = record["result"]
    if not result["finished"]:
        return {"finished": False, "draw": result.get("draw", False)}
    if record["turns"] and any(list_hidden(record["turns"][-1])):
        return {}
    ending: dict[str, object] = {"finished": True, "winners": frozenset(result["winners"])}
    return {**ending, "draw": result["draw"]} if "draw" in result else ending


def follow(turns: Sequence[Json], at: int, labels: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The label of the turn after this one and who moves in it; None after the last."""
    return (labels[at + 1], tuple(turns[at + 1]["acting"])) if at + 1 < len(turns) else None
