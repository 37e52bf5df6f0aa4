"""The table of sentences: data for `narration`. A pair is (third person, second person)."""

from __future__ import annotations

Forms = str | tuple[str, str]

GESTURE_PHRASES: dict[str, str] = {
    "F": "wiggling fingers with the {hand}",
    "P": "an open palm with the {hand}",
    "S": "a snap with the {hand}",
    "W": "a wave with the {hand}",
    "D": "a pointed finger with the {hand}",
    "C": "a clap with the {hand}",
    ">": "a thrust of the dagger with the {hand}",
    "-": "nothing with the {hand}",
}

SENTENCES: dict[str, Forms] = {
    "turn_begins": "Turn {turn}.",
    "says": ("{who} says: {text}", "you say: {text}"),
    "gestures": ("{who} makes {left} and {right}.", "you make {left} and {right}."),
    "gestures_again": (
        "{who} is fast and goes on with {left} and {right}.",
        "you are fast and go on with {left} and {right}.",
    ),
    "repeats": (
        "{who} has forgotten everything and repeats the last gestures.",
        "you have forgotten everything and repeat your last gestures.",
    ),
    "hand_stuck": ("{whose} {hand} is stuck.", "your {hand} is stuck."),
    "confused_hands": (
        "{who} is confused: the {hand} does as it pleases.",
        "you are confused: your {hand} does as it pleases.",
    ),
    "confused_hands*": (
        "{who} is confused, but by luck it makes no difference.",
        "you are confused, but by luck it makes no difference.",
    ),
    "frightened_hands": (
        "{who} quakes with fear: the {hand} makes something else.",
        "you quake with fear: your {hand} makes something else.",
    ),
    "frightened_hands*": ("{who} quakes with fear.", "you quake with fear."),
    "maladroit_hands": (
        "{who} is clumsy: both hands make the same gesture.",
        "you are clumsy: both hands make the same gesture.",
    ),
    "paralysed_hand": ("{whose} {hand} is held by paralysis.", "your {hand} is held by paralysis."),
    "paralysed_hand*": (
        "{whose} {hand} is held by paralysis, just as {who} would have it.",
        "your {hand} is held by paralysis, just as you would have it.",
    ),
    "directed_hand": ("{whose} {hand} obeys somebody else.", "your {hand} obeys somebody else."),
    "directed_hand*": (
        "{whose} {hand} obeys somebody else, who wants the same.",
        "your {hand} obeys somebody else, who wants the same.",
    ),
    "new_choice": "An enchantment changes a gesture: the turn waits for a new choice of spell.",
    "new_choice*": "An enchantment changes a gesture: the turn waits for a new choice of target.",
    "sneaks_in": ("{who} is fast and adds another pair of gestures.", "you are fast and add another pair of gestures."),
    "sneaks_in*": ("{who} acts outside time.", "you act outside time."),
    "mind_sleeps": (
        "{who} is too fast for the enchantment on the mind to bite yet.",
        "you are too fast for the enchantment on your mind to bite yet.",
    ),
    "mind_sleeps*": (
        "outside time the enchantment on {whose} mind does not bite.",
        "outside time the enchantment on your mind does not bite.",
    ),
    "casts": ("{who} casts {fired}{spell} at {at}{halo}.", "you cast {fired}{spell} at {at}{halo}."),
    "casts*": ("{who} casts {fired}{spell}{halo}.", "you cast {fired}{spell}{halo}."),
    "banks": ("{who} banks {spell}, aimed at {at}.", "you bank {spell}, aimed at {at}."),
    "halo_fades": (
        "a blue halo around {whose} {hand} fades unused.",
        "a blue halo around your {hand} fades unused.",
    ),
    "reflected": "{spell} is thrown back by {mirrors} mirror at {at}.",
    "dispelled_monster": "{who} starts to come apart.",
    "dispelled": "Every enchantment is gone.",
    "storm_rages": "The {storm} rages through the circle.",
    "evaporates": "{who} is boiled away by the fireball.",
    "looks_to": ("{who} now looks to {master}.", "{who} now looks to {master}."),
    "hurt": ("{who} loses {points} to {by}.", "you lose {points} to {by}."),
    "unharmed": ("{who} takes no harm from {by}.", "you take no harm from {by}."),
    "absorbed": ("{whose} shield stops the {by}.", "your shield stops the {by}."),
    "healed": ("{who} gains {points} from {by}.", "you gain {points} from {by}."),
    "saved_from_death": (
        "death and life meet over {who}, and leave nothing behind.",
        "death and life meet over you, and leave nothing behind.",
    ),
    "drops_dead": ("the finger of death touches {who}.", "the finger of death touches you."),
    "succumbs": ("{who} dies of {by}.", "you die of {by}."),
    "sickens": ("{who} suffers from {by}: {turns} left to live.", "you suffer from {by}: {turns} left to live."),
    "wishes_in_vain": (
        "{who} gives an order to a creature that is not there.",
        "you give an order to a creature that is not there.",
    ),
    "scorned": ("{creature} has only scorn for {whose} order.", "{creature} has only scorn for your order."),
    "repeats_itself": (
        "{creature} has forgotten {whose} order and does what it did.",
        "{creature} has forgotten your order and does what it did.",
    ),
    "directs": ("{who} sends {creature} against {at}.", "you send {creature} against {at}."),
    "holds_back": ("{who} tells {creature} to attack nobody.", "you tell {creature} to attack nobody."),
    "stabs": ("{who} stabs {at}: {points}.", "you stab {at}: {points}."),
    "strikes": ("{who} strikes {target}: {points}.", "{who} strikes {target}: {points}."),
    "strikes*": ("{who} strikes {target} again: {points}.", "{who} strikes {target} again: {points}."),
    "shrugs_off": "{who} shrugs off {master} and obeys nobody.",
    "monster_dies": "{who} dies.",
    "surrenders": ("{who} shows both palms and surrenders.", "you show both palms and surrender."),
    "mage_dies": ("{who} is dead.", "you are dead."),
    "mage_leaves": ("{who} leaves the circle alive.", "you leave the circle alive."),
    "watches_blur": ("{who} watches {fast} blur with speed.", "you watch {fast} blur with speed."),
    "slips_outside_time": ("{who} slips outside time.", "you slip outside time."),
    "mind_blank": ("{whose} mind goes blank.", "your mind goes blank."),
    "struck_blind": ("{whose} eyes go dark.", "your eyes go dark."),
    "disappears": ("{who} fades from sight.", "you fade from sight."),
}

