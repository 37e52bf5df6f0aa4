"""Describes a spell in a ruleset: its sentences, with numbers and names from the engine's tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules_engine.beings import MONSTER_HP, WIZARD_HP
from rules_engine.gestures import FRIGHTENED
from rules_engine.minds import MIND_SPELLS
from rules_engine.rulebook.words import WORDS
from rules_engine.rules import Difference, Ruleset
from rules_engine.rulesets.base import SUMMONS
from rules_engine.spells import FOE, NO_TARGET, SELF, AtUnborn, Spell
from rules_engine.steps import results

# Mind spells that a mage directs: of two of a kind one mage directs, or they cancel.
_DIRECTED = ("Charm Monster", "Charm Person", "Paralysis")
_USUAL = {SELF: "yourself", FOE: "your opponent", NO_TARGET: "everyone"}


def write_sentences(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """Return a spell's description in a ruleset, sentence by sentence; empty for an unknown spell."""
    if name not in WORDS or name not in ruleset.spells:
        return ()
    facts = _facts(ruleset)
    texts = (each if isinstance(each, str) else each.pick(ruleset) for each in WORDS[name])
    sentences = [text.format_map(facts) for text in texts]
    return tuple(sentence for sentence in (*sentences, _once(ruleset, name), _lasting(ruleset, name)) if sentence)


def describe_spell(ruleset: Ruleset, name: str) -> str:
    """Return a spell's description in a ruleset as one text; empty for an unknown spell."""
    return " ".join(write_sentences(ruleset, name))


def describe_usual_target(spell: Spell) -> str:
    """Return the target of a spell if none is named: "yourself", "your opponent", "everyone" or "nobody"."""
    if spell.default == NO_TARGET and spell.category == SUMMONS:
        return "yourself" if spell.needs_subject else "nobody"
    return _USUAL[spell.default]


def find_differences(ruleset: Ruleset, name: str) -> tuple[Difference, ...]:
    """Return the differences of a ruleset that mention this spell."""
    return tuple(difference for difference in ruleset.differences if name in difference.text)


def join_names(names: Iterable[str], word: str = "and") -> str:
    """Return names as a sentence lists them: ``C, D and F``."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def _facts(ruleset: Ruleset) -> dict[str, str]:
    """Return the values of the texts' named slots in a ruleset."""
    return {
        **{kind.lower(): str(points) for kind, points in MONSTER_HP.items()},
        "elemental": str(MONSTER_HP["FireElemental"]),
        "storm": str(results.STORM_DAMAGE),
        "fireball": str(results.FIREBALL_DAMAGE),
        "lightning": str(results.LIGHTNING_DAMAGE),
        "missile": str(results.MISSILE_DAMAGE),
        "heavy": str(results.HEAVY_DAMAGE),
        "light": str(results.LIGHT_DAMAGE),
        "cure_heavy": str(results.HEAVY_CURE),
        "cure_light": str(results.LIGHT_CURE),
        "rising": str(results.RISING_CURE),
        "most_hp": str(WIZARD_HP + ruleset.rules.hit_point_surplus),
        "confusion": join_names(sorted(ruleset.rules.confusion_makes, key="CDFPSW>-".index), "or"),
        "feared": join_names(sorted(FRIGHTENED), "or"),
        **{slot: write(ruleset) for slot, write in _SLOTS.items()},
    }


def _newborn_counter(ruleset: Ruleset) -> str:
    if ruleset.spells["Counter Spell"].at_unborn is AtUnborn.FAILS:
        return "It cannot be cast on a creature that is still being created this turn."
    return "It can be cast on a creature that is still being created this turn."


def _surplus(ruleset: Ruleset) -> str:
    if ruleset.rules.hit_point_surplus:
        return "A creature, too, can rise one hit point above what it started with."
    return ""


def _delay(ruleset: Ruleset) -> str:
    rules = ruleset.rules
    if not rules.powers_take_the_next:
        return "In one of the next three turns, the target may bank a spell that they complete."
    when = "this turn or in the next three" if rules.powers_catch_their_own_turn else "in the next three turns"
    return f"The next spell that the target completes, {when}, is banked."


