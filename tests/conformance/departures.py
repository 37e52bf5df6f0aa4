"""Where the other open engine departs from the documents of our rulesets, each as a predicate over the position.

Each is a defect or a choice of that engine; nothing here changes our rules. A departure names the facts that may differ
in a turn for which its predicate is true. They are still compared; if they differ they count as excused, the state is
set to what the record says, and everything else continues to be compared.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.conformance.comparison import Excuse
from tests.conformance.neutral_records import is_monster
from tests.conformance.newborn import newborn_of

Json = Mapping[str, Any]
SICKNESSES = ("disease", "poison")
STUNNING = ("paralysis", "amnesia", "fear", "maladroitness", "confusion")
HARMFUL = ("cause-light-wounds", "cause-heavy-wounds", "magic-missile", "fireball", "lightning-bolt", "finger-of-death")
ELEMENTALS = ("summon-fire-elemental", "summon-ice-elemental")
WAVING_HANDS = "spellbinder"
TOLL = "(hit points|harm|cures|standing|surrendered)"  # facts about a victim that one attack more or less changes
SPOILS = rf"monsters|m\d+ .*|\S+ {TOLL}"  # all facts that it changes, if the victim may be anyone


class Position:
    """One turn of a record, and the position before it."""

    def __init__(self, turns: Sequence[Json], at: int) -> None:
        self.turn = turns[at]
        self.newborn = newborn_of(turns, at)
        self.before: Json = turns[at - 1]["after"] if at else {"wizards": {}, "monsters": []}
        self.next = turns[at + 1] if at + 1 < len(turns) else None

    def casts(self, *spells: str, outcome: str = "cast") -> list[Json]:
        """The casts of these spells with this outcome."""
        return [cast for cast in self.turn["spells"] if cast["spell"] in spells and cast["outcome"] == outcome]

    def subject(self, cast: Json) -> str | None:
        """The being that a spell reached, even a creature that is being created."""
        target = cast.get("reflected_to") or cast["target"]
        if not isinstance(target, dict):
            return str(target) if target else None
        made_by = (target.get("hand_of"), target.get("hand"))
        return next((name for name, maker in self.newborn.items() if maker == made_by), "m?")

    def lies_on(self, name: str, enchantment: str) -> bool:
        """Whether an enchantment was active on a being in this turn."""
        told = (self.turn.get("during") or {}).get(name) or {}
        lay = (self.before["wizards"].get(name) or {}).get("enchantments") or {}
        return enchantment in told or enchantment in lay

    def victims(self, monster: str) -> str:
        """A pattern for the possible victims of a creature, before or after the turn's orders to it."""
        said = [
            one["target"] for one in (*self.before["monsters"], *self.turn["after"]["monsters"]) if one["id"] == monster
        ]
        for orders in self.turn["orders"].values():
            said += [victim for name, victim in (orders.get("monsters") or {}).items() if name == monster]
        if monster == "m?" or any(isinstance(name, dict) or str(name).startswith("hand") for name in said):
            return r"\S+"
        names = [re.escape(name) for name in said if name and name not in ("nobody", "default")]
        mages = [] if names else list(self.turn["after"]["wizards"])
        return "(" + "|".join(names or mages) + ")"


@dataclass(frozen=True)
class Departure:
    """`find` yields patterns of the facts that may differ in a turn; nothing if the departure does not apply."""

    reason: str
    find: Callable[[Position], Iterator[str]]
    ruleset: str | None = None  # None: in both of its rulesets


def find_excuses(ruleset: str, turns: Sequence[Json], at: int) -> Iterator[Excuse]:
    """The facts that may differ in a turn of that engine's ruleset, and why."""
    position = Position(turns, at)
    for departure in DEPARTURES:
        if departure.ruleset in (None, ruleset):
            patterns = [f"({pattern})" for pattern in departure.find(position)]
            if patterns:
                yield Excuse(re.compile("|".join(patterns)), departure.reason)


def _hastened_creature(position: Position) -> Iterator[str]:
    for cast in position.casts("haste"):
        name = position.subject(cast)
        if name and is_monster(name):
            yield rf"{position.victims(name)} {TOLL}|monsters|{re.escape(name)} .*"
    for monster in position.before["monsters"]:
        if "haste" in (monster.get("enchantments") or {}):
            yield rf"{position.victims(monster['id'])} {TOLL}|monsters|{monster['id']} .*"


def _stopped_creature(position: Position) -> Iterator[str]:
    for cast in position.casts("time-stop"):
        name = position.subject(cast)
        if name and is_monster(name):
            yield rf"{position.victims(name)} {TOLL}|monsters|{re.escape(name)} .*"


