"""Handwritten titles and remarks of the annotated battles; the analysis provides the other comments."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

THEMES: "dict[str, tuple[StrOrPromise, StrOrPromise]]" = {
    "black-vs-white": (
        _("Black against White"),
        _("The example of the first rules of Waving Hands: mind spells, an invisible mage, and a surrender."),
    ),
    "froodal-vs-bung": (
        _("Froodal against Bung"),
        _("The example of Firetop Mountain: eleven turns, and a lightning bolt that comes back."),
    ),
    "missed-kill": (_("The missed kill"), _("Count what your hands complete this turn before you play on.")),
    "unread-threat": (_("The threat nobody read"), _("What your opponent has begun is on the board. Read it.")),
    "from-behind": (
        _("Nearly lost, and won"),
        _("The winner once had little chance. Look for the turn that changed it."),
    ),
    "few-mistakes": (
        _("Few mistakes"),
        _("Both sides play close to the best moves. Compare the chances turn by turn."),
    ),
    "storms": (_("Storms and elementals"), _("What hits everyone also hits you, unless you are ready for it.")),
    "creatures": (_("Creature against creature"), _("Each creature hits every turn. Who summons first sets the pace.")),
    "minds": (_("A war of minds"), _("Mind spells take turns away. See what they cost and what they gain.")),
    "wasted": (_("Wasted spells"), _("Shields, Counter Spells and mirrors absorb much of what is cast here.")),
    "quick": (_("A quick end"), _("Few turns, and one mistake is enough.")),
    "long": (_("The long way"), _("Two mages who defend well, until one of them runs out of answers.")),
}
"""slug → title, what to look for"""

REMARKS: "dict[str, dict[int, tuple[StrOrPromise, ...]]]" = {
    "black-vs-white": {
        1: (_("White begins with a Shield. Black waves with both hands: most spells can follow."),),
        4: (
            _("The palm completes three of White's series. White takes Resist Heat, which lasts all battle."),
            _("A Shield would not have helped: Cause Heavy Wounds goes through shields."),
        ),
        6: (_("The palm completes Amnesia, and it casts only one spell: Black has no Shield, and the missile hits."),),
        7: (_("Amnesia makes White repeat the gestures of the turn before. For Black this is a free turn."),),
        9: (_("Black completes nothing, and White uses the turn for a Counter Spell and a Confusion."),),
        10: (_("Confusion changes Black's right hand. The left one still makes the Shield that stops the goblin."),),
        11: (_("A stab kills the goblin. It still attacks in this turn, into the Shield."),),
        13: (_("Now Black has to repeat gestures: Amnesia again."),),
        16: (_("Black cannot be seen, but in these rules a spell can still be aimed at an invisible mage."),),
        17: (_("Nobody hides from a storm. White resisted heat in turn 4 and is spared."),),
        22: (_("Two palms: Black gives up."),),
    },
    "froodal-vs-bung": {
        4: (_("A Counter Spell also works as a Shield: Bung's stab does nothing."),),
        5: (_("The clap completes Ice Storm, although only the left hand played its first three gestures."),),
        6: (_("Paralysis holds Bung's right hand: after the clap of turn 5 it can only play fingers."),),
        8: (_("Dispel Magic ends everything, including the Disease that would have killed Bung."),),
        10: (_("The short Lightning Bolt takes five points at once. A mage can cast it once in a battle."),),
        11: (_("Froodal expects the same bolt from Bung. The Magic Mirror sends it back, and it kills its caster."),),
    },
}
"""slug → seq of a turn → remarks"""