def _permanency(ruleset: Ruleset) -> str:
    rules = ruleset.rules
    if not rules.powers_take_the_next:
        return "In one of the next three turns, the target may make an enchantment that they complete permanent."
    when = "this turn or in the next three" if rules.powers_catch_their_own_turn else "in the next three turns"
    return f"The next enchantment that the target completes and that can last, {when}, is permanent."


def _lasting_spells(ruleset: Ruleset) -> str:
    return join_names(sorted(name for name in ruleset.order if ruleset.spells[name].can_be_permanent))


def _raised_from_death(ruleset: Ruleset) -> str:
    return "It and a Raise Dead on the same target cancel each other." if "Raise Dead" in ruleset.order else ""


def _minds_in_haste(ruleset: Ruleset) -> str:
    if ruleset.rules.haste_begins_next_turn:
        return "Mind spells hold both pairs of gestures."
    if ruleset.rules.minds_sleep_in_haste:
        return "Mind spells on the target do not work in the extra turns."
    return "Mind spells on the target work in the extra turns too."


def _mirror_spares(ruleset: Ruleset) -> str:
    if ruleset.rules.mirror_returns_harm_only:
        return "It does not reflect spells that mages usually cast on themselves, storms or summoned elementals."
    return "It does not reflect storms or summoned elementals."


def _held_becomes(ruleset: Ruleset) -> str:
    pairs = [f"{was} becomes {now}" for was, now in sorted(ruleset.rules.paralysis.items()) if was != now]
    return f"Held still, {join_names(pairs)}." if pairs else ""


def _minds(ruleset: Ruleset) -> str:
    return join_names(name for name in MIND_SPELLS if name in ruleset.order)


def _differing(ruleset: Ruleset) -> str:
    return "of them" if ruleset.rules.like_charms_cancel else "different ones"


def _one_chooses(ruleset: Ruleset) -> str:
    if ruleset.rules.like_charms_cancel:
        return ""
    return "If several mages cast it on one mage, chance picks which of them chooses, but never the target."


def _one_masters(ruleset: Ruleset) -> str:
    if ruleset.rules.like_charms_cancel:
        return ""
    return "If several mages cast it on one creature, chance picks its new master."


def _alike(ruleset: Ruleset) -> str:
    if not ruleset.rules.like_charms_cancel:
        return "but two of a kind work as one"
    equal = [f"{name}s" for name in MIND_SPELLS if name in ruleset.order and name not in _DIRECTED]
    return f"but two {join_names(equal, 'or')} work as one, and so do two Paralyses at a mage who is still paralysed"


def _spared(ruleset: Ruleset) -> str:
    return ", except a Charm Monster of this turn" if ruleset.rules.removal_spares_new_charm else ""


def _elemental_countered(ruleset: Ruleset) -> str:
    if ruleset.spells["Summon Fire Elemental"].may_be_aimed:
        return "If you aim it at someone, a Counter Spell on them stops it."
    return "No Counter Spell stops it."


_SLOTS: Mapping[str, Callable[[Ruleset], str]] = {
    "minds": _minds,
    "differing": _differing,
    "alike": _alike,
    "one_chooses": _one_chooses,
    "one_masters": _one_masters,
    "newborn_counter": _newborn_counter,
    "surplus": _surplus,
    "delay": _delay,
    "permanency": _permanency,
    "lasting": _lasting_spells,
    "raised_from_death": _raised_from_death,
    "minds_in_haste": _minds_in_haste,
    "mirror_spares": _mirror_spares,
    "held_becomes": _held_becomes,
    "spared": _spared,
    "elemental_countered": _elemental_countered,
}


def _once(ruleset: Ruleset, name: str) -> str:
    series = [" ".join(text) for text in sorted(ruleset.once) if ruleset.series.get(text) == name]
    return f"Each mage can use {' and '.join(series)} once in a battle." if series else ""


def _lasting(ruleset: Ruleset, name: str) -> str:
    return "Permanency can make it permanent." if ruleset.spells[name].can_be_permanent else ""
