"""Which preferences there are, what they may be, and what holds for who never chose."""

from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import available_timezones


@dataclass(frozen=True)
class PreferenceKind:
    """A question put to every user: its key, its words, its values (the first one is the default)."""

    key: str
    question: str
    values: tuple[tuple[str, str], ...]

    @property
    def default(self) -> str:
        return self.values[0][0]


YES_NO = (("yes", "Yes"), ("no", "No"))
AT_ONCE, DIGEST, NEVER = "yes", "digest", "no"
HOW_OFTEN = ((AT_ONCE, "Immediately"), (DIGEST, "In one daily email"), (NEVER, "Never"))
HOURS = tuple((str(hour), f"{hour:02}:00") for hour in (7, *range(7), *range(8, 24)))
NIGHTS = tuple((str(hour), f"{hour:02}:00") for hour in (23, *range(18, 23), *range(5)))
ZONES = tuple((name, name.replace("_", " ")) for name in ("UTC", *sorted(available_timezones() - {"UTC", "localtime"})))

PREFERENCES = {
    kind.key: kind
    for kind in (
        PreferenceKind("mail_turns", "Email me about my battles and battles I follow", HOW_OFTEN),
        PreferenceKind("mail_challenges", "Email me when my mage is challenged", HOW_OFTEN),
        PreferenceKind("mail_seats", "Email me when someone joins, leaves or ends my challenge", HOW_OFTEN),
        PreferenceKind("mail_changes", "Email me about proposals to change my challenge", HOW_OFTEN),
        PreferenceKind("mail_messages", "Email me messages from other users", HOW_OFTEN),
        PreferenceKind("mail_reminders", "Email me when my vacation ends", HOW_OFTEN),
        PreferenceKind("mail_news", "Email me announcements from the janitors", HOW_OFTEN),
        PreferenceKind("mail_unconfirmed", "Send reminders to an unconfirmed address, at most three times", YES_NO),
        PreferenceKind("mail_quiet", "Skip the email about a turn I have already seen on the site", YES_NO),
        PreferenceKind(
            "mail_subjects",
            "Subject lines of battle emails",
            (("thread", "One subject for the whole battle"), ("classic", "Name the turn, like the classic server")),
        ),
        PreferenceKind("digest_hour", "Time of the daily email", HOURS),
        PreferenceKind("time_zone", "Time zone", ZONES),
        PreferenceKind("night", "When clocks stop at night, my eight hours start at", NIGHTS),
        PreferenceKind("single_keys", "Use single keys to choose gestures on the battle page", YES_NO),
    )
}

# Which preference stops the mail about a kind of notice. What stands under none (codes, changes of the account, word
# to janitors) is always mailed.
MAIL_PREFERENCE_OF = {
    **dict.fromkeys(("battle_started", "turn_resolved", "stage_asked", "battle_finished"), "mail_turns"),
    # Word of a deadline that passes stands under none of them.
    **dict.fromkeys(("opponent_late", "time_given", "pause_wanted", "battle_paused", "battle_resumed"), "mail_turns"),
    **dict.fromkeys(("absence_long", "call_off_wanted"), "mail_turns"),
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
    "house_news": "mail_news",
    "vacation_over": "mail_reminders",
    "unconfirmed_reminder": "mail_unconfirmed",
}

# Kinds that carry a code or link which proves an address: the only ones that go to an address not yet proven.
PROVING_KINDS = frozenset({"confirm_address", "login_code", "password_reset"})

# What reminds a user whose address is not proven, with a link to prove it; so often to one address, so far apart.
UNCONFIRMED_REMINDER = "unconfirmed_reminder"
MOST_UNCONFIRMED_REMINDERS = 3
BETWEEN_UNCONFIRMED_REMINDERS = timedelta(days=1)

# Kinds that may name the address they go to; word of a changed address
# goes to the one that was, and that an account is closed to the one that it had.
ADDRESSED_KINDS = PROVING_KINDS | {"account_changed", "user_closed", UNCONFIRMED_REMINDER}

# Kinds that do not wait for a reader who has the battle open: what a janitor did to it is always mailed, at once.
URGENT_KINDS = frozenset({"battle_intervened"})
