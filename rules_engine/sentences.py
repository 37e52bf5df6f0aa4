"""The table of sentences: data for `narration`. A pair is (third person, second person)."""

from __future__ import annotations

from rules_engine.text import mark_text

Forms = str | tuple[str, str]

SENTENCES: dict[str, Forms] = {
    "turn_begins": mark_text("Turn {turn}."),
    "says": (mark_text("{who} says: {text}"), mark_text("you say: {text}")),
    "gestures": (
        mark_text("{who} plays {left} (left hand) and {right} (right hand)."),
        mark_text("you play {left} (left hand) and {right} (right hand)."),
    ),
    "gestures_again": (
        mark_text("{who} is fast and plays {left} (left hand) and {right} (right hand) as well."),
        mark_text("you are fast and play {left} (left hand) and {right} (right hand) as well."),
    ),
    "repeats": (
        mark_text("{who} forgets everything and repeats the last gestures."),
        mark_text("you forget everything and repeat your last gestures."),
    ),
    "hand_stuck": (mark_text("{who}'s {hand} is stuck."), mark_text("your {hand} is stuck.")),
    "confused_hands": (
        mark_text("{who} is confused: the {hand} plays another gesture."),
        mark_text("you are confused: your {hand} plays another gesture."),
    ),
    "confused_hands*": (
        mark_text("{who} is confused, but it makes no difference."),
        mark_text("you are confused, but it makes no difference."),
    ),
    "frightened_hands": (
        mark_text("{who} is afraid: the {hand} plays another gesture."),
        mark_text("you are afraid: your {hand} plays another gesture."),
    ),
    "frightened_hands*": (mark_text("{who} is afraid."), mark_text("you are afraid.")),
    "maladroit_hands": (
        mark_text("{who} is clumsy: both hands play the same gesture."),
        mark_text("you are clumsy: both hands play the same gesture."),
    ),
    "paralysed_hand": (mark_text("{who}'s {hand} is paralysed."), mark_text("your {hand} is paralysed.")),
    "paralysed_hand*": (
        mark_text("{who}'s {hand} is paralysed, but it makes no difference."),
        mark_text("your {hand} is paralysed, but it makes no difference."),
    ),
    "directed_hand": (
        mark_text("{who}'s {hand} obeys a charm."),
        mark_text("your {hand} obeys a charm."),
    ),
    "directed_hand*": (
        mark_text("{who}'s {hand} obeys a charm, but it makes no difference."),
        mark_text("your {hand} obeys a charm, but it makes no difference."),
    ),
    "new_choice": mark_text("An enchantment changes a gesture. A spell must be chosen again."),
    "new_choice*": mark_text("An enchantment changes a gesture. A target must be chosen again."),
    "sneaks_in": (
        mark_text("{who} is fast and plays another pair of gestures."),
        mark_text("you are fast and play another pair of gestures."),
    ),
    "sneaks_in*": (mark_text("{who} acts outside time."), mark_text("you act outside time.")),
    "mind_sleeps": (
        mark_text("{who} is too fast for the enchantment on {mind} to work yet."),
        mark_text("you are too fast for the enchantment on your mind to work yet."),
    ),
    "mind_sleeps*": (
        mark_text("outside time, the enchantment on {who}'s mind does not work."),
        mark_text("outside time, the enchantment on your mind does not work."),
    ),
    "banks": (mark_text("{who} banks {spell}, aimed at {at}."), mark_text("you bank {spell}, aimed at {at}.")),
    "halo_fades": (
        mark_text("a blue halo around {who}'s {hand} fades unused."),
        mark_text("a blue halo around your {hand} fades unused."),
    ),
    "reflected": (
        mark_text("{mirror}'s mirror reflects {spell} at {at}."),
        mark_text("your mirror reflects {spell} at {at}."),
    ),
    "dispelled_monster": mark_text("{who} begins to fall apart."),
    "dispelled": mark_text("All enchantments are gone."),
    "storm_rages": mark_text("{storm} rages through the circle."),
    "evaporates": mark_text("{who} evaporates in the fireball."),
    "looks_to": mark_text("{who} now obeys {master}."),
    "hurt": (mark_text("{who} loses {points} to {by}."), mark_text("you lose {points} to {by}.")),
    "hurt*": (mark_text("a dagger stabs {who}: {points}."), mark_text("a dagger stabs you: {points}.")),
    "unharmed": (mark_text("{by} does not harm {who}."), mark_text("{by} does not harm you.")),
    "absorbed": (mark_text("{who}'s shield stops {by}."), mark_text("your shield stops {by}.")),
    "healed": (mark_text("{who} gains {points} from {by}."), mark_text("you gain {points} from {by}.")),
    "unhealed": (mark_text("{by} does not heal {who}."), mark_text("{by} does not heal you.")),
    "recovers": (mark_text("{who} recovers from {by}."), mark_text("you recover from {by}.")),
    "saved_from_death": (
        mark_text("death and life meet over {who} and cancel each other."),
        mark_text("death and life meet over you and cancel each other."),
    ),
    "drops_dead": (mark_text("the finger of death touches {who}."), mark_text("the finger of death touches you.")),
    "succumbs": (mark_text("{who} dies of {by}."), mark_text("you die of {by}.")),
    "sickens": (
        mark_text("{who} suffers from {by}: {turns} left to live."),
        mark_text("you suffer from {by}: {turns} left to live."),
    ),
    "wishes_in_vain": (
        mark_text("{who} gives an order to a creature that is not there."),
        mark_text("you give an order to a creature that is not there."),
    ),
    "scorned": (mark_text("{creature} ignores {who}'s order."), mark_text("{creature} ignores your order.")),
    "repeats_itself": (
        mark_text("{creature} forgets {who}'s order and repeats its last attack."),
        mark_text("{creature} forgets your order and repeats its last attack."),
    ),
    "directs": (mark_text("{who} sends {creature} against {at}."), mark_text("you send {creature} against {at}.")),
    "holds_back": (
        mark_text("{who} tells {creature} to attack nobody."),
        mark_text("you tell {creature} to attack nobody."),
    ),
    "stabs": (mark_text("{who} stabs {at}: {points}."), mark_text("you stab {at}: {points}.")),
    "stabs*": (mark_text("{who} stabs {at}."), mark_text("you stab {at}.")),
    "strikes": mark_text("{who} strikes {target}: {points}."),
    "strikes*": mark_text("{who} strikes {target} with a second blow: {points}."),
    "shrugs_off": mark_text("{who} breaks free of {master} and obeys nobody."),
    "monster_dies": mark_text("{who} dies."),
    "surrenders": (
        mark_text("{who} shows both palms and surrenders."),
        mark_text("you show both palms and surrender."),
    ),
    "stops_heart": (mark_text("{who} stops {heart}."), mark_text("you stop your own heart.")),
    "times_out": (mark_text("{who} runs out of time."), mark_text("you run out of time.")),
    "never_moves": (
        mark_text("{who} has not moved once and leaves the circle."),
        mark_text("you have not moved once and leave the circle."),
    ),
    "is_claimed": (
        mark_text("{who} has been away for too long, which now counts as surrender."),
        mark_text("you have been away for too long, which now counts as surrender."),
    ),
    "mage_dies": (mark_text("{who} is dead."), mark_text("you are dead.")),
    "mage_leaves": (mark_text("{who} leaves the circle alive."), mark_text("you leave the circle alive.")),
    "watches_blur": (
        mark_text("{who} watches {fast} blur with speed."),
        mark_text("you watch {fast} blur with speed."),
    ),
    "slips_outside_time": (mark_text("{who} slips outside time."), mark_text("you slip outside time.")),
    "mind_blank": (mark_text("{who}'s mind goes blank."), mark_text("your mind goes blank.")),
    "struck_blind": (mark_text("{who} goes blind."), mark_text("you go blind.")),
    "disappears": (mark_text("{who} fades from sight."), mark_text("you fade from sight.")),
}

