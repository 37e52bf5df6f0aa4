"""What each spell does under a ruleset, in sentences of our own. The rules decide; this only tells.

Numbers come from the engine's tables, and a sentence that holds in some rulesets only stands beside the point of
`Rules` on which they differ. `tests/rules_engine/test_rule_texts.py` plays every sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rules_engine.beings import MONSTER_HP, WIZARD_HP
from rules_engine.gestures import FRIGHTENED
from rules_engine.rulesets import Difference, Ruleset
from rules_engine.rulesets.base import SUMMONS
from rules_engine.spells import FOE, NO_TARGET, SELF, Spell
from rules_engine.steps import results
from rules_engine.steps.attacks import STAB_DAMAGE


@dataclass(frozen=True)
class Variants:
    """A sentence for each value of one point of `Rules`; no sentence for a value that is not named."""

    point: str
    texts: Mapping[object, str]

    def pick(self, ruleset: Ruleset) -> str:
        """The sentence of this ruleset, or ""."""
        return self.texts.get(getattr(ruleset.rules, self.point), "")


@dataclass(frozen=True)
class Readings:
    """A sentence for each document that a spell's own clause can be of ("FM", "WH", "SC", "WL"); else that of "FM"."""

    spell: str
    texts: Mapping[str, str]

    def pick(self, ruleset: Ruleset) -> str:
        """The sentence of this ruleset, or ""."""
        document = ruleset.spells[self.spell].clause.partition("-")[0]
        return self.texts.get(document, self.texts["FM"])


def _if(point: str, text: str, otherwise: str = "") -> Variants:
    return Variants(point, {True: text, False: otherwise})


# Marks that a Remove Enchantment may spare, and the spells that lay them.
_SPARED = {"lost": "Anti Spell", "charmer": "Charm Monster"}
_USUAL = {SELF: "yourself", FOE: "your opponent", NO_TARGET: "everyone"}
MIND_SPELLS = ("Amnesia", "Charm Monster", "Charm Person", "Confusion", "Fear", "Maladroitness", "Paralysis")

_MINDS = Readings(
    "Paralysis",
    {
        "FM": "Mind spells are {minds}: two of them at one target in a turn cancel each other, even two of a kind, but "
        "when a Paralysis meets another of them only the Paralysis fails.",
        "WH": "Mind spells are {minds}: two different ones at one target in a turn cancel each other, but two of a "
        "kind work as one.",
        "WL": "Mind spells are {minds}: two of them at one target in a turn cancel each other, even two of a kind.",
    },
)
_PERMANENT_MINDS = Readings(
    "Paralysis", {"FM": "", **dict.fromkeys(("WH", "WL"), "Against a permanent mind spell, a later one does nothing.")}
)
_ILLNESS = Readings(
    "Disease",
    {
        "FM": "The target, mage or creature, dies at the end of the sixth turn, counting this one.",
        "WL": "A mage dies at the end of the sixth turn after this one; a creature dies this turn, once it has "
        "attacked.",
    },
)
_OF_ILLNESS = (
    "Hastened and stopped turns do not count.",
    "Casting it again on the same target changes nothing.",
)
_BOLT = "Shields and resistances do not stop it."
_ANY_ELEMENTAL = (
    "From this turn on, it does {elemental} damage a turn to everyone, yourself included; it obeys nobody.",
    "It and one of the other kind destroy each other before they attack; two of a kind join into one at full strength.",
)
_SEEN_BY_ALL = _if(
    "haste_begins_next_turn",
    "In each of the next three turns the target plays two pairs of gestures, which everyone sees and which take "
    "effect together.",
    "After this turn and after each of the next two, the target alone plays an extra turn, which everyone sees.",
)

