"""The API's data about battles that were found, and their records."""

from datetime import datetime

from pydantic import BaseModel, Field

from duels import api_choices as choices
from operations.web.api_schema import Outgoing


class SearchParameters(BaseModel):
    """What a found battle must have. What you leave out matches every battle."""

    who: str = Field("", description="The name of a mage or user. Result, opening, spell and feat are theirs.")
    against: str = Field("", description="The name of a mage or user.")
    result: str = Field("", description="`won`, `lost` or `drew`.")
    kind: str = Field("", description="`duel` or `melee`.")
    ruleset: str = Field("", description="The name of a ruleset with a battle that is over.")
    opening: str = Field("", description="The first pairs of gestures, such as `SW PD`.")
    spell: str = Field("", description="A spell that was cast.")
    worked: str = Field("", description="`true`: the spell worked.")
    feat: str = Field("", description="A feat, such as `finger_of_death`.")
    ending: str = Field("", description="How the battle ended, such as `kill` or `surrender`.")
    shortest: str = Field("", description="The least number of turns.")
    longest: str = Field("", description="The greatest number of turns.")
    bots: str = Field("", description="`with` or `without`.")
    since: str = Field("", description="The first day on which it may have ended, such as `2026-11-23`.")
    until: str = Field("", description="The last day on which it may have ended.")


class FoundBattle(Outgoing):
    """A battle that was found."""

    battle: int
    kind: str
    ruleset: str = Field(json_schema_extra=choices.RULESET)
    mages: list[str]
    users: list[str]
    bots: list[str] = Field(description="The mages that bots played.")
    winners: list[str]
    turn: str = Field(description="The label of the last turn.")
    ended: datetime | None


class FoundBattles(Outgoing):
    """A page of battles that were found, newest first."""

    battles: list[FoundBattle]
    before: int | None = Field(description="Send this to get the next page; null if there is none.")


class Table(Outgoing):
    """The battle as a table."""

    battle: int
    table: str


class Story(Outgoing):
    """The battle as a story."""

    battle: int
    story: str


class Record(Outgoing):
    """The record that replays the battle."""

    battle: int
    record: str
