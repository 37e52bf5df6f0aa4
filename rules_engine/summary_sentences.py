"""The sentences of a turn's summary: data for `summary`. A pair is (third person, second person).

The words between the two asterisks of a template are set in bold; every template begins with them.
"""

from __future__ import annotations

from rules_engine.sentences import Forms
from rules_engine.text import mark_text

NOTHING_HAPPENS = mark_text("*Nothing happens in turn {turn}.*")
NOTHING_SEEN = mark_text("*You see nothing happen* in turn {turn}.")
WAITS = mark_text("*The turn waits for an answer.*")
NO_SPELL = mark_text("*{who} casts no spell.*")

# -- hit points -----------------------------------------------------------------------------------------------------

# The last word of a key is "left" if the reader sees how many hit points are left.
POINTS: dict[str, Forms] = {
    "loses": (mark_text("*{who} loses {number}* to {sources}."), mark_text("*You lose {number}:* {causes}.")),
    "loses left": (
        mark_text("*{who} loses {number}* to {sources}. {who} has {left}."),
        mark_text("*You lose {number}:* {causes}. You have {left}."),
    ),
    "gains": (mark_text("*{who} gains {number}* from {sources}."), mark_text("*You gain {number}* from {sources}.")),
    "gains left": (
        mark_text("*{who} gains {number}* from {sources}. {who} has {left}."),
        mark_text("*You gain {number}* from {sources}. You have {left}."),
    ),
}

# Why hit points were lost, as a clause for the one who lost them, and as a noun for everyone else. The second person is
# the attacker's.
CAUSES: dict[str, Forms] = {
    "spell": (mark_text("{who}'s {spell} hits you"), mark_text("your {spell} hits you")),
    "spell of somebody": mark_text("{spell} hits you"),
    "stab": (mark_text("{who} stabs you"), mark_text("you stab yourself")),
    "stab of somebody": mark_text("a dagger stabs you"),
    "strike": mark_text("{who} strikes you"),
}
SOURCES: dict[str, Forms] = {
    "spell": (mark_text("{who}'s {spell}"), mark_text("your {spell}")),
    "spell of somebody": mark_text("{spell}"),
    "stab": (mark_text("{who}'s dagger"), mark_text("your dagger")),
    "stab of somebody": mark_text("a dagger"),
    "strike": mark_text("{who}"),
}

# -- death and leaving ----------------------------------------------------------------------------------------------

DEATHS: dict[str, Forms] = {
    "dies": (mark_text("*{who} is dead.*"), mark_text("*You are dead.*")),
    "dies of wounds": (
        mark_text("*{who} loses {number} and is dead:* {sources}."),
        mark_text("*You lose {number} and are dead:* {causes}."),
    ),
    "drops_dead": (
        mark_text("*{who} is dead:* {sources}."),
        mark_text("*You are dead:* {sources}."),
    ),
    "succumbs": (mark_text("*{who} dies* of {by}."), mark_text("*You die* of {by}.")),
    "stops_heart": (mark_text("*{who} is dead* and chose it."), mark_text("*You are dead* and chose it.")),
    "times_out": (
        mark_text("*{who} is dead:* {who} ran out of time."),
        mark_text("*You are dead:* you ran out of time."),
    ),
    "surrenders": (
        mark_text("*{who} surrenders* and leaves the circle alive."),
        mark_text("*You surrender* and leave the circle alive."),
    ),
    "is_claimed": (
        mark_text("*{who} surrenders* after being away for too long."),
        mark_text("*You surrender* after being away for too long."),
    ),
}

