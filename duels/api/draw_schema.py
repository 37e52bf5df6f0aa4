"""The API's data about draws by agreement."""

from typing import Literal

from pydantic import Field

from duels.api import time_schema
from operations.web.api_schema import Outgoing, Text, show


class DrawNow(Outgoing):
    """What you can do about a draw now. Only the two players know of an offer, until it is accepted."""

    battle: int
    possible: bool = Field(description="Whether a draw can be agreed on here: in a running duel between people.")
    other: str | None = Field(description="The other player's mage.")
    offered: bool = Field(description="Whether the other player offers you a draw in this turn.")
    offers: bool = Field(description="Whether you offer one in this turn.")
    may_offer: bool
    from_turn: int | None = Field(description="The number of the turn from which you can offer one.")


class NewDraw(time_schema.OfMage, json_schema_extra=show({"act": "offer", "key": "8.0.0"})):
    """An offer of a draw, or an answer to one."""

    act: Literal["offer", "accept", "decline", "withdraw"]
    key: Text | None = Field(None, description="A key of the turn that you mean; refused if that turn is over.")


class DrawDone(Outgoing):
    """What has come of it."""

    agreed: bool = Field(description="Whether the battle is over: a draw.")
    now: DrawNow
