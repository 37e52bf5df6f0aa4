"""The janitors' journal in words: facts in, a sentence out. The page shows who did it and when beside it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fm_site.operations.moments import UTC, write_moment

Facts = Mapping[str, Any]


def describe_entry(kind: str, facts: Facts, reason: str = "", zone: ZoneInfo = UTC) -> str:
    """Return the action and its reason: "Turn 5 was taken back. Reason: …". Times are in `zone`."""
    more = {"until": _tell_end(facts, zone)} if kind in ("sent_away", "suspended") else {}
    told = SENTENCES[kind]({**facts, **more})
    return f"{told} Reason: {reason}" if reason else told


def _tell_look(facts: Facts) -> str:
    orders = "with the pending orders" if facts.get("orders") else "without pending orders"
    return f"A janitor looked at the battle through the eyes of {facts['mage']}, {orders}."


def _tell_question(facts: Facts) -> str:
    return f"The players were asked whether the battle may go back to the start of turn {facts['turn']}."


def _tell_rewinding(facts: Facts) -> str:
    first, last = facts["turn"], facts["to"]
    taken = f"Turn {first} was taken back" if first == last else f"Turns {first} to {last} were taken back"
    if facts.get("ended"):
        taken = f"The end of the battle was taken back. {taken}"
    return f"{taken}: turn {first} is played again. {_tell_consent(facts)}".rstrip()


def _tell_consent(facts: Facts) -> str:
    told = [
        f"{_join(facts.get(key, ()))} {word}."
        for key, word in (("agreed", "agreed"), ("refused", "refused"), ("silent", "did not answer"))
        if facts.get(key)
    ]
    if facts.get("without_consent"):
        told.append(f"It was done anyway: {facts['without_consent']}")
    return " ".join(told)


def _tell_replay(facts: Facts) -> str:
    if facts.get("turn"):
        return f"The battle was replayed for comparison: turn {facts['turn']} has a different outcome."
    return "The battle was replayed for comparison: every turn has the same outcome."


def _tell_orders(facts: Facts) -> str:
    return f"A janitor entered orders for {facts['mage']} for turn {facts['turn']}."


def _tell_annulment(facts: Facts) -> str:
    return "The battle was annulled. It no longer counts, and mages who died in it live again."


def _tell_decision(facts: Facts) -> str:
    winners, dead = facts.get("winners", ()), facts.get("dead", ())
    told = f"The result was set: {_join(winners)} won." if winners else "The result was set: nobody won."
    return f"{told} Dead: {_join(dead)}." if dead else told


def _tell_excuse(facts: Facts) -> str:
    return f"{facts['mage']} is excused for turn {facts['turn']}."


def _tell_extension(facts: Facts) -> str:
    return f"{facts['mage']} has {facts['hours']} more hours for turn {facts['turn']}."


def _tell_pause(facts: Facts) -> str:
    return "The battle is paused and its clocks have stopped."


def _tell_resumption(facts: Facts) -> str:
    return "The battle is resumed and its clocks run again."


def _tell_try(facts: Facts) -> str:
    came = {
        "resolved": "and it was resolved",
        "stuck": "but the rules still cannot resolve it",
        "waiting": "and it is waiting for orders again",
    }
    return f"A janitor tried to resolve turn {facts['turn']} again, {came[facts['outcome']]}."


def _tell_end(facts: Facts, zone: ZoneInfo) -> str:
    """Earlier entries stored words: "until 2031-05-04", or only the day."""
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
    "renamed": lambda facts: f"User {facts['old']} is now called {facts['new']}.",
    "sent_away": lambda facts: f"{facts['name']} is on vacation {facts['until']}.",
    "called_back": lambda facts: f"{facts['name']}'s vacation has ended.",
    "suspended": lambda facts: f"{facts['name']} is suspended {facts['until']}.",
    "lifted": lambda facts: f"{facts['name']}'s suspension is lifted.",
    "warned": lambda facts: f"{facts['name']} is warned.",
    "withdrawn": lambda facts: f"{facts['name']}'s warning is withdrawn: “{facts['text']}”",
}
