"""The API's data about challenges, in both directions: typed and described for programs."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from duels import api_choices as choices
from ladder.stakes import STAKES_WORDS
from operations.web.api_schema import Incoming, Outgoing, Text, show


class PlayNow(Incoming, json_schema_extra=show({"strength": "Warder", "rated": True})):
    """A battle against one of the site's bots, which begins at once."""

    strength: Text = Field(
        min_length=1, max_length=100, description="The name of the bot's strength.", examples=["Warder"]
    )
    ruleset: Text = Field(
        "",
        max_length=100,
        description="Without it, the usual rules.",
        examples=["firetop-standard"],
        json_schema_extra=choices.NEW_RULESET,
    )
    pace: Text = Field(
        "",
        max_length=100,
        description="Without it there is no clock.",
        json_schema_extra=choices.NEW_PACE_WITH_BOT,
    )
    rated: bool = Field(False, description="Whether it counts in the rating of battles with bots.")
    mage: Text = Field("", max_length=100, description="Your mage; without it, the first free one.")
    hit_points: int | None = Field(None, description="Your hit points, from 1 to 15, as a handicap.")
    bot_hit_points: int | None = Field(None, description="The bot's hit points, from 1 to 15, as a handicap.")
    bots_surrender: bool = Field(True, description="false: the bot never gives up.")


class Started(Outgoing):
    """A battle that has just begun."""

    battle: int
    url: str = Field(description="The page of the battle.")


class RatedBot(Outgoing):
    """A line of the ladder of bots."""

    place: int | None = Field(description="null without a rating.")
    name: str
    strength: str | None = Field(description="null for the bot of a user.")
    words: str = Field(description="How it plays, in your language.")
    rating: int | None = Field(description="A bot of the site starts with a rating from offline games.")
    about: bool = Field(description="Whether it has played too few rated duels, so that the rating is about right.")
    margin: int | None = Field(description="The rating is right within this margin with 95 %.")
    battles: int
    url: str = Field(description="The page of the bot.")


class Match(Outgoing):
    """A match that was played offline."""

    stronger: str
    weaker: str
    share: float = Field(description="The stronger bot's share of the points, in percent.")
    margin: float = Field(description="Half of the 95 % range of the share.")
    battles: int


class RatedBattles(Outgoing):
    """How many battles the ratings come from."""

    among_bots: int
    with_people: int


class BotHere(Outgoing):
    """A bot that can be challenged now. On these terms the rules of the site allow it; the program of a user's bot
    decides for itself."""

    name: str
    strength: str | None = Field(
        description="For the site's own bots, which play at once (`POST /play/`); null for the bot of a user, whom "
        "you challenge."
    )
    mages: list[str] = Field(description="Its mages who are free.")
    rulesets: list[str]
    paces: list[str]
    stakes: list[str]
    url: str = Field(description="The page of the bot.")


class Bots(Outgoing):
    """The ladder of bots, and the matches that measured the site's own bots."""

    ruleset: str = Field(description="The ruleset of all rated duels with bots.", json_schema_extra=choices.RULESET)
    as_of: datetime | None
    battles: RatedBattles
    bots: list[RatedBot]
    online: list[BotHere] = Field(
        description="The site's bots, and the bots of users whose programs have the stream of events open."
    )
    matches: list[Match]


class SeatFacts(Outgoing):
    """A seat of a challenge that a mage has, or is invited to."""

    mage: str
    user: str
    bot: bool = Field(description="Whether it is a mage of a bot, of the site or of a user.")
    state: str = Field(description="`joined`, `invited`, `declined` or `excluded`.")
    reason: str = Field(description="Why the mage declined, if they said it: as in `decline/`; empty otherwise.")


class Vote(Outgoing):
    """The vote of a mage who has joined."""

    mage: str
    stance: str = Field(description="`for`, `against`, or empty before it has voted.")
    points: int = Field(description="The weight of its vote.")