# The second person is the creature's master.
CREATURES: dict[str, Forms] = {
    "dies": (mark_text("*{who} is dead.*"), mark_text("*{who} is dead.* It obeyed you.")),
    "killed": (
        mark_text("*{who} is dead:* {sources}."),
        mark_text("*{who} is dead:* {sources}. It obeyed you."),
    ),
    "survives": mark_text("*{who} survives* {sources}."),
    "gone": mark_text("*{who} is gone.* It obeyed you."),
    "leaves": mark_text("*{who} no longer obeys you.* It obeys {master}."),
    "frees itself": mark_text("*{who} no longer obeys you.* It obeys nobody."),
    "obeys": (mark_text("*{who} obeys {master}.*"), mark_text("*{who} obeys you.*")),
    "obeys and strikes": (
        mark_text("*{who} obeys {master}* and strikes {target}."),
        mark_text("*{who} obeys you* and strikes {target}."),
    ),
    "obeys and is stopped": (
        mark_text("*{who} obeys {master}.* {target}'s shield stops its first attack."),
        mark_text("*{who} obeys you.* {target}'s shield stops its first attack."),
    ),
    "obeys and is stopped by you": (
        mark_text("*{who} obeys {master}.* Your shield stops its first attack."),
        mark_text("*{who} obeys you.* Your shield stops its first attack."),
    ),
    "obeys nobody": mark_text("*{who} appears* and obeys nobody."),
    "loses": mark_text("*{who} loses {number}* to {sources}."),
    "gains": mark_text("*{who} gains {number}* from {sources}."),
}

# -- enchantments ---------------------------------------------------------------------------------------------------

# What a spell that works puts on a being. `turn` is the turn in which its mind obeys it.
BEGINS: dict[str, Forms] = {
    "Paralysis": (
        mark_text("*{who} is paralysed:* in turn {turn}, one hand repeats its gesture."),
        mark_text("*You are paralysed:* in turn {turn}, one of your hands repeats its gesture."),
    ),
    "Amnesia": (
        mark_text("*{who} is forgetful:* in turn {turn}, both hands repeat their gestures."),
        mark_text("*You are forgetful:* in turn {turn}, both your hands repeat their gestures."),
    ),
    "Fear": (
        mark_text("*{who} is afraid:* in turn {turn}, some gestures are impossible."),
        mark_text("*You are afraid:* in turn {turn}, you cannot play every gesture."),
    ),
    "Confusion": (
        mark_text("*{who} is confused:* in turn {turn}, one hand plays another gesture."),
        mark_text("*You are confused:* in turn {turn}, one of your hands plays another gesture."),
    ),
    "Maladroitness": (
        mark_text("*{who} is clumsy:* in turn {turn}, both hands play the same gesture."),
        mark_text("*You are clumsy:* in turn {turn}, both your hands play the same gesture."),
    ),
    "Charm Person": (
        mark_text("*{who} is charmed:* in turn {turn}, someone else chooses the gesture of one hand."),
        mark_text("*You are charmed:* in turn {turn}, someone else chooses the gesture of one of your hands."),
    ),
    "Anti Spell": (
        mark_text("*{who}'s series are cut:* the gestures played before no longer count."),
        mark_text("*Your series are cut:* the gestures you played before no longer count."),
    ),
    "Disease": (mark_text("*{who} is ill:* {turns} left to live."), mark_text("*You are ill:* {turns} left to live.")),
    "Poison": (
        mark_text("*{who} is poisoned:* {turns} left to live."),
        mark_text("*You are poisoned:* {turns} left to live."),
    ),
    "Blindness": (
        mark_text("*{who} is blind* from turn {turn} on."),
        mark_text("*You are blind* from turn {turn} on."),
    ),
    "Invisibility": (
        mark_text("*{who} is invisible* from turn {turn} on."),
        mark_text("*You are invisible* from turn {turn} on."),
    ),
    "Haste": (mark_text("*{who} becomes fast.*"), mark_text("*You become fast.*")),
    "Time Stop": (
        mark_text("*{who} slips outside time* for one turn."),
        mark_text("*You slip outside time* for one turn."),
    ),
    "Delay Effect": (mark_text("*{who} can bank a spell.*"), mark_text("*You can bank a spell.*")),
    "Permanency": (
        mark_text("*{who} can make a spell permanent.*"),
        mark_text("*You can make a spell permanent.*"),
    ),
    "Protection": (
        mark_text("*{who} is protected* from attacks and missiles for some turns."),
        mark_text("*You are protected* from attacks and missiles for some turns."),
    ),
    "Protection for good": (
        mark_text("*{who} is protected* from attacks and missiles."),
        mark_text("*You are protected* from attacks and missiles."),
    ),
    "Shield": (
        mark_text("*{who} is shielded.*"),
        mark_text("*You are shielded,* but nothing came that a shield stops."),
    ),
    "Counter Spell": (
        mark_text("*A Counter Spell surrounds {who}.*"),
        mark_text("*A Counter Spell surrounds you,* but had nothing to stop."),
    ),
    "Magic Mirror": (
        mark_text("*A mirror stands before {who}.*"),
        mark_text("*A mirror stands before you,* but nothing came that it reflects."),
    ),
    "Resist Heat": (mark_text("*Heat can no longer harm {who}.*"), mark_text("*Heat can no longer harm you.*")),
    "Resist Cold": (mark_text("*Cold can no longer harm {who}.*"), mark_text("*Cold can no longer harm you.*")),
}

