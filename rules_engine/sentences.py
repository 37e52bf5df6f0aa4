"""The table of sentences: data for `narration`. A pair is (third person, second person)."""

from __future__ import annotations

from rules_engine.text import mark

Forms = str | tuple[str, str]

SENTENCES: dict[str, Forms] = {
    "turn_begins": mark("Turn {turn}."),
    "says": (mark("{who} says: {text}"), mark("you say: {text}")),
    "gestures": (
        mark("{who} plays {left} (left hand) and {right} (right hand)."),
        mark("you play {left} (left hand) and {right} (right hand)."),
    ),
    "gestures_again": (
        mark("{who} is fast and plays {left} (left hand) and {right} (right hand) as well."),
        mark("you are fast and play {left} (left hand) and {right} (right hand) as well."),
    ),
    "repeats": (
        mark("{who} forgets everything and repeats the last gestures."),
        mark("you forget everything and repeat your last gestures."),
    ),
    "hand_stuck": (mark("{who}'s {hand} is stuck."), mark("your {hand} is stuck.")),
    "confused_hands": (
        mark("{who} is confused: the {hand} plays another gesture."),
        mark("you are confused: your {hand} plays another gesture."),
    ),
    "confused_hands*": (
        mark("{who} is confused, but it makes no difference."),
        mark("you are confused, but it makes no difference."),
    ),
    "frightened_hands": (
        mark("{who} is afraid: the {hand} plays another gesture."),
        mark("you are afraid: your {hand} plays another gesture."),
    ),
    "frightened_hands*": (mark("{who} is afraid."), mark("you are afraid.")),
    "maladroit_hands": (
        mark("{who} is clumsy: both hands play the same gesture."),
        mark("you are clumsy: both hands play the same gesture."),
    ),
    "paralysed_hand": (mark("{who}'s {hand} is paralysed."), mark("your {hand} is paralysed.")),
    "paralysed_hand*": (
        mark("{who}'s {hand} is paralysed, but it makes no difference."),
        mark("your {hand} is paralysed, but it makes no difference."),
    ),
    "directed_hand": (mark("someone else controls {who}'s {hand}."), mark("someone else controls your {hand}.")),
    "directed_hand*": (
        mark("someone else controls {who}'s {hand}, but it makes no difference."),
        mark("someone else controls your {hand}, but it makes no difference."),
    ),
    "new_choice": mark("An enchantment changes a gesture. A spell must be chosen again."),
    "new_choice*": mark("An enchantment changes a gesture. A target must be chosen again."),
    "sneaks_in": (
        mark("{who} is fast and plays another pair of gestures."),
        mark("you are fast and play another pair of gestures."),
    ),
    "sneaks_in*": (mark("{who} acts outside time."), mark("you act outside time.")),
    "mind_sleeps": (
        mark("{who} is too fast for the enchantment on their mind to work yet."),
        mark("you are too fast for the enchantment on your mind to work yet."),
    ),
    "mind_sleeps*": (
        mark("outside time, the enchantment on {who}'s mind does not work."),
        mark("outside time, the enchantment on your mind does not work."),
    ),
    "banks": (mark("{who} banks {spell}, aimed at {at}."), mark("you bank {spell}, aimed at {at}.")),
    "halo_fades": (
        mark("a blue halo around {who}'s {hand} fades unused."),
        mark("a blue halo around your {hand} fades unused."),
    ),
    "reflected": (mark("{mirror}'s mirror reflects {spell} at {at}."), mark("your mirror reflects {spell} at {at}.")),
    "dispelled_monster": mark("{who} begins to fall apart."),
    "dispelled": mark("All enchantments are gone."),
    "storm_rages": mark("{storm} rages through the circle."),
    "evaporates": mark("{who} evaporates in the fireball."),
    "looks_to": mark("{who} now obeys {master}."),
    "hurt": (mark("{who} loses {points} to {by}."), mark("you lose {points} to {by}.")),
    "unharmed": (mark("{by} does not harm {who}."), mark("{by} does not harm you.")),
    "absorbed": (mark("{who}'s shield stops {by}."), mark("your shield stops {by}.")),
    "healed": (mark("{who} gains {points} from {by}."), mark("you gain {points} from {by}.")),
    "unhealed": (mark("{by} does not heal {who}."), mark("{by} does not heal you.")),
    "recovers": (mark("{who} recovers from {by}."), mark("you recover from {by}.")),
    "saved_from_death": (
        mark("death and life meet over {who} and cancel each other."),
        mark("death and life meet over you and cancel each other."),
    ),
    "drops_dead": (mark("the finger of death touches {who}."), mark("the finger of death touches you.")),
    "succumbs": (mark("{who} dies of {by}."), mark("you die of {by}.")),
    "sickens": (
        mark("{who} suffers from {by}: {turns} left to live."),
        mark("you suffer from {by}: {turns} left to live."),
    ),
    "wishes_in_vain": (
        mark("{who} gives an order to a creature that is not there."),
        mark("you give an order to a creature that is not there."),
    ),
    "scorned": (mark("{creature} ignores {who}'s order."), mark("{creature} ignores your order.")),
    "repeats_itself": (
        mark("{creature} forgets {who}'s order and repeats its last attack."),
        mark("{creature} forgets your order and repeats its last attack."),
    ),
    "directs": (mark("{who} sends {creature} against {at}."), mark("you send {creature} against {at}.")),
    "holds_back": (mark("{who} tells {creature} to attack nobody."), mark("you tell {creature} to attack nobody.")),
    "stabs": (mark("{who} stabs {at}: {points}."), mark("you stab {at}: {points}.")),
    "strikes": mark("{who} strikes {target}: {points}."),
    "strikes*": mark("{who} strikes {target} again: {points}."),
    "shrugs_off": mark("{who} breaks free of {master} and obeys nobody."),
    "monster_dies": mark("{who} dies."),
    "surrenders": (mark("{who} shows both palms and surrenders."), mark("you show both palms and surrender.")),
    "stops_heart": (mark("{who} stops their own heart."), mark("you stop your own heart.")),
    "times_out": (mark("{who} runs out of time."), mark("you run out of time.")),
    "mage_dies": (mark("{who} is dead."), mark("you are dead.")),
    "mage_leaves": (mark("{who} leaves the circle alive."), mark("you leave the circle alive.")),
    "watches_blur": (mark("{who} watches {fast} blur with speed."), mark("you watch {fast} blur with speed.")),
    "slips_outside_time": (mark("{who} slips outside time."), mark("you slip outside time.")),
    "mind_blank": (mark("{who}'s mind goes blank."), mark("your mind goes blank.")),
    "struck_blind": (mark("{who} goes blind."), mark("you go blind.")),
    "disappears": (mark("{who} fades from sight."), mark("you fade from sight.")),
}