WORDS: Mapping[str, tuple[str | Variants | Readings, ...]] = {
    "Amnesia": (
        "Next turn the target plays the same two gestures again, stabs included, and chooses only their targets.",
        _if(
            "amnesia_keeps_victim",
            "Next turn a monster attacks whoever it is ordered to attack this turn, whatever its master says then.",
            "A creature, even an elemental, does not attack this turn.",
        ),
        _if("amnesia_keeps_victim", "Elementals are unaffected."),
        _if("anti_spell_blanks_memory", "After an Anti Spell the target repeats nothing instead."),
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Anti Spell": (
        "From next turn, no gesture that the target has played up to and including this turn counts towards a spell.",
        "Spells that the target completes this turn still work.",
        "Creatures are unaffected.",
    ),
    "Blindness": (
        "From next turn, for three turns, the target does not see the gestures of other mages.",
        _if("blind_sense_castings", "They still sense which spells are cast."),
        _if(
            "effects_are_told_to_all",
            "They still learn what spells do.",
            "They learn what spells do to them, but not what their own spells do to others.",
        ),
        "Any spell they cast at someone else misses, and so does any stab.",
        "Their spells at themselves still work, and they can still order their creatures.",
        "A creature, even an elemental, is destroyed at once and does not attack.",
    ),
    "Cause Heavy Wounds": ("{heavy} damage.", _BOLT),
    "Cause Light Wounds": ("{light} damage.", _BOLT),
    "Charm Monster": (
        "From this turn on, you are the master of the target creature.",
        Variants(
            "charmed_monster_attacks",
            {
                "nobody": "This turn it attacks whoever you name, or nobody.",
                "victim": "It keeps its victim until you name another.",
                "opponent": "It attacks your opponent until you name another victim.",
            },
        ),
        _if(
            "elementals_can_be_charmed",
            "An elemental can be charmed too, but still attacks everyone.",
            "Elementals cannot be charmed.",
        ),
        "Name the creature: cast at a mage, it does nothing but cancel another mind spell.",
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Charm Person": (
        _if(
            "confusion_keeps_its_first",
            "Once this turn's gestures are shown you choose one of the target's hands, and next turn its gesture.",
            "Next turn you choose one of the target's hands and its gesture.",
        ),
        "The target still chooses where a spell of that hand goes.",
        "If you choose no gesture, the target's own stands.",
        "On a creature it does nothing but cancel another mind spell.",
        _if(
            "charm_is_directed_anew",
            "While it is permanent you choose again every turn.",
            "A permanent one repeats the first gesture you chose.",
        ),
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Clap of Lightning": (
        "{lightning} damage.",
        _BOLT,
        _if("dispelled_once_is_kept", "A Counter Spell uses it up; a Dispel Magic does not."),
    ),
    "Confusion": (
        "Next turn, when the orders are in, chance picks one of the target's hands and its gesture: {confusion}.",
        "Two palms played this way are a surrender.",
        "This turn a monster attacks any other being, chosen at random.",
        "Elementals are unaffected.",
        _if(
            "confusion_keeps_its_first",
            "A permanent one repeats the first hand and gesture that were drawn.",
            "A permanent one draws again every turn.",
        ),
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Counter Spell": (
        "Every other spell at the target fails this turn, except Dispel Magic and Finger Of Death.",
        "Storms do not hurt the target.",
        "It also works as a Shield.",
        "{newborn_counter}",
    ),
    "Cure Heavy Wounds": (
        "Heals {cure_heavy} hit points, up to {most_hp} for a mage.",
        "It cures Disease, but not Poison.",
        "It counts together with this turn's damage, so it can save a life.",
        "{surplus}",
    ),
    "Cure Light Wounds": (
        "Heals {cure_light} hit point, up to {most_hp} for a mage.",
        "It counts together with this turn's damage, so it can save a life.",
        "{surplus}",
    ),
    "Delay Effect": (
        "{delay}",
        "The spell keeps its target, and works in the turn in which the target of Delay Effect releases it.",
        "Only one spell can be banked: a new one replaces it.",
        _if(
            "bank_outlives_removal",
            "Neither Dispel Magic nor Remove Enchantment empties the bank.",
            "Dispel Magic and Remove Enchantment empty the bank.",
        ),
        _if("powers_work_on_wizards_only", "Creatures are unaffected."),
    ),
    "Disease": (
        _ILLNESS,
        "Cure Heavy Wounds, Remove Enchantment and Dispel Magic cure it.",
        *_OF_ILLNESS,
    ),
    "Dispel Magic": (
        "No other spell cast this turn works.",
        "Every enchantment on every being ends before it takes effect.",
        "Every creature is destroyed, but attacks first.",
        _if("dispel_is_irresistible", "Neither Counter Spell nor Magic Mirror stops it."),
        "Stabs and surrenders still count, but its target is shielded.",
    ),
    "Fear": (
        Variants(
            "fear_makes",
            {
                None: "Next turn the target cannot play {feared}.",
                "-": "Next turn, if the target plays {feared}, the hand does nothing instead.",
            },
        ),
        "A stab is still possible.",
        Readings(
            "Fear",
            {
                "FM": "A monster does not attack this turn; elementals are unaffected.",
                **dict.fromkeys(("WH", "SC"), "Creatures are unaffected."),
            },
        ),
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Finger Of Death": (
        "Kills the target.",
        "Counter Spell does not stop it.",
        "Dispel Magic stops it, and a Magic Mirror turns it back.",
        "{raised_from_death}",
    ),
    "Fire Storm": (
        "{storm} damage to every being, yourself included, unless it resists heat or has a Counter Spell this turn.",
        "Shields do not stop it.",
        "An Ice Storm in the same turn and this cancel each other.",
        "It and an ice elemental destroy each other, and nobody is hurt.",
        "It destroys a fire elemental and still rages.",
        "An elemental destroyed by a storm does not attack.",
        "Two Fire Storms act as one.",
    ),
    "Fireball": (
        "{fireball} damage, or none if the target resists heat.",
        "Shields do not stop it.",
        "An ice elemental is destroyed before it attacks; a fire elemental is unharmed.",
        "In an Ice Storm, the target is hurt by neither.",
    ),
    "Haste": (
        _SEEN_BY_ALL,
        "Creatures of a hastened mage are no faster.",
        _if(
            "haste_begins_next_turn",
            "A hastened creature attacks twice in each of these turns; its master may name another victim for the "
            "second attack.",
            "A hastened creature attacks twice, this turn and in the next two.",
        ),
        _if("haste_moves_elementals", "", "Elementals are unaffected."),
        "{minds_in_haste}",
    ),
    "Ice Storm": (
        "{storm} damage to every being, yourself included, unless it resists cold or has a Counter Spell this turn.",
        "Shields do not stop it.",
        "A Fire Storm in the same turn and this cancel each other.",
        "It and a fire elemental destroy each other, and nobody is hurt.",
        "It destroys an ice elemental and still rages.",
        "An elemental destroyed by a storm does not attack.",
        "The target of a Fireball in the same turn is hurt by neither.",
        "Two Ice Storms act as one.",
    ),
    "Invisibility": (
        "From next turn, for three turns, nobody else sees the target's gestures.",
        _if(
            "spells_miss_the_invisible",
            "Spells that others aim at the target miss, and so do stabs and monsters.",
            "Spells that others aim at the target still hit, but stabs and monsters miss.",
        ),
        _if("elementals_find_the_invisible", "Elementals still hit the target.", "Elementals miss too."),
        _if("castings_of_unseen_are_seen", "Everyone still sees which spells the target casts."),
        _if(
            "invisible_work_is_hidden",
            "A spell of the target's is seen only if it affects someone visible.",
        ),
        "Cast again while it lasts, it does nothing.",
        "A creature, even an elemental, is destroyed at once and does not attack.",
    ),
    "Lightning Bolt": ("{lightning} damage.", _BOLT),
    "Magic Mirror": (
        "This turn, spells that others cast at the target go back to their casters, as if the target had cast them.",
        "{mirror_spares}",
        "It does not stop stabs or the attacks of creatures.",
        "Counter Spell and Dispel Magic cancel it.",
        _if(
            "two_mirrors_break",
            "A spell between two mirrors is lost.",
            "A spell is turned back only once, even if its caster has a mirror too.",
        ),
    ),
    "Magic Missile": ("{missile} damage.", "A Shield stops it."),
    "Maladroitness": (
        "Next turn the target's left hand plays whatever the right hand plays, so P is a surrender.",
        "A monster does not attack this turn.",
        "Elementals are unaffected.",
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Paralysis": (
        Readings(
            "Paralysis",
            {
                "FM": "Next turn you choose one of the target's hands, or chance does; it repeats the gesture of the "
                "turn before.",
                "WH": "Once this turn's gestures are shown you choose one of the target's hands; next turn it repeats "
                "this turn's gesture.",
            },
        ),
        "{held_becomes}",
        "Stabs and other gestures are repeated as they are.",
        _if(
            "held_hand_is_its_casters",
            "If you paralyse the same mage again, you hold the same hand.",
            "A mage who is still paralysed has the same hand held again.",
        ),
        _if(
            "paralysed_monsters_stop_next",
            "A monster does not attack next turn.",
            "A creature, even an elemental, does not attack this turn.",
        ),
        _if("paralysed_monsters_stop_next", "Elementals are unaffected."),
        _MINDS,
        _PERMANENT_MINDS,
    ),
    "Permanency": (
        "{permanency}",
        "It can hold {lasting}.",
        "An enchantment that fails still uses it up.",
        "A spell that is banked cannot be made permanent.",
        _if("powers_work_on_wizards_only", "Creatures are unaffected."),
    ),
    "Poison": (
        _ILLNESS,
        "Remove Enchantment and Dispel Magic cure it; Cure Heavy Wounds does not.",
        *_OF_ILLNESS,
    ),
    "Protection": (
        Readings(
            "Protection",
            {
                "FM": "Shields the target this turn and for the next three, with both hands free.",
                "WL": "Shields the target this turn and for the next two, with both hands free.",
            },
        ),
        "Another one starts the count again and adds nothing more.",
    ),
    "Raise Dead": (
        "Brings a dead mage or creature back with full hit points and without enchantments.",
        "A creature raised this way obeys you and can attack this turn; a mage plays from next turn.",
        "On the living, it heals up to {rising} hit points but cures no illness.",
        "A Counter Spell does not stop it at the dead.",
        "It and a Finger Of Death at the same target cancel each other.",
        "A mage who surrendered does not return.",
        _if("elementals_can_be_raised", "", "Elementals cannot be raised."),
    ),
    "Remove Enchantment": (
        "Ends every enchantment on the target, even one cast this turn{spared}.",
        "A creature is destroyed, but attacks first.",
        _if("removal_undoes_creation", "A monster that the target is creating this turn is destroyed in the same way."),
    ),
    "Resist Cold": (
        "Ice Storms and ice elementals do not hurt the target.",
        "It lasts until Dispel Magic or Remove Enchantment ends it.",
        _if("resist_destroys_elemental", "Cast at an ice elemental, it destroys it before it attacks."),
    ),
    "Resist Heat": (
        "Fireballs, Fire Storms and fire elementals do not hurt the target.",
        "It lasts until Dispel Magic or Remove Enchantment ends it.",
        _if("resist_destroys_elemental", "Cast at a fire elemental, it destroys it before it attacks."),
    ),
    "Shield": (
        "This turn, Magic Missiles, stabs and the attacks of creatures, elementals included, do not hurt the target.",
        "Other spells pass it.",
    ),
    "Summon Elemental": (
        "Creates a fire or an ice elemental with {elemental} hit points.",
        "Name a target: they choose the kind once all gestures are shown.",
        "Without a target, the choice is yours.",
        *_ANY_ELEMENTAL[:1],
        "A Shield or the Resist of its kind protects from it.",
        *_ANY_ELEMENTAL[1:],
        "A storm or a Resist of its own kind, and for an ice elemental a Fireball, destroys it before it attacks.",
        "It and a storm of the other kind destroy each other.",
        "A Counter Spell on the target stops it.",
    ),
    **{
        f"Summon {kind} Elemental": (
            f"Creates {article} {kind.lower()} elemental with {{elemental}} hit points, even without a target.",
            *_ANY_ELEMENTAL[:1],
            f"A Shield or Resist {own} protects from it.",
            *_ANY_ELEMENTAL[1:],
            f"{article.capitalize()} {kind} Storm{extra} destroys it; {other} and it destroy each other.",
            _if("resist_destroys_elemental", f"A Resist {own} at it destroys it."),
            *(("A Fireball does not hurt it.",) if kind == "Fire" else ()),
            "{elemental_countered}",
        )
        for kind, article, own, other, extra in (
            ("Fire", "a", "Heat", "an Ice Storm", ""),
            ("Ice", "an", "Cold", "a Fire Storm", " or a Fireball at it"),
        )
    },
    **{
        f"Summon {kind}": (
            f"Creates {article} {kind.lower()} with {{{kind.lower()}}} hit point{s}, which does {{{kind.lower()}}} "
            "damage a turn, starting this turn.",
            "It obeys the target or, if that is a monster, the target's master.",
            "Its first victim is its master's opponent.",
            _if("elementals_can_be_given_monsters", "", "It cannot be cast at an elemental."),
        )
        for kind, article, s in (("Goblin", "a", ""), ("Ogre", "an", "s"), ("Troll", "a", "s"), ("Giant", "a", "s"))
    },
    "Time Stop": (
        "After this turn the target alone plays an extra turn.",
        _if(
            "stopped_turn_is_announced",
            "Everyone is told of it, but not shown its gestures.",
            "Nobody else is told of it or sees its gestures.",
        ),
        "In it, no shield, resistance, mirror or invisibility of others helps against the target.",
        "Mind spells on the target do not work in it; they work in the turn after.",
        "A creature attacks once more this turn, and nothing protects from that attack.",
    ),
}