# What became of a spell: (spell or "" for any, outcome). The second person is the target's.
EFFECTS: dict[tuple[str, str], Forms] = {
    ("", "works"): ("{spell} takes hold of {target}.", "{spell} takes hold of you."),
    ("", "hits"): ("{spell} hits {target}.", "{spell} hits you."),
    ("", "already"): ("{spell} finds nothing more to do to {target}.", "{spell} finds nothing more to do to you."),
    ("", "countered"): (
        "a Counter Spell swallows the {spell} at {target}.",
        "a Counter Spell swallows the {spell} at you.",
    ),
    ("", "caster_blind"): "{spell} flies wide: its caster cannot see.",
    ("", "target_unseen"): "{spell} misses what cannot be seen.",
    ("", "target_gone"): "{spell} finds nothing where it was aimed.",
    ("", "shattered"): "{spell} goes to and fro between two mirrors until it falls apart.",
    ("Raise Dead", "not_raised"): "Raise Dead does nothing: nothing is left of {target}.",
    ("", "no_creature"): "{spell} finds no creature where it was aimed.",
    ("", "destroys"): "{spell} destroys {target}.",
    ("", "no_effect_on_monster"): "{spell} does nothing to {target}.",
    ("", "no_effect_on_kind"): ("{spell} does nothing to {target}.", "{spell} does nothing to you."),
    ("", "no_effect_on_elemental"): "{spell} cannot give {target} a companion.",
    ("", "minds_clash"): (
        "{spell} meets another spell in {targets} mind, and they undo each other.",
        "{spell} meets another spell in your mind, and they undo each other.",
    ),
    ("Paralysis", "same_hand"): ("{targets} hand stays held.", "your hand stays held."),
    ("Paralysis", "works"): ("{targets} hands begin to stiffen.", "your hands begin to stiffen."),
    ("Amnesia", "works"): ("{target} begins to forget.", "you begin to forget."),
    ("Fear", "works"): ("{target} trembles with fear.", "you tremble with fear."),
    ("Confusion", "works"): ("{target} looks confused.", "you feel confused."),
    ("Maladroitness", "works"): ("{target} looks clumsy.", "you feel clumsy."),
    ("Charm Person", "works"): ("{target} looks charmed.", "you feel charmed."),
    ("Charm Monster", "works"): "{target} looks charmed.",
    ("Shield", "works"): ("a shield stands around {target}.", "a shield stands around you."),
    ("Protection", "works"): ("a lasting shield stands around {target}.", "a lasting shield stands around you."),
    ("Counter Spell", "works"): (
        "a Counter Spell stands around {target}.",
        "a Counter Spell stands around you.",
    ),
    ("Magic Mirror", "works"): ("a mirror stands before {target}.", "a mirror stands before you."),
    ("Dispel Magic", "works"): (
        "Dispel Magic stops every other spell and shields {target}.",
        "Dispel Magic stops every other spell and shields you.",
    ),
    ("Dispel Magic", "unshielded"): "Dispel Magic stops every other spell, but shields nobody.",
    ("Remove Enchantment", "works"): (
        "every enchantment falls off {target}.",
        "every enchantment falls off you.",
    ),
    ("Remove Enchantment", "destroys"): "{target} starts to come apart.",
    ("Resist Heat", "works"): ("{target} can no longer be burnt.", "you can no longer be burnt."),
    ("Resist Cold", "works"): ("{target} can no longer be frozen.", "you can no longer be frozen."),
    ("Haste", "works"): ("{target} becomes fast.", "you become fast."),
    ("Time Stop", "works"): ("time begins to slow around {target}.", "time begins to slow around you."),
    ("Disease", "works"): ("{target} falls ill.", "you fall ill."),
    ("Poison", "works"): ("{target} is poisoned.", "you are poisoned."),
    ("Disease", "already"): ("{target} is ill already.", "you are ill already."),
    ("Poison", "already"): ("{target} is poisoned already.", "you are poisoned already."),
    ("Blindness", "works"): ("{targets} eyes begin to cloud.", "your eyes begin to cloud."),
    ("Invisibility", "works"): ("{target} begins to fade.", "you begin to fade."),
    ("Permanency", "works"): (
        "{target} gains the power to make a spell last.",
        "you gain the power to make a spell last.",
    ),
    ("Delay Effect", "works"): (
        "{target} gains the power to bank a spell.",
        "you gain the power to bank a spell.",
    ),
    ("Anti Spell", "works"): ("{targets} strings of gestures are cut.", "your strings of gestures are cut."),
    ("Raise Dead", "heals"): ("life flows into {target}.", "life flows into you."),
    ("Raise Dead", "raises"): ("{target} rises from the dead.", "you rise from the dead."),
    ("Raise Dead", "contested"): "{target} is called by two masters and obeys neither.",
    ("Raise Dead", "not_dead"): (
        "Raise Dead does nothing: {target} is not dead.",
        "Raise Dead does nothing: you are not dead.",
    ),
    ("", "creates"): "{creature} appears and obeys {master}.",
    ("Raise Dead", "creates"): "{creature} rises again.",
    ("Summon Fire Elemental", "creates"): "a FireElemental appears and obeys nobody.",
    ("Summon Ice Elemental", "creates"): "an IceElemental appears and obeys nobody.",
    ("", "raises"): "{creature} rises again.",
    ("", "dies_on_arrival"): "{creature} is torn apart as it arrives.",
    ("", "joins"): "{creature} grows to its full strength again.",
    ("", "clash"): "fire and ice meet: both elementals are gone.",
    ("", "fades"): "the {spell} fades before it begins.",
    ("", "consumed"): "the {spell} is swallowed where the elementals met.",
    ("", "spent_on_elemental"): "the {spell} spends itself on {creature}, which is gone.",
    ("", "engulfs"): "the {spell} engulfs {creature}.",
    ("", "cancels"): "the storms cancel each other.",
    ("Fire Storm", "works"): "a Fire Storm gathers.",
    ("Ice Storm", "works"): "an Ice Storm gathers.",
}