# A casting: (where it goes, what it comes with).
CASTS: dict[tuple[str, str], Forms] = {
    ("none", "hand"): (mark("{who} casts {spell}."), mark("you cast {spell}.")),
    ("none", "bank"): (mark("{who} casts {spell} from the bank."), mark("you cast {spell} from the bank.")),
    ("none", "halo"): (
        mark("{who} casts {spell}, with a blue halo around it."),
        mark("you cast {spell}, with a blue halo around it."),
    ),
    ("at", "hand"): (mark("{who} casts {spell} at {at}."), mark("you cast {spell} at {at}.")),
    ("at", "bank"): (
        mark("{who} casts {spell} from the bank at {at}."),
        mark("you cast {spell} from the bank at {at}."),
    ),
    ("at", "halo"): (
        mark("{who} casts {spell} at {at}, with a blue halo around it."),
        mark("you cast {spell} at {at}, with a blue halo around it."),
    ),
    ("on", "hand"): (mark("{who} casts {spell} on {at}."), mark("you cast {spell} on {at}.")),
    ("on", "bank"): (
        mark("{who} casts {spell} from the bank on {at}."),
        mark("you cast {spell} from the bank on {at}."),
    ),
    ("on", "halo"): (
        mark("{who} casts {spell} on {at}, with a blue halo around it."),
        mark("you cast {spell} on {at}, with a blue halo around it."),
    ),
    ("for", "hand"): (mark("{who} casts {spell} for {at}."), mark("you cast {spell} for {at}.")),
    ("for", "bank"): (
        mark("{who} casts {spell} from the bank for {at}."),
        mark("you cast {spell} from the bank for {at}."),
    ),
    ("for", "halo"): (
        mark("{who} casts {spell} for {at}, with a blue halo around it."),
        mark("you cast {spell} for {at}, with a blue halo around it."),
    ),
}

