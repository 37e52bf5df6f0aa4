"""Reads the facts that neutral records hold from the engine, under the records' names for beings and spells."""

from collections.abc import Iterator, Mapping

from rules_engine import Done
from rules_engine.beings import NO_MASTER, NOBODY, Being, Monster, Wizard
from rules_engine.spells import Cast
from rules_engine.state import State
from tests.conformance.engine_facts import STANDINGS, read_enchantments
from tests.conformance.neutral_records import LIGHTNING, OWN_RESISTANCE, PASSING, UNTARGETED, name_casting

# The records' slug -> the names of the spell in our rulesets, if the slug is not the name.
NAMES = {
    "counter-spell": ("Counter Spell", "Counter-spell"),
    "delayed-effect": ("Delay Effect", "Delayed Effect"),
    LIGHTNING: ("Clap Of Lightning", "Clap of Lightning", "Lightning Bolt"),
    "summon-fire-elemental": ("Summon Fire Elemental", "Summon Elemental"),
    "summon-ice-elemental": ("Summon Ice Elemental", "Summon Elemental"),
}
SLUGS = {
    name: slug for slug, names in NAMES.items() for name in names if name not in ("Lightning Bolt", "Summon Elemental")
}
GONE = "long-gone"  # a name that nobody has
CURES = {"cure-light-wounds": 1, "cure-heavy-wounds": 2}
MADE_NEW = ("counter-spell", "magic-mirror")
Theirs = Mapping[str, str]


def slugify(name: str) -> str:
    """The records' name for one of our spells."""
    return SLUGS.get(name, name.lower().replace(" ", "-"))


def read_deeds(before: State, done: Done, theirs: Theirs) -> Iterator[tuple[str, object]]:
    """The acts of a turn: gestures, casts and their results, harm and cures."""
    for mage, (left, right) in done.record.gestures.items():
        yield f"{mage} gestures", f"{left}/{right}"
    yield from _read_castings(done, theirs)
    yield from _read_harm(done, theirs)
    yield from _read_cures(done, theirs)
    yield from _read_in_force(before, done, theirs)
    casts = done.record.casts
    lost = {cast.target for cast in casts if cast.spell.name == "Anti Spell" and cast.outcome[-1:] == ["DoSpell"]}
    yield "anti-spelled", frozenset(lost & set(done.state.wizards))
    yield "made permanent by", tuple(sorted(cast.summoner for cast in casts if cast.permanent))


def _read_castings(done: Done, theirs: Theirs) -> Iterator[tuple[str, object]]:
    casts = [*_read_casts(done, theirs), *_read_banked(done, theirs)]
    yield "castings", tuple(sorted(cast.rpartition(":")[0] for cast in casts))
    yield "outcomes", tuple(sorted(casts))
    yield "casters", tuple(sorted(_name_caster(cast) for cast in casts))
    turned = [cast for cast in done.record.casts if "Reflecting" in cast.outcome]
    yield (
        "reflections",
        tuple(
            sorted(
                f"{cast.summoner} {name_casting(slugify(cast.spell.name))}: by {_mage_behind(cast.caster, done)}"
                f" to {_who(cast.target, theirs)}"
                for cast in turned
            )
        ),
    )


def _mage_behind(name: str, done: Done) -> str:
    """Return who directs a reflected spell: the master, if a creature has the mirror."""
    monster = done.state.monsters.get(name)
    return monster.controller if monster else name


def _name_caster(written: str) -> str:
    caster, _, slug, *_ = written.split(" ")
    return f"{caster} {slug}"


def _read_casts(done: Done, theirs: Theirs) -> Iterator[str]:
    for cast in done.record.casts:
        hand = "Fire" if cast.fired else cast.hand
        slug = name_casting(slugify(cast.spell.name))
        yield f"{cast.summoner} {hand} {slug} at {_target(cast, theirs)}: {_became(cast)}"


def _read_banked(done: Done, theirs: Theirs) -> Iterator[str]:
    for event in done.events:
        if event.kind == "banks":
            facts = event.facts
            slug = slugify(str(facts["spell"]))
            target = NOBODY if slug in UNTARGETED else _who(str(facts["target"]), theirs)
            yield f"{facts['who']} {facts['hand']} {slug} at {target}: put in store"


def _who(name: str, theirs: Theirs) -> str:
    return theirs.get(name, name)


def _target(cast: Cast, theirs: Theirs) -> str:
    if not cast.spell.targeted or slugify(cast.spell.name) in UNTARGETED:
        return NOBODY
    return _who(GONE if cast.ordered is None else cast.ordered, theirs)


