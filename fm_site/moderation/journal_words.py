"""The janitors' journal in words. Facts in, a sentence out; the reader sees who did it, and when, beside it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fm_site.operations.moments import UTC, write_moment

Facts = Mapping[str, Any]


def describe_entry(kind: str, facts: Facts, reason: str = "", zone: ZoneInfo = UTC) -> str:
    """Return what was done, and why: "Turn 5 was taken back. Reason: …". Times are in `zone`."""
    more = {"until": _tell_end(facts, zone)} if kind in ("sent_away", "suspended") else {}
    told = SENTENCES[kind]({**facts, **more})
    return f"{told} Reason: {reason}" if reason else told


def _tell_look(facts: Facts) -> str:
    orders = "with the orders that were pending" if facts.get("orders") else "without pending orders"
    return f"A janitor looked at the battle through the eyes of {facts['mage']}, {orders}."


def _tell_question(facts: Facts) -> str:
    return f"The players are asked whether the battle goes back to the beginning of turn {facts['turn']}."


def _tell_rewinding(facts: Facts) -> str:
    first, last = facts["turn"], facts["to"]
    taken = f"Turn {first} was taken back" if first == last else f"Turns {first} to {last} were taken back"
    if facts.get("ended"):
        taken = f"The end was taken back. {taken}"
    return f"{taken}: turn {first} is played again. {_tell_consent(facts)}".rstrip()


def _tell_consent(facts: Facts) -> str:
    told = [
        f"{_join(facts.get(key, ()))} {word}."
        for key, word in (("agreed", "agreed"), ("refused", "refused"), ("silent", "did not answer"))
        if facts.get(key)
    ]
    if facts.get("without_consent"):
        told.append(f"It was done all the same: {facts['without_consent']}")
    return " ".join(told)


def _tell_replay(facts: Facts) -> str:
    if facts.get("turn"):
        return f"The battle was played again to compare: turn {facts['turn']} comes out otherwise."
    return "The battle was played again to compare: every turn comes out the same."


def _tell_orders(facts: Facts) -> str:
    return f"A janitor entered orders of {facts['mage']} for turn {facts['turn']}."


def _tell_annulment(facts: Facts) -> str:
    return "The battle was annulled. It counts for nothing, and whoever died in it lives."


def _tell_decision(facts: Facts) -> str:
    winners, dead = facts.get("winners", ()), facts.get("dead", ())
    told = f"The result was set: {_join(winners)} won." if winners else "The result was set: nobody won."
    return f"{told} Dead: {_join(dead)}." if dead else told


def _tell_excuse(facts: Facts) -> str:
    return f"{facts['mage']} is excused for turn {facts['turn']}."


def _tell_extension(facts: Facts) -> str:
    return f"{facts['mage']} has {facts['hours']} more hours for turn {facts['turn']}."


def _tell_pause(facts: Facts) -> str:
    return "The battle is paused: its clocks stand still."


def _tell_resumption(facts: Facts) -> str:
    return "The battle goes on: its clocks run again."


def _tell_try(facts: Facts) -> str:
    came = {
        "resolved": "and it was played",
        "stuck": "and the rules still cannot play it",
        "waiting": "and it waits for orders again",
    }
    return f"A janitor tried to play turn {facts['turn']} on, {came[facts['outcome']]}."


def _tell_end(facts: Facts, zone: ZoneInfo) -> str:
    """Earlier entries kept words, "until 2031-05-04" or only the day."""
    if "ends_at" not in facts:
        return f"until {str(facts.get('until', '')).removeprefix('until ')}"
    end = facts["ends_at"]
    return f"until {write_moment(datetime.fromisoformat(end), zone) if end else 'further notice'}"


def _join(names: Sequence[str]) -> str:
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), *names[-1:]])


SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "looked": _tell_look,
    "asked": _tell_question,
    "rewound": _tell_rewinding,
    "replayed": _tell_replay,
    "ordered": _tell_orders,
    "annulled": _tell_annulment,
    "decided": _tell_decision,
    "excused": _tell_excuse,
    "extended": _tell_extension,
    "paused": _tell_pause,
    "resumed": _tell_resumption,
    "tried": _tell_try,
    "renamed": lambda facts: f"The user {facts['old']} is called {facts['new']} now.",
    "sent_away": lambda facts: f"{facts['name']} is on vacation {facts['until']}.",
    "called_back": lambda facts: f"The vacation of {facts['name']} is over.",
    "suspended": lambda facts: f"{facts['name']} is suspended {facts['until']}.",
    "lifted": lambda facts: f"The suspension of {facts['name']} is lifted.",
    "warned": lambda facts: f"{facts['name']} is warned.",
    "withdrawn": lambda facts: f"The warning of {facts['name']} is withdrawn: “{facts['text']}”",
}