class ProposedChange(Outgoing):
    """A change of the terms that is waiting for votes."""

    change: int = Field(description="Its number within the challenge.")
    proposer: str
    words: str = Field(description="What it changes, in your language.")
    votes: list[Vote]
    points_for: int
    points_against: int
    needed: int = Field(description="The side that reaches this many points wins.")
    lapses_at: datetime
    may_accept: list[str] = Field(description="Your mages who may vote for it.")
    may_oppose: list[str] = Field(description="Your mages who may vote against it.")
    may_take_back: str = Field(description="Your mage who proposed it, or empty.")


class Challenge(Outgoing):
    """A challenge as you see it."""

    challenge: int = Field(description="Its number; the battle that it becomes has the same.")
    status: str = Field(description="`open`, `started`, `withdrawn` or `closed`.")
    title: str
    challenger: str
    challenger_user: str
    ruleset: str = Field(json_schema_extra=choices.RULESET)
    pace: str = Field(json_schema_extra=choices.PACE)
    stakes: str = Field(description=STAKES_WORDS, json_schema_extra=choices.STAKES_OF_BATTLE)
    practice: bool
    scores: bool = Field(description="Whether scores are at stake.")
    terms: str = Field(description="The terms in words.")
    open_to_all: bool
    limit: int | None = Field(description="The battle starts with this many mages.")
    comment: str
    seats: list[SeatFacts]
    may_join: list[str] = Field(description="Your mages who may join.")
    why_not: str = Field(description="Why none may, in words.")
    why_not_code: str
    may_propose: list[str] = Field(description="Your mages who may propose changes.")
    may_start: str = Field(description="Your mage who may start the battle now, or empty.")
    changes: list[ProposedChange] = Field(
        description="The changes that are waiting for votes; lists of challenges leave them out."
    )
    created_at: str
    revision: int = Field(description="Increases with every change to it.")
    terms_key: str = Field(description="Changes with the terms. Send it when you join, so that you join only on these.")


class Challenges(Outgoing):
    """Challenges."""

    challenges: list[Challenge]


class NewChallenge(
    Incoming, json_schema_extra=show({"mage": "Bung", "against": ["Froodal"], "pace": "day", "stakes": "friendly"})
):
    """A new challenge."""

    mage: Text = Field(max_length=100, description="Your mage, which must be free.")
    against: list[Text] = Field([], max_length=50, description="The mages you challenge; empty: anyone may join.")
    ruleset: Text = Field("firetop-standard", max_length=100, json_schema_extra=choices.NEW_RULESET)
    pace: Text = Field("classic", max_length=100, json_schema_extra=choices.NEW_PACE)
    stakes: Text = Field("ladder", max_length=100, description=STAKES_WORDS, json_schema_extra=choices.NEW_STAKES)
    limit: int | None = Field(
        None, description="The battle starts with this many mages. Without it: a duel, or all the mages you name."
    )
    comment: Text = Field("", max_length=300)


class ByMage(Incoming, json_schema_extra=show({"mage": "Bung"})):
    """Which of your mages acts."""

    mage: Text = Field(max_length=100)


class Declining(ByMage, json_schema_extra=show({"mage": "Bung", "reason": "pace"})):
    """Which of your mages declines, and why."""

    reason: Literal["busy", "ruleset", "pace", "stakes", "strength"] | None = Field(
        None,
        description="Tells the others that you have no time now, want another ruleset, another pace or other stakes, "
        "or look for an opponent of another strength.",
    )


class Joining(ByMage):
    """Which of your mages joins, and on which terms."""

    terms_key: Text = Field("", max_length=16, description="The `terms_key` you have seen; empty: on any terms.")


def _show_change(schema: dict[str, Any]) -> None:
    """Add the example, and take out the defaults: what is left out stays as it is."""
    schema.update(show({"mage": "Bung", "pace": "fast", "add": ["Froodal"]}))
    for member in schema["properties"].values():
        member.pop("default", None)