# What follows if the spell is permanent.
FOR_GOOD = mark_text("This is permanent.")

# The same if those who would decide about a hand are no longer in the circle.
UNDIRECTED: dict[str, Forms] = {
    "Paralysis": (
        mark_text("*{who} is paralysed,* but nobody is left to hold a hand."),
        mark_text("*You are paralysed,* but nobody is left to hold your hand."),
    ),
    "Charm Person": (
        mark_text("*{who} is charmed,* but nobody is left to choose a gesture."),
        mark_text("*You are charmed,* but nobody is left to choose your gesture."),
    ),
}

# An enchantment that began although no event says so.
BEGUN: Forms = (mark_text("*{who} has an enchantment:* {mark}."), mark_text("*You have an enchantment:* {mark}."))

ENDS: dict[str, Forms] = {
    "afraid": (mark_text("*{who} is no longer afraid.*"), mark_text("*You are no longer afraid.*")),
    "blind": (mark_text("*{who} can see again.*"), mark_text("*You can see again.*")),
    "charmed": (mark_text("*{who} is no longer charmed.*"), mark_text("*You are no longer charmed.*")),
    "cold_resistant": (mark_text("*Cold can harm {who} again.*"), mark_text("*Cold can harm you again.*")),
    "confused": (mark_text("*{who} is no longer confused.*"), mark_text("*You are no longer confused.*")),
    "countering": (
        mark_text("*The Counter Spell around {who} ends.*"),
        mark_text("*The Counter Spell around you ends.*"),
    ),
    "delay": (mark_text("*{who} can no longer bank a spell.*"), mark_text("*You can no longer bank a spell.*")),
    "fast": (mark_text("*{who} is no longer fast.*"), mark_text("*You are no longer fast.*")),
    "forgetful": (mark_text("*{who} remembers again.*"), mark_text("*You remember again.*")),
    "heat_resistant": (mark_text("*Heat can harm {who} again.*"), mark_text("*Heat can harm you again.*")),
    "invisible": (mark_text("*{who} can be seen again.*"), mark_text("*You can be seen again.*")),
    "maladroit": (mark_text("*{who} is no longer clumsy.*"), mark_text("*You are no longer clumsy.*")),
    "paralysed": (mark_text("*{who}'s hands are free again.*"), mark_text("*Your hands are free again.*")),
    "permanency": (
        mark_text("*{who} can no longer make a spell permanent.*"),
        mark_text("*You can no longer make a spell permanent.*"),
    ),
    "poisoned": (mark_text("*{who} is no longer poisoned.*"), mark_text("*You are no longer poisoned.*")),
    "reflecting": (mark_text("*{who}'s mirror is gone.*"), mark_text("*Your mirror is gone.*")),
    "shielded": (mark_text("*{who}'s protection ends.*"), mark_text("*Your protection ends.*")),
    "sick": (mark_text("*{who} is no longer ill.*"), mark_text("*You are no longer ill.*")),
    "time_stopped": (mark_text("*Time moves again for {who}.*"), mark_text("*Time moves again for you.*")),
}
ALL_END: Forms = (
    mark_text("*{who} loses all enchantments:* {marks}."),
    mark_text("*You lose all enchantments:* {marks}."),
)
BANK_EMPTIED: Forms = (
    mark_text("*{who} loses the banked {spell}.*"),
    mark_text("*You lose the banked {spell}.*"),
)
MINDS_CLASH: Forms = (
    mark_text("*Spells meet in {who}'s mind,* and all of them fail."),
    mark_text("*Spells meet in your mind,* and all of them fail."),
)
MINDS_CLASH_BUT_ONE: Forms = (
    mark_text("*Spells meet in {who}'s mind,* and only {spell} works."),
    mark_text("*Spells meet in your mind,* and only {spell} works."),
)