def _became(cast: Cast) -> str:
    tokens = cast.outcome
    if "Shattered" in tokens:
        return "lost between two mirrors"
    if "Reflecting" in tokens:
        return "reflected"
    names = {"Dispelled": "dispelled", "Blind": "caster blind", "Invisible": "target invisible"}
    return next((names[token] for token in tokens if token in names), "went off")


def _read_harm(done: Done, theirs: Theirs) -> Iterator[tuple[str, object]]:
    harm: dict[str, list[int]] = {}
    for event in done.events:
        if event.kind in ("hurt", "strikes", "stabs"):
            victim = str(event.facts["who" if event.kind == "hurt" else "target"])
            harm.setdefault(_who(victim, theirs), []).append(int(str(event.facts["points"])))
    for who, points in harm.items():
        yield f"{who} harm", tuple(sorted(points))


def _read_cures(done: Done, theirs: Theirs) -> Iterator[tuple[str, object]]:
    cures: dict[str, list[int]] = {}
    for cast in done.record.casts:
        offered = CURES.get(slugify(cast.spell.name), 0)
        if offered and cast.outcome[-1:] == ["DoSpell"]:
            cures.setdefault(_who(cast.target, theirs), []).append(offered)
    for who, points in cures.items():
        yield f"{who} cures", tuple(sorted(points))


def _read_in_force(before: State, done: Done, theirs: Theirs) -> Iterator[tuple[str, object]]:
    """Each being's enchantments when the turn began, and its new Counter Spells and Magic Mirrors."""
    for being in (*before.wizards.values(), *before.monsters.values()):
        for name, count in read_lasting(being, frozenset()).items():
            yield f"{_who(being.name, theirs)} in force: {name}", count
        for mark, name in (("countering", "counter-spell"), ("reflecting", "magic-mirror")):
            if mark in being.marks:  # in a turn of Haste, those of the turn before it
                yield f"{_who(being.name, theirs)} in force: {name}", 1
    for cast in done.record.casts:
        if slugify(cast.spell.name) in MADE_NEW and cast.outcome[-1:] == ["DoSpell"]:
            yield f"{_who(cast.target, theirs)} in force: {slugify(cast.spell.name)}", 1


def read_standing(state: State, theirs: Theirs, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    """The facts after a turn."""
    for wizard in state.wizards.values():
        yield from _read_mage(wizard, theirs, uncounted)
    for monster in state.monsters.values():
        yield from _read_monster(monster, theirs, uncounted)
    yield "monsters", frozenset(_who(name, theirs) for name in state.monsters)


def _read_mage(wizard: Wizard, theirs: Theirs, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    name = wizard.name
    yield f"{name} hit points", wizard.hp
    yield f"{name} standing", STANDINGS.get(wizard.phase, "in").replace("victorious", "in")
    yield f"{name} surrendered", wizard.surrendered
    yield from _read_enchantments(wizard, name, uncounted)
    bank = wizard.bank
    yield f"{name} bank", _write_bank(*bank, theirs) if bank else None
    yield f"{name} held by", wizard.paralyser if "paralysed" in wizard.marks else None
    yield f"{name} charmed by", wizard.controller if "charmed" in wizard.marks else None
    yield f"{name} quick lightning used", wizard.short_bolt_used


def _write_bank(spell: str, target: str, theirs: Theirs) -> str:
    slug = slugify(spell)
    return f"{slug} at {NOBODY if slug in UNTARGETED else _who(target, theirs)}"


def _read_monster(monster: Monster, theirs: Theirs, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    name = _who(monster.name, theirs)
    yield f"{name} kind", monster.kind
    yield f"{name} hit points", monster.hp
    yield f"{name} owner", _somebody(monster.controller)
    target = _somebody(monster.target)
    yield f"{name} target", _who(target, theirs) if target else None
    yield from _read_enchantments(monster, name, uncounted)


def _read_enchantments(being: Being, name: str, uncounted: frozenset[str]) -> Iterator[tuple[str, object]]:
    own = OWN_RESISTANCE.get(being.kind, "") if isinstance(being, Monster) else ""
    lasting = read_lasting(being, uncounted | {own})
    yield f"{name} enchantments", frozenset(lasting)
    yield from ((f"{name} count of {what}", count) for what, count in lasting.items())


def _somebody(name: str) -> str | None:
    return None if name in (NOBODY, NO_MASTER) else name


def read_lasting(being: Being, uncounted: frozenset[str]) -> dict[str, object]:
    """A being's enchantments after the turn, without those that end with it and those that are not compared."""
    there: dict[str, object] = {}
    for name, count in read_enchantments(being).items():
        if name not in PASSING and name not in uncounted:
            there[name] = "permanent" if count in (-1, 999) else count
    return there
