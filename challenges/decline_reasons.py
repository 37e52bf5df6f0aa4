"""The reasons that a mage can give for declining a challenge. Pure: no rows."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# By the word that programs and emails send.
REASONS: dict[str, str | Promise] = {
    "busy": _("They have no time now."),
    "ruleset": _("They want another ruleset."),
    "pace": _("They want another pace."),
    "stakes": _("They want other stakes."),
    "strength": _("They look for an opponent of another strength."),
}


def describe_reason(reason: object) -> str:
    """Return the sentence of a reason, in the language of the moment; "" for none."""
    return str(REASONS.get(str(reason), ""))
