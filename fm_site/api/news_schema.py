"""The API's data about the caller's news: typed and described for programs."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from operations.web.api_schema import MOST_NUMBER, Incoming, Outgoing, show

LineNumber = Annotated[int, Field(ge=1, le=MOST_NUMBER)]


class NewsLine(Outgoing):
    """A line of your news."""

    line: int = Field(description="Its number: send it to mark the line as read, or as `before`.")
    at: datetime = Field(description="When, in UTC.")
    words: str = Field(description="What happened, in your language.")
    text: str = Field(description="What somebody wrote, in full; empty if nobody did.")
    url: str = Field(description="The page that it leads to.")
    unread: bool


class News(Outgoing):
    """Some of your news, the newest first."""

    lines: list[NewsLine]
    more: bool = Field(description="Whether there are older ones: ask again with the last `line` as `before`.")


class ReadNews(Incoming, json_schema_extra=show({"lines": [4, 5]})):
    """The news that you have read."""

    lines: list[LineNumber] | None = Field(
        None, max_length=100, description="Their `line` numbers; without this member, all of your news."
    )


class UnreadNews(Outgoing):
    """What is left."""

    unread: int = Field(description="How many lines of your news you have not read.")
