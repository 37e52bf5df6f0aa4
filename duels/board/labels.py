"""Labels of the rules' questions, shared by pages and emails."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.board.signs import plain
from rules_engine import Question, name_spell
from rules_engine.narration import find_preposition

STAB = "Stab"
LABELS = {
    "paralyze": gettext_lazy("Hand of %(about)s to paralyse"),
    "charm": gettext_lazy("Hand of %(about)s to direct next turn"),
    "retarget": gettext_lazy("%(about)s, who is fast, attacks the second time"),
    "elemental": gettext_lazy("Which elemental %(about)s summons"),
    "direct": gettext_lazy("Gesture for %(about)s, who is charmed"),
    "permanent": gettext_lazy("Make this hand's spell permanent:"),
    "delay": gettext_lazy("Bank this hand's spell:"),
    "fire": gettext_lazy("Cast the banked %(about)s"),
    "suicide": gettext_lazy("End your own life this turn"),
}
TARGETS = {
    "at": gettext_lazy("%(about)s at"),
    "for": gettext_lazy("%(about)s for"),
    "on": gettext_lazy("%(about)s on"),
}
CASTING = {
    "LH": gettext_lazy("Left hand casts"),
    "RH": gettext_lazy("Right hand casts"),
    "BH": gettext_lazy("Both hands together cast"),
    "LH2": gettext_lazy("Left hand casts the second time"),
    "RH2": gettext_lazy("Right hand casts the second time"),
    "BH2": gettext_lazy("Both hands together cast the second time"),
}
ASKS = {
    "LH": gettext_lazy("Choose a spell for your left hand"),
    "RH": gettext_lazy("Choose a spell for your right hand"),
    "BH": gettext_lazy("Choose a spell for both hands"),
    "LH2": gettext_lazy("Choose a spell for your left hand, the second time"),
    "RH2": gettext_lazy("Choose a spell for your right hand, the second time"),
    "BH2": gettext_lazy("Choose a spell for both hands, the second time"),
}
MONSTER_OF = {
    "LH": gettext_lazy("What your left hand summons attacks"),
    "RH": gettext_lazy("What your right hand summons attacks"),
    "BH": gettext_lazy("What your hands summon attacks"),
}
ELEMENTAL_OF = {
    "LH": gettext_lazy("Which elemental %(mage)s's left hand summons"),
    "RH": gettext_lazy("Which elemental %(mage)s's right hand summons"),
    "BH": gettext_lazy("Which elemental %(mage)s's hands summon"),
}
HANDS_NAMED = {
    "LH": gettext_lazy("Left hand"),
    "RH": gettext_lazy("Right hand"),
    "LH2": gettext_lazy("Left hand, the second time"),
    "RH2": gettext_lazy("Right hand, the second time"),
}


def label_question(question: Question) -> str:
    """Return a short label for a question, to put before its choices."""
    about = question.about
    if question.kind == "gesture":
        return name_hand(question.id)
    if question.kind == "choose":
        return str(CASTING[about])
    if question.kind == "monster":
        if ":" in about:  # a creature that a hand summons in this turn
            return str(MONSTER_OF[plain(about.partition(":")[0])])
        return _("%(creature)s attacks") % {"creature": about}
    if question.kind == "elemental" and ":" in about:  # one of several by the same mage
        hand, mage = about.split(":", 1)
        words = ELEMENTAL_OF.get(plain(hand)) or _("Which elemental %(mage)s's banked spell summons")
        return str(words % {"mage": mage})
    if question.kind == "target" and about == STAB:
        return _("Stab at")
    if question.kind == "target":
        return str(TARGETS[find_preposition(about)] % {"about": name_spell(about)})
    label = LABELS.get(question.kind)
    return str(label % {"about": about}) if label else about


def ask_for(question: Question) -> str:
    """Return a question that has no default as a request: ``Choose a target for Magic Missile``."""
    if question.kind == "choose":
        return str(ASKS[question.about])
    if question.kind == "target" and question.about == STAB:
        return _("Choose a target for your stab")
    if question.kind == "target":
        return _("Choose a target for %(spell)s") % {"spell": name_spell(question.about)}
    return label_question(question)


def label_spell(spell: str) -> str:
    """Return a spell's name for a reader; orders use the English one."""
    return name_spell(spell)


def name_hand(hand: str) -> str:
    """Return a hand in words, including "the second time" where that applies."""
    return str(HANDS_NAMED[hand])