# The second person is the target's.
ATTACK_MISSED: dict[str, Forms] = {
    "no_target": "{who} wanders about.",
    "gone": "{who} looks for somebody who is not there.",
    "invisible": "{who} looks for somebody it cannot see.",
    "shielded": ("{targets} shield stops {who}.", "your shield stops {who}."),
    "resisted": ("{target} takes no harm from {who}.", "you take no harm from {who}."),
    "paralysed": "{who} stands still, paralysed.",
    "amnesia": "{who} forgets to attack.",
    "afraid": "{who} is too afraid to attack.",
    "maladroit": "{who} trips over itself and does not attack.",
    "stunned": "{who} is stunned and does not attack.",
}

# The second person is the stabber's.
STAB_MISSED: dict[str, Forms] = {
    "no_target": ("{who} stabs at nobody.", "you stab at nobody."),
    "gone": ("{who} stabs where nobody is.", "you stab where nobody is."),
    "unseen": ("{who} stabs wildly and misses.", "you stab wildly and miss."),
    "shielded": ("{whose} dagger glances off a shield.", "your dagger glances off a shield."),
}

# The second person is the winner's.
ENDINGS: dict[str, Forms] = {
    "kill": ("Outright victory to {winners}.", "Outright victory is yours."),
    "surrender": ("Victory to {winners}.", "Victory is yours."),
    "all_dead": "Nobody is left alive. The battle is a draw.",
    "all_surrendered": "All who are left have surrendered.",
    "surrendered_as_last_enemy_died": "The last mage surrendered as the last enemy fell. Nobody wins.",
    "forfeit": ("Victory to {winners} by forfeit.", "Victory is yours by forfeit."),
}
