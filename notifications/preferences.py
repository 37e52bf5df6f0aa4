"""The preferences, their possible values and their defaults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class PreferenceKind:
    """A preference: its key, its label, and its values (the first one is the default)."""

    key: str
    question: StrOrPromise
    values: tuple[tuple[str, StrOrPromise], ...]

    @property
    def default(self) -> str:
        return self.values[0][0]


YES_NO = (("yes", _("Yes")), ("no", _("No")))
NO_YES = YES_NO[::-1]
AT_ONCE, DIGEST, NEVER = "yes", "digest", "no"
HOW_OFTEN = ((AT_ONCE, _("Immediately")), (DIGEST, _("In one daily email")), (NEVER, _("Never")))
HOURS = tuple((str(hour), f"{hour:02}:00") for hour in (7, *range(7), *range(8, 24)))
NIGHTS = tuple((str(hour), f"{hour:02}:00") for hour in (23, *range(18, 23), *range(5)))
ZONES = tuple((name, name.replace("_", " ")) for name in ("UTC", *sorted(available_timezones() - {"UTC", "localtime"})))

PREFERENCES = {
    kind.key: kind
    for kind in (
        PreferenceKind("mail_turns", _("Email me about my battles and battles I follow"), HOW_OFTEN),
        PreferenceKind("mail_challenges", _("Email me when my mage is challenged"), HOW_OFTEN),
        PreferenceKind("mail_seats", _("Email me when someone joins, leaves or ends my challenge"), HOW_OFTEN),
        PreferenceKind("mail_changes", _("Email me about proposals to change my challenge"), HOW_OFTEN),
        PreferenceKind("mail_messages", _("Email me messages from other users"), HOW_OFTEN),
        PreferenceKind("mail_reminders", _("Email me when my vacation ends"), HOW_OFTEN),
        PreferenceKind("mail_news", _("Email me announcements from the janitors"), HOW_OFTEN),
        PreferenceKind("mail_unconfirmed", _("Send reminders to an unconfirmed address, at most three times"), YES_NO),
        PreferenceKind("mail_quiet", _("Skip the email about a turn I have already seen on the site"), YES_NO),
        PreferenceKind(
            "mail_subjects",
            _("Subject lines of battle emails"),
            (
                ("thread", _("One subject for the whole battle")),
                ("classic", _("Name the turn, like the classic server")),
            ),
        ),
        PreferenceKind(
            "bots_play",
            _("Other users' bots may challenge me and join my challenges"),
            (("yes", _("Yes, where no scores are at stake")), ("no", _("No"))),
        ),
        PreferenceKind("bots_write", _("Other users' bots may write to me"), NO_YES),
        PreferenceKind("digest_hour", _("Time of the daily email"), HOURS),
        PreferenceKind("time_zone", _("Time zone"), ZONES),
        PreferenceKind("night", _("When clocks stop at night, my eight hours start at"), NIGHTS),
        PreferenceKind("single_keys", _("Use single keys to choose gestures on the battle page"), YES_NO),
    )
}

# Which preference controls the email for each kind of notice. Kinds without one (codes, account changes, notices to
# janitors) are always emailed.
MAIL_PREFERENCE_OF = {
    **dict.fromkeys(("battle_started", "turn_resolved", "stage_asked", "turn_stuck", "battle_finished"), "mail_turns"),
    # Notices of a missed deadline have no preference.
    **dict.fromkeys(("opponent_late", "time_given", "pause_wanted", "battle_paused", "battle_resumed"), "mail_turns"),
    **dict.fromkeys(("absence_long", "call_off_wanted", "claim_wanted", "seat_offer_wanted"), "mail_turns"),
    "challenged": "mail_challenges",
    **dict.fromkeys(
        (
            "challenge_accepted",
            "challenge_declined",
            "challenge_withdrawn",
            "challenge_excluded",
            "challenge_uninvited",
            "challenge_prodded",
            "challenge_closed",
        ),
        "mail_seats",
    ),
    **dict.fromkeys(
        ("change_proposed", "change_adopted", "change_rejected", "change_taken_back", "change_lapsed"), "mail_changes"
    ),
    **dict.fromkeys(("message", "announcement"), "mail_messages"),
    "site_news": "mail_news",
    "vacation_over": "mail_reminders",
    "unconfirmed_reminder": "mail_unconfirmed",
}

# Kinds with a code or link that confirms an address: the only ones sent to an unconfirmed address.
PROVING_KINDS = frozenset({"confirm_address", "login_code", "password_reset"})

# Kinds that are emailed even to an address that has stopped our email: what somebody has just asked for, and warnings
# that someone else may use the account.
UNSTOPPED_KINDS = PROVING_KINDS | {"account_changed", "reply_address_elsewhere", "orders_held"}

# The reminder to a user with an unconfirmed address, with a link to confirm it; limited per address.
UNCONFIRMED_REMINDER = "unconfirmed_reminder"
MOST_UNCONFIRMED_REMINDERS = 3
BETWEEN_UNCONFIRMED_REMINDERS = timedelta(days=1)

# Kinds that may name the address they go to: a change of address goes to the old one, and the closing of an account to
# the address it had.
ADDRESSED_KINDS = PROVING_KINDS | {"account_changed", "user_closed", UNCONFIRMED_REMINDER}

# Kinds that are emailed immediately even if the reader has the battle open: a janitor's action.
URGENT_KINDS = frozenset({"battle_intervened"})
