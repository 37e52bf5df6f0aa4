"""Names as the page writes them: short names of spells where the full name has no room, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence

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
    """Return a name of about ten letters at most."""
    return SHORT.get(spell, spell)


def listed(names: Sequence[str], joint: str = "and") -> str:
    """Return ``A``, ``A and B``, ``A, B and C``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
