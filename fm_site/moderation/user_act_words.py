"""What janitors did to a user, in words."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fm_site.operations.moments import UTC, write_moment

Facts = Mapping[str, Any]

SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "renamed": lambda facts: f"The user {facts['old']} is called {facts['new']} now.",
    "sent_away": lambda facts: f"{facts['name']} is on vacation {facts['until']}.",
    "called_back": lambda facts: f"The vacation of {facts['name']} is over.",
    "suspended": lambda facts: f"{facts['name']} is suspended {facts['until']}.",
    "lifted": lambda facts: f"The suspension of {facts['name']} is lifted.",
    "warned": lambda facts: f"{facts['name']} is warned.",
    "withdrawn": lambda facts: f"The warning of {facts['name']} is withdrawn: “{facts['text']}”",
}


def describe_user_act(kind: str, facts: Facts, zone: ZoneInfo = UTC) -> str:
    """Return what was done: "The user Jon is called Jonas now.". Moments are told in `zone`."""
    return SENTENCES[kind]({**facts, "until": _tell_end(facts, zone)})


def _tell_end(facts: Facts, zone: ZoneInfo) -> str:
    """Earlier entries kept words, "until 2031-05-04" or only the day."""
    if "ends_at" not in facts:
        return f"until {str(facts.get('until', '')).removeprefix('until ')}"
    end = facts["ends_at"]
    return f"until {write_moment(datetime.fromisoformat(end), zone) if end else 'further notice'}"
