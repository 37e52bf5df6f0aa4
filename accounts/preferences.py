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
HOW_OFTEN = ((AT_ONCE, "At once"), (DIGEST, "Once a day, together"), (NEVER, "Not at all"))
HOURS = tuple((str(hour), f"{hour:02}:00") for hour in (7, *range(7), *range(8, 24)))
NIGHTS = tuple((str(hour), f"{hour:02}:00") for hour in (23, *range(18, 23), *range(5)))
ZONES = tuple((name, name.replace("_", " ")) for name in ("UTC", *sorted(available_timezones() - {"UTC", "localtime"})))

PREFERENCES = {
    kind.key: kind
    for kind in (
        PreferenceKind("mail_turns", "Mail me what happens in my battles and those I follow", HOW_OFTEN),
        PreferenceKind("mail_challenges", "Mail me when a mage of mine is challenged", HOW_OFTEN),
        PreferenceKind("mail_seats", "Mail me who joins, leaves or ends a challenge of mine", HOW_OFTEN),
        PreferenceKind("mail_changes", "Mail me about changes proposed to a challenge of mine", HOW_OFTEN),
        PreferenceKind("mail_messages", "Mail me messages from other players", HOW_OFTEN),
        PreferenceKind("mail_reminders", "Mail me when a vacation of mine ends", HOW_OFTEN),
        PreferenceKind("mail_news", "Mail me what the janitors announce", HOW_OFTEN),
        PreferenceKind("mail_unconfirmed", "Remind me at an unconfirmed address, three times at most", YES_NO),
        PreferenceKind("mail_quiet", "Leave out the mail about a turn that I have seen on the page", YES_NO),
        PreferenceKind(
            "mail_subjects",
            "Subjects of mails about battles",
            (("thread", "The same for a whole battle"), ("classic", "Naming the turn, as the old server did")),
        ),
        PreferenceKind("digest_hour", "Hour of the daily mail", HOURS),
        PreferenceKind("time_zone", "Time zone", ZONES),
        PreferenceKind("night", "Where clocks rest at night, my eight hours begin at", NIGHTS),
        PreferenceKind("single_keys", "Choose gestures with single keys on the duel page", YES_NO),
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
