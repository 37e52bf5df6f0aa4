"""What the games of two other engines have in common: one file format, two readers (`spellweavers_`, `ravenblack_`).

Beings are called by names of the record: `@m1` in an order line is the monster that the record calls m1, and a spell
is a slug such as `magic-missile`. `neutral_replay` puts the engine's own names in their place while it plays.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

HANDS = {"left": "LH", "right": "RH", "both": "BH"}
FRIGHTENING = "CDFS"
UNTARGETED = {"fire-storm", "ice-storm", "summon-fire-elemental", "summon-ice-elemental", "summon-elemental"}
KIND_OF_ELEMENTAL = "kind of elemental"  # among the answers: "fire" or "ice"
KINDS = {"fire elemental": "FireElemental", "ice elemental": "IceElemental"}

# Their enchantment -> the name that engine_facts gives ours.
ENCHANTMENTS = {
    "charm-person": "charm",
    "delayed-effect": "delay_pending",
    "permanency": "permanency_pending",
    "protection": "shield",  # one count holds both
}

# What they say became of a spell -> what the replay says of ours; the rest says no more than that it went off.
OUTCOMES = {
    "reflected": "reflected",
    "dispelled": "dispelled",
    "put in store": "put in store",
    "missed: caster blind": "caster blind",
    "missed: target invisible": "target invisible",
}

Json = Mapping[str, Any]


def write_labels(turns: Sequence[Json]) -> Iterator[str]:
    """Their running numbers, which count extra turns, as labels of ours: 7, 7H, 8, 9T, 9."""
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
    """What Fear forbids cannot be ordered here; they let it be ordered and changed it."""
    lies_on = turns[at - 1]["after"]["wizards"][mage]["enchantments"] if at else None
    return bool(lies_on and "fear" in lies_on and not turns[at]["extra"])


def _lines(turn: Json, mage: str, names: "Names", *, afraid: bool) -> Iterator[str]:
    orders = turn["orders"].get(mage, {})
    made = turn["gestures"].get(mage, ("-", "-"))
    for hand, ordered, shown in zip(("LH", "RH"), (orders.get("lh"), orders.get("rh")), made, strict=True):
        yield f"{hand} {shown if ordered is None or (afraid and ordered in FRIGHTENING) else ordered}"
    casts = _casts_of(turn, mage)
    for hand, spell in orders.get("choose", {}).items():
        # One that fits nothing was passed over by them.
        for cast in casts:
            if cast["spell"] == spell and cast["hand"] in (hand, "both"):
                yield f"CHOOSE {HANDS[cast['hand']]} {spell}"
    for hand, victim in orders.get("target", {}).items():
        if isinstance(victim, dict) and "unknown_id" in victim:
            continue  # one that was never there: they fell back on the default
        both = any(cast["hand"] == "both" for cast in casts)
        yield f"TARGET {'BH' if both else HANDS[hand]} {names.write(victim)}"
    for monster, victim in orders.get("monsters", {}).items():
        if victim != "default" and "unknown_id" not in (victim or ()):
            yield f"TARGET {names.write(monster)} {names.write(victim)}"
    for victim, hand in orders.get("paralyze", {}).items():
        if hand:
            yield f"PARALYZE {HANDS[hand]} {victim}"
    for victim, order in orders.get("direct", {}).items():
        if order["hand"] and order["gesture"]:
            yield f"DIRECT {HANDS[order['hand']]} {order['gesture']} {victim}"
    for power in ("permanent", "delay"):
        if orders.get(power):
            yield f"{power.upper()} {_hand_of_power(HANDS[orders[power]], casts)}"
    if "delay" in orders and orders["delay"] is None:
        yield from (f"DELAY {HANDS[cast['hand']]}" for cast in casts if cast["outcome"] == "put in store")
    if orders.get("fire"):
        yield "FIRE"


def _casts_of(turn: Json, mage: str) -> list[Json]:
    casts = [cast for cast in turn["spells"] if cast["caster"] == mage and not cast.get("stored")]
    return [cast for cast in casts if _is_told(cast)]


def _hand_of_power(hand: str, casts: Sequence[Json]) -> str:
    """They name one hand for a spell of both."""
    return "BH" if any(cast["hand"] == "both" for cast in casts) else hand


class Names:
    """How the beings of a turn are written in order lines: those that are only now made by the hand that makes them."""

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


def is_monster(name: str) -> bool:
    """Whether the record means a monster: m1, m2, ..."""
    return name.startswith("m") and name[1:].isdigit()


def find_newborn(turn: Json, before: set[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each monster first seen in this turn, with the mage and the hand that made it ("left", "right", "both")."""
    spells = [cast for cast in turn["spells"] if cast["spell"].startswith("summon")]
    for monster in turn["after"]["monsters"]:
        if monster["id"] in before:
            continue
        slug = f"summon-{monster['type'].replace(' ', '-')}"
        cast = next((cast for cast in spells if cast["spell"] == slug), None)
        if cast is not None:
            yield monster["id"], (cast["caster"], cast["hand"])
            spells.remove(cast)


def newborn_of(turns: Sequence[Json], at: int) -> dict[str, tuple[str, str]]:
    """The monsters that a turn made, each with its mage and hand."""
    before = turns[at - 1]["after"]["monsters"] if at else ()
    return dict(find_newborn(turns[at], {monster["id"] for monster in before}))