def _charmed_creature(position: Position) -> Iterator[str]:
    for cast in position.casts("charm-monster"):
        name = position.subject(cast)
        if name and is_monster(name):
            mages = "|".join(position.turn["after"]["wizards"])
            subject = r"m\d+" if name == "m?" else name
            yield rf"{subject} target|({position.victims(name)}|{mages}) {TOLL}|monsters"


def _cured_creature(position: Position) -> Iterator[str]:
    cured = {position.subject(cast) for cast in position.casts("cure-light-wounds", "cure-heavy-wounds")}
    for name in cured:
        if name and is_monster(name):
            subject = r"m\d+" if name == "m?" else name
            yield rf"{subject} {TOLL}|monsters|{subject} .*"


def _unseen_target(position: Position) -> Iterator[str]:
    for cast in position.turn["spells"]:
        name = position.subject(cast)
        if name and cast["outcome"] in ("missed: target invisible", "reflected and lost: caster invisible"):
            yield rf"outcomes|reflections|anti-spelled|{re.escape(name)} .*"


def _blind_bearer(position: Position) -> Iterator[str]:
    for cast in position.turn["spells"]:
        name = position.subject(cast)
        if name and cast["outcome"] == "reflected and lost: mirror bearer blind":
            yield rf"anti-spelled|{re.escape(name)} .*"


def _unseen_by_elementals(position: Position) -> Iterator[str]:
    monsters = (*position.before["monsters"], *position.turn["after"]["monsters"])
    if any("elemental" in one["type"] for one in monsters):
        for name in position.turn["after"]["wizards"]:
            if position.lies_on(name, "invisibility"):
                yield f"{name} {TOLL}"


def _countered_elemental(position: Position) -> Iterator[str]:
    for cast in position.casts(*ELEMENTALS):
        name = position.subject(cast)
        if name and position.lies_on(name, "counter-spell"):
            yield f"outcomes|{SPOILS}"


def _stunned_creature(position: Position) -> Iterator[str]:
    for cast in position.casts(*STUNNING):
        name = position.subject(cast)
        if name and is_monster(name):
            subject = r"m\d+" if name == "m?" else name
            yield rf"{subject} (enchant.*|count .*|target|hit points)|{position.victims(name)} {TOLL}|monsters"


def _lasting_stunned_creature(position: Position) -> Iterator[str]:
    for monster in position.before["monsters"]:
        if any(name in (monster.get("enchantments") or {}) for name in STUNNING):
            yield rf"{monster['id']} (enchant.*|count .*|target)|{position.victims(monster['id'])} {TOLL}|monsters"


def _sick_creature(position: Position) -> Iterator[str]:
    for cast in position.casts(*SICKNESSES):
        name = position.subject(cast)
        if name and is_monster(name):
            yield rf"monsters|{'m[0-9]+' if name == 'm?' else name} .*|{position.victims(name)} {TOLL}"


def _sick_mage(position: Position) -> Iterator[str]:
    for cast in position.casts(*SICKNESSES, *SICKNESSES):
        name = position.subject(cast)
        if name and not is_monster(name):
            yield rf"{name} count of {cast['spell']}"
    for cast in position.casts(*SICKNESSES, outcome="reflected"):
        yield rf"{position.subject(cast)} count of {cast['spell']}"


def _protected(position: Position) -> Iterator[str]:
    for cast in [*position.casts("protection"), *position.casts("protection", outcome="reflected")]:
        yield rf"{'m[0-9]+' if position.subject(cast) == 'm?' else position.subject(cast)} count of shield"


def _hastened_mage(position: Position) -> Iterator[str]:
    if follows_hastened(position):
        yield r"\S+ (enchantments|count of \S+|charmed by|held by|in force: haste)"


def follows_hastened(position: Position) -> bool:
    """Whether this turn or the next is only for hastened mages, or someone is hastened."""
    extra = position.turn["extra"] == "haste" or (position.next and position.next["extra"] == "haste")
    return bool(extra) or any(
        "haste" in (one["enchantments"] or ()) for one in position.turn["after"]["wizards"].values()
    )


def _saved_from_death(position: Position) -> Iterator[str]:
    struck = {position.subject(cast) for cast in position.casts("finger-of-death")}
    for name in struck & {position.subject(cast) for cast in position.casts("raise-dead")}:
        yield f"{name} {TOLL}"


def _at_the_dead(position: Position) -> Iterator[str]:
    dead = {name for name, one in position.before["wizards"].items() if not one["alive"]}
    if any(cast["target"] == name for cast in position.turn["spells"] for name in dead):
        yield "outcomes|reflections|" + "|".join(f"{name} .*" for name in sorted(dead))


