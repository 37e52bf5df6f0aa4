"""What janitors did to a user, in words."""

from collections.abc import Callable, Mapping
from typing import Any

Facts = Mapping[str, Any]

SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "renamed": lambda facts: f"The user {facts['old']} is called {facts['new']} now.",
    "sent_away": lambda facts: f"{facts['name']} is on vacation until {facts['until']}.",
    "called_back": lambda facts: f"The vacation of {facts['name']} is over.",
}


def describe_user_act(kind: str, facts: Facts) -> str:
    """Return what was done: "The user Jon is called Jonas now."."""
    return SENTENCES[kind](facts)