# What became of a spell: (spell or "" for any, outcome). The second person is the target's.
EFFECTS: dict[tuple[str, str], Forms] = {
    ("", "works"): (mark("{spell} affects {target}."), mark("{spell} affects you.")),
    ("", "hits"): (mark("{spell} hits {target}."), mark("{spell} hits you.")),
    ("", "reaches"): (mark("{spell} reaches {target}."), mark("{spell} reaches you.")),
    ("", "already"): (
        mark("{spell} has no further effect on {target}."),
        mark("{spell} has no further effect on you."),
    ),
    ("", "countered"): (
        mark("a Counter Spell stops {spell} on {target}."),
        mark("a Counter Spell stops {spell} on you."),
    ),
    ("", "caster_blind"): mark("{spell} misses: its caster cannot see."),
    ("", "target_unseen"): mark("{spell} misses a target that cannot be seen."),
    ("", "target_gone"): mark("{spell} misses: its target is gone."),
    ("", "shattered"): mark("{spell} bounces between two mirrors and shatters."),
    ("Raise Dead", "not_raised"): mark("Raise Dead does nothing: nothing is left of {target}."),
    ("", "no_creature"): mark("{spell} finds no creature to work on."),
    ("", "destroys"): mark("{spell} destroys {target}."),
    ("", "no_effect_on_monster"): mark("{spell} has no effect on {target}."),
    ("", "no_effect_on_kind"): (mark("{spell} has no effect on {target}."), mark("{spell} has no effect on you.")),
    ("", "no_effect_on_elemental"): mark("{spell} cannot give {target} a companion."),
    ("", "minds_clash"): (
        mark("{spell} meets another spell in {target}'s mind, and both fail."),
        mark("{spell} meets another spell in your mind, and both fail."),
    ),
    ("Paralysis", "same_hand"): (mark("{target}'s hand stays paralysed."), mark("your hand stays paralysed.")),
    ("Paralysis", "works"): (mark("{target}'s hands begin to stiffen."), mark("your hands begin to stiffen.")),
    ("Amnesia", "works"): (mark("{target} begins to forget."), mark("you begin to forget.")),
    ("Fear", "works"): (mark("{target} trembles with fear."), mark("you tremble with fear.")),
    ("Confusion", "works"): (mark("{target} looks confused."), mark("you feel confused.")),
    ("Maladroitness", "works"): (mark("{target} looks clumsy."), mark("you feel clumsy.")),
    ("Charm Person", "works"): (mark("{target} looks charmed."), mark("you feel charmed.")),
    ("Charm Monster", "works"): mark("{target} looks charmed."),
    ("Shield", "works"): (mark("a shield surrounds {target}."), mark("a shield surrounds you.")),
    ("Protection", "works"): (mark("a lasting shield surrounds {target}."), mark("a lasting shield surrounds you.")),
    ("Counter Spell", "works"): (mark("a Counter Spell surrounds {target}."), mark("a Counter Spell surrounds you.")),
    ("Magic Mirror", "works"): (mark("a mirror appears before {target}."), mark("a mirror appears before you.")),
    ("Dispel Magic", "works"): (
        mark("Dispel Magic stops every other spell and shields {target}."),
        mark("Dispel Magic stops every other spell and shields you."),
    ),
    ("Dispel Magic", "unshielded"): mark("Dispel Magic stops every other spell, but shields nobody."),
    ("Remove Enchantment", "works"): (mark("{target} loses all enchantments."), mark("you lose all enchantments.")),
    ("Remove Enchantment", "destroys"): mark("{target} begins to fall apart."),
    ("Remove Enchantment", "undoes"): (
        mark("{creature}, which {target} is creating, begins to fall apart."),
        mark("{creature}, which you are creating, begins to fall apart."),
    ),
    ("Resist Heat", "works"): (mark("heat can no longer harm {target}."), mark("heat can no longer harm you.")),
    ("Resist Cold", "works"): (mark("cold can no longer harm {target}."), mark("cold can no longer harm you.")),
    ("Haste", "works"): (mark("{target} becomes fast."), mark("you become fast.")),
    ("Time Stop", "works"): (mark("time begins to slow around {target}."), mark("time begins to slow around you.")),
    ("Disease", "works"): (mark("{target} falls ill."), mark("you fall ill.")),
    ("Poison", "works"): (mark("{target} is poisoned."), mark("you are poisoned.")),
    ("Disease", "already"): (mark("{target} is already ill."), mark("you are already ill.")),
    ("Poison", "already"): (mark("{target} is already poisoned."), mark("you are already poisoned.")),
    ("Blindness", "works"): (mark("{target}'s eyes begin to cloud."), mark("your eyes begin to cloud.")),
    ("Invisibility", "works"): (mark("{target} begins to fade."), mark("you begin to fade.")),
    ("Permanency", "works"): (
        mark("{target} gains the power to make a spell permanent."),
        mark("you gain the power to make a spell permanent."),
    ),
    ("Delay Effect", "works"): (
        mark("{target} gains the power to bank a spell."),
        mark("you gain the power to bank a spell."),
    ),
    ("Anti Spell", "works"): (
        mark("{target}'s strings of gestures are cut."),
        mark("your strings of gestures are cut."),
    ),
    ("Raise Dead", "heals"): (mark("life flows into {target}."), mark("life flows into you.")),
    ("Raise Dead", "raises"): (mark("{target} rises from the dead."), mark("you rise from the dead.")),
    ("Raise Dead", "contested"): mark("two masters call {target}, which obeys neither."),
    ("Raise Dead", "not_dead"): (
        mark("Raise Dead does nothing: {target} is not dead."),
        mark("Raise Dead does nothing: you are not dead."),
    ),
    ("", "creates"): mark("{creature} appears and obeys {master}."),
    ("Raise Dead", "creates"): mark("{creature} rises again."),
    ("Summon Fire Elemental", "creates"): mark("a FireElemental appears and obeys nobody."),
    ("Summon Ice Elemental", "creates"): mark("an IceElemental appears and obeys nobody."),
    ("", "raises"): mark("{creature} rises again."),
    ("", "dies_on_arrival"): mark("{creature} is torn apart as it arrives."),
    ("", "joins"): mark("{creature} regains its full strength."),
    ("", "clash"): mark("fire and ice meet: both elementals are gone."),
    ("", "fades"): mark("{spell} fades before it begins."),
    ("", "consumed"): mark("{spell} is lost where the elementals meet."),
    ("", "spent_on_elemental"): mark("{spell} destroys {creature} and is spent."),
    ("", "engulfs"): mark("{spell} engulfs {creature}."),
    ("", "cancels"): mark("the storms cancel each other."),
    ("Fire Storm", "works"): mark("a Fire Storm gathers."),
    ("Ice Storm", "works"): mark("an Ice Storm gathers."),
}