class NewChange(ByMage, json_schema_extra=_show_change):
    """A change of the terms. Terms that you leave out stay the same."""

    ruleset: Text = Field("", max_length=100, json_schema_extra=choices.NEW_RULESET)
    pace: Text = Field("", max_length=100, json_schema_extra=choices.NEW_PACE)
    stakes: Text = Field("", max_length=100, description=STAKES_WORDS, json_schema_extra=choices.NEW_STAKES)
    weekends: bool = Field(False, description="Whether the clocks rest on weekends.")
    nights: bool = Field(False, description="Whether the clocks rest at night.")
    reliable: int = Field(0, description="How reliable mages must be to join, in percent.")
    orders_final: bool = Field(False, description="Whether orders cannot be replaced.")
    chat: bool = Field(False, description="Whether players may talk beside the battle.")
    hit_points: list[int] = Field([], max_length=20, description="The hit points of each side, as a handicap.")
    bots: list[Text] = Field([], max_length=20, description="The strengths of the bots that take seats.")
    bots_may_join: bool = Field(False, description="Whether bots may join without an invitation.")
    mages_per_user: int | None = Field(None, description="How many mages of a user may join; null: only the invited.")
    limit: int | None = Field(None, description="The battle starts with this many mages; null: there is no limit.")
    authoritarian: bool = Field(False, description="Whether the challenger decides alone.")
    comment: Text = Field("", max_length=300)
    add: list[Text] = Field([], max_length=50, description="Mages to invite.")
    exclude: list[Text] = Field([], max_length=50, description="Mages to exclude.")
    everyone: bool = Field(False, description="Whether to invite every free mage.")


class Wanted(ByMage, json_schema_extra=show({"mage": "Bung", "pace": "day", "stakes": "friendly"})):
    """The duel that you want."""

    ruleset: Text = Field("firetop-standard", max_length=100, json_schema_extra=choices.NEW_RULESET)
    pace: Text = Field("classic", max_length=100, json_schema_extra=choices.NEW_PACE)
    stakes: Text = Field("ladder", max_length=100, description=STAKES_WORDS, json_schema_extra=choices.NEW_STAKES)


class InviteLink(Outgoing):
    """A link that lets one person join. It is shown once."""

    link: int = Field(description="Its number, to revoke it with.")
    challenge: int
    url: str
    expires_at: datetime


class BecomeBot(Incoming, json_schema_extra=show({"name": "MyBot"})):
    """Makes an account a bot, permanently."""

    name: Text = Field(max_length=100, description="The name of your account, to confirm it.", examples=["MyBot"])


class BotAccount(Outgoing):
    """An account, and whether it is a bot."""

    name: str
    bot: bool


class RoomLine(Outgoing):
    """A line in the lobby's room."""

    line: int
    user: str
    text: str
    at: datetime
    via: str = Field(description="`page`, `api` or `mail`.")
    mine: bool
    removed: bool = Field(description="Whether a janitor removed it: the text says so then.")


class Room(Outgoing):
    """The lobby's room as you may read it, oldest line first."""

    may_write: bool
    why_not: str = Field(description="Why you cannot write, in words.")
    lines: list[RoomLine]
    more: bool = Field(description="Whether there are older lines: ask for those before the first one.")


class NewRoomLine(Incoming, json_schema_extra=show({"text": "Who has time for a duel?"})):
    """A line to write in the lobby's room."""

    text: Text = Field(max_length=2000, description="At most 280 characters are accepted.")


class PersonHere(Outgoing):
    """Someone who has a page of the site open."""

    user: str
    doing: str | None = Field(description="`fights`, `looks` (for a duel), `hosts`, or null.")
    battle: int | None = Field(description="The live battle that they fight in.")
    url: str = Field(description="The page of the user.")


class PeopleHere(Outgoing):
    """Who is here, as you may see it."""

    people: list[PersonHere] = Field(description="The first 48.")
    count: int
    in_last_hour: int