def _raised(position: Position) -> Iterator[str]:
    for cast in position.casts("raise-dead"):
        name = position.subject(cast)
        if name and is_monster(name):
            yield SPOILS


def _kept_power(position: Position) -> Iterator[str]:
    delayed = [
        name for name, one in position.before["wizards"].items() if "delayed-effect" in (one["enchantments"] or ())
    ]
    for name in delayed:
        casts = [cast for cast in position.turn["spells"] if cast["caster"] == name and not cast.get("stored")]
        if not (position.turn["orders"].get(name) or {}).get("delay"):
            kept = f"{name} (bank|enchantments|count of delay_pending)"
            reached = "|".join(rf"{re.escape(position.subject(cast) or name)} .*" for cast in casts)
            if casts:
                yield f"outcomes|anti-spelled|reflections|{kept}|{reached}"


def has_suicide(turn: Json) -> bool:
    """Whether a mage ends their own life by an order."""
    return any(orders.get("suicide") for orders in turn["orders"].values())


def _reflected_clap(position: Position) -> Iterator[str]:
    for cast in position.turn["spells"]:
        turned = cast["outcome"].startswith("reflected") and cast.get("reflected_by")
        if turned and (cast["spell"] == "lightning-bolt-quick" or cast.get("pattern") == "WDDc"):
            yield rf"({re.escape(cast['caster'])}|{re.escape(cast['reflected_by'])}) quick lightning used"


def _end_of_life(position: Position) -> Iterator[str]:
    for name, orders in position.turn["orders"].items():
        if orders.get("suicide"):
            yield f"{name} {TOLL}|monsters"


DEPARTURES = (
    Departure("a hastened creature strikes a second time at once there", _hastened_creature),
    Departure("a creature outside time strikes at other moments there", _stopped_creature),
    Departure("whom a creature strikes in the turn in which it is charmed", _charmed_creature),
    Departure("cures work before harm on creatures there, and are capped at once", _cured_creature),
    Departure("every spell misses the invisible there (001: only what needs to see)", _unseen_target, WAVING_HANDS),
    Departure("a blind bearer's mirror loses the spell there (a mirror needs no eyes)", _blind_bearer),
    Departure("an elemental misses the invisible there", _unseen_by_elementals),
    Departure("an elemental comes at a countered mage there (a real game: it does not)", _countered_elemental),
    Departure("a mind spell tells on a creature at once there (001: a turn later)", _stunned_creature, WAVING_HANDS),
    Departure("a permanent mind spell on a creature", _lasting_stunned_creature, WAVING_HANDS),
    Departure("Disease and Poison kill a creature at once there (001: in turn six)", _sick_creature, WAVING_HANDS),
    Departure("Disease and Poison last a turn more there (001: six with that of casting)", _sick_mage, WAVING_HANDS),
    Departure("Protection ends a turn early there (001: this turn and three more)", _protected, WAVING_HANDS),
    Departure("Haste gives a turn of its own there (001: two pairs of gestures a turn)", _hastened_mage, WAVING_HANDS),
    Departure("Raise Dead heals whom the Finger of Death strikes there", _saved_from_death, WAVING_HANDS),
    Departure("a spell at one who was dead as the turn began", _at_the_dead, WAVING_HANDS),
    Departure("a creature that is raised", _raised, WAVING_HANDS),
    Departure("a Delayed Effect waits for an order there (001: it takes the next spell)", _kept_power, WAVING_HANDS),
    Departure("a mage ends their own life by an order", _end_of_life),
    Departure(
        "a clap that a mirror sends back is charged to its bearer there (the caster has used it)", _reflected_clap
    ),
)

# Spells with another default target there: the orders get the one that it used.
DEFAULTS = {
    "remove-enchantment": "the default target of Remove Enchantment, there the opponent (001: a protection: oneself)",
    "charm-monster": "the default target of Charm Monster, there oneself (WH-TURN-8: the opponent)",
    "raise-dead": "the default target of Raise Dead, there nobody (001: a protection: oneself)",
}


def fill_in_defaults(turns: Sequence[Json]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The turns with the default targets filled in, and how many, by reason."""
    filled, counts = [], dict[str, int]()
    for turn in turns:
        orders = {mage: dict(given) for mage, given in turn["orders"].items()}
        for cast in turn["spells"]:
            given = orders.setdefault(cast["caster"], {})
            if cast["spell"] in DEFAULTS and not cast.get("stored") and not given.get("target"):
                given["target"] = {"left" if cast["hand"] in (None, "both") else cast["hand"]: cast["target"]}
                reason = DEFAULTS[cast["spell"]]
                counts[reason] = counts.get(reason, 0) + 1
        filled.append({**turn, "orders": orders})
    return filled, counts
