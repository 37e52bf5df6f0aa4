"""What the API tells of challenges, and what it takes: typed and described for programs."""

from pydantic import Field

from fm_site.operations.api_schema import Sent, Text, Told


class PlayNow(Sent):
    """A battle against one of the site's bots, which begins at once."""

    strength: Text = Field(max_length=100, description="The name of the bot's strength.", examples=["Warder"])
    ruleset: Text = Field("", max_length=100, description="Without it, the usual rules.", examples=["firetop-standard"])
    pace: Text = Field("", max_length=100, description="Without it there is no clock.")
    rated: bool = Field(False, description="Whether it counts in the rating of battles with bots.")
    mage: Text = Field("", max_length=100, description="Your mage; without it, the first free one.")
    hit_points: int | None = Field(None, description="Your hit points, from 1 to 15, as a handicap.")
    bot_hit_points: int | None = Field(None, description="The bot's hit points, from 1 to 15, as a handicap.")
    bots_surrender: bool = Field(True, description="false: the bot never gives up.")


class Started(Told):
    """A battle that has just begun."""

    battle: int
    url: str = Field(description="The page of the battle.")
