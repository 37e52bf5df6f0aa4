"""Descriptions of spells in our own sentences. They describe the rules; they do not define them.

A name in braces is a slot, filled by `spell_descriptions` from the engine's tables. A sentence for only some rulesets
names the point of `Rules` on which they differ, or the document of its spell's clause.
`tests/rules_engine/test_rule_texts.py` plays every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules_engine.rulebook.variants import (
    ANY_ELEMENTAL,
    BOLT,
    ILLNESS,
    MINDS,
    OF_ILLNESS,
    ONE_CHOOSES,
    ONE_MASTERS,
    PERMANENT_MINDS,
    SEEN_BY_ALL,
    Readings,
    Variants,
    either,
)
from rules_engine.rules import CharmedVictim

WORDS: Mapping[str, tuple[str | Variants | Readings, ...]] = {
    "Amnesia": (
        "Next turn the target plays the same two gestures again, stabs included, and chooses only their targets.",
        either(
            "amnesia_keeps_victim",
            "Next turn a monster attacks the one it is ordered to attack this turn, whatever its master says then.",
            "A creature, even an elemental, does not attack this turn.",
        ),
        either("amnesia_keeps_victim", "Elementals are unaffected."),
        either("anti_spell_blanks_memory", "After an Anti Spell the target repeats nothing instead."),
        MINDS,
        PERMANENT_MINDS,
    ),
    "Anti Spell": (
        "From next turn, no gesture that the target has played up to and including this turn counts towards a spell.",
        "Spells that the target completes this turn still work.",
        "Creatures are unaffected.",
    ),
    "Blindness": (
        "From next turn, for three turns, the target does not see the gestures of other mages.",
        either("blind_sense_castings", "They still sense which spells are cast."),
        either(
            "effects_are_told_to_all",
            "They still learn what spells do.",
            "They learn what spells do to them, but not what their own spells do to others.",
        ),
        either(
            "own_stab_needs_no_sight",
            "Any spell they cast on someone else misses, and so does any stab at someone else.",
            "Any spell they cast on someone else misses, and so does any stab.",
        ),
        "Spells they cast on themselves still work, and they can still order their creatures.",
        "A creature, even an elemental, is destroyed at once and does not attack.",
    ),
    "Cause Heavy Wounds": ("{heavy} damage.", BOLT),
    "Cause Light Wounds": ("{light} damage.", BOLT),
    "Charm Monster": (
        "From this turn on, you are the master of the target creature.",
        Variants(
            "charmed_monster_attacks",
            {
                CharmedVictim.NOBODY: "This turn it attacks the being you name, or nobody.",
                CharmedVictim.UNCHANGED: "It keeps its victim until you name another.",
                CharmedVictim.OPPONENT: (
                    "Until you name a victim, it attacks your opponent, or nobody if you have several."
                ),
            },
        ),
        either(
            "elementals_can_be_charmed",
            "An elemental can be charmed too, but still attacks everyone.",
            "An elemental breaks free as it attacks.",
        ),
        "Name the creature: cast on a mage, it can only cancel another mind spell.",
        MINDS,
        ONE_MASTERS,
        PERMANENT_MINDS,
    ),
    "Charm Person": (
        either(
            "confusion_keeps_its_first",
            "Once this turn's gestures are shown you choose one of the target's hands, and next turn its gesture.",
            "Next turn you choose one of the target's hands and its gesture.",
        ),
        "The target still chooses where a spell of that hand goes.",
        "If you choose no gesture, the target plays their own.",
        either("charm_may_impose_nothing", "", "You cannot choose that the hand does nothing."),
        "On a creature it can only cancel another mind spell.",
        either(
            "charm_is_directed_anew",
            "While it is permanent you choose again every turn.",
            "A permanent one repeats the first gesture you chose.",
        ),
        MINDS,
        ONE_CHOOSES,
        PERMANENT_MINDS,
    ),
    "Clap of Lightning": (
        "{lightning} damage.",
        BOLT,
        either("dispelled_once_is_kept", "A Counter Spell uses it up; a Dispel Magic does not."),
    ),
    "Confusion": (
        "Next turn, when the orders are in, chance picks one of the target's hands and its gesture: {confusion}.",
        "Two palms played this way are a surrender.",
        "This turn a monster attacks any other being, chosen at random.",
        "Elementals are unaffected.",
        either(
            "confusion_keeps_its_first",
            "A permanent one repeats the first hand and gesture that were picked; on a monster, the first victim.",
            "A permanent one picks again every turn.",
        ),
        MINDS,
        PERMANENT_MINDS,
    ),
    "Counter Spell": (
        "Every other spell on the target fails this turn, except Dispel Magic and Finger Of Death.",
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
        either(
            "delay_is_renewed",
            "A second Delay Effect starts the count again.",
            "A second Delay Effect does nothing while the first one lasts.",
        ),
        either(
            "bank_outlives_removal",
            "Neither Dispel Magic nor Remove Enchantment empties the bank.",
            "Dispel Magic and Remove Enchantment empty the bank.",
        ),
        either("powers_work_on_wizards_only", "Creatures are unaffected."),
    ),
    "Disease": (
        ILLNESS,
        "Cure Heavy Wounds, Remove Enchantment and Dispel Magic cure it.",
        *OF_ILLNESS,
    ),
    "Dispel Magic": (
        "No other spell cast this turn works.",
        "Every enchantment on every mage ends before it takes effect.",
        either(
            "dispel_frees_monsters",
            "Enchantments on creatures end too: a creature that was held attacks before it is destroyed.",
            "A creature that is held does not attack before it is destroyed.",
        ),
        "Every creature is destroyed, but attacks first.",
        either("dispel_is_irresistible", "Neither Counter Spell nor Magic Mirror stops it."),
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
        Readings(
            "Fear",
            {
                "FM": "A hand that an enchantment moves may still play them.",
                **dict.fromkeys(("WH", "SC", "WL"), ""),
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
        MINDS,
        PERMANENT_MINDS,
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
        "It and an Ice Storm in the same turn cancel each other.",
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
        SEEN_BY_ALL,
        either(
            "haste_begins_next_turn", "", "Spells that shield others this turn still shield them in its extra turn."
        ),
        "A hastened mage's creatures are no faster.",
        either(
            "haste_begins_next_turn",
            "A hastened creature attacks twice in each of these turns; its master may name another victim for the "
            "second attack.",
            "A hastened creature attacks twice, this turn and in the next two.",
        ),
        either("haste_moves_elementals", "", "Elementals are unaffected."),
        "{minds_in_haste}",
    ),
    "Ice Storm": (
        "{storm} damage to every being, yourself included, unless it resists cold or has a Counter Spell this turn.",
        "Shields do not stop it.",
        "It and a Fire Storm in the same turn cancel each other.",
        "It and a fire elemental destroy each other, and nobody is hurt.",
        "It destroys an ice elemental and still rages.",
        "An elemental destroyed by a storm does not attack.",
        "The target of a Fireball in the same turn is hurt by neither.",
        "Two Ice Storms act as one.",
    ),
    "Invisibility": (
        "From next turn, for three turns, nobody else sees the target's gestures.",
        either(
            "spells_miss_the_invisible",
            "Spells that others aim at the target miss, and so do stabs and monsters.",
            "Spells that others aim at the target still hit, but stabs and monsters miss.",
        ),
        either("elementals_find_the_invisible", "Elementals still hit the target.", "Elementals miss too."),
        either("castings_of_unseen_are_seen", "Everyone still sees which spells the target casts."),
        either(
            "invisible_work_is_hidden",
            "A spell that the target casts is seen only if it affects someone visible.",
        ),
        "Cast again while it lasts, it does nothing.",
        "A creature, even an elemental, is destroyed at once and does not attack.",
    ),
    "Lightning Bolt": ("{lightning} damage.", BOLT),
    "Magic Mirror": (
        "This turn, spells that others cast on the target go back to their casters, as if the target had cast them.",
        "{mirror_spares}",
        "It does not stop stabs or the attacks of creatures.",
        "Counter Spell and Dispel Magic cancel it.",
        either(
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
        MINDS,
        PERMANENT_MINDS,
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
        "Stabs and other gestures are repeated unchanged.",
        either(
            "held_hand_is_its_casters",
            "If you paralyse the same mage again, you hold the same hand.",
            "A mage who is still paralysed has the same hand held again.",
        ),
        either(
            "paralysed_monsters_stop_next",
            "A monster does not attack next turn.",
            "A creature, even an elemental, does not attack this turn.",
        ),
        either("paralysed_monsters_stop_next", "Elementals are unaffected."),
        MINDS,
        ONE_CHOOSES,
        PERMANENT_MINDS,
    ),
    "Permanency": (
        "{permanency}",
        "It works on {lasting}.",
        "An enchantment that fails still uses it up.",
        "A spell that is banked cannot be made permanent.",
        either("powers_work_on_wizards_only", "Creatures are unaffected."),
    ),
    "Poison": (
        ILLNESS,
        "Remove Enchantment and Dispel Magic cure it; Cure Heavy Wounds does not.",
        *OF_ILLNESS,
    ),
    "Protection": (
        Readings(
            "Protection",
            {
                "FM": "Shields the target this turn and for the next three, with both hands free.",
                "WL": "Shields the target this turn and for the next two, with both hands free.",
            },
        ),
        "Casting it again only restarts the count.",
    ),
    "Raise Dead": (
        "Brings a dead mage or creature back with full hit points and without enchantments.",
        "A creature raised this way obeys you and can attack this turn; a mage plays from next turn.",
        "On the living, it heals up to {rising} hit points but cures no illness.",
        "A Counter Spell does not stop it if the target is dead.",
        "It and a Finger Of Death on the same target cancel each other.",
        "A mage who surrendered does not return.",
        either("elementals_can_be_raised", "A raised elemental obeys nobody.", "Elementals cannot be raised."),
    ),
    "Remove Enchantment": (
        "Ends every enchantment on the target, even one cast this turn{spared}.",
        "A creature is destroyed, but attacks first.",
        either(
            "removal_undoes_creation",
            "A monster that the target is creating this turn is destroyed too, but attacks first.",
        ),
    ),
    "Resist Cold": (
        "Ice Storms and ice elementals do not hurt the target.",
        "It lasts until Dispel Magic or Remove Enchantment ends it.",
        either("resist_destroys_elemental", "Cast on an ice elemental, it destroys it before it attacks."),
    ),
    "Resist Heat": (
        "Fireballs, Fire Storms and fire elementals do not hurt the target.",
        "It lasts until Dispel Magic or Remove Enchantment ends it.",
        either("resist_destroys_elemental", "Cast on a fire elemental, it destroys it before it attacks."),
    ),
    "Shield": (
        "This turn, Magic Missiles, stabs and the attacks of creatures, elementals included, do not hurt the target.",
        "It does not stop other spells.",
    ),
    "Summon Elemental": (
        "Creates a fire or an ice elemental with {elemental} hit points.",
        "Name a target: they choose the kind once all gestures are shown.",
        "Without a target, the choice is yours.",
        *ANY_ELEMENTAL[:1],
        "A Shield or the Resist of its kind protects against it.",
        *ANY_ELEMENTAL[1:],
        "A storm or a Resist of its own kind, and for an ice elemental a Fireball, destroys it before it attacks.",
        "It and a storm of the other kind destroy each other.",
        "A Counter Spell on the target stops it.",
    ),
    **{
        f"Summon {kind} Elemental": (
            f"Creates {article} {kind.lower()} elemental with {{elemental}} hit points, even without a target.",
            *ANY_ELEMENTAL[:1],
            f"A Shield or Resist {own} protects against it.",
            *ANY_ELEMENTAL[1:],
            f"{article.capitalize()} {kind} Storm{extra} destroys it; {other} and it destroy each other.",
            either("resist_destroys_elemental", f"A Resist {own} cast on it destroys it."),
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
            either(
                "harm_strikes_at_random",
                "Its first victim is its master's opponent, or one of several at random.",
                "Its first victim is its master's opponent; if there are several, it attacks nobody until its master "
                "names a victim.",
            ),
            either("elementals_can_be_given_monsters", "", "It cannot be cast on an elemental."),
        )
        for kind, article, s in (("Goblin", "a", ""), ("Ogre", "an", "s"), ("Troll", "a", "s"), ("Giant", "a", "s"))
    },
    "Time Stop": (
        "After this turn the target alone plays an extra turn.",
        either(
            "stopped_turn_is_announced",
            "Everyone learns of it, but nobody else sees its gestures.",
            "Nobody else sees which gestures it plays and which spells it casts there.",
        ),
        "In it, the shields, resistances, mirrors and invisibility of others do not protect them from the target.",
        either(
            "stopped_keep_their_defences", "Its own still protect it.", "Its own from before do not protect it, either."
        ),
        "Mind spells on the target have no effect in the extra turn; they take effect in the next normal turn.",
        "A creature attacks a second time this turn, and nothing protects against that attack.",
    ),
}
