"""The one error of scores.

Refused (of operations)
└── LadderRefused      a result that cannot be counted or corrected like this: SENTENCES lists why
"""

from django.utils.translation import gettext_lazy as _

from operations.errors import Refused

SENTENCES = {
    "wrong_kind": _("The number of mages does not fit this kind of battle."),
    "impossible": _("Only a battle's own mages can win or die in it, and a dead mage cannot win."),
    "winner_pays": _("A winner cannot pay for a surrender."),
    "not_counted": _("The result of battle %(number)d has not been counted yet."),
    "annulled": _("The result of battle %(number)d is annulled. Restore it first."),
    "in_battle": _("%(mage)s is in battle %(number)s, so they cannot have died in this one."),
    "in_challenge": _("%(mage)s is in challenge %(number)s, so they cannot have died in this battle."),
}


class LadderRefused(Refused):
    sentences = SENTENCES
