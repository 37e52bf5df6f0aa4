"""The API's data about the caller and their events: typed and described for programs."""

from typing import Annotated, Literal

from django.utils.translation import gettext as _
from pydantic import AfterValidator, Field

from accounts.models.user import ABOUT_LENGTH
from notifications.preferences import HALF_HOURS
from operations.web.api_schema import Incoming, Outgoing, Text, reject_member, show

HookEvent = Literal[
    "turns", "last", "deadlines", "ends", "messages", "challenges", "seeks", "seats", "changes", "league"
]
NoticeName = Literal[
    "turns",
    "deadlines",
    "ends",
    "messages",
    "challenges",
    "seeks",
    "talk",
    "seats",
    "changes",
    "league",
    "follows",
    "daily",
    "streaks",
    "puzzles",
    "reminders",
    "news",
]
NoticeChannel = Literal["page", "email", "push", "hooks"]


class OwnMage(Outgoing):
    """One of your living mages."""

    name: str
    retired: bool
    pronoun: str = Field(description="How sentences refer to the mage: `they`, `she`, `he` or `it`.")
    busy_with: str | None = Field(description="`challenge` or `battle`; null if the mage is free.")
    number: int | None = Field(description="The number of that challenge or battle.")
    duels: list[int] = Field(
        description="The numbers of the mage's running duels in leagues and cups, which leave the mage free."
    )


class TokenFacts(Outgoing):
    """The token that you have sent."""

    name: str
    scopes: list[str]
    expires_at: str


class Me(Outgoing):
    """Who you are."""

    user: str
    bot: bool = Field(description="Whether this is the account of a bot.")
    about: str = Field(description="What you say about yourself on your page.")
    language: str = Field(description="Your language; empty if each request says which.")
    mages: list[OwnMage]
    token: TokenFacts | None = Field(description="Null if you are logged in without one.")


class NewAbout(Incoming, json_schema_extra=show({"about": "Plays at night."})):
    """What you say about yourself."""

    about: Text = Field(
        description=f"Plain text, {ABOUT_LENGTH} characters at most; line breaks become spaces. Empty removes it."
    )


class NoticeSubject(Outgoing):
    """Something that you are told, and where: in each channel `on`, `off`, `daily` (in one daily email) or `always`
    (nothing turns it off); null if it is not offered there."""

    subject: NoticeName
    title: str = Field(description="What the page calls it.")
    page: str | None
    email: str | None
    push: str | None
    hooks: str | None


class QuietHours(Outgoing):
    """The hours in which your devices are quiet, unless a deadline is near."""

    on: bool
    begin: str = Field(description="Such as `22:00`, in your time zone.")
    end: str
    time_zone: str


class Notices(Outgoing):
    """What you are told, and where."""

    preset: Literal["quiet", "usual", "all"] | None = Field(description="Null if the choices are your own mix.")
    subjects: list[NoticeSubject]
    quiet_hours: QuietHours


class NewNoticeChoice(Incoming):
    """A choice: what you are told in one channel."""

    subject: NoticeName
    channel: NoticeChannel
    choice: Literal["on", "off", "daily"]


def _read_half_hour(text: str) -> str:
    if text not in HALF_HOURS:
        message = _('"%(time)s" must be a full or half hour, such as 22:00 or 07:30.') % {"time": text[:20]}
        raise reject_member("time", message)
    return text


HalfHour = Annotated[Text, AfterValidator(_read_half_hour)]


class NewQuietHours(Incoming):
    """What changes in your quiet hours."""

    on: bool | None = None
    begin: HalfHour | None = Field(None, description="A full or half hour in your time zone, such as `22:00`.")
    end: HalfHour | None = Field(None, description="Another one than `begin`.")