# A cast spell: (its preposition, where it comes from).
CASTS: dict[tuple[str, str], Forms] = {
    ("none", "hand"): (mark_text("{who} casts {spell}."), mark_text("you cast {spell}.")),
    ("none", "bank"): (mark_text("{who} casts {spell} from the bank."), mark_text("you cast {spell} from the bank.")),
    ("none", "halo"): (
        mark_text("{who} casts {spell}, with a blue halo around it."),
        mark_text("you cast {spell}, with a blue halo around it."),
    ),
    ("at", "hand"): (mark_text("{who} casts {spell} at {at}."), mark_text("you cast {spell} at {at}.")),
    ("at", "bank"): (
        mark_text("{who} casts {spell} from the bank at {at}."),
        mark_text("you cast {spell} from the bank at {at}."),
    ),
    ("at", "halo"): (
        mark_text("{who} casts {spell} at {at}, with a blue halo around it."),
        mark_text("you cast {spell} at {at}, with a blue halo around it."),
    ),
    ("on", "hand"): (mark_text("{who} casts {spell} on {at}."), mark_text("you cast {spell} on {at}.")),
    ("on", "bank"): (
        mark_text("{who} casts {spell} from the bank on {at}."),
        mark_text("you cast {spell} from the bank on {at}."),
    ),
    ("on", "halo"): (
        mark_text("{who} casts {spell} on {at}, with a blue halo around it."),
        mark_text("you cast {spell} on {at}, with a blue halo around it."),
    ),
    ("for", "hand"): (mark_text("{who} casts {spell} for {at}."), mark_text("you cast {spell} for {at}.")),
    ("for", "bank"): (
        mark_text("{who} casts {spell} from the bank for {at}."),
        mark_text("you cast {spell} from the bank for {at}."),
    ),
    ("for", "halo"): (
        mark_text("{who} casts {spell} for {at}, with a blue halo around it."),
        mark_text("you cast {spell} for {at}, with a blue halo around it."),
    ),
}

