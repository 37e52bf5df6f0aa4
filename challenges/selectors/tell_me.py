"""Whether a user is told when someone looks for a duel, in words for the switch."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from challenges.seek_choices import CHANNELS
from duels.names import listed
from notifications.preferences import NEVER
from notifications.selectors.notices import preferences_of


@dataclass(frozen=True)
class TellMe:
    """The switch: whether it is on, and in words where and how often the user is told."""

    is_on: bool
    words: str


def describe_tell_me(user: User) -> TellMe:
    """Return the switch of this user."""
    chosen = preferences_of(user)
    names = dict(zip(CHANNELS, (_("email"), _("push"), _("hook")), strict=True))
    on = [name for key, name in names.items() if chosen[key] != NEVER]
    where = [_("By %(channels)s.") % {"channels": listed(on)}] if on else []
    often = _("At most one an hour and 3 a day.")
    if chosen["quiet_hours"] != NEVER:
        hours = {"start": chosen["quiet_from"], "end": chosen["quiet_until"]}
        often = _("At most one an hour and 3 a day, never from %(start)s to %(end)s.") % hours
    return TellMe(bool(on), " ".join([*where, often]))