# -- what was stopped -----------------------------------------------------------------------------------------------

# What stops something. "mine" is a spell that the protected mage cast.
STOPS: dict[str, Forms] = {
    "shield": (mark_text("*{who}'s shield stops* {things}."), mark_text("*Your shield stops* {things}.")),
    "mine": (mark_text("*{who}'s {spell} stops* {things}."), mark_text("*Your {spell} stops* {things}.")),
    "counter": (
        mark_text("*A Counter Spell around {who} stops* {things}."),
        mark_text("*A Counter Spell around you stops* {things}."),
    ),
    "mirror": (mark_text("*{who}'s mirror reflects* {things}."), mark_text("*Your mirror reflects* {things}.")),
    "unharmed": (mark_text("*{who} is not harmed* by {things}."), mark_text("*You are not harmed* by {things}.")),
}

# A spell or attack without effect: the pair is (someone else's, your own).
IN_VAIN: dict[str, Forms] = {
    "spell": (mark_text("*{who}'s {spell} does nothing:* {why}."), mark_text("*Your {spell} does nothing:* {why}.")),
    "spell of somebody": mark_text("*{spell} does nothing:* {why}."),
    "turned": (mark_text("*{who}'s {spell} comes back:* {why}."), mark_text("*Your {spell} comes back:* {why}.")),
    "turned of somebody": mark_text("*{spell} comes back:* {why}."),
    "lost": (mark_text("*{who}'s {spell} is lost:* {why}."), mark_text("*Your {spell} is lost:* {why}.")),
    "lost of somebody": mark_text("*{spell} is lost:* {why}."),
    "stab": (mark_text("*{who}'s stab does nothing:* {why}."), mark_text("*Your stab does nothing:* {why}.")),
    "attack": mark_text("*{who} does nothing:* {why}."),
}