class NewNotices(
    Incoming, json_schema_extra=show({"preset": "usual", "quiet_hours": {"on": True, "begin": "22:00", "end": "07:00"}})
):
    """What changes in what you are told; all else stays as it is. First the preset, then the choices."""

    preset: Literal["quiet", "usual", "all"] | None = None
    choices: list[NewNoticeChoice] = Field(default=[], max_length=100)
    quiet_hours: NewQuietHours | None = None


class Vacation(Outgoing):
    """Your vacation, and the days that you have."""

    until: str | None = Field(description="When your vacation ends, in UTC; null if you are not away.")
    days_left: int = Field(description="The days that you have left this calendar year (UTC).")
    longest: int = Field(description="How many days a vacation from now could last.")


class NewVacation(Incoming, json_schema_extra=show({"days": 7})):
    """A vacation from now."""

    days: int = Field(
        ge=1, le=1000, description="How many days. If you are away already, it then ends that far from now."
    )


class Event(Outgoing):
    """Something that happened to you: its subject, but none of its content."""

    id: str = Field(description="Send it as `after` or `Last-Event-ID` to get what came later.")
    type: Literal[
        "battle_started",
        "turn_resolved",
        "orders_needed",
        "battle_over",
        "battle_changed",
        "challenge_changed",
        "league_changed",
        "seek_opened",
        "league_changed",
        "message",
    ]
    at: str = Field(description="When, in UTC.")
    battle: int | None
    challenge: int | None
    url: str = Field(description="The call that reads what it is about; may be empty.")


class EventList(Outgoing):
    """Events, oldest first."""

    events: list[Event]
    more: bool = Field(description="Whether there are more: ask again at once.")
    next: str = Field(description='What to send as `after` next time; "" if there was no event yet.')


class NewWebhook(Incoming, json_schema_extra=show({"url": "https://bot.example/events"})):
    """The address that will receive your events."""

    url: Text = Field(max_length=500, description="A public address that begins with https://.")


class HookAnswers(Outgoing):
    """How a hook answers."""

    answered_at: str | None = Field(description="When it last answered with 2xx, in UTC.")
    failing_since: str | None = Field(description="When it began to fail, in UTC; null while it works.")
    error: str = Field(description="What happened at the last call; empty if it was answered.")
    paused: bool = Field(description="Whether three events in a row failed. Events wait until you retry on the page.")
    off: bool = Field(description="Whether we have switched it off, because it failed for three days. Set it again.")


class Webhook(HookAnswers):
    """Your webhook. We post each event to it as JSON, signed as standardwebhooks.com describes, and repeat it until
    you answer with 2xx."""

    url: str = Field(description="Its site; the whole address is shown only when you set it.")


class SetWebhook(Webhook):
    """Your new webhook, with its secret."""

    secret: str = Field(description="The key of the signatures, shown this once.")


class Hook(HookAnswers):
    """A hook of yours. Its address and tokens are never shown again."""

    id: int
    format: str = Field(description="json, discord, slack, matrix or ntfy.")
    name: str
    events: list[str] = Field(description="What it is told about.")


class HookList(Outgoing):
    """Your hooks, oldest first."""

    hooks: list[Hook]


class NewHook(
    Incoming,
    json_schema_extra=show(
        {"format": "ntfy", "name": "my phone", "url": "https://ntfy.sh/my-topic", "events": ["turns"]}
    ),
):
    """A hook to add."""

    format: Literal["json", "discord", "slack", "matrix", "ntfy"]
    name: Text = Field(max_length=40, description="What the page calls it.")
    url: Text = Field(
        max_length=500, description="A public address that begins with https://; for matrix that of the homeserver."
    )
    room: Text = Field(default="", max_length=300, description="For matrix: the internal ID of the room.")
    token: Text = Field(default="", max_length=300, description="For matrix, and for a protected topic of ntfy.")
    events: list[HookEvent] = Field(description="What it is told about; at least one.")


class AddedHook(Hook):
    """Your new hook, with its secret."""

    secret: str = Field(description="For json: the key of the signatures, shown this once.")