# What happened to a spell: (spell or "" for any, outcome). The second person is the target's.
EFFECTS: dict[tuple[str, str], Forms] = {
    ("", "works"): (mark_text("{spell} affects {target}."), mark_text("{spell} affects you.")),
    ("", "hits"): (mark_text("{spell} hits {target}."), mark_text("{spell} hits you.")),
    ("", "reaches"): (mark_text("{spell} reaches {target}."), mark_text("{spell} reaches you.")),
    ("", "already"): (
        mark_text("{spell} has no further effect on {target}."),
        mark_text("{spell} has no further effect on you."),
    ),
    ("", "countered"): (
        mark_text("a Counter Spell stops {spell} on {target}."),
        mark_text("a Counter Spell stops {spell} on you."),
    ),
    ("", "caster_blind"): mark_text("{spell} misses: its caster cannot see."),
    ("", "target_unseen"): mark_text("{spell} misses a target that cannot be seen."),
    ("", "target_gone"): mark_text("{spell} misses: its target is gone."),
    ("", "shattered"): mark_text("{spell} bounces between two mirrors and shatters."),
    ("Raise Dead", "not_raised"): mark_text("Raise Dead does nothing: nothing is left of {target}."),
    ("", "no_creature"): mark_text("{spell} finds no creature to work on."),
    ("", "destroys"): mark_text("{spell} destroys {target}."),
    ("", "no_effect_on_monster"): mark_text("{spell} has no effect on {target}."),
    ("", "no_effect_on_kind"): (
        mark_text("{spell} has no effect on {target}."),
        mark_text("{spell} has no effect on you."),
    ),
    ("", "no_effect_on_elemental"): mark_text("{spell} cannot give {target} a companion."),
    ("", "minds_clash"): (
        mark_text("{spell} meets another spell in {target}'s mind, and both fail."),
        mark_text("{spell} meets another spell in your mind, and both fail."),
    ),
    ("Paralysis", "same_hand"): (
        mark_text("Paralysis holds {target}'s hand again, unless another mind spell frees it."),
        mark_text("Paralysis holds your hand again, unless another mind spell frees it."),
    ),
    ("Paralysis", "works"): (
        mark_text("{target}'s hands begin to stiffen."),
        mark_text("your hands begin to stiffen."),
    ),
    ("Amnesia", "works"): (mark_text("{target} begins to forget."), mark_text("you begin to forget.")),
    ("Fear", "works"): (mark_text("{target} trembles with fear."), mark_text("you tremble with fear.")),
    ("Confusion", "works"): (mark_text("{target} looks confused."), mark_text("you feel confused.")),
    ("Maladroitness", "works"): (mark_text("{target} looks clumsy."), mark_text("you feel clumsy.")),
    ("Charm Person", "works"): (mark_text("{target} looks charmed."), mark_text("you feel charmed.")),
    ("Charm Monster", "works"): mark_text("{target} looks charmed."),
    ("Shield", "works"): (mark_text("a shield surrounds {target}."), mark_text("a shield surrounds you.")),
    ("Protection", "works"): (
        mark_text("a lasting shield surrounds {target}."),
        mark_text("a lasting shield surrounds you."),
    ),
    ("Counter Spell", "works"): (
        mark_text("a Counter Spell surrounds {target}."),
        mark_text("a Counter Spell surrounds you."),
    ),
    ("Magic Mirror", "works"): (
        mark_text("a mirror appears before {target}."),
        mark_text("a mirror appears before you."),
    ),
    ("Dispel Magic", "works"): (
        mark_text("Dispel Magic stops every other spell and shields {target}."),
        mark_text("Dispel Magic stops every other spell and shields you."),
    ),
    ("Dispel Magic", "unshielded"): mark_text("Dispel Magic stops every other spell, but shields nobody."),
    ("Remove Enchantment", "works"): (
        mark_text("{target} loses all enchantments."),
        mark_text("you lose all enchantments."),
    ),
    ("Remove Enchantment", "destroys"): mark_text("{target} begins to fall apart."),
    ("Remove Enchantment", "undoes"): (
        mark_text("{creature}, which {target} is creating, begins to fall apart."),
        mark_text("{creature}, which you are creating, begins to fall apart."),
    ),
    ("Resist Heat", "works"): (
        mark_text("heat can no longer harm {target}."),
        mark_text("heat can no longer harm you."),
    ),
    ("Resist Cold", "works"): (
        mark_text("cold can no longer harm {target}."),
        mark_text("cold can no longer harm you."),
    ),
    ("Counter Spell", "countered"): (
        mark_text("two Counter Spells act as one around {target}."),
        mark_text("two Counter Spells act as one around you."),
    ),
    ("Haste", "works"): (mark_text("{target} becomes fast."), mark_text("you become fast.")),
    ("Time Stop", "works"): (
        mark_text("time begins to slow around {target}."),
        mark_text("time begins to slow around you."),
    ),
    ("Disease", "works"): (mark_text("{target} falls ill."), mark_text("you fall ill.")),
    ("Disease", "destroys"): mark_text("{target} begins to fall apart."),
    ("Poison", "destroys"): mark_text("{target} begins to fall apart."),
    ("Poison", "works"): (mark_text("{target} is poisoned."), mark_text("you are poisoned.")),
    ("Disease", "already"): (mark_text("{target} is already ill."), mark_text("you are already ill.")),
    ("Poison", "already"): (mark_text("{target} is already poisoned."), mark_text("you are already poisoned.")),
    ("Blindness", "works"): (mark_text("{target}'s eyes begin to cloud."), mark_text("your eyes begin to cloud.")),
    ("Invisibility", "works"): (mark_text("{target} begins to fade."), mark_text("you begin to fade.")),
    ("Permanency", "works"): (
        mark_text("{target} gains the power to make a spell permanent."),
        mark_text("you gain the power to make a spell permanent."),
    ),
    ("Delay Effect", "works"): (
        mark_text("{target} gains the power to bank a spell."),
        mark_text("you gain the power to bank a spell."),
    ),
    ("Anti Spell", "works"): (
        mark_text("{target}'s strings of gestures are cut."),
        mark_text("your strings of gestures are cut."),
    ),
    ("Raise Dead", "heals"): (mark_text("life flows into {target}."), mark_text("life flows into you.")),
    ("Raise Dead", "raises"): (mark_text("{target} rises from the dead."), mark_text("you rise from the dead.")),
    ("Raise Dead", "contested"): mark_text("two masters call {target}, which obeys neither."),
    ("Raise Dead", "not_dead"): (
        mark_text("Raise Dead does nothing: {target} is not dead."),
        mark_text("Raise Dead does nothing: you are not dead."),
    ),
    ("", "creates"): mark_text("{creature} appears and obeys {master}."),
    ("Raise Dead", "creates"): mark_text("{creature} rises again."),
    ("Summon Fire Elemental", "creates"): mark_text("a FireElemental appears and obeys nobody."),
    ("Summon Ice Elemental", "creates"): mark_text("an IceElemental appears and obeys nobody."),
    ("", "raises"): mark_text("{creature} rises again."),
    ("", "dies_on_arrival"): mark_text("{creature} is torn apart as it arrives."),
    ("", "joins"): mark_text("{creature} regains its full strength."),
    ("", "clash"): mark_text("fire and ice meet: both elementals are gone."),
    ("", "fades"): mark_text("{spell} fades before it begins."),
    ("", "consumed"): mark_text("{spell} is lost where the elementals meet."),
    ("", "spent_on_elemental"): mark_text("{spell} destroys {creature} and is spent."),
    ("", "engulfs"): mark_text("{spell} engulfs {creature}."),
    ("", "cancels"): mark_text("the storms cancel each other."),
    ("Fire Storm", "works"): mark_text("a Fire Storm gathers."),
    ("Ice Storm", "works"): mark_text("an Ice Storm gathers."),
}