# Why it did nothing. The second person is the mage whom the spell or attack met.
WHY: dict[tuple[str, str], Forms] = {
    ("spell", "countered"): (
        mark_text("a Counter Spell around {target} stops it"),
        mark_text("a Counter Spell around you stops it"),
    ),
    ("spell", "caster_blind"): mark_text("its caster cannot see"),
    ("spell", "target_unseen"): (mark_text("{target} cannot be seen"), mark_text("you cannot be seen")),
    ("spell", "target_gone"): (
        mark_text("{target} is no longer in the circle"),
        mark_text("you are no longer in the circle"),
    ),
    ("spell", "shattered"): mark_text("it shatters between two mirrors"),
    ("spell", "not_raised"): mark_text("nothing is left of {target} to raise"),
    ("spell", "not_dead"): (mark_text("{target} is not dead"), mark_text("you are not dead")),
    ("spell", "no_creature"): mark_text("there is no creature for it"),
    ("spell", "no_effect_on_monster"): mark_text("it does not work on a creature such as {target}"),
    ("spell", "no_effect_on_kind"): (mark_text("it does not work on {target}"), mark_text("it does not work on you")),
    ("spell", "no_effect_on_elemental"): mark_text("an elemental cannot have companions"),
    ("spell", "minds_clash"): (
        mark_text("it meets another spell in {target}'s mind"),
        mark_text("it meets another spell in your mind"),
    ),
    ("spell", "already"): (
        mark_text("the same effect is already on {target}"),
        mark_text("the same effect is already on you"),
    ),
    ("mind spell", "already"): (
        mark_text("a permanent spell holds {target}'s mind"),
        mark_text("a permanent spell holds your mind"),
    ),
    ("spell", "dies_on_arrival"): mark_text("fire and ice met just before"),
    ("spell", "clash"): mark_text("fire and ice meet, and both elementals are destroyed"),
    ("spell", "fades"): mark_text("two storms, or a storm and an elemental, cancelled each other just before"),
    ("spell", "consumed"): mark_text("it is lost where the elementals meet"),
    ("spell", "cancels"): mark_text("fire and ice meet, and both storms are gone"),
    ("spell", "spent_on_elemental"): mark_text("it is spent on {creature}"),
    ("unharmed", "FM-FIREBALL-3"): mark_text("the Ice Storm takes its heat"),
    ("unharmed", ""): (mark_text("it does not harm {who}"), mark_text("it does not harm you")),
    ("absorbed", ""): (mark_text("{who}'s shield stops it"), mark_text("your shield stops it")),
    ("unhealed", ""): (mark_text("{who} keeps no hit points from it"), mark_text("you keep no hit points from it")),
    ("unhealed", "full"): (mark_text("{who} has all {number}"), mark_text("you have all {number}")),
    ("saved_from_death", ""): (
        mark_text("death and life meet over {who} and cancel each other"),
        mark_text("death and life meet over you and cancel each other"),
    ),
    ("reflected", ""): (mark_text("{mirror}'s mirror reflects it"), mark_text("your mirror reflects it")),
    ("attack_missed", "no_target"): mark_text("it has nobody to attack"),
    ("attack_missed", "gone"): mark_text("its target is not there"),
    ("attack_missed", "invisible"): mark_text("it cannot see its target"),
    ("attack_missed", "shielded"): (mark_text("{target}'s shield stops it"), mark_text("your shield stops it")),
    ("attack_missed", "resisted"): (mark_text("it cannot harm {target}"), mark_text("it cannot harm you")),
    ("attack_missed", "paralysed"): mark_text("it is paralysed"),
    ("attack_missed", "amnesia"): mark_text("it has forgotten everything"),
    ("attack_missed", "afraid"): mark_text("it is afraid"),
    ("attack_missed", "maladroit"): mark_text("it is clumsy"),
    ("attack_missed", "stunned"): mark_text("it is stunned"),
    ("stab_missed", "no_target"): mark_text("it is aimed at nobody"),
    ("stab_missed", "gone"): mark_text("nobody is there"),
    ("stab_missed", "unseen"): mark_text("its target cannot be seen"),
    ("stab_missed", "shielded"): (mark_text("{target}'s shield stops it"), mark_text("your shield stops it")),
    ("undone", "gives_way"): mark_text("it gives way to {by}"),
    ("undone", "removed"): mark_text("{by} ends it at once"),
    ("undone", "cured"): mark_text("{by} cures it at once"),
    ("undone", "destroyed"): mark_text("{target} is destroyed first"),
    ("undone", "held_back"): mark_text("{target} does not attack"),
    ("undone", "out_of_turn"): mark_text("creatures do not attack in an extra turn"),
    ("cast", "nobody"): mark_text("it is aimed at nobody"),
    ("cast", "dispelled"): mark_text("a Dispel Magic stops every other spell"),
    ("cast", "silence"): mark_text("you see no effect of it"),
}
