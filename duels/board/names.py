"""Short names of spells, where the full name has no room."""

from __future__ import annotations

from django.utils.translation import pgettext_lazy

from rules_engine import name_spell

SHORT = {
    "Amnesia": pgettext_lazy("short spell name", "Amnesia"),
    "Cause Heavy Wounds": pgettext_lazy("short spell name", "Wounds 3"),
    "Cause Light Wounds": pgettext_lazy("short spell name", "Wounds 2"),
    "Charm Monster": pgettext_lazy("short spell name", "Charm mon"),
    "Charm Person": pgettext_lazy("short spell name", "Charm pers"),
    "Counter Spell": pgettext_lazy("short spell name", "Counter"),
    "Cure Heavy Wounds": pgettext_lazy("short spell name", "Cure 2"),
    "Cure Light Wounds": pgettext_lazy("short spell name", "Cure 1"),
    "Delay Effect": pgettext_lazy("short spell name", "Delay"),
    "Dispel Magic": pgettext_lazy("short spell name", "Dispel"),
    "Finger Of Death": pgettext_lazy("short spell name", "Finger"),
    "Fire Storm": pgettext_lazy("short spell name", "Fire Storm"),
    "Invisibility": pgettext_lazy("short spell name", "Invisible"),
    "Lightning Bolt": pgettext_lazy("short spell name", "Lightning"),
    "Magic Mirror": pgettext_lazy("short spell name", "Mirror"),
    "Magic Missile": pgettext_lazy("short spell name", "Missile"),
    "Permanency": pgettext_lazy("short spell name", "Permanent"),
    "Remove Enchantment": pgettext_lazy("short spell name", "Remove"),
    "Resist Cold": pgettext_lazy("short spell name", "Res. cold"),
    "Resist Heat": pgettext_lazy("short spell name", "Res. heat"),
    "Summon Fire Elemental": pgettext_lazy("short spell name", "Fire elem."),
    "Summon Giant": pgettext_lazy("short spell name", "Giant"),
    "Summon Goblin": pgettext_lazy("short spell name", "Goblin"),
    "Summon Ice Elemental": pgettext_lazy("short spell name", "Ice elem."),
    "Summon Ogre": pgettext_lazy("short spell name", "Ogre"),
    "Summon Troll": pgettext_lazy("short spell name", "Troll"),
}


def short_name(spell: str) -> str:
    """Return a name of about ten letters at most, in the reader's language."""
    return str(SHORT[spell]) if spell in SHORT else name_spell(spell)