def write_answers(turns: Sequence[Json], at: int, mage: str) -> dict[str, str]:
    """Slot -> value for whatever a mage may be asked in this turn that the record settled without a question.

    Which spells were cast tells the choices; whose hands were held or moved in the coming turn tells what a ruleset
    asks at once (where nobody said, they hold the right hand, and move none).
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
    for victim in turn["after"]["wizards"]:
        answers[f"PARALYZE {victim}"] = HANDS[coming.get("paralyze", {}).get(victim) or "right"]
        answers[f"CHARM {victim}"] = HANDS[coming.get("direct", {}).get(victim, {}).get("hand") or "left"]
    kinds = [cast["spell"].split("-")[1] for cast in turn["spells"] if cast["spell"].endswith("-elemental")]
    if kinds:
        answers[KIND_OF_ELEMENTAL] = kinds[0]
    return answers


def read_state(turn: Json, *, last: bool, uncounted: frozenset[str] = frozenset()) -> Iterator[tuple[str, object]]:
    """The facts that stand after a turn, but the `uncounted` enchantments; after the last turn nothing is counted."""
    after = turn["after"]
    for name, wizard in after["wizards"].items():
        if wizard["alive"] or wizard["surrendered"] or wizard["hp"] <= 0:  # they leave the points of whom illness kills
            yield f"{name} hit points", wizard["hp"]
        yield f"{name} standing", _standing(wizard)
        if last:
            continue
        if wizard["enchantments"] is not None:
            yield f"{name} enchantments", read_enchantments(wizard["enchantments"], uncounted)
            store = wizard.get("store")
            yield f"{name} bank", f"{store['spell']} at {store['target'] or 'nobody'}" if store else None
            yield f"{name} held by", wizard.get("paralysed_by")
            yield f"{name} charmed by", wizard.get("charmed_by")
    for monster in after["monsters"]:
        yield from _read_monster(monster, last, uncounted)
    yield "monsters", frozenset(monster["id"] for monster in after["monsters"] if monster["alive"])


def _standing(wizard: Json) -> str:
    if wizard["alive"]:
        return "in"
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
    if not last and "enchantments" in monster and "elemental" not in monster["type"]:
        yield f"{name} enchantments", read_enchantments(monster["enchantments"], uncounted)


def read_enchantments(there: Mapping[str, object], uncounted: frozenset[str]) -> dict[str, object]:
    """Their enchantments under our names, without those that are not compared."""
    ours = {ENCHANTMENTS.get(name, name.replace("-", "_")): count for name, count in there.items()}
    if "protection" in there:
        ours["shield"] = there["protection"]  # it outlasts a mere Shield
    ours.pop("time_stop", None)  # the next turn's label tells it
    return {name: count for name, count in ours.items() if name not in uncounted}


def read_deeds(turns: Sequence[Json], at: int) -> Iterator[tuple[str, object]]:
    """The facts of what was done in a turn: who moved, what the hands made, which spells were cast at whom."""
    turn = turns[at]
    if turn["extra"]:  # in a turn for all, who shows no gestures is taken to make none
        yield "movers", frozenset(turn["acting"])
    for mage, (left, right) in turn["gestures"].items():
        yield f"{mage} gestures", f"{left}/{right}"
    if not all(map(_is_told, turn["spells"])):
        return
    casts = [cast for cast in turn["spells"] if not _is_used_up(turns, at, cast)]
    yield "castings", tuple(sorted(map(_write_cast, casts)))
    yield (
        "outcomes",
        tuple(sorted(f"{_write_cast(cast)}: {OUTCOMES.get(cast['outcome'], 'went off')}" for cast in casts)),
    )


def _is_told(cast: Json) -> bool:
    """Whether the record knows the hand and the target of a spell."""
    return cast["hand"] is not None and "unknown_id" not in (cast["target"] or ())


def _is_used_up(turns: Sequence[Json], at: int, cast: Json) -> bool:
    """The short bolt once more: they say that it is cast and fizzles, we that its gestures make nothing."""
    if cast["spell"] != "lightning-bolt-quick" and cast.get("pattern") != "WDDc":
        return False
    return bool(at and turns[at - 1]["after"]["wizards"][cast["caster"]].get("quick_lightning_used"))


def _write_cast(cast: Json) -> str:
    hand = "Fire" if cast.get("stored") else HANDS.get(cast["hand"], "?")
    target = cast["target"]
    if cast["spell"] in UNTARGETED or target is None:
        target = "nobody"
    elif isinstance(target, dict):
        target = f"{HANDS[target['hand']]}:{target['hand_of']}"
    return f"{cast['caster']} {hand} {name_casting(cast['spell'])} at {target}"


def name_casting(slug: str) -> str:
    """The spell for comparing: where one spell makes both elementals, the creature tells which it was."""
    return "summon-elemental" if slug.endswith("-elemental") else slug


def read_ending(result: Json) -> dict[str, object]:
    """How it ended; a record whose orders ran out says nothing of it."""
    return {"finished": True, "winners": frozenset(result["winners"])} if result["finished"] else {}