# The second person is the target's.
ATTACK_MISSED: dict[str, Forms] = {
    "no_target": mark_text("{who} has nobody to attack."),
    "gone": mark_text("{who} looks for a target that is not there."),
    "invisible": mark_text("{who} looks for a target that it cannot see."),
    "shielded": (mark_text("{target}'s shield stops {who}."), mark_text("your shield stops {who}.")),
    "resisted": (mark_text("{who} cannot harm {target}."), mark_text("{who} cannot harm you.")),
    "paralysed": mark_text("{who} is paralysed and does not attack."),
    "amnesia": mark_text("{who} forgets to attack."),
    "afraid": mark_text("{who} is too afraid to attack."),
    "maladroit": mark_text("{who} stumbles and does not attack."),
    "stunned": mark_text("{who} is stunned and does not attack."),
}

# The second person is the stabber's.
STAB_MISSED: dict[str, Forms] = {
    "no_target": (mark_text("{who} stabs at nobody."), mark_text("you stab at nobody.")),
    "gone": (mark_text("{who} stabs empty air."), mark_text("you stab empty air.")),
    "unseen": (mark_text("{who} stabs wildly and misses."), mark_text("you stab wildly and miss.")),
    "shielded": (mark_text("a shield stops {who}'s dagger."), mark_text("a shield stops your dagger.")),
}

