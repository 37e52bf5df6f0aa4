"""What each spell does, in a sentence or two of our own. The rules decide; this only tells."""

from __future__ import annotations

from rules_engine.rulesets import Difference, Ruleset

WORDS: dict[str, str] = {
    "Amnesia": "The target makes the same two gestures again next turn. A creature forgets to attack this turn.",
    "Anti Spell": "Cuts both strings of the target: from next turn nothing made so far counts towards a spell.",
    "Blindness": "For three turns the target sees no gestures of others. A creature is destroyed.",
    "Cause Heavy Wounds": "3 damage. A shield does not stop it.",
    "Cause Light Wounds": "2 damage. A shield does not stop it.",
    "Charm Monster": "You command the target creature from this turn on. Elementals obey nobody.",
    "Charm Person": "You choose the gesture of one of the target’s hands for next turn.",
    "Clap of Lightning": "5 damage. A shield does not stop it.",
    "Confusion": "Next turn one hand of the target, by chance, makes a gesture by chance.",
    "Counter Spell": "Every other spell at the target fails this turn, and it is shielded. Dispel Magic and Finger Of "
    "Death pass.",
    "Cure Heavy Wounds": "Heals 2, and cures disease.",
    "Cure Light Wounds": "Heals 1.",
    "Delay Effect": "Within three turns the target may hold back one spell, and release it in a later turn.",
    "Disease": "The target dies six turns later, this turn counted. Cure Heavy Wounds, Remove Enchantment and Dispel "
    "Magic cure it.",
    "Dispel Magic": "No other spell works this turn, all enchantments end, all creatures die. It shields its target.",
    "Fear": "Next turn the target cannot make C, D, F or S. A creature is too afraid to attack this turn.",
    "Finger Of Death": "Kills the target. Only Dispel Magic and Raise Dead are in its way.",
    "Fire Storm": "5 damage to everyone who does not resist heat. It cancels with an Ice Storm.",
    "Fireball": "5 damage, none to a target that resists heat.",
    "Haste": "For three turns the target makes a second pair of gestures each turn.",
    "Ice Storm": "5 damage to everyone who does not resist cold. It cancels with a Fire Storm.",
    "Invisibility": "For three turns nobody sees the target or its gestures, and what is aimed at it misses. "
    "A creature is destroyed.",
    "Lightning Bolt": "5 damage. A shield does not stop it.",
    "Magic Mirror": "Turns single spells at the target back on whoever cast them, this turn.",
    "Magic Missile": "1 damage, stopped by a shield.",
    "Maladroitness": "Next turn both hands of the target make the gesture of its right hand. A creature does not "
    "attack this turn.",
    "Paralysis": "Next turn you hold one hand of the target still: it shows what it showed before.",
    "Permanency": "Within three turns the target may make one enchantment that it completes last for ever.",
    "Poison": "As Disease, but Cure Heavy Wounds does not cure it.",
    "Protection": "A shield this turn and for three more, with both hands free.",
    "Raise Dead": "The dead stand up unhurt, free of enchantments. On the living it heals 5.",
    "Remove Enchantment": "Ends every enchantment on the target. A creature is destroyed.",
    "Resist Cold": "No ice does harm to the target until the enchantment is removed.",
    "Resist Heat": "No fire does harm to the target until the enchantment is removed.",
    "Shield": "Stops stabs, missiles and creatures’ attacks on the target this turn.",
    "Summon Elemental": "An elemental with 3 hit points, of fire or of ice as is chosen, that attacks everyone who "
    "does not resist it, for 3.",
    "Summon Fire Elemental": "An elemental with 3 hit points that attacks everyone who does not resist heat, for 3.",
    "Summon Giant": "A giant with 4 hit points that hits for 4 and obeys the target.",
    "Summon Goblin": "A goblin with 1 hit point that hits for 1 and obeys the target.",
    "Summon Ice Elemental": "An elemental with 3 hit points that attacks everyone who does not resist cold, for 3.",
    "Summon Ogre": "An ogre with 2 hit points that hits for 2 and obeys the target.",
    "Summon Troll": "A troll with 3 hit points that hits for 3 and obeys the target.",
    "Time Stop": "The target takes a whole extra turn at once, which nobody sees and nothing resists.",
}


def tell_spell(ruleset: Ruleset, name: str) -> str:
    """What a spell does under a ruleset: its words, and what that ruleset's own data add; empty for one unheard of."""
    return " ".join(
        filter(None, (WORDS.get(name, ""), _held(ruleset, name), _once(ruleset, name), _lasting(ruleset, name)))
    )


def find_differences(ruleset: Ruleset, name: str) -> tuple[Difference, ...]:
    """The differences of a ruleset that speak of this spell."""
    return tuple(difference for difference in ruleset.differences if name in difference.text)


def _held(ruleset: Ruleset, name: str) -> str:
    """What the gestures of a held hand become."""
    if name != "Paralysis":
        return ""
    pairs = [f"{was} becomes {now}" for was, now in ruleset.rules.paralysis.items() if was != now]
    return f"But {', '.join(pairs)}." if pairs else ""


def _once(ruleset: Ruleset, name: str) -> str:
    series = [" ".join(text) for text in sorted(ruleset.once) if ruleset.series.get(text) == name]
    return f"{' and '.join(series)} can be used once in a battle by each mage." if series else ""


def _lasting(ruleset: Ruleset, name: str) -> str:
    return "Permanency makes it last." if ruleset.spells[name].can_be_permanent else ""
