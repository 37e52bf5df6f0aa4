"""What janitors did to a user, in words."""

from collections.abc import Callable, Mapping
from typing import Any

Facts = Mapping[str, Any]

SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "renamed": lambda facts: f"The user {facts['old']} is called {facts['new']} now.",
    "sent_away": lambda facts: f"{facts['name']} is on vacation until {facts['until']}.",
    "called_back": lambda facts: f"The vacation of {facts['name']} is over.",
    "suspended": lambda facts: f"{facts['name']} is suspended {facts['until']}.",
    "lifted": lambda facts: f"The suspension of {facts['name']} is lifted.",
    "warned": lambda facts: f"{facts['name']} is warned.",
    "withdrawn": lambda facts: f"The warning of {facts['name']} is withdrawn: “{facts['text']}”",
}


def describe_user_act(kind: str, facts: Facts) -> str:
    """Return what was done: "The user Jon is called Jonas now."."""
    return SENTENCES[kind](facts)