# The second person is the winner's.
ENDINGS: dict[str, Forms] = {
    "kill": (mark_text("Outright victory to {winners}."), mark_text("Outright victory is yours.")),
    "surrender": (mark_text("Victory to {winners}."), mark_text("Victory is yours.")),
    "all_dead": mark_text("Nobody is left alive. The battle is a draw."),
    "all_surrendered": mark_text("All remaining mages have surrendered. The battle is a draw."),
    "surrendered_as_last_enemy_died": mark_text("The last mage surrendered as the last enemy fell. Nobody wins."),
    "all_forfeit": mark_text("All remaining mages have run out of time. Nobody wins."),
    "called_off": mark_text("The battle is called off. Nobody wins or loses."),
    "ended_by_league": mark_text("The league has ended the duel: its time is up. Nobody wins or loses it."),
    "ended_by_cup": mark_text("The cup has ended the duel: its time is up. Nobody wins or loses it."),
    "agreed": mark_text("Both mages agree on a draw. Nobody wins or loses."),
    "forfeit": (mark_text("Victory to {winners} by forfeit."), mark_text("Victory is yours by forfeit.")),
    "decided": mark_text("A janitor decides how the battle ends."),
}

# Ends that one player brings about. The second person is theirs.
ENDINGS_BY: dict[str, Forms] = {
    "called_off": (
        mark_text("{who} calls the battle off, because its first turn has waited too long. Nobody wins or loses."),
        mark_text("You call the battle off, because its first turn has waited too long. Nobody wins or loses."),
    ),
    "agreed": (
        mark_text("{who} offers a draw, and both mages agree on it. Nobody wins or loses."),
        mark_text("You offer a draw, and both mages agree on it. Nobody wins or loses."),
    ),
}
