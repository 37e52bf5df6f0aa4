"""Short names for places where a spell's full name has no room. The full name is always within reach."""

from __future__ import annotations

from django.utils.text import slugify

SHORT = {
    "Cause Heavy Wounds": "Wounds 3",
    "Cause Light Wounds": "Wounds 2",
    "Charm Monster": "Charm",
    "Charm Person": "Charm",
    "Counter Spell": "Counter",
    "Cure Heavy Wounds": "Cure 2",
    "Cure Light Wounds": "Cure 1",
    "Delay Effect": "Delay",
    "Dispel Magic": "Dispel",
    "Finger Of Death": "Finger",
    "Invisibility": "Invisible",
    "Lightning Bolt": "Lightning",
    "Magic Mirror": "Mirror",
    "Magic Missile": "Missile",
    "Permanency": "Permanent",
    "Remove Enchantment": "Remove",
    "Resist Cold": "Res. cold",
    "Resist Heat": "Res. heat",
    "Summon Fire Elemental": "Fire elem.",
    "Summon Giant": "Giant",
    "Summon Goblin": "Goblin",
    "Summon Ice Elemental": "Ice elem.",
    "Summon Ogre": "Ogre",
    "Summon Troll": "Troll",
}


def short_name(spell: str) -> str:
    """At most about ten letters."""
    return SHORT.get(spell, spell)


def rules_url(ruleset: str, edition: int, newest: int) -> str:
    """The page of the rules that a battle is played by; of its own edition, where that is not the newest."""
    return f"/rules/{ruleset}/" + ("" if edition == newest else f"?edition={edition}")


def spell_url(spell: str, rules: str = "/rules/") -> str:
    """Where the page of those rules tells what the spell does."""
    return f"{rules}#{slugify(spell)}"


def listed(names: list[str], joint: str = "and") -> str:
    """``A``, ``A and B``, ``A, B and C``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
