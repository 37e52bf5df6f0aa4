"""The API's data about time in battles, in both directions: typed and described for programs."""

from pydantic import Field

from operations.web.api_schema import Incoming, Outgoing, Text, show


class PauseWish(Outgoing):
    """A player's wish for a pause."""

    mage: str
    minutes: int = Field(description="How long the pause should be; 0 to end the pause that is on.")


class Choice(Outgoing):
    """What the players who are present can do about those who are absent. It happens once nobody is missing."""

    absent: list[str] = Field(
        description="The mages whose players are absent, or for whose first orders the battle has waited too long."
    )
    agreed: list[str] = Field(description="The mages of the others who have agreed.")
    missing: list[str] = Field(description="The mages of the others who have not agreed.")
    you: bool = Field(description="Whether you agree.")


class Chosen(Choice):
    """A choice that you have made."""

    done: bool = Field(description="Whether it has happened.")


class TimeUsed(Outgoing):
    """The time that a mage's player has used in a duel of a league or cup."""

    mage: str
    seconds: int = Field(description="In all turns so far, with the running clock.")
    late_turns: int = Field(description="The turns in which the final notice was sent.")


class BattleTime(Outgoing):
    """What you can do about time in a battle."""

    battle: int
    extensions_left: int = Field(description="How often you can take extra time now.")
    extension_minutes: int = Field(description="The length of extra time.")
    may_give_to: list[str] = Field(description="The mages to whom you can give extra time now.")
    paused: bool
    paused_until: str | None = Field(description="When the pause ends, in UTC.")
    wishes: list[PauseWish]
    used: list[TimeUsed] = Field(description="For each mage in a duel of a league or cup; empty in other battles.")
    missing: list[str] = Field(description="The mages whose players are not here yet, before a live battle starts.")
    here_until: str | None = Field(description="Until when they can come, in UTC.")
    call_off: Choice | None = Field(description="Null if it is not possible now.")
    claim: Choice | None = Field(description="Null if it is not possible now.")
    stand_in: Choice | None = Field(description="Null if it is not possible now.")


class Extended(Outgoing):
    """A deadline that was extended."""

    mage: str
    ends_at: str | None = Field(description="The new deadline, in UTC; null while the clock is stopped.")


class Paused(Outgoing):
    """The answer to a wish for a pause, or for its end."""

    done: bool = Field(description="Whether the battle is as you asked; if not, it waits for the others.")


class Present(Outgoing):
    """Who is missing from a live battle that has not started."""

    missing: list[str] = Field(description="Mages; empty once the clocks run.")


class OfMage(Incoming, json_schema_extra=show({"mage": "Bung"})):
    """Which mage acts."""

    mage: Text | None = Field(None, description="Which of your mages; not needed if you have one.")


class GivenTime(OfMage, json_schema_extra=show({"to": "Froodal", "days": 2})):
    """Extra time for another user's mage."""

    to: Text = Field(description="The name of the mage.")
    days: int | None = Field(None, description="1 to 14; without it, the length that the pace allows.")


class NewPause(OfMage, json_schema_extra=show({"minutes": 1440})):
    """A wish for a pause."""

    minutes: int = Field(ge=0, le=30 * 1440, description="At most 30 days. 0 withdraws the wish or ends the pause.")


class NewChoice(OfMage, json_schema_extra=show({"agrees": True})):
    """Your consent to act because of an absence."""

    agrees: bool = Field(True, description="false takes your consent back.")