def tell_sentences(ruleset: Ruleset, name: str) -> tuple[str, ...]:
    """What a spell does under a ruleset, sentence by sentence; empty for a spell unheard of."""
    if name not in WORDS or name not in ruleset.spells:
        return ()
    facts = _facts(ruleset)
    texts = (each if isinstance(each, str) else each.pick(ruleset) for each in WORDS[name])
    told = [text.format_map(facts) for text in texts]
    return tuple(sentence for sentence in (*told, _once(ruleset, name), _lasting(ruleset, name)) if sentence)


def tell_spell(ruleset: Ruleset, name: str) -> str:
    """What a spell does under a ruleset: all its sentences; empty for one unheard of."""
    return " ".join(tell_sentences(ruleset, name))


def tell_usual_target(spell: Spell) -> str:
    """Where a spell goes if nothing else is said: "yourself", "your opponent", "everyone" or "nobody"."""
    if spell.default == NO_TARGET and spell.category == SUMMONS:
        return "yourself" if spell.needs_subject else "nobody"
    return _USUAL[spell.default]


def find_differences(ruleset: Ruleset, name: str) -> tuple[Difference, ...]:
    """The differences of a ruleset that speak of this spell."""
    return tuple(difference for difference in ruleset.differences if name in difference.text)


def join_names(names: Iterable[str], word: str = "and") -> str:
    """Names as a sentence lists them: ``C, D and F``."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def _facts(ruleset: Ruleset) -> dict[str, str]:
    """What the named slots of the texts hold under a ruleset."""
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
        "stab": str(STAB_DAMAGE),
        "hp": str(WIZARD_HP),
        "most_hp": str(WIZARD_HP + ruleset.rules.hit_point_surplus),
        "confusion": join_names(sorted(ruleset.rules.confusion_makes, key="CDFPSW>-".index), "or"),
        "feared": join_names(sorted(FRIGHTENED), "or"),
        **{slot: write(ruleset) for slot, write in _SLOTS.items()},
    }


def _newborn_counter(ruleset: Ruleset) -> str:
    if ruleset.spells["Counter Spell"].at_unborn == "fails":
        return "It cannot be cast at a creature that is only being created this turn."
    return "It can be cast at a creature that is only being created this turn."


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
    return "It and a Raise Dead at the same target cancel each other." if "Raise Dead" in ruleset.order else ""


def _minds_in_haste(ruleset: Ruleset) -> str:
    if ruleset.rules.haste_begins_next_turn:
        return "Mind spells hold both pairs of gestures."
    if ruleset.rules.minds_sleep_in_haste:
        return "Mind spells on the target do not work in the extra turns."
    return "Mind spells on the target work in the extra turns too."


def _mirror_spares(ruleset: Ruleset) -> str:
    if ruleset.rules.mirror_returns_harm_only:
        return "Spells that mages usually cast on themselves, storms and summoned elementals pass it."
    return "Storms and summoned elementals pass it."


def _held_becomes(ruleset: Ruleset) -> str:
    pairs = [f"{was} becomes {now}" for was, now in sorted(ruleset.rules.paralysis.items()) if was != now]
    return f"Held still, {join_names(pairs)}." if pairs else ""


def _minds(ruleset: Ruleset) -> str:
    return join_names(name for name in MIND_SPELLS if name in ruleset.order)


def _spared(ruleset: Ruleset) -> str:
    names = [spell for mark, spell in _SPARED.items() if mark in ruleset.rules.removal_spares]
    return f", except {join_names(names)} of this turn" if names else ""


def _elemental_countered(ruleset: Ruleset) -> str:
    if ruleset.spells["Summon Fire Elemental"].may_be_aimed:
        return "If you aim it at someone, a Counter Spell on them stops it."
    return "No Counter Spell stops it."


_SLOTS: Mapping[str, Callable[[Ruleset], str]] = {
    "minds": _minds,
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
