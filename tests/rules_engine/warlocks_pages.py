"""Battles of our own engine, written as the page of a Warlocks battle tells them: nothing of another site is copied."""

import re
from collections.abc import Iterator

from rules_engine import KeyedDice, Sheet, advance, get_ruleset, new_duel
from rules_engine.bots import choose_orders
from rules_engine.records import Chronicle, PlayedTurn, Record, RecordedTurn, complete_record, find_result, play_record

PHRASES = {
    "F": "wiggles the fingers of his {} hand.",
    "P": "proffers the palm of his {} hand.",
    "S": "snaps the fingers of his {} hand.",
    "W": "waves his {} hand.",
    "D": "points the digit of his {} hand.",
    "C": "half-claps with his {} hand.",
    ">": "stabs with his {} hand.",
    "-": "makes no gesture with his {} hand.",
}


def play_bots(ruleset: str, *mages: str, seed: str, turns: int = 40, strength: str = "Warder") -> Record:
    """A battle between bots, recorded."""
    rules = get_ruleset(ruleset)
    state = new_duel(rules, mages, dice=KeyedDice(seed, 0, 0))
    played: list[tuple[str, int, list[dict[str, tuple[str, ...]]]]] = []
    while not state.over and state.seq <= turns:
        lines = {
            name: tuple(choose_orders(state, mage=name, strength=strength, seed=f"{seed} {state.seq} {name}"))
            for name in state.owing
        }
        if not state.stage:
            played.append((state.label, state.seq, []))
        played[-1][2].append(lines)
        sheets = {name: Sheet.from_lines(written) for name, written in lines.items()}
        state = advance(state, sheets, KeyedDice(seed, state.seq, 0)).state
    recorded = tuple(RecordedTurn(label, seq, tuple(stages)) for label, seq, stages in played)
    return complete_record(Record(rules.name, rules.edition, mages, recorded, seed=seed))


def write_page(record: Record) -> str:
    """The page, wrapped as a text browser wraps it."""
    chronicle = play_record(record)
    lines = ["RavenBlack Games", "", f"Turn {len(record.turns)} in Battle 1", "", "   Turn 0", ""]
    lines += [f"     {mage} bows." for mage in record.mages]
    for number, turn in enumerate(chronicle.turns, start=1):
        lines += ["", f"   Turn {number}", "", *(f"     {line}" for line in write_turn(record, turn))]
    return "\n".join([*lines, "", *write_end(chronicle)]) + "\n"


def write_turn(record: Record, turn: PlayedTurn) -> Iterator[str]:
    result = find_result(turn)
    orders = next(each for each in record.turns if each.seq == turn.seq).stages[0]
    for mage in record.mages:
        if mage not in result.gestures or "." in result.gestures[mage][0]:
            continue
        left, right = (hand[0] for hand in result.gestures[mage])
        if left == right == "C":
            yield f"{mage} claps."
        else:
            yield f"{mage} {PHRASES[left].format('left')}"
            yield f"{mage} {PHRASES[right].format('right')}"
        for hand in ("LH", "RH", "BH"):
            for cast in (each for each in result.casts if each.mage == mage and each.hand == hand):
                at = "himself" if cast.target == mage else name_creature(cast.target or "nobody")
                yield f"{mage} casts {cast.spell} at {at}."
        for line in orders.get(mage, ()):
            if (order := re.fullmatch(r"TARGET (\S+) (\S+)", line)) and order[1] in turn.before.monsters:
                yield f"{mage} directs {name_creature(order[1])} to attack {name_creature(order[2])}."
    for name, monster in turn.after.monsters.items():
        if name not in turn.before.monsters:
            yield f"{name_creature(name)} is summoned to serve {monster.controller}."


def name_creature(name: str) -> str:
    """``RedGoblin`` as ``Red Goblin``: that site names its creatures in two words."""
    return (
        " ".join(re.findall(r"[A-Z][a-z]+", name)) if re.search(r"(Goblin|Ogre|Troll|Giant|Elemental)$", name) else name
    )


def write_end(chronicle: Chronicle) -> Iterator[str]:
    end = chronicle.turns[-1].after
    for name, wizard in end.wizards.items():
        yield f"   {name}(3) Health:{wizard.hp}"
        yield f"     LH:{wizard.left}".replace(".", " ").replace("#", "")
        yield f"     RH:{wizard.right}".replace(".", " ").replace("#", "")
        yield ""