# The second person is the target's.
ATTACK_MISSED: dict[str, Forms] = {
    "no_target": mark("{who} has nobody to attack."),
    "gone": mark("{who} looks for a target that is not there."),
    "invisible": mark("{who} looks for a target that it cannot see."),
    "shielded": (mark("{target}'s shield stops {who}."), mark("your shield stops {who}.")),
    "resisted": (mark("{who} cannot harm {target}."), mark("{who} cannot harm you.")),
    "paralysed": mark("{who} is paralysed and does not attack."),
    "amnesia": mark("{who} forgets to attack."),
    "afraid": mark("{who} is too afraid to attack."),
    "maladroit": mark("{who} stumbles and does not attack."),
    "stunned": mark("{who} is stunned and does not attack."),
}

# The second person is the stabber's.
STAB_MISSED: dict[str, Forms] = {
    "no_target": (mark("{who} stabs at nobody."), mark("you stab at nobody.")),
    "gone": (mark("{who} stabs empty air."), mark("you stab empty air.")),
    "unseen": (mark("{who} stabs wildly and misses."), mark("you stab wildly and miss.")),
    "shielded": (mark("a shield stops {who}'s dagger."), mark("a shield stops your dagger.")),
}

# The second person is the winner's.
ENDINGS: dict[str, Forms] = {
    "kill": (mark("Outright victory to {winners}."), mark("Outright victory is yours.")),
    "surrender": (mark("Victory to {winners}."), mark("Victory is yours.")),
    "all_dead": mark("Nobody is left alive. The battle is a draw."),
    "all_surrendered": mark("All remaining mages have surrendered. The battle is a draw."),
    "surrendered_as_last_enemy_died": mark("The last mage surrendered as the last enemy fell. Nobody wins."),
    "all_forfeit": mark("All remaining mages have run out of time. Nobody wins."),
    "called_off": mark("The battle is called off. Nobody wins or loses."),
    "forfeit": (mark("Victory to {winners} by forfeit."), mark("Victory is yours by forfeit.")),
    "decided": mark("A janitor decides how the battle ends."),
}
